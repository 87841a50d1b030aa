#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

#include "core/weights/refusal.h"

namespace kinescope {

/// A member of a zip archive that is stored as it is.
struct ZipMember {
    std::size_t offset = 0;  ///< of its bytes, from the start of the file
    std::size_t bytes = 0;
};

using ZipDirectory = std::map<std::string, ZipMember>;

/// The members of a whole zip file, also of more than 4 GB (zip64); each lies inside the file. Refuses what PyTorch
/// never writes: compressed or encrypted members, names that come twice. Format: PKWARE's APPNOTE.TXT 6.3. Throws
/// Error(checkpoint_truncated, checkpoint_corrupt, unsupported).
ZipDirectory read_zip_directory(std::span<const std::byte> file, const Refusal& refusal);

}  // namespace kinescope
