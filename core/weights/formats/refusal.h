#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace kinescope {

/// Throws errors about one weight file.
struct Refusal {
    const std::filesystem::path& path;
    std::string_view kind;  ///< "safetensors file", "GGUF file", ...

    /// Throws Error(checkpoint_corrupt).
    [[noreturn]] void corrupt(const std::string& reason) const;
    /// Throws Error(checkpoint_truncated). `what` names the missing bytes, such as "of the header".
    [[noreturn]] void truncated(std::uint64_t there, std::uint64_t wanted, const std::string& what) const;
    /// Throws Error(unsupported).
    [[noreturn]] void unsupported(const std::string& reason, const std::string& hint = {}) const;
};

}  // namespace kinescope
