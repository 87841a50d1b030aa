#include <set>

#include "core/api/error.h"
#include "core/base/file_presence.h"
#include "core/base/json.h"
#include "core/tokenizers/sentencepiece_tokenizer.h"
#include "core/tokenizers/tokenizer.h"
#include "core/tokenizers/unigram_tokenizer.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxExtraIds = 1000;  // UMT5 has 300

[[noreturn]] void throw_invalid(const fs::path& path, const std::string& reason) {
    throw Error(ErrorCode::tokenizer_invalid, path.string() + " is not a usable tokenizer: " + reason,
                "Download the tokenizer folder of this model again.", {{"path", path.string()}});
}

/// Returns the number of <extra_id_N> tokens that the folder's tokenizer_config.json declares, or 0 if there is no such
/// file.
std::int64_t count_extra_ids(const fs::path& folder) {
    const fs::path file = folder / "tokenizer_config.json";
    if (!has_target(file)) return 0;
    const Json config = read_json(file);
    std::set<std::string> names;
    for (const char* key : {"additional_special_tokens", "extra_special_tokens"}) {
        if (!config.is_object() || !config.contains(key) || !config[key].is_array()) continue;
        for (const Json& name : config[key]) {
            if (name.is_string() && name.get<std::string>().starts_with("<extra_id_"))
                names.insert(name.get<std::string>());
        }
    }
    if (names.size() > kMaxExtraIds) throw_invalid(file, "it declares " + std::to_string(names.size()) + " extra ids");
    return static_cast<std::int64_t>(names.size());
}

std::unique_ptr<Tokenizer> load_unigram(const fs::path& file) {
    try {
        return std::make_unique<UnigramTokenizer>(read_json(file));
    } catch (const JsonError& error) {
        throw_invalid(file, error.what());
    } catch (const Json::exception& error) {
        throw_invalid(file, error.what());
    } catch (const Error& error) {
        if (error.code() == ErrorCode::bad_config) throw_invalid(file, error.message());
        throw;
    }
}

}  // namespace

std::unique_ptr<Tokenizer> load_tokenizer_model(std::string_view model, const fs::path& file) {
    return std::make_unique<SentencePieceTokenizer>(model, file, 0);
}

std::unique_ptr<Tokenizer> load_tokenizer(const fs::path& path) {
    std::error_code ignored;
    if (path.extension() == ".json") return load_unigram(path);
    if (fs::is_regular_file(path, ignored))
        return std::make_unique<SentencePieceTokenizer>(path, count_extra_ids(path.parent_path()));
    const fs::path& folder = path;
    if (fs::exists(folder / "spiece.model", ignored)) {
        return std::make_unique<SentencePieceTokenizer>(folder / "spiece.model", count_extra_ids(folder));
    }
    if (fs::exists(folder / "tokenizer.json", ignored)) return load_unigram(folder / "tokenizer.json");
    throw_invalid(folder, "it contains neither spiece.model nor tokenizer.json");
}

}  // namespace kinescope
