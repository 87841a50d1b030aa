#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace kinescope {

/// A tensor with numbers that are none, or that lie at the end of their type.
struct WeightFault {
    std::string tensor;
    std::string dtype;            ///< as it is stored, e.g. "float8_e4m3fn"
    std::int64_t count = 0;       ///< of its numbers
    std::int64_t non_finite = 0;  ///< NaN and Inf, among the values and their scales
    std::int64_t bad_scales = 0;  ///< scales that are 0 or negative
    std::int64_t saturated = 0;   ///< float8 only: at the largest magnitude, as a cast without a scale leaves them

    std::int64_t num_damaged() const { return non_finite + bad_scales; }
    bool is_damage() const { return num_damaged() > 0; }
};

/// What a full read of one file of weights found.
struct FileCheck {
    std::filesystem::path file;
    std::int64_t bytes = 0;
    std::string sha256 = {};     ///< of the whole file
    std::string published = {};  ///< the SHA-256 that the file should have; empty: not known
    std::string checked = {};    ///< when, UTC, ISO 8601
    std::int64_t num_tensors = 0;
    std::vector<WeightFault> faults = {};

    bool is_another_file() const { return !published.empty() && published != sha256; }
    bool has_damage() const;
};

/// Told how many bytes of how many are read; false: stop.
using CheckProgress = std::function<bool(std::int64_t done, std::int64_t total)>;

}  // namespace kinescope
