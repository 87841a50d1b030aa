#include "core/base/mapped_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>
#include <utility>

#include "core/api/error.h"
#include "core/base/regular_file.h"

namespace kinescope {
namespace {

/// The existing mappings by their first byte. Used to restrict madvise to mapped files, because it could destroy the
/// contents of other memory.
class Mappings {
public:
    void add(const std::shared_ptr<const MappedFile>& file) {
        const std::lock_guard lock(mutex_);
        mappings_[file->bytes().data()] = {file->bytes().size(), file};
    }
    void remove(const std::byte* data) {
        const std::lock_guard lock(mutex_);
        mappings_.erase(data);
    }
    /// Returns the file that `memory` belongs to, or nullptr. While the caller has it, it remains mapped. madvise may
    /// wait for a disk, so no lock is held meanwhile.
    std::shared_ptr<const MappedFile> find(std::span<const std::byte> memory) {
        const std::lock_guard lock(mutex_);
        const auto after = mappings_.upper_bound(memory.data());
        if (memory.empty() || after == mappings_.begin()) return nullptr;
        const auto& [data, mapping] = *std::prev(after);
        if (memory.data() + memory.size() > data + mapping.size) return nullptr;
        return mapping.file.lock();
    }

private:
    struct Mapping {
        std::size_t size = 0;
        std::weak_ptr<const MappedFile> file;
    };
    std::mutex mutex_;
    std::map<const std::byte*, Mapping, std::less<>> mappings_;
};

Mappings& mappings() {
    static Mappings all;
    return all;
}

/// A mapping in a form for the SIGBUS handler, which must neither lock nor allocate.
struct GuardedMapping {
    std::atomic<std::uintptr_t> begin = 0;  ///< 0: unused entry
    std::atomic<std::uintptr_t> end = 0;
    std::atomic<bool> has_faulted = false;
};
constexpr int kMostGuarded = 4096;
std::array<GuardedMapping, kMostGuarded> guarded;
struct sigaction handler_before {};

GuardedMapping* mapping_at(std::uintptr_t address) {
    for (GuardedMapping& mapping : guarded)
        if (address >= mapping.begin && address < mapping.end) return &mapping;
    return nullptr;
}

/// Handles SIGBUS: replaces the unreadable part of a mapping by zeros, so that the reader continues and the run fails
/// at its next check. Replaces the whole rest of the mapping, because the kernel limits the number of mappings.
extern "C" void replace_unreadable_pages(int, siginfo_t* info, void*) {
    const int saved_errno = errno;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    GuardedMapping* mapping = mapping_at(address);
    if (mapping != nullptr) {
        const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        const std::uintptr_t from = address / page * page;
        void* placed = ::mmap(reinterpret_cast<void*>(from), mapping->end - from, PROT_READ,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        mapping->has_faulted = true;
        if (placed == MAP_FAILED) mapping = nullptr;
    }
    // The fault is not in a mapping of ours, or could not be handled. With the previous handler, it repeats and ends
    // the process.
    if (mapping == nullptr) ::sigaction(SIGBUS, &handler_before, nullptr);
    errno = saved_errno;
}

void install_fault_handler() {
    struct sigaction action {};
    action.sa_sigaction = replace_unreadable_pages;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &handler_before);
}

/// Records which mappings had read faults, by file, including mappings that no longer exist.
class Faults {
public:
    /// Adds a mapping to the handler's table. Returns its index, or -1 if the table is full.
    int guard(const std::filesystem::path& file, std::span<const std::byte> bytes) {
        std::call_once(installed_, install_fault_handler);
        const std::lock_guard lock(mutex_);
        for (int place = 0; place < kMostGuarded; ++place) {
            GuardedMapping& mapping = guarded[static_cast<std::size_t>(place)];
            if (mapping.begin != 0) continue;
            const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
            mapping.has_faulted = false;
            mapping.end = begin + bytes.size();
            mapping.begin = begin;
            files_[place] = file;
            return place;
        }
        return -1;
    }
    void release(int place) {
        const std::lock_guard lock(mutex_);
        GuardedMapping& mapping = guarded[static_cast<std::size_t>(place)];
        mapping.begin = 0;
        if (mapping.has_faulted) past_.push_back(files_[place]);
        files_.erase(place);
    }
    std::int64_t count() {
        const std::lock_guard lock(mutex_);
        return static_cast<std::int64_t>(past_.size());
    }
    /// Returns true if a mapping of the file had a fault: an existing one, or one unmapped since count() was `known`.
    bool has(const std::filesystem::path& file, std::int64_t known) {
        const std::lock_guard lock(mutex_);
        for (const auto& [place, name] : files_)
            if (name == file && guarded[static_cast<std::size_t>(place)].has_faulted) return true;
        return std::find(past_.begin() + known, past_.end(), file) != past_.end();
    }

private:
    std::mutex mutex_;
    std::once_flag installed_;
    std::map<int, std::filesystem::path> files_;
    std::vector<std::filesystem::path> past_;
};

Faults& faults() {
    static Faults all;
    return all;
}

/// Calls madvise for all pages that `memory` touches. If such a page also contains other data, that data is simply read
/// again. Returns false if the system refuses.
bool advise(std::span<const std::byte> memory, int advice) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(memory.data()) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(memory.data() + memory.size());
    return ::madvise(reinterpret_cast<void*>(begin), end - begin, advice) == 0;
}

/// Calls `advise_piece` for pieces of at most `size` bytes until it returns false. Returns the remaining memory.
template <class AdvisePiece>
std::span<const std::byte> advise_pieces(std::span<const std::byte> memory, std::size_t size,
                                         const AdvisePiece& advise_piece) {
    while (!memory.empty() && advise_piece(memory.first(std::min(size, memory.size()))))
        memory = memory.subspan(std::min(size, memory.size()));
    return memory;
}

/// Reads pages and maps them. Returns false if they cannot be read, or before Linux 5.14.
bool populate(std::span<const std::byte> memory) {
#ifdef MADV_POPULATE_READ
    return advise(memory, MADV_POPULATE_READ);
#else
    return memory.empty();
#endif
}

}  // namespace

void prefetch_pages(std::span<const std::byte> memory) {
    const auto mapping = mappings().find(memory);
    if (!mapping) return;
    // The pieces are small because the system may let no other thread map or unmap memory during one.
    constexpr std::size_t kPopulated = std::size_t{16} << 20;
    // On some disks, the system reads at most this much for one request.
    constexpr std::size_t kRequested = std::size_t{128} << 10;
    const auto rest = advise_pieces(memory, kPopulated, populate);
    advise_pieces(rest, kRequested, [](std::span<const std::byte> piece) { return advise(piece, MADV_WILLNEED); });
}

void release_pages(std::span<const std::byte> memory) {
    if (const auto mapping = mappings().find(memory)) advise(memory, MADV_DONTNEED);
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
    const std::shared_ptr<const MappedFile> mapped(new MappedFile(file, static_cast<const std::byte*>(data), size));
    if (size > 0) mappings().add(mapped);
    return mapped;
}

MappedFile::MappedFile(std::filesystem::path path, const std::byte* data, std::size_t size)
    : path_(std::move(path)), data_(data), size_(size), guard_(data ? faults().guard(path_, bytes()) : -1) {}

MappedFile::~MappedFile() {
    if (!data_) return;
    mappings().remove(data_);
    if (guard_ >= 0) faults().release(guard_);
    ::munmap(const_cast<std::byte*>(data_), size_);
}

FileWatch::FileWatch(const std::vector<std::filesystem::path>& files) : faults_before_(faults().count()) {
    for (const std::filesystem::path& file : files)
        if (const auto stamp = file_stamp(file)) files_.emplace_back(file, *stamp);
}

void FileWatch::check() const {
    for (const auto& [file, stamp] : files_) {
        const auto now = file_stamp(file);
        const bool is_unreadable = faults().has(file, faults_before_);
        if (now == stamp && !is_unreadable) continue;
        const std::string what = !now            ? " was removed or became unreadable"
                                 : is_unreadable ? " could not be read completely: it was truncated, or its disk failed"
                                                 : " was changed or replaced";
        throw Error(ErrorCode::file_changed, file.string() + what + " while the run was using it",
                    "Restore the file, then continue from the last finished step.", {{"path", file.string()}});
    }
}

}  // namespace kinescope
