#include "core/device/device_memory.h"

#include <c10/core/CachingDeviceAllocator.h>

#include <algorithm>

namespace kinescope {

namespace {

/// Null before the first tensor on the device, too.
c10::DeviceAllocator* allocator_of(const Device& device) {
    if (!device.is_cuda()) return nullptr;
    auto* allocator = c10::getDeviceAllocator(device.type());
    return allocator != nullptr && allocator->initialized() ? allocator : nullptr;
}

}  // namespace

PeakDeviceMemory::PeakDeviceMemory(const Device& device) : device_(device) {
    if (auto* allocator = allocator_of(device_))
        allocator->resetPeakStats(std::max<c10::DeviceIndex>(device_.index(), 0));
}

std::int64_t PeakDeviceMemory::bytes() const {
    auto* allocator = allocator_of(device_);
    if (allocator == nullptr) return 0;
    const auto stats = allocator->getDeviceStats(std::max<c10::DeviceIndex>(device_.index(), 0));
    return stats.allocated_bytes[static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE)].peak;
}

}  // namespace kinescope
