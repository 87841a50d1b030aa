#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// The effect of float8 on one weight (detector S10). Each effect is given as the fraction of
/// the values of the weight that it concerns.
struct Float8Note {
    std::string component = {};       ///< "transformer"
    std::string weight = {};          ///< "blocks.3.ffn.net.2.weight"
    double saturated = 0;             ///< values at the largest magnitude of float8
    double zero = 0;                  ///< values that are zero only in float8; 0 if the file itself contains float8
    Dtype kept = at::kFloat8_e4m3fn;  ///< dtype in memory: a wider one if float8 would damage the weight
};

/// Receives a note for each float8 weight that is loaded.
using Float8Sink = std::function<void(Float8Note)>;

/// Collects the notes of a run. Thread-safe, because blocks are loaded by a second thread.
class Float8Notes {
public:
    void add(Float8Note note);
    /// Returns the notes since the last call.
    std::vector<Float8Note> take();

private:
    std::mutex mutex_;
    std::vector<Float8Note> notes_;
};

}  // namespace kinescope
