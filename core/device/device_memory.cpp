#include "core/device/device_memory.h"

#include <c10/core/CachingDeviceAllocator.h>

#include <algorithm>

#include "core/base/peak_memory.h"
#include "core/base/platform_heap.h"

namespace kinescope {

namespace {

/// Returns the allocator of a CUDA device; nullptr for other devices, and before the first tensor on the device.
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

std::int64_t held_memory(const Device& device) {
    if (device.is_cpu()) return resident_memory_bytes();
    auto* allocator = allocator_of(device);
    if (allocator == nullptr) return 0;
    const auto stats = allocator->getDeviceStats(std::max<c10::DeviceIndex>(device.index(), 0));
    return stats.reserved_bytes[static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE)].current;
}

FreedBlocksReturn::FreedBlocksReturn() {
    return_freed_blocks();
}

FreedBlocksReturn::~FreedBlocksReturn() {
    keep_freed_blocks();
}

void release_memory(const Device& device) {
    if (auto* allocator = allocator_of(device)) allocator->emptyCache();
    return_free_heap();
}

}  // namespace kinescope
