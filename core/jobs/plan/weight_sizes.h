#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/device/precision.h"
#include "core/weights/checkpoint_reader.h"

namespace kinescope {

/// Returns the narrowest lossless storage dtype for a component's plain weights: instead of float32 the file's 16-bit
/// dtype, if all have the same one; else Precision::storage. Norms and tables are always float32.
Dtype exact_storage(const std::vector<TensorEntry>& entries, const Precision& precision);

/// Memory of a component's weights, on the device and on the CPU together. A mapped file counts if its pages are read.
class WeightSizes {
public:
    /// `block_lists`: see ComponentMemory.
    WeightSizes(const std::vector<TensorEntry>& entries, const std::vector<std::string>& block_lists,
                const Precision& precision);

    /// The memory of all weights.
    std::int64_t all_bytes() const;
    /// The peak if the first `resident_blocks` of each list stay in memory and the rest is streamed.
    std::int64_t peak_bytes(int resident_blocks) const;
    /// The length of the longest block list.
    int num_blocks() const;

private:
    struct Bytes {
        std::int64_t stored = 0;  ///< in the file
        std::int64_t kept = 0;    ///< on the device
        std::int64_t copied = 0;  ///< on a CPU: the part of `kept` that is not a view of the file
        std::int64_t read = 0;    ///< bytes of the file that are read for copying

        void add(const Bytes& other);
    };

    void add(const TensorEntry& entry, Bytes& group);
    std::int64_t streamed_bytes(const Bytes& block) const;

    Precision precision_;
    Bytes outside_;
    std::vector<std::vector<Bytes>> lists_;
    std::int64_t widened_ = 0;  ///< largest temporary widened weight, freed after its product
};

}  // namespace kinescope
