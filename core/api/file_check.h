#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace kinescope {

/// A tensor that contains invalid values or values at the limit of its dtype.
struct WeightFault {
    std::string tensor;
    std::string dtype;            ///< as stored, e.g. "float8_e4m3fn"
    std::int64_t count = 0;       ///< number of values
    std::int64_t non_finite = 0;  ///< NaN and infinite values, scales included
    std::int64_t bad_scales = 0;  ///< scales that are 0 or negative
    std::int64_t saturated = 0;   ///< float8 only: values at the largest magnitude, typical of a cast without a scale

    std::int64_t num_damaged() const { return non_finite + bad_scales; }
    bool is_damage() const { return num_damaged() > 0; }
};

/// Result of reading a weight file in full.
struct FileCheck {
    std::filesystem::path file;
    std::int64_t bytes = 0;
    std::string sha256 = {};     ///< of the whole file
    std::string published = {};  ///< SHA-256 of the published file; empty: unknown
    std::string checked = {};    ///< time of the check, UTC, ISO 8601
    std::int64_t num_tensors = 0;
    std::vector<WeightFault> faults = {};

    bool is_another_file() const { return !published.empty() && published != sha256; }
    bool has_damage() const;
};

/// Identifies one call of ModelCatalog::check_file.
using CheckId = std::int64_t;

/// The progress of a file check, an event with job id 0. Sent every few MiB on the thread that runs the check.
struct FileCheckProgress {
    CheckId check = 0;
    std::int64_t done = 0;   ///< bytes
    std::int64_t total = 0;  ///< bytes of all passes over the file
};

}  // namespace kinescope
