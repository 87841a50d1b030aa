#pragma once

#include <cstddef>

namespace kinescope {

/// Asks the system to use huge pages for this memory, which reduces TLB misses when distant rows are read. Call it
/// before the memory is filled; its contents are not changed.
void prefer_large_pages(void* data, std::size_t size);
/// Reverts prefer_large_pages, before the memory is freed for other uses.
void prefer_small_pages(void* data, std::size_t size);

}  // namespace kinescope
