#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/weights/weight_store.h"

namespace c10 {
struct Event;
class Stream;
}  // namespace c10

namespace kinescope {

/// Copies the weights of one block to the device while the device computes another block. If the device has streams,
/// uses a second stream and pinned memory; on the CPU, reads the file ahead. Works for any device type.
class BlockStaging {
public:
    /// Keeps the store of `scope` alive. Throws Error(internal) if the store cannot be shared.
    BlockStaging(const WeightScope& scope, const Device& device);

    /// The weights of a block that is being copied.
    struct Arrival {
        std::vector<std::span<const std::byte>> pages;  ///< memory-mapped pages that the weights were read from
        std::shared_ptr<c10::Event> ready;  ///< signaled on the second stream; null if the device has no streams
    };
    /// Runs `build`, which reads the block's weights from the store. May be called on any thread, but not concurrently.
    /// Throws the errors of `build`, and Error(not_finite) for weights with NaN or infinity.
    Arrival bring(const std::function<void()>& build);
    /// Makes later computation of the calling thread wait until the weights are on the device.
    void await(const Arrival& arrival) const;
    /// Releases the mapped pages of a block. Call this after destroying the block: work that the calling thread has
    /// launched may still use its weights, so later copies wait for that work before they reuse its device memory.
    void leave(const Arrival& arrival) const;

private:
    std::shared_ptr<WeightStore> store_;
    Device device_;
    std::shared_ptr<const c10::Stream> stream_;  ///< null if the device has no streams
};

}  // namespace kinescope
