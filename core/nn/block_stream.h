#pragma once

#include <algorithm>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <utility>
#include <vector>

#include "core/device/precision.h"
#include "core/nn/block_staging.h"

namespace kinescope {

/// The blocks of a model in order. The first Precision::resident_blocks of them stay on the device. The others are
/// built from the file each time they are used; while one computes, the next one is copied. Results are bit-identical
/// to resident blocks.
template <class Block>
class BlockStream {
public:
    using Build = std::function<Block(std::int64_t index)>;

    /// `build` creates a block from the store of `scope`, and must always create the same block for the same index. The
    /// constructor requests every block once, so that an invalid checkpoint is rejected as a whole.
    BlockStream(const WeightScope& scope, const Precision& precision, std::int64_t count, Build build)
        : count_(static_cast<std::size_t>(count)), build_(std::move(build)) {
        const auto kept = std::min<std::int64_t>(count, precision.resident_blocks);
        resident_.reserve(static_cast<std::size_t>(kept));
        for (std::int64_t i = 0; i < kept; ++i) {
            resident_.push_back(build_(i));
            scope.release_pages();
        }
        if (kept == count) {
            build_ = nullptr;
            return;
        }
        const auto names = scope.names_only();
        for (std::int64_t i = kept; i < count; ++i) build_(i);
        staging_ = std::make_unique<BlockStaging>(scope, precision.device);
    }
    /// Not copyable or movable: the copying thread refers to this object.
    BlockStream(const BlockStream&) = delete;
    BlockStream& operator=(const BlockStream&) = delete;
    /// Waits until the device has finished with the memory of streamed blocks.
    ~BlockStream() {
        try {
            drop(current_);
            if (next_.valid()) next_.get();  // unused, so the device does not need to wait for it
        } catch (const std::exception&) {
            // A destructor must not throw. If the device or the file failed, its next user receives the error.
        }
    }

    std::size_t size() const { return count_; }

    /// Returns a block. The reference is valid until another block is requested. Throws the errors of building the
    /// block.
    const Block& operator[](std::size_t index) {
        if (index < resident_.size()) return resident_[index];
        if (!current_.block || current_.index != index) change_to(index);
        return *current_.block;
    }

private:
    struct Streamed {
        std::size_t index = 0;
        std::unique_ptr<const Block> block;  ///< nullptr: no block
        BlockStaging::Arrival arrival;
    };

    Streamed bring(std::size_t index) {
        Streamed made{.index = index, .block = nullptr, .arrival = {}};
        made.arrival = staging_->bring(
            [&] { made.block = std::make_unique<const Block>(build_(static_cast<std::int64_t>(index))); });
        return made;
    }

    void change_to(std::size_t index) {
        // Fetch the next block before dropping the current one: the second stream does not wait for the current one
        // yet, so their memory must not overlap.
        Streamed next;
        if (next_.valid()) next = next_.get();
        drop(current_);
        if (next.index != index) drop(next);  // a pass was aborted or restarted
        current_ = next.block ? std::move(next) : bring(index);
        staging_->await(current_.arrival);
        const auto following = index + 1 < count_ ? index + 1 : resident_.size();
        if (following != index) next_ = std::async(std::launch::async, [this, following] { return bring(following); });
    }

    void drop(Streamed& streamed) {
        if (!streamed.block) return;
        streamed.block.reset();
        staging_->leave(streamed.arrival);
        streamed = {};
    }

    std::size_t count_;
    Build build_;
    std::vector<Block> resident_;
    std::unique_ptr<BlockStaging> staging_;
    Streamed current_;
    std::future<Streamed> next_;  // destroyed first, because it uses the other members
};

}  // namespace kinescope
