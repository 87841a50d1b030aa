#include "app/cli/compare_words.h"

#include <cstdint>

#include "core/api/numeric_sample.h"
#include "core/base/significant.h"

namespace kinescope::cli {
namespace {

constexpr int kDigits = 6;

std::string setting_name(const DifferentSetting& setting) {
    switch (setting.aspect) {
        case SettingAspect::field:
            return setting.name;
        case SettingAspect::compute:
            return setting.name + " computes in";
        case SettingAspect::storage:
            return setting.name + " is kept in";
        case SettingAspect::device:
            return setting.name + " runs on";
        case SettingAspect::num_frames:
            return "frames";
    }
    return setting.name;
}

std::string or_nothing(const std::string& value) {
    return value.empty() ? "nothing" : value;
}

/// NaN and infinity may have been found without being counted.
std::string value_words(Statistic statistic, const std::optional<double>& value) {
    if (!value) return "at least 1";
    const bool is_count = statistic == Statistic::nan || statistic == Statistic::inf;
    return is_count ? std::to_string(static_cast<std::int64_t>(*value)) : significant(*value, kDigits);
}

struct DifferenceWords {
    std::string operator()(const StatisticDifference& found) const {
        return place_words(found.place) + ": " + to_string(found.statistic) + " " +
               value_words(found.statistic, found.a) + " against " + value_words(found.statistic, found.b);
    }
    std::string operator()(const FrameDifference& found) const {
        return "frame " + std::to_string(found.frame + 1) + ": " + std::to_string(found.psnr_db) + " dB";
    }
    std::string operator()(const LengthDifference& found) const {
        return "one video ends after frame " + std::to_string(found.num_frames);
    }
};

}  // namespace

std::string setting_words(const DifferentSetting& setting) {
    return setting_name(setting) + ": " + or_nothing(setting.a) + " against " + or_nothing(setting.b);
}

std::string place_words(const LoggedPlace& place) {
    const bool is_step = place.phase == to_string(Phase::denoise);
    const std::string when = is_step ? "step " + std::to_string(std::int64_t{place.step} + 1) : place.phase;
    const std::string where = when + ", " + place.component + " " + place.site;
    return place.branch.empty() ? where : where + " (" + place.branch + ")";
}

std::string difference_words(const FirstDifference& difference) {
    return std::visit(DifferenceWords{}, difference);
}

std::string count_words(const CountDifference& difference) {
    return place_words(difference.place) + ": " + std::to_string(difference.a) + " values against " +
           std::to_string(difference.b);
}

}  // namespace kinescope::cli
