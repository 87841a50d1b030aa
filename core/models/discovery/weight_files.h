#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/api/error.h"
#include "core/weights/recognized_part.h"
#include "core/weights/weight_check.h"

namespace kinescope {

/// Returns the sorted weight files (safetensors, GGUF, pickles) in a folder and its subfolders down to `depth`, at most
/// 500 files. A set of shards is represented by its index or, without an index, by its first shard.
std::vector<std::filesystem::path> find_weight_files(const std::filesystem::path& folder, int depth);

/// A component and the file that contains it.
struct FoundPart {
    std::filesystem::path file;
    RecognizedPart part;
};

/// The kind of a file's weights.
enum class WeightsKind { component, lora, unknown };

/// The contents of a file, as its header shows them.
struct FileContents {
    std::vector<FoundPart> parts;
    WeightsKind kind = WeightsKind::unknown;
    std::optional<Error> error;  ///< set if the file cannot be read; `parts` is then empty
};

/// Recognizes files by their headers. Reads each file once and caches the result.
class PartFinder {
public:
    /// A file that `check` refuses has no parts.
    explicit PartFinder(WeightCheck check = {}) : check_(std::move(check)) {}

    const FileContents& contents(const std::filesystem::path& file);
    const std::vector<FoundPart>& parts(const std::filesystem::path& file) { return contents(file).parts; }

private:
    WeightCheck check_;
    std::map<std::filesystem::path, FileContents> known_;
};

}  // namespace kinescope
