#pragma once

#include <cstddef>

namespace kinescope {

/// Asks the system for pages of some megabytes, where it has such, within `size` bytes from `data` on: reading far
/// apart rows then waits less for addresses to be found. Memory that holds nothing yet; what it may hold stays as it
/// is.
void prefer_large_pages(void* data, std::size_t size);
/// Takes that back, before the memory goes to somebody else.
void prefer_small_pages(void* data, std::size_t size);

}  // namespace kinescope
