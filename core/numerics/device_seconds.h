#pragma once

#include <utility>
#include <vector>

#include "core/device/device_clock.h"

namespace kinescope {

/// Adds up the time that devices take for parts of their work. Does not wait for them until the sum is read.
class DeviceSeconds {
public:
    void add(DeviceMoment begin, DeviceMoment end) { parts_.emplace_back(std::move(begin), std::move(end)); }
    /// Adds the parts that have ended to the sum. Waits for the device, unless something else has waited for it.
    void settle() {
        for (const auto& [begin, end] : std::exchange(parts_, {})) seconds_ += end.seconds_since(begin);
    }
    /// Returns the sum since the last call. Waits like settle.
    double take() {
        settle();
        return std::exchange(seconds_, 0.0);
    }
    /// Forgets the parts that are not part of the sum yet.
    void drop() { parts_.clear(); }

private:
    std::vector<std::pair<DeviceMoment, DeviceMoment>> parts_;
    double seconds_ = 0;
};

}  // namespace kinescope
