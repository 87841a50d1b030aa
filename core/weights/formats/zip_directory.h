#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

#include "core/weights/formats/refusal.h"

namespace kinescope {

/// An uncompressed member of a zip archive.
struct ZipMember {
    std::size_t offset = 0;  ///< of its data, from the start of the file
    std::size_t bytes = 0;
};

using ZipDirectory = std::map<std::string, ZipMember>;

/// Reads the directory of a whole zip file, including zip64. Every returned member lies inside the file. Rejects what
/// PyTorch never writes: compressed or encrypted members and duplicate names. Format: PKWARE's APPNOTE.TXT 6.3. Throws
/// Error(checkpoint_truncated, checkpoint_corrupt, unsupported).
ZipDirectory read_zip_directory(std::span<const std::byte> file, const Refusal& refusal);

}  // namespace kinescope
