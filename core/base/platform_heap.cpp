#include "core/base/platform_heap.h"

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace kinescope {

#ifdef M_MMAP_THRESHOLD  // glibc

void return_freed_blocks() {
    ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
}

/// Restores the highest value that glibc's dynamic threshold can reach by itself. The threshold also determines how
/// much free memory the heap keeps at its end.
void keep_freed_blocks() {
    constexpr int kMost = 32 << 20;
    ::mallopt(M_MMAP_THRESHOLD, kMost);
    ::mallopt(M_TRIM_THRESHOLD, 2 * kMost);
}

void return_free_heap() {
    ::malloc_trim(0);
}

#else

// Other heaps return large blocks automatically and have no such settings.
void return_freed_blocks() {}
void keep_freed_blocks() {}
void return_free_heap() {}

#endif

}  // namespace kinescope
