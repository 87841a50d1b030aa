#include "core/numerics/frame_detector.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kinescope {

namespace {

constexpr double kMost = 0.9;
constexpr double kNearlyAll = 0.99;
/// The share of black frames above which a video is reported: more than in a dark scene that fades to black (two
/// thirds), less than kMost.
constexpr double kManyBlack = 0.75;
constexpr double kBlackMean = 2;
constexpr double kBlackStd = 1;
constexpr double kGrayMean = 127.5;
constexpr double kGrayReach = 2;
constexpr double kGrayStd = 1.5;
/// The highest level that a display shows like black.
constexpr int kInvisible = 4;
/// A channel counts as flat if its standard deviation is at most 8 % of its mean, limited to 0.5 to 7 levels. Empty
/// clips of the built-in model at 480x320 reach 5.6 at a mean of 237, 2.8 at 90 and 1.3 at 19; its ordinary clips reach
/// 14 to 60.
constexpr double kContrast = 0.08;
constexpr double kLeastDeviation = 0.5;
constexpr double kMostDeviation = 7;
/// A frame counts as still if it changes by less than this. The built-in model's empty clips change by up to 0.6 on
/// average and 11 at most; a faint small square that moves by two pixels changes them by 0.8 and 51.
constexpr double kStillMean = 1;
constexpr int kStillLargest = 16;
/// The minimum number of frames for a finding about equal frames. Shorter videos may have them by chance.
constexpr int kFewestFrames = 4;

bool is_most(std::int64_t part, std::int64_t whole, double share) {
    return whole > 0 && static_cast<double>(part) > share * static_cast<double>(whole);
}

std::string count_of(int count, const VideoFacts& facts, const std::string& what) {
    return std::to_string(count) + " of " + std::to_string(facts.num_frames) + " frames are " + what;
}

struct Moments {
    double count = 0;
    double sum = 0;
    double squares = 0;

    double mean() const { return count > 0 ? sum / count : 0; }
    double std() const { return count > 0 ? std::sqrt(std::max(0.0, squares / count - mean() * mean())) : 0; }
};

Moments moments_of(const ChannelHistogram& histogram) {
    Moments moments;
    for (std::size_t level = 0; level < histogram.size(); ++level) {
        const auto count = static_cast<double>(histogram[level]);
        const auto value = static_cast<double>(level);
        moments.count += count;
        moments.sum += count * value;
        moments.squares += count * value * value;
    }
    return moments;
}

bool is_flat(const Moments& channel) {
    return channel.std() <= std::clamp(kContrast * channel.mean(), kLeastDeviation, kMostDeviation);
}

/// Returns the lowest and the highest level that occur.
std::pair<int, int> range_of(const ChannelHistogram& histogram) {
    const auto occurs = [](std::int64_t count) { return count > 0; };
    const auto first = std::find_if(histogram.begin(), histogram.end(), occurs);
    const auto last = std::find_if(histogram.rbegin(), histogram.rend(), occurs);
    return {static_cast<int>(first - histogram.begin()), static_cast<int>(histogram.rend() - last) - 1};
}

}  // namespace

std::vector<ChannelHistogram> channel_histograms(const Frame& frame) {
    constexpr std::size_t kChannels = 3;
    constexpr std::size_t kLevels = 256;
    std::vector<ChannelHistogram> channels(kChannels, ChannelHistogram(kLevels, 0));
    for (std::size_t i = 0; i + kChannels <= frame.pixels.size(); i += kChannels)
        for (std::size_t channel = 0; channel < kChannels; ++channel) ++channels[channel][frame.pixels[i + channel]];
    return channels;
}

FrameLevels frame_levels(const std::vector<ChannelHistogram>& channels) {
    FrameLevels frame{.min = 255, .max = 0, .is_one_color = true};
    Moments all;
    for (const ChannelHistogram& channel : channels) {
        const Moments moments = moments_of(channel);
        const auto [low, high] = range_of(channel);
        frame.min = std::min(frame.min, low);
        frame.max = std::max(frame.max, high);
        frame.is_one_color = frame.is_one_color && is_flat(moments);
        all = {all.count + moments.count, all.sum + moments.sum, all.squares + moments.squares};
    }
    frame.mean = all.mean();
    frame.std = all.std();
    return frame;
}

bool is_black(const FrameLevels& frame) {
    return frame.mean < kBlackMean && frame.std < kBlackStd;
}

void VideoFacts::add(const FrameLevels& frame) {
    const bool is_gray = std::abs(frame.mean - kGrayMean) <= kGrayReach && frame.std < kGrayStd;
    ++num_frames;
    num_black += is_black(frame) ? 1 : 0;
    num_uniform += frame.max - frame.min <= 1 ? 1 : 0;
    num_gray += is_gray ? 1 : 0;
    num_one_color += frame.is_one_color ? 1 : 0;
    brightest = std::max(brightest, frame.max);
}

void VideoFacts::add(const FrameChange& change) {
    num_still += change.mean < kStillMean && change.largest <= kStillLargest ? 1 : 0;
    num_equal += change.largest == 0 ? 1 : 0;
}

std::optional<std::string> broken_video(const VideoFacts& facts, Evidence evidence) {
    const auto are_most = [&](int frames) { return is_most(frames, facts.num_frames, kMost); };
    if (are_most(facts.num_black) && is_most(facts.num_zeros, facts.num_values, kNearlyAll))
        return count_of(facts.num_black, facts, "black");
    if (are_most(facts.num_uniform)) return count_of(facts.num_uniform, facts, "a single gray");
    if (are_most(facts.num_gray)) return count_of(facts.num_gray, facts, "flat gray");
    if (evidence == Evidence::none) return std::nullopt;
    if (are_most(facts.num_black)) return count_of(facts.num_black, facts, "black, after an alarm that was not healed");
    if (is_most(facts.num_zeros + facts.num_full, facts.num_values, kMost))
        return std::string("nearly all values are 0 or 255, after an alarm that was not healed");
    return std::nullopt;
}

namespace {

/// Returns true if nearly all values are 0 or 255, and both are frequent. A night sky or a sheet of paper has values at
/// only one end.
bool is_saturated(const VideoFacts& facts) {
    constexpr double kSome = 0.05;
    return is_most(facts.num_zeros + facts.num_full, facts.num_values, kMost) &&
           is_most(facts.num_zeros, facts.num_values, kSome) && is_most(facts.num_full, facts.num_values, kSome);
}

std::optional<LocalizableMessage> suspicion(const VideoFacts& facts) {
    const std::string frames = std::to_string(facts.num_frames);
    if (facts.num_frames > 0 && facts.brightest <= kInvisible)
        return LocalizableMessage{.code = "frames_dark",
                                  .values = {{"largest", std::to_string(facts.brightest)}},
                                  .text = "the video is too dark to see: its largest value is " +
                                          std::to_string(facts.brightest) + " of 255"};
    if (is_most(facts.num_black, facts.num_frames, kManyBlack))
        return LocalizableMessage{.code = "frames_black",
                                  .values = {{"black", std::to_string(facts.num_black)}, {"frames", frames}},
                                  .text = count_of(facts.num_black, facts, "black")};
    if (facts.num_frames > 1 && facts.num_one_color == facts.num_frames && facts.num_still == facts.num_frames - 1)
        return LocalizableMessage{.code = "frames_empty",
                                  .values = {{"frames", frames}},
                                  .text = "all " + frames + " frames show one flat color and nothing moves"};
    if (facts.num_frames >= kFewestFrames && facts.num_equal == facts.num_frames - 1)
        return LocalizableMessage{
            .code = "frames_equal", .values = {{"frames", frames}}, .text = "all " + frames + " frames are the same"};
    if (is_saturated(facts))
        return LocalizableMessage{.code = "frames_extreme", .values = {}, .text = "nearly all values are 0 or 255"};
    return std::nullopt;
}

}  // namespace

std::vector<Finding> find_in_video(const VideoFacts& facts) {
    auto seen = suspicion(facts);
    if (!seen) return {};
    return {{.detector = Detector::frames,
             .sample = {.phase = Phase::decode, .component = "vae", .site = "frames"},
             .found = std::move(*seen)}};
}

}  // namespace kinescope
