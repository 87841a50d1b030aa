#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/device/precision.h"
#include "core/weights/checkpoint_reader.h"

namespace kinescope {

/// In what a component's plain weights can be kept with no bit of any product changed: the file's 16 bits where all of
/// them have the same, in place of float32; else Precision::storage. Norms and tables do not count: they are float32
/// whatever is said here.
Dtype exact_storage(const std::vector<TensorEntry>& entries, const Precision& precision);

/// What the weights of a component take in memory, of the device and of the CPU alike: a mapped file counts where its
/// pages are touched.
class WeightSizes {
public:
    /// `block_lists`: see ComponentMemory.
    WeightSizes(const std::vector<TensorEntry>& entries, const std::vector<std::string>& block_lists,
                const Precision& precision);

    /// All of them at once.
    std::int64_t all_bytes() const;
    /// At the worst moment, with the first `resident_blocks` of each list staying and the rest streamed.
    std::int64_t peak_bytes(int resident_blocks) const;
    /// The longest list.
    int num_blocks() const;

private:
    struct Bytes {
        std::int64_t stored = 0;  ///< in the file
        std::int64_t kept = 0;    ///< on the device
        std::int64_t copied = 0;  ///< on a CPU: of what is kept, that which is no view of the file
        std::int64_t read = 0;    ///< in the file, of what is copied

        void add(const Bytes& other);
    };

    void add(const TensorEntry& entry, Bytes& group);
    std::int64_t streamed_bytes(const Bytes& block) const;

    Precision precision_;
    Bytes outside_;
    std::vector<std::vector<Bytes>> lists_;
    std::int64_t widened_ = 0;  ///< of the weight that takes most of it: made for its product, and dropped after it
};

}  // namespace kinescope
