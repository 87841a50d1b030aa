#include "core/base/large_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace kinescope {

void prefer_large_pages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t size) {
#ifdef MADV_HUGEPAGE
    // Pages that lie inside as a whole: what is beside the block is not its owner's.
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = (reinterpret_cast<std::uintptr_t>(data) + page - 1) / page * page;
    const auto end = (reinterpret_cast<std::uintptr_t>(data) + size) / page * page;
    // A wish: a system that cannot fulfil it says so, and goes on as before.
    if (end > begin) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace kinescope
