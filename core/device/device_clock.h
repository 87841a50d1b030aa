#pragma once

#include <chrono>
#include <memory>
#include <utility>

#include "core/device/tensor.h"

namespace c10 {
struct Event;
}

namespace kinescope {

/// A moment in the work of a device. A CUDA device works later than the program requests it, so there the moment is an
/// event between two launches; elsewhere it is the current time.
class DeviceMoment {
public:
    /// Marks the end of the work that this thread has requested from the device so far. Does not wait for it.
    static DeviceMoment now(const Device& device);

    /// Returns the seconds from `begin`, on the same device, to this moment. Waits until the device has reached it.
    double seconds_since(const DeviceMoment& begin) const;

private:
    using Clock = std::chrono::steady_clock;

    explicit DeviceMoment(Clock::time_point time) : time_(time) {}
    explicit DeviceMoment(std::shared_ptr<c10::Event> event) : event_(std::move(event)) {}

    Clock::time_point time_ = {};
    std::shared_ptr<c10::Event> event_;
};

}  // namespace kinescope
