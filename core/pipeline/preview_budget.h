#pragma once

#include <optional>
#include <vector>

namespace kinescope {

/// The share of the steps' time that previews by a tiny decoder may take.
inline constexpr double kPreviewShare = 0.03;

/// The times of a run so far.
struct PreviewTimes {
    double steps = 0;        ///< seconds of all steps
    double last_step = 0;    ///< seconds of the last step
    double previews = 0;     ///< seconds of all previews
    double seconds_per = 0;  ///< seconds per unit of cost of the last preview; 0: there was none
};

/// Chooses a preview by its cost, so that previews stay within kPreviewShare. `costs`: of each choice, in any unit, the
/// largest first. Returns the index of the first choice that fits into the last step's share. The cheapest one may also
/// use the share that earlier steps left over. Returns the cheapest one before the first preview, because its time is
/// unknown; nullopt if none fits.
std::optional<std::size_t> choose_preview(const std::vector<double>& costs, const PreviewTimes& times);

}  // namespace kinescope
