#pragma once

#include <cstdint>
#include <vector>

namespace kinescope {

/// Places the frames of a result between the frames of its source. Both share the first frame. Positions count in
/// source frames if these are evenly spaced, otherwise in seconds.
class Timeline {
public:
    /// `frames_per_unit`: frames of the result for each unit of the position, above 0.
    explicit Timeline(double frames_per_unit) : frames_per_unit_(frames_per_unit) {}

    /// Returns the frames of the result from a source frame up to the next one, as fractions of the way, 0 <= f < 1.
    /// Call it for each pair in order; `to` >= `from`. Throws Error(file_unreadable) for a gap of more than 1,000,000
    /// frames of the result.
    std::vector<double> between(double from, double to);
    /// True if a frame of the result is due at the last source frame.
    bool is_due(double last) const;
    std::int64_t num_frames() const { return next_; }

private:
    double position() const { return static_cast<double>(next_) / frames_per_unit_; }

    double frames_per_unit_;
    std::int64_t next_ = 0;
};

}  // namespace kinescope
