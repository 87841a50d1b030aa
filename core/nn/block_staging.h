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

/// Brings the weights of one block at a time to the device, beside what computes there: over a second stream and from
/// pinned memory where the device has streams, by reading ahead where it is the CPU. Nothing here knows a device's
/// name.
class BlockStaging {
public:
    /// Keeps the store of `scope` alive. Throws Error(internal) for a store that cannot be shared.
    BlockStaging(const WeightScope& scope, const Device& device);

    /// A block's weights on their way.
    struct Arrival {
        std::vector<std::span<const std::byte>> pages;  ///< of the mapped files that it was read from
        std::shared_ptr<c10::Event> ready;              ///< on the second stream; none: there is no such stream
    };
    /// Runs `build`, which takes the block's weights from the store; on any thread, but on one at a time. Throws what
    /// it throws, and Error(not_finite) for weights that are.
    Arrival bring(const std::function<void()>& build);
    /// What the calling thread computes from now on waits for the weights.
    void await(const Arrival& arrival) const;
    /// The block is gone: what the calling thread has launched until now is the last to use its weights. Their memory
    /// on the device may be taken by the next one, and their pages are given back.
    void leave(const Arrival& arrival) const;

private:
    std::shared_ptr<WeightStore> store_;
    std::string component_;  ///< whose blocks these are
    Device device_;
    std::shared_ptr<const c10::Stream> stream_;  ///< none: the device has no streams
};

}  // namespace kinescope
