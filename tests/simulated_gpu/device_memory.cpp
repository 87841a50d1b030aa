#include "tests/simulated_gpu/device_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "tests/simulated_gpu/launches.h"
#include "tests/simulated_gpu/report.h"
#include "tests/simulated_gpu/settings.h"
#include "tests/simulated_gpu/streams.h"

namespace simulated_gpu {

namespace {

constexpr std::size_t kArena = std::size_t{256} << 30;  // size of the address range
constexpr std::size_t kGrain = 512;                     // LibTorch's own allocator rounds to the same size
constexpr std::size_t kMostFilled = std::size_t{1} << 26;

struct Block {
    std::size_t size = 0;
    int device = 0;
    std::int64_t home = 0;  ///< the stream that allocated the block
    std::int64_t writer = 0;
    std::uint64_t written = 0;
    Clock reads = {};
    bool is_live = true;
};

/// A range of memory that is mapped twice: inaccessible for the program, readable and writable for the kernels.
class Arena {
public:
    static Arena& instance() {
        static Arena& arena = *new Arena;  // leaked on purpose, because it must outlive every tensor
        return arena;
    }

    void* allocate(std::size_t bytes) {
        const std::lock_guard lock(state_mutex());
        const std::size_t size = (bytes + kGrain - 1) / kGrain * kGrain;
        if (is_full_now()) report_shortage(size);
        char* address = take_idle(size);
        if (address == nullptr) address = take_new(size);
        Usage& usage = usage_[current_device()];
        usage.used += size;
        usage.peak = std::max(usage.peak, usage.used);
        std::memset(open(address), 0xFF, std::min(size, kMostFilled));
        return address;
    }

    void release(void* address) {
        const std::lock_guard lock(state_mutex());
        const auto found = blocks_.find(static_cast<char*>(address));
        if (found == blocks_.end() || !found->second.is_live) return report_fault("BAD FREE", "");
        Block& block = found->second;
        block.is_live = false;
        usage_[block.device].used -= block.size;
        usage_[block.device].idle += block.size;
        idle_[{block.home, block.size}].push_back(found->first);
    }

    /// Releases the pages of idle blocks. Their addresses are not reused.
    void empty() {
        const std::lock_guard lock(state_mutex());
        for (auto& [key, addresses] : idle_)
            for (char* address : addresses)
                fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, address - closed_,
                          static_cast<off_t>(key.second));
        idle_.clear();
        for (auto& [device, usage] : usage_) usage.idle = 0;
    }

    Block* block_at(const void* address) {
        auto found = blocks_.upper_bound(const_cast<char*>(static_cast<const char*>(address)));
        return found == blocks_.begin() ? nullptr : &std::prev(found)->second;
    }

    char* open(const void* address) const { return open_ + (static_cast<const char*>(address) - closed_); }

    struct Usage {
        std::size_t used = 0, idle = 0, peak = 0;
        std::size_t reserved() const { return used + idle; }
    };
    Usage& usage(int device) { return usage_[device]; }

private:
    Arena() : file_(memfd_create("simulated_gpu", 0)) {
        if (ftruncate(file_, kArena) != 0) std::abort();
        open_ = map(PROT_READ | PROT_WRITE);
        closed_ = map(PROT_NONE);
    }

    char* map(int protection) const {
        void* address = mmap(nullptr, kArena, protection, MAP_SHARED | MAP_NORESERVE, file_, 0);
        if (address == MAP_FAILED) std::abort();
        return static_cast<char*>(address);
    }

    char* take_idle(std::size_t size) {
        auto& addresses = idle_[{current_stream(), size}];
        if (addresses.empty()) return nullptr;
        char* address = addresses.back();
        addresses.pop_back();
        usage_[current_device()].idle -= size;
        blocks_[address].is_live = true;
        return address;
    }

    /// Allocates a new block. If memory is full, releases idle blocks first, like LibTorch's allocator.
    char* take_new(std::size_t size) {
        require_card("cudaMalloc");
        const Usage& usage = usage_[current_device()];
        if (usage.reserved() + size > limit()) empty();
        if (usage.reserved() + size > limit() || top_ + size > kArena) report_shortage(size);
        char* address = closed_ + std::exchange(top_, top_ + size);
        blocks_[address] = Block{.size = size, .device = current_device(), .home = current_stream()};
        return address;
    }

    static std::size_t limit() { return memory_bytes() - std::min<std::size_t>(bytes_of_others(), memory_bytes()); }

    [[noreturn]] void report_shortage(std::size_t size) {
        const std::size_t free = limit() - std::min(limit(), usage_[current_device()].reserved());
        C10_THROW_ERROR(OutOfMemoryError, c10::str("CUDA out of memory. Tried to allocate ", size, " bytes. GPU ",
                                                   current_device(), " has a total capacity of ", memory_bytes(),
                                                   " bytes of which ", free, " bytes is free (simulated)."));
    }

    int file_;
    char* open_ = nullptr;
    char* closed_ = nullptr;
    std::size_t top_ = 0;
    std::map<int, Usage> usage_;  ///< by card
    std::map<char*, Block> blocks_;
    std::map<std::pair<std::int64_t, std::size_t>, std::vector<char*>> idle_;
};

void release(void* address) {
    if (address != nullptr) Arena::instance().release(address);
}

class DeviceMemory final : public c10::DeviceAllocator {
public:
    c10::DataPtr allocate(std::size_t bytes) override {
        const c10::Device device(c10::kCUDA, static_cast<c10::DeviceIndex>(current_device()));
        if (bytes == 0) return {nullptr, nullptr, &release, device};
        void* address = Arena::instance().allocate(bytes);
        return {address, address, &release, device};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &release; }
    void copy_data(void* to, const void* from, std::size_t bytes) const override {
        std::memcpy(Arena::instance().open(to), Arena::instance().open(from), bytes);
    }
    bool initialized() override { return true; }
    void emptyCache(c10::MempoolId_t) override { Arena::instance().empty(); }
    void recordStream(const c10::DataPtr&, c10::Stream) override {}
    c10::CachingDeviceAllocator::DeviceStats getDeviceStats(c10::DeviceIndex device) override {
        const std::lock_guard lock(state_mutex());
        const Arena::Usage& usage = Arena::instance().usage(device);
        c10::CachingDeviceAllocator::DeviceStats stats;
        stats.allocated_bytes[0].current = static_cast<std::int64_t>(usage.used);
        stats.allocated_bytes[0].peak = static_cast<std::int64_t>(usage.peak);
        stats.reserved_bytes[0].current = static_cast<std::int64_t>(usage.reserved());
        return stats;
    }
    void resetAccumulatedStats(c10::DeviceIndex) override {}
    void resetPeakStats(c10::DeviceIndex device) override {
        const std::lock_guard lock(state_mutex());
        Arena::Usage& usage = Arena::instance().usage(device);
        usage.peak = usage.used;
    }
    std::pair<std::size_t, std::size_t> getMemoryInfo(c10::DeviceIndex device) override {
        const std::lock_guard lock(state_mutex());
        const std::size_t taken = bytes_of_others() + Arena::instance().usage(device).reserved();
        return {memory_bytes() - std::min<std::size_t>(taken, memory_bytes()), memory_bytes()};
    }
};

std::map<const char*, std::size_t>& pins() {
    static auto& pins = *new std::map<const char*, std::size_t>;
    return pins;
}

void unpin(void* address) {
    {
        const std::lock_guard lock(state_mutex());
        pins().erase(static_cast<const char*>(address));
    }
    std::free(address);
}

/// Throws an error if the memory cannot be pinned. cudaHostAlloc reports this as a CUDA error, not as OutOfMemoryError.
void require_pins(std::size_t bytes) {
    static const long long most = number("SIMULATED_GPU_PINNED_KIB", "-1");
    constexpr int kMemoryAllocation = 2;
    const std::lock_guard lock(state_mutex());
    for (const auto& [address, size] : pins()) bytes += size;
    if (most >= 0 && bytes > static_cast<std::size_t>(most) << 10)
        throw c10::AcceleratorError({__func__, __FILE__, __LINE__}, kMemoryAllocation,
                                    "CUDA error: out of memory (simulated, in cudaHostAlloc)");
}

class PinnedMemory final : public c10::Allocator {
public:
    c10::DataPtr allocate(std::size_t bytes) override {
        constexpr std::size_t kPage = 4096;
        require_pins(bytes);
        void* address = std::aligned_alloc(kPage, (bytes / kPage + 1) * kPage);
        const std::lock_guard lock(state_mutex());
        pins()[static_cast<const char*>(address)] = bytes;
        return {address, address, &unpin, c10::Device(c10::kCPU)};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &unpin; }
    void copy_data(void* to, const void* from, std::size_t bytes) const override { std::memcpy(to, from, bytes); }
};

}  // namespace

c10::DeviceAllocator& device_allocator() {
    static DeviceMemory& allocator = *new DeviceMemory;
    return allocator;
}

c10::Allocator& pinned_allocator() {
    static PinnedMemory& allocator = *new PinnedMemory;
    return allocator;
}

bool is_pinned(const void* address) {
    const std::lock_guard lock(state_mutex());
    const auto* wanted = static_cast<const char*>(address);
    auto found = pins().upper_bound(wanted);
    if (found == pins().begin()) return false;
    --found;
    return wanted < found->first + found->second;
}

int device_of(const void* address) {
    const std::lock_guard lock(state_mutex());
    const Block* block = Arena::instance().block_at(address);
    return block == nullptr ? 0 : block->device;
}

std::size_t peak_bytes(int device) {
    const std::lock_guard lock(state_mutex());
    return Arena::instance().usage(device).peak;
}

at::Tensor as_host(const at::Tensor& tensor) {
    if (!tensor.is_cuda()) return tensor;
    const auto* address = static_cast<const char*>(tensor.storage().data_ptr().get());
    const auto offset = tensor.storage_offset() * static_cast<std::int64_t>(tensor.element_size());
    char* open = address == nullptr ? nullptr : Arena::instance().open(address) + offset;
    const auto host = at::from_blob(open, tensor.sizes(), tensor.strides(), tensor.options().device(at::kCPU));
    return tensor.is_conj() ? host.conj() : host;
}

namespace {

void check_race(const Block& block, Access access, const std::string& op) {
    const auto stream = current_stream();
    Clock& known = clock_of(stream);
    const auto is_late = [&](std::int64_t other, std::uint64_t time) { return other != stream && time > known[other]; };
    if (is_late(block.writer, block.written))
        report_fault("RACE", op + " on stream " + std::to_string(stream) + ": last written on stream " +
                                 std::to_string(block.writer));
    if (access == Access::read) return;
    for (const auto& [reader, time] : block.reads)
        if (is_late(reader, time))
            report_fault("RACE", op + " writes on stream " + std::to_string(stream) + ": read on stream " +
                                     std::to_string(reader));
}

}  // namespace

void use(const at::Tensor& tensor, Access access, const std::string& op) {
    if (!tensor.defined() || !tensor.is_cuda() || !tensor.has_storage()) return;
    const void* address = tensor.storage().data_ptr().get();
    if (address != nullptr) use(address, access, op);
}

void* use(const void* address, Access access, const std::string& op) {
    const std::lock_guard lock(state_mutex());
    Block* block = Arena::instance().block_at(address);
    if (block == nullptr) return nullptr;
    if (!block->is_live) report_fault("USE AFTER FREE", op);
    check_race(*block, access, op);
    const auto now = tick(current_stream());
    if (access == Access::write) {
        block->writer = current_stream();
        block->written = now;
        block->reads.clear();
    } else {
        block->reads[current_stream()] = now;
    }
    return Arena::instance().open(address);
}

}  // namespace simulated_gpu
