#include "core/base/file_identity.h"

#include <algorithm>

#include "core/base/mapped_file.h"
#include "core/base/sha256.h"

namespace kinescope {

namespace {

/// Returns the number of bytes at the start of the file to hash.
std::size_t header_size(std::span<const std::byte> bytes, const std::filesystem::path& file) {
    constexpr std::size_t kPrefix = 8, kOther = std::size_t{1} << 20;
    if (file.extension() != ".safetensors" || bytes.size() < kPrefix) return std::min(bytes.size(), kOther);
    std::uint64_t length = 0;
    for (std::size_t i = kPrefix; i-- > 0;) length = length << 8 | std::to_integer<std::uint64_t>(bytes[i]);
    return kPrefix + static_cast<std::size_t>(std::min<std::uint64_t>(length, bytes.size() - kPrefix));
}

}  // namespace

FileIdentity identify_file(const std::filesystem::path& file) {
    const auto mapped = MappedFile::open(file);
    Sha256 hash;
    hash.add(mapped->bytes().first(header_size(mapped->bytes(), file)));
    return {.file = file, .bytes = static_cast<std::int64_t>(mapped->bytes().size()), .header_sha256 = hash.finish()};
}

}  // namespace kinescope
