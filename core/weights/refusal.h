#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace kinescope {

/// Throws what is wrong with one file of weights.
struct Refusal {
    const std::filesystem::path& path;
    std::string_view kind;  ///< "safetensors file", "GGUF file" ...

    /// Error(checkpoint_corrupt).
    [[noreturn]] void corrupt(const std::string& reason) const;
    /// Error(checkpoint_truncated): `what` says of what there are not enough bytes, e.g. "of the header".
    [[noreturn]] void truncated(std::uint64_t there, std::uint64_t wanted, const std::string& what) const;
    /// Error(unsupported).
    [[noreturn]] void unsupported(const std::string& reason, const std::string& hint = {}) const;
};

}  // namespace kinescope
