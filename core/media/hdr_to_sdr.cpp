#include "core/media/hdr_to_sdr.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace kinescope {
namespace {

constexpr std::size_t kCodes = 65536;
constexpr double kPeak = 1000;     ///< cd/m² of the brightest tone that is kept
constexpr double kWhite = 203;     ///< cd/m² of SDR white in HDR videos (BT.2408)
constexpr double kGamma = 2.4;     ///< of SDR displays (BT.1886)
constexpr double kHlgGamma = 1.2;  ///< of an HLG display of 1000 cd/m² (BT.2100)

// Constants of SMPTE ST 2084.
constexpr double kM1 = 2610.0 / 16384;
constexpr double kM2 = 2523.0 / 4096 * 128;
constexpr double kC1 = 3424.0 / 4096;
constexpr double kC2 = 2413.0 / 4096 * 32;
constexpr double kC3 = 2392.0 / 4096 * 32;

double pq_to_nits(double code) {
    const double power = std::pow(code, 1 / kM2);
    return 10000 * std::pow(std::max(power - kC1, 0.0) / (kC2 - kC3 * power), 1 / kM1);
}

double nits_to_pq(double nits) {
    const double power = std::pow(std::max(nits, 0.0) / 10000, kM1);
    return std::pow((kC1 + kC2 * power) / (1 + kC3 * power), kM2);
}

/// The inverse OETF of BT.2100: light of the scene, 0..1.
double hlg_to_scene(double code) {
    constexpr double a = 0.17883277;
    constexpr double b = 0.28466892;
    constexpr double c = 0.55991073;
    return code <= 0.5 ? code * code / 3 : (std::exp((code - c) / a) + b) / 12;
}

/// BT.2390, 5.4: compresses tones of 0..kPeak to 0..kWhite cd/m². Linear up to the knee, then a Hermite spline.
double compressed_nits(double nits) {
    const double peak = nits_to_pq(kPeak);
    const double white = nits_to_pq(kWhite) / peak;
    const double knee = 1.5 * white - 0.5;
    const double tone = std::min(nits_to_pq(nits) / peak, 1.0);
    if (tone < knee) return nits;
    const double t = (tone - knee) / (1 - knee);
    const double t2 = t * t;
    const double t3 = t2 * t;
    const double spline = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (-2 * t3 + 3 * t2) * white;
    return pq_to_nits(spline * peak);
}

std::size_t index_of_root(float value, float most) {
    const float root = std::sqrt(std::clamp(value / most, 0.0F, 1.0F));
    return static_cast<std::size_t>(std::lround(root * static_cast<float>(kCodes - 1)));
}

double value_at_root(std::size_t index) {
    const double root = static_cast<double>(index) / static_cast<double>(kCodes - 1);
    return root * root;
}

constexpr float kMost = static_cast<float>(kPeak / kWhite);

using Color = std::array<float, 3>;

/// What primaries mean: the luminance of each channel, and the matrix to linear BT.709.
struct ColorSpace {
    Color luminance;
    std::array<Color, 3> to_bt709;
};

/// The matrix of BT.2020 is that of BT.2087. The one of P3 follows from the chromaticities and the white D65.
const ColorSpace& color_space(HdrPrimaries primaries) {
    static constexpr ColorSpace kBt2020{
        {0.2627F, 0.6780F, 0.0593F},
        {{{1.6605F, -0.5876F, -0.0728F}, {-0.1246F, 1.1329F, -0.0083F}, {-0.0182F, -0.1006F, 1.1187F}}}};
    static constexpr ColorSpace kP3{
        {0.2290F, 0.6917F, 0.0793F},
        {{{1.2249F, -0.2249F, 0.0F}, {-0.0421F, 1.0421F, 0.0F}, {-0.0196F, -0.0786F, 1.0983F}}}};
    static constexpr ColorSpace kBt709{{0.2126F, 0.7152F, 0.0722F},
                                       {{{1.0F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F}, {0.0F, 0.0F, 1.0F}}}};
    if (primaries == HdrPrimaries::bt2020) return kBt2020;
    return primaries == HdrPrimaries::p3 ? kP3 : kBt709;
}

float sum_of_products(const Color& a, const Color& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// The light of an HLG display (BT.2100), which depends on the luminance of the scene.
Color displayed(const Color& scene, const ColorSpace& space) {
    const float luminance = sum_of_products(space.luminance, scene);
    const float gain = kMost * std::pow(luminance, static_cast<float>(kHlgGamma - 1));
    return {gain * scene[0], gain * scene[1], gain * scene[2]};
}

/// Returns linear BT.709 without negative values.
Color in_bt709(const Color& color, const ColorSpace& space) {
    Color result{};
    for (std::size_t c = 0; c < 3; ++c) result[c] = std::max(0.0F, sum_of_products(space.to_bt709[c], color));
    return result;
}

}  // namespace

HdrToSdr::HdrToSdr(const HdrCoding& coding) : coding_(coding), light_(kCodes), compression_(kCodes), levels_(kCodes) {
    for (std::size_t i = 0; i < kCodes; ++i) {
        const double code = static_cast<double>(i) / static_cast<double>(kCodes - 1);
        light_[i] =
            static_cast<float>(coding.transfer == HdrTransfer::pq ? pq_to_nits(code) / kWhite : hlg_to_scene(code));
        const double nits = kPeak * value_at_root(i);
        compression_[i] = nits > 0 ? static_cast<float>(compressed_nits(nits) / nits) : 1.0F;
        levels_[i] = static_cast<std::uint8_t>(std::lround(255 * std::pow(value_at_root(i), 1 / kGamma)));
    }
}

void HdrToSdr::convert(std::span<const std::uint16_t> hdr, std::span<std::uint8_t> sdr) const {
    const ColorSpace& space = color_space(coding_.primaries);
    for (std::size_t i = 0; i + 2 < hdr.size(); i += 3) {
        Color color{light_[hdr[i]], light_[hdr[i + 1]], light_[hdr[i + 2]]};
        if (coding_.transfer == HdrTransfer::hlg) color = displayed(color, space);
        color = in_bt709(color, space);
        const float brightest = std::max({color[0], color[1], color[2]});
        // Brighter tones than the peak are as bright as white.
        const float gain = brightest > kMost ? 1 / brightest : compression_[index_of_root(brightest, kMost)];
        for (std::size_t c = 0; c < 3; ++c) sdr[i + c] = levels_[index_of_root(gain * color[c], 1)];
    }
}

}  // namespace kinescope
