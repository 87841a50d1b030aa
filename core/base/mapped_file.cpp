#include "core/base/mapped_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "core/api/error.h"
#include "core/base/regular_file.h"

namespace kinescope {
namespace {

/// The mappings that stand, by their first byte: advice about any other memory could destroy it.
class Mappings {
public:
    void add(std::span<const std::byte> mapping) {
        const std::lock_guard lock(mutex_);
        sizes_[mapping.data()] = mapping.size();
    }
    void remove(const std::byte* data) {
        const std::lock_guard lock(mutex_);
        sizes_.erase(data);
    }
    /// Runs `advise` while the mapping cannot go away, if `memory` lies in one.
    void with_mapping_of(std::span<const std::byte> memory, const std::function<void()>& advise) {
        const std::lock_guard lock(mutex_);
        auto after = sizes_.upper_bound(memory.data());
        if (memory.empty() || after == sizes_.begin()) return;
        const auto& [data, size] = *std::prev(after);
        if (memory.data() + memory.size() <= data + size) advise();
    }

private:
    std::mutex mutex_;
    std::map<const std::byte*, std::size_t, std::less<>> sizes_;
};

Mappings& mappings() {
    static Mappings all;
    return all;
}

/// Whole pages around `memory`; a page that it shares with its neighbour is read again by whoever needs it.
void advise(std::span<const std::byte> memory, int advice) {
    mappings().with_mapping_of(memory, [&] {
        const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        const auto begin = reinterpret_cast<std::uintptr_t>(memory.data()) / page * page;
        const auto end = reinterpret_cast<std::uintptr_t>(memory.data() + memory.size());
        ::madvise(reinterpret_cast<void*>(begin), end - begin, advice);
    });
}

}  // namespace

void prefetch_pages(std::span<const std::byte> memory) {
    advise(memory, MADV_WILLNEED);
}

void release_pages(std::span<const std::byte> memory) {
    advise(memory, MADV_DONTNEED);
}

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& file) {
    const RegularFile source(file);
    void* data = nullptr;
    if (source.size() > 0) {
        data = ::mmap(nullptr, source.size(), PROT_READ, MAP_PRIVATE, source.descriptor(), 0);
        if (data == MAP_FAILED)
            throw Error(ErrorCode::file_unreadable,
                        "Cannot read " + file.string() + ": " + std::generic_category().message(errno), {},
                        {{"path", file.string()}});
    }
    const auto size = static_cast<std::size_t>(source.size());
    return std::shared_ptr<const MappedFile>(new MappedFile(file, static_cast<const std::byte*>(data), size));
}

MappedFile::MappedFile(std::filesystem::path path, const std::byte* data, std::size_t size)
    : path_(std::move(path)), data_(data), size_(size) {
    if (data_) mappings().add(bytes());
}

MappedFile::~MappedFile() {
    if (!data_) return;
    mappings().remove(data_);
    ::munmap(const_cast<std::byte*>(data_), size_);
}

}  // namespace kinescope
