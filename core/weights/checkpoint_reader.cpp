#include "core/weights/checkpoint_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <tuple>

#include "core/api/error.h"
#include "core/api/joined.h"
#include "core/weights/formats/shard_set.h"
#include "core/weights/formats/weight_file.h"
#include "core/weights/scaled_weights.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kJson = ".json";
constexpr std::array<std::string_view, 3> kEndings = {".safetensors", ".bin", ".gguf"};

enum class Form { whole, index, shards };

/// A file in a folder that open_checkpoint can open: "model.safetensors", "model.fp16.safetensors",
/// "model.safetensors.index.json", "model.safetensors.index.fp16.json", "model.fp16.safetensors.index.json", or shards
/// without an index. The same with ".bin" if there are no safetensors files, and with ".gguf".
struct Candidate {
    fs::path file;
    std::size_t ending = 0;  ///< index into kEndings
    std::string variant;     ///< such as "fp16"; empty for the plain file
    Form form = Form::whole;

    /// Returns a key for sorting: safetensors first; then the plain file, then half precision; then a whole file, an
    /// index, shards.
    auto rank() const {
        const int precision = variant.empty() ? 0 : variant == "fp16" ? 1 : variant == "bf16" ? 2 : 3;
        return std::tuple(ending, precision, std::string_view(variant), form);
    }
};

/// Converts "" or ".fp16" to the variant. Returns nullopt for any other text, such as a shard's "-00001-of-00003".
std::optional<std::string> parse_variant(std::string_view part) {
    if (part.empty()) return std::string();
    const auto word = part.substr(1);
    if (part.front() != '.' || word.empty() || word.find_first_of(".-") != word.npos) return std::nullopt;
    return std::string(word);
}

/// Parses a file name. `rest` is its part after the stem, `ending` an index into kEndings.
std::optional<Candidate> parse_candidate(const fs::path& file, std::string_view rest, std::size_t ending) {
    const auto at = rest.find(kEndings[ending]);
    if (at == rest.npos) return std::nullopt;
    const auto before = parse_variant(rest.substr(0, at));
    rest.remove_prefix(at + kEndings[ending].size());
    if (before && rest.empty()) return Candidate{file, ending, *before};
    if (!before || !rest.starts_with(".index") || !rest.ends_with(kJson)) return std::nullopt;
    rest.remove_prefix(std::string_view(".index").size());
    rest.remove_suffix(kJson.size());
    const auto after = parse_variant(rest);
    return after ? std::optional(Candidate{file, ending, before->empty() ? *after : *before, Form::index})
                 : std::nullopt;
}

std::optional<Candidate> parse_candidate(const fs::path& file) {
    if (const auto set = shard_set_of(file)) {
        auto candidate = parse_candidate(set->whole);
        if (!candidate || candidate->form != Form::whole) return std::nullopt;
        return Candidate{file, candidate->ending, candidate->variant, Form::shards};
    }
    const std::string name = file.filename().string();
    for (const std::string_view stem : {"diffusion_pytorch_model", "pytorch_model", "model"}) {
        if (!name.starts_with(stem)) continue;
        for (std::size_t ending = 0; ending < kEndings.size(); ++ending)
            if (auto found = parse_candidate(file, std::string_view(name).substr(stem.size()), ending)) return found;
    }
    return std::nullopt;
}

[[noreturn]] void throw_no_weights(const fs::path& folder, const std::vector<std::string>& names) {
    throw Error(ErrorCode::file_not_found,
                folder.string() + " contains no weights: neither diffusion_pytorch_model.safetensors nor " +
                    "model.safetensors, nor an index of shards. It contains " +
                    (names.empty() ? "nothing" : joined(names, ", ")),
                "Download the safetensors files of this part of the model.", {{"path", folder.string()}});
}

fs::path find_in_folder(const fs::path& folder) {
    std::vector<Candidate> candidates;
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        names.push_back(it->path().filename().string());
        if (auto candidate = parse_candidate(it->path())) candidates.push_back(std::move(*candidate));
    }
    if (error) throw Error(ErrorCode::file_unreadable, "Cannot read " + folder.string() + ": " + error.message());
    std::sort(names.begin(), names.end());
    if (candidates.empty()) throw_no_weights(folder, names);
    return std::min_element(candidates.begin(), candidates.end(),
                            [](const auto& a, const auto& b) { return a.rank() < b.rank(); })
        ->file;
}

}  // namespace

std::shared_ptr<const CheckpointReader> open_checkpoint(const fs::path& path) {
    std::error_code error;
    const auto status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) {
        throw Error(ErrorCode::file_not_found, "No such file or folder: " + path.string(), {},
                    {{"path", path.string()}});
    }
    const fs::path file = fs::is_directory(status) ? find_in_folder(path) : path;
    return join_scales(open_weight_file(file));
}

}  // namespace kinescope
