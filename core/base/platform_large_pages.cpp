#include "core/base/large_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace kinescope {

#ifdef MADV_HUGEPAGE

namespace {

/// Calls madvise(2). Ignores errors, because this is only a hint.
void advise(void* data, std::size_t size, int advice) {
    // Exclude pages that lie only partly inside, because the neighboring memory has other owners.
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = (reinterpret_cast<std::uintptr_t>(data) + page - 1) / page * page;
    const auto end = (reinterpret_cast<std::uintptr_t>(data) + size) / page * page;
    if (end > begin) ::madvise(reinterpret_cast<void*>(begin), end - begin, advice);
}

}  // namespace

void prefer_large_pages(void* data, std::size_t size) {
    advise(data, size, MADV_HUGEPAGE);
}

void prefer_small_pages(void* data, std::size_t size) {
    advise(data, size, MADV_NOHUGEPAGE);
}

#else

void prefer_large_pages(void*, std::size_t) {}
void prefer_small_pages(void*, std::size_t) {}

#endif

}  // namespace kinescope
