#include "core/device/device_memory.h"

#include <c10/core/CachingDeviceAllocator.h>

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace kinescope {

namespace {

/// Returns the allocator of a CUDA device; null for other devices, and before the first tensor on the device.
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

namespace {

/// Reads statm, see proc(5): its second number is the resident set size in pages.
std::int64_t resident_bytes() {
    std::int64_t total = 0;
    std::int64_t resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident * ::sysconf(_SC_PAGESIZE);
}

}  // namespace

std::int64_t held_memory(const Device& device) {
    if (device.is_cpu()) return resident_bytes();
    auto* allocator = allocator_of(device);
    if (allocator == nullptr) return 0;
    const auto stats = allocator->getDeviceStats(std::max<c10::DeviceIndex>(device.index(), 0));
    return stats.reserved_bytes[static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE)].current;
}

FreedBlocksReturn::FreedBlocksReturn() {
    ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
}

/// Sets the highest values that glibc's dynamic thresholds reach. M_TRIM_THRESHOLD limits the free memory that the heap
/// keeps at its end.
FreedBlocksReturn::~FreedBlocksReturn() {
    constexpr int kMost = 32 << 20;
    ::mallopt(M_MMAP_THRESHOLD, kMost);
    ::mallopt(M_TRIM_THRESHOLD, 2 * kMost);
}

void release_memory(const Device& device) {
    if (auto* allocator = allocator_of(device)) allocator->emptyCache();
    ::malloc_trim(0);
}

}  // namespace kinescope
