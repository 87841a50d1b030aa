#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kinescope {

/// The transfer functions of HDR videos: SMPTE ST 2084 (PQ), and hybrid log-gamma of ARIB STD-B67 (HLG).
enum class HdrTransfer { pq, hlg };

/// The primary colors of an HDR video: those of BT.2020, of displays with P3 (SMPTE RP 431-2, EG 432-1), or of BT.709.
enum class HdrPrimaries { bt2020, p3, bt709 };

/// How the codes of an HDR video become light.
struct HdrCoding {
    HdrTransfer transfer = HdrTransfer::pq;
    HdrPrimaries primaries = HdrPrimaries::bt2020;
    bool operator==(const HdrCoding&) const = default;
};

/// Converts the colors of an HDR video to BT.709 colors for SDR displays, as in ITU-R BT.2390: tones below about 90
/// cd/m² stay as they are, brighter ones up to 1000 cd/m² are compressed, and 203 cd/m² (BT.2408) is SDR white.
/// Brighter tones and colors beyond BT.709 are clipped.
class HdrToSdr {
public:
    explicit HdrToSdr(const HdrCoding& coding);
    /// Converts R, G, B in turn, full range. `sdr` has as many values as `hdr`.
    void convert(std::span<const std::uint16_t> hdr, std::span<std::uint8_t> sdr) const;

private:
    HdrCoding coding_;
    std::vector<float> light_;          ///< by 16-bit code: light, 1 is SDR white; HLG: of the scene, 0..1
    std::vector<float> compression_;    ///< factor of a color by the root of its brightest channel
    std::vector<std::uint8_t> levels_;  ///< 8-bit code by the root of the light
};

}  // namespace kinescope
