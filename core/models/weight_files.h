#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "core/weights/recognized_part.h"

namespace kinescope {

/// Files of weights in a folder and down to `depth` folders below it, sorted: safetensors, GGUF, pickles; for shards
/// their index, or the first of them where there is none. At most 500.
std::vector<std::filesystem::path> find_weight_files(const std::filesystem::path& folder, int depth);

/// A part together with the file that holds it.
struct FoundPart {
    std::filesystem::path file;
    RecognizedPart part;
};

/// What files are, from their headers, each read once. Files that cannot be read hold nothing.
class PartFinder {
public:
    const std::vector<FoundPart>& parts(const std::filesystem::path& file);

private:
    std::map<std::filesystem::path, std::vector<FoundPart>> known_;
};

}  // namespace kinescope
