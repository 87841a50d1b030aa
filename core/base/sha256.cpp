#include "core/base/sha256.h"

#include <openssl/evp.h>

#include <array>

#include "core/api/error.h"
#include "core/base/regular_file.h"

namespace kinescope {
namespace {

void require(bool succeeded) {
    if (!succeeded) throw Error(ErrorCode::internal, "OpenSSL cannot calculate SHA-256");
}

}  // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const {
    EVP_MD_CTX_free(context);
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
    require(context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
}

void Sha256::add(std::span<const std::byte> bytes) {
    require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
}

void Sha256::add_file(const std::filesystem::path& file, const CancellationToken& stop) {
    constexpr std::size_t kPart = std::size_t{1} << 20;
    const RegularFile opened(file);
    for (std::uintmax_t offset = 0;;) {
        stop.throw_if_requested();
        const std::string part = opened.read(offset, kPart);
        if (part.empty()) return;
        add(std::as_bytes(std::span(part)));
        offset += part.size();
    }
}

std::string Sha256::finish() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    require(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1);
    std::string text;
    for (const unsigned char byte : std::span(digest).first(size)) {
        text += "0123456789abcdef"[byte >> 4];
        text += "0123456789abcdef"[byte & 15];
    }
    return text;
}

std::string sha256_of(std::string_view text) {
    Sha256 hash;
    hash.add(std::as_bytes(std::span(text)));
    return hash.finish();
}

std::string sha256_of_file(const std::filesystem::path& file) {
    Sha256 hash;
    hash.add_file(file);
    return hash.finish();
}

}  // namespace kinescope
