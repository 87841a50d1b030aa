#include "core/device/device_clock.h"

#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>

namespace kinescope {

DeviceMoment DeviceMoment::now(const Device& device) {
    if (!device.is_cuda()) return DeviceMoment(Clock::now());
    // The other kind of events has no time.
    auto event = std::make_shared<c10::Event>(device.type(), c10::EventFlag::BACKEND_DEFAULT);
    event->record(c10::impl::VirtualGuardImpl(device.type()).getStream(device));
    return DeviceMoment(std::move(event));
}

double DeviceMoment::seconds_since(const DeviceMoment& begin) const {
    if (!event_ || !begin.event_) return std::chrono::duration<double>(time_ - begin.time_).count();
    constexpr double kMilliseconds = 1e-3;
    if (!event_->query()) event_->synchronize();
    return begin.event_->elapsedTime(*event_) * kMilliseconds;
}

}  // namespace kinescope
