#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/api/localizable_message.h"

namespace kinescope {

/// What is compared: two numeric logs or two videos.
enum class CompareKind { logs, videos };

/// Returns the enumerator's name.
std::string to_string(CompareKind kind);

/// The kind of a setting that can differ between two runs.
enum class SettingAspect {
    field,       ///< a field of the request
    compute,     ///< the dtype in which a component computes
    storage,     ///< the dtype in which a component's weights are kept
    device,      ///< the device of a component
    num_frames,  ///< the number of frames of the videos
};

/// A setting that differs between two runs.
struct DifferentSetting {
    SettingAspect aspect = SettingAspect::field;
    std::string name;  ///< of the field or the component
    std::string a;     ///< value in the first run, as JSON; empty: none
    std::string b;     ///< value in the second run

    bool operator==(const DifferentSetting&) const = default;
};

/// A site in a numeric log. Its texts are those of the log, which another version may have written.
struct LoggedPlace {
    std::string phase;  ///< see to_string(Phase)
    int step = 0;       ///< 0-based; only in the denoising phase
    std::string branch;
    std::string component;
    std::string site;

    bool operator==(const LoggedPlace&) const = default;
};

/// A statistic of a numeric log that is compared.
enum class Statistic { max_abs, min, max, mean, std, nan, inf };

/// Returns the statistic's key in the log.
std::string to_string(Statistic statistic);

/// A statistic that differs by more than the tolerance.
struct StatisticDifference {
    LoggedPlace place;
    Statistic statistic = Statistic::max_abs;
    std::optional<double> a;  ///< nullopt: NaN or infinity that was found, but not counted
    std::optional<double> b;
    double relative = 0;  ///< size of the difference, relative to the site's largest value

    bool operator==(const StatisticDifference&) const = default;
};

/// A frame whose PSNR is less than the tolerance.
struct FrameDifference {
    int frame = 0;  ///< 0-based
    double psnr_db = 0;

    bool operator==(const FrameDifference&) const = default;
};

/// One video ends before the other one.
struct LengthDifference {
    int num_frames = 0;  ///< of the shorter video

    bool operator==(const LengthDifference&) const = default;
};

using FirstDifference = std::variant<StatisticDifference, FrameDifference, LengthDifference>;

/// A site whose tensors have different numbers of values, so that their statistics cannot be compared.
struct CountDifference {
    LoggedPlace place;
    std::int64_t a = 0;
    std::int64_t b = 0;

    bool operator==(const CountDifference&) const = default;
};

/// Result of comparing two numeric logs or two videos.
struct CompareReport {
    CompareKind kind = CompareKind::logs;
    std::vector<DifferentSetting> settings;           ///< those that differ
    std::optional<FirstDifference> first_difference;  ///< nullopt: within tolerance
    double largest_difference = 0;                    ///< logs: relative to the site's largest value
    std::optional<LoggedPlace> largest_place;         ///< logs: the site with that difference
    int num_compared = 0;                             ///< statistics, or frames
    int num_frames_a = 0;     ///< videos: frames of the first one; as its file declares if it was not read to the end
    int num_frames_b = 0;     ///< videos: likewise, of the second one
    int num_in_a = 0;         ///< logs: statistics of the first one, of the last attempt of each step
    int num_in_b = 0;         ///< logs: likewise, of the second one
    int num_other_count = 0;  ///< logs: statistics left out because their tensors differ in size
    std::optional<CountDifference> other_count;  ///< the first of them
    int num_unpaired = 0;                        ///< logs: statistics that only one log contains
    std::vector<LocalizableMessage> problems;    ///< why there is no verdict: a truncated log, videos of other sizes
    double psnr_db = 0;                          ///< videos, if num_compared > 0
    bool passed = false;                         ///< compared, and no difference exceeds the tolerance
};

}  // namespace kinescope
