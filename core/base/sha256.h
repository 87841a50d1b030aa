#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/base/cancellation.h"

struct evp_md_ctx_st;  // OpenSSL's EVP_MD_CTX

namespace kinescope {

/// Computes the SHA-256 (FIPS 180-4) of data that arrives in parts.
class Sha256 {
public:
    /// Throws Error(internal) if OpenSSL does not provide SHA-256.
    Sha256();

    void add(std::span<const std::byte> bytes);
    /// Adds the contents of a file. Throws Error(file_not_found or file_unreadable), and Cancelled.
    void add_file(const std::filesystem::path& file, const CancellationToken& stop = {});
    /// Returns the hash as 64 lower-case hexadecimal digits. Ends the calculation; call it only once.
    std::string finish();

private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const;
    };
    std::unique_ptr<evp_md_ctx_st, Free> context_;
};

/// Returns the SHA-256 of a text.
std::string sha256_of(std::string_view text);
/// Returns the SHA-256 of a whole file. Throws Error(file_not_found or file_unreadable).
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace kinescope
