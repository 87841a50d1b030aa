#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/device/precision.h"
#include "core/weights/checkpoint_reader.h"

namespace kinescope {

/// Returns the smallest storage dtype that loses nothing for a component's plain weights: the file's 16-bit dtype
/// instead of float32 if all weights have the same one, otherwise Precision::storage. Norms and tables are always
/// float32.
Dtype exact_storage(const std::vector<TensorEntry>& entries, const Precision& precision);

/// Computes the memory of a component's weights, on the device and on the CPU together. Pages of a mapped file count if
/// they are read.
class WeightSizes {
public:
    /// For `block_lists`, see ComponentMemory.
    WeightSizes(const std::vector<TensorEntry>& entries, const std::vector<std::string>& block_lists,
                const Precision& precision);

    /// Returns the memory of all weights.
    std::int64_t all_bytes() const;
    /// Returns the peak memory if the first `resident_blocks` blocks of each list stay in memory and the others are
    /// streamed.
    std::int64_t peak_bytes(int resident_blocks) const;
    /// Returns the length of the longest block list.
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
    std::int64_t widened_ = 0;  ///< largest memory for a widened or dequantized weight, freed after its product
};

}  // namespace kinescope
