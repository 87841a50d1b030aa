#include "core/device/block_reuse.h"

#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/large_pages.h"

namespace kinescope {

namespace {

constexpr std::size_t kLarge = 1 << 20;
/// A block of this size contains at least one whole 2 MiB page, regardless of its start address.
constexpr std::size_t kLargePages = 4 << 20;

/// Wraps LibTorch's own allocator for tensors on the CPU. Tensors keep a plain pointer to their allocator, so the
/// single instance is never destroyed. While no BlockReuse exists, it forwards every call.
class Allocator final : public c10::Allocator {
public:
    c10::DataPtr allocate(std::size_t size) override {
        void* const data = take(size);
        return {data, data, &give_back, c10::Device(c10::kCPU)};
    }

    c10::DeleterFnPtr raw_deleter() const override { return &give_back; }
    void copy_data(void* to, const void* from, std::size_t size) const override { default_copy_data(to, from, size); }

    static Allocator& installed() {
        static Allocator& one = *[] {
            auto* made = new Allocator;
            c10::SetCPUAllocator(made);
            return made;
        }();
        return one;
    }

    /// Starts keeping blocks. The surplus of the first BlockReuse applies until all instances are destroyed.
    void open(BlockReuse::Surplus surplus) {
        const std::lock_guard lock(mutex_);
        if (reuses_++ == 0) surplus_ = surplus;
    }

    void close() {
        std::vector<Block> all;
        {
            const std::lock_guard lock(mutex_);
            if (--reuses_ > 0) return;
            all.swap(idle_);
            // These blocks return to the system when their tensors free them.
            for (const auto& used : used_) drop_large_pages(used.second);
            idle_bytes_ = used_bytes_ = most_used_ = 0;
            used_.clear();
        }
        release(all);
    }

    std::size_t idle() const {
        const std::lock_guard lock(mutex_);
        return idle_bytes_;
    }

private:
    struct Block {
        void* data = nullptr;
        std::size_t size = 0;
        bool has_large_pages = false;
    };

    static void give_back(void* data) { installed().take_back(data); }

    static void drop_large_pages(const Block& block) {
        if (block.has_large_pages) prefer_small_pages(block.data, block.size);
    }

    static void release(const std::vector<Block>& blocks) {
        for (const Block& block : blocks) {
            drop_large_pages(block);
            system().raw_deallocate(block.data);
        }
    }

    static c10::Allocator& system() { return *c10::GetDefaultCPUAllocator(); }

    void* take(std::size_t size) {
        if (size < kLarge) return system().raw_allocate(size);
        std::vector<Block> to_release;
        {
            const std::lock_guard lock(mutex_);
            if (const Block block = take_idle(size); block.data != nullptr) {
                use(block);
                return block.data;
            }
            to_release = take_surplus(size);
        }
        release(to_release);
        Block block{allocate_or_release_idle(size), size};
        const std::lock_guard lock(mutex_);
        if (reuses_ == 0) return block.data;
        // Zero-filling a large page is only worthwhile if the block is reused many times.
        block.has_large_pages = surplus_ == BlockReuse::Surplus::half && size >= kLargePages;
        if (block.has_large_pages) prefer_large_pages(block.data, size);
        use(block);
        return block.data;
    }

    /// Allocates a block. If the system has no memory left, releases all idle blocks and retries.
    void* allocate_or_release_idle(std::size_t size) {
        try {
            return system().raw_allocate(size);
        } catch (const c10::Error&) {
            std::vector<Block> all;
            {
                const std::lock_guard lock(mutex_);
                all.swap(idle_);
                idle_bytes_ = 0;
            }
            if (all.empty()) throw;
            release(all);
        }
        return system().raw_allocate(size);
    }

    void use(const Block& block) {
        used_[block.data] = block;
        used_bytes_ += block.size;
        most_used_ = std::max(most_used_, used_bytes_);
    }

    /// Removes and returns the smallest idle block of at least `size` bytes and at most a quarter more (exactly `size`
    /// for Surplus::none). Returns an empty block if there is none.
    Block take_idle(std::size_t size) {
        const std::size_t largest = surplus_ == BlockReuse::Surplus::half ? size + size / 4 : size;
        auto best = idle_.end();
        for (auto block = idle_.begin(); block != idle_.end(); ++block) {
            const bool fits = block->size >= size && block->size <= largest;
            if (fits && (best == idle_.end() || block->size < best->size)) best = block;
        }
        if (best == idle_.end()) return {};
        const Block block = *best;
        idle_.erase(best);
        idle_bytes_ -= block.size;
        return block;
    }

    void take_back(void* data) {
        std::vector<Block> to_release;
        {
            const std::lock_guard lock(mutex_);
            const auto used = used_.find(data);
            if (used == used_.end()) {
                to_release.push_back({.data = data});
            } else {
                idle_.push_back(used->second);
                idle_bytes_ += used->second.size;
                used_bytes_ -= used->second.size;
                used_.erase(used);
                to_release = take_surplus(0);
            }
        }
        release(to_release);
    }

    /// Removes and returns the idle blocks that exceed the allowed surplus once `coming` more bytes are in use.
    std::vector<Block> take_surplus(std::size_t coming) {
        const std::size_t needed = std::max(most_used_, used_bytes_ + coming);
        const std::size_t most = surplus_ == BlockReuse::Surplus::half ? needed + needed / 2 : needed;
        auto kept = idle_.begin();
        for (; used_bytes_ + coming + idle_bytes_ > most; ++kept) idle_bytes_ -= kept->size;
        std::vector<Block> surplus(idle_.begin(), kept);
        idle_.erase(idle_.begin(), kept);
        return surplus;
    }

    mutable std::mutex mutex_;
    int reuses_ = 0;
    BlockReuse::Surplus surplus_ = BlockReuse::Surplus::none;
    std::vector<Block> idle_;                ///< the block that has been idle longest comes first
    std::unordered_map<void*, Block> used_;  ///< large blocks handed out since the first BlockReuse was created
    std::size_t idle_bytes_ = 0;
    std::size_t used_bytes_ = 0;
    std::size_t most_used_ = 0;
};

}  // namespace

BlockReuse::BlockReuse(Surplus surplus) {
    Allocator::installed().open(surplus);
}

BlockReuse::~BlockReuse() {
    Allocator::installed().close();
}

std::size_t BlockReuse::idle() const {
    return Allocator::installed().idle();
}

}  // namespace kinescope
