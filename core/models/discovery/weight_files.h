#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "core/weights/recognized_part.h"

namespace kinescope {

/// Returns the sorted weight files in a folder and its subfolders down to `depth`: safetensors, GGUF, pickles. Shards
/// are represented by their index or, without one, by the first shard. At most 500 files.
std::vector<std::filesystem::path> find_weight_files(const std::filesystem::path& folder, int depth);

/// A component and the file that contains it.
struct FoundPart {
    std::filesystem::path file;
    RecognizedPart part;
};

/// Recognizes files by their headers and caches the results. An unreadable file has an empty result.
class PartFinder {
public:
    const std::vector<FoundPart>& parts(const std::filesystem::path& file);

private:
    std::map<std::filesystem::path, std::vector<FoundPart>> known_;
};

}  // namespace kinescope
