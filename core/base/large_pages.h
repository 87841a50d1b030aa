#pragma once

#include <cstddef>

namespace kinescope {

/// Asks the system to use huge pages for this memory, which reduces TLB misses when distant rows are read. Call it
/// before filling the memory. Does not change the contents.
void prefer_large_pages(void* data, std::size_t size);
/// Reverts prefer_large_pages. Call it before freeing the memory for other uses.
void prefer_small_pages(void* data, std::size_t size);

}  // namespace kinescope
