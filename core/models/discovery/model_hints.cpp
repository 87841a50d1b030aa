#include "core/models/discovery/model_hints.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "core/base/config_reader.h"

namespace kinescope {

namespace {

int whole(const ConfigReader& reader, const char* key, int fallback, int min, int max) {
    return static_cast<int>(reader.integer(key, fallback, {min, max}));
}

std::vector<std::string> texts(const ConfigReader& reader, const Json& hints, const char* key) {
    std::vector<std::string> result;
    const auto found = hints.find(key);
    if (found == hints.end() || found->is_null()) return result;
    if (!found->is_array()) reader.refuse(key, "expected a list of strings");
    for (const auto& entry : *found) {
        if (!entry.is_string()) reader.refuse(key, "expected a list of strings");
        result.push_back(entry.get<std::string>());
    }
    return result;
}

/// Returns the words in all lists of "vocabulary", whatever the keys of the lists. The list "backgrounds" gives
/// phrases, because a model may know a color for shapes only.
std::vector<std::string> vocabulary_words(const Json& hints, const std::filesystem::path& file) {
    const auto found = hints.find("vocabulary");
    if (found == hints.end() || found->is_null()) return {};
    const ConfigReader reader(hints, file);
    if (!found->is_object()) reader.refuse("vocabulary", "expected an object whose values are lists of strings");
    std::set<std::string> words;
    for (const auto& [kind, list] : found->items()) {
        for (const std::string& entry : texts(ConfigReader(*found, file), *found, kind.c_str())) {
            if (kind == "backgrounds") {
                words.insert(entry + " background");
                continue;
            }
            std::istringstream stream(entry);
            for (std::string word; stream >> word;) words.insert(word);
        }
    }
    return {words.begin(), words.end()};
}

/// Reads a list of rows, each with `width` numbers.
std::vector<std::vector<double>> rows(const ConfigReader& reader, const Json& hints, const char* key,
                                      std::size_t width) {
    std::vector<std::vector<double>> result;
    const auto found = hints.find(key);
    if (found == hints.end() || found->is_null()) return result;
    const auto is_row = [&](const Json& row) {
        return row.is_array() && row.size() == width &&
               std::all_of(row.begin(), row.end(), [](const Json& value) { return value.is_number(); });
    };
    if (!found->is_array() || !std::all_of(found->begin(), found->end(), is_row))
        reader.refuse(key, "expected a list of rows of " + std::to_string(width) + " numbers");
    return found->get<std::vector<std::vector<double>>>();
}

void apply_defaults(const ConfigReader& defaults, ModelCard& card) {
    card.default_size.width = whole(defaults, "width", card.default_size.width, 1, 8192);
    card.default_size.height = whole(defaults, "height", card.default_size.height, 1, 8192);
    card.default_num_frames = whole(defaults, "num_frames", card.default_num_frames, 1, 100'000);
    card.default_fps = whole(defaults, "fps", card.default_fps, 1, 120);
    card.default_num_inference_steps =
        whole(defaults, "num_inference_steps", card.default_num_inference_steps, 1, 1000);
    card.default_guidance_scale = defaults.number("guidance_scale", card.default_guidance_scale, {0.0, 100.0});
    if (card.default_guidance_scale_2)
        card.default_guidance_scale_2 =
            defaults.number("guidance_scale_2", *card.default_guidance_scale_2, {0.0, 100.0});
    if (card.default_flow_shift)
        card.default_flow_shift = defaults.number("flow_shift", *card.default_flow_shift, {1e-3, 1e3});
    card.default_negative_prompt = defaults.text("negative_prompt", card.default_negative_prompt);
    card.prompt_suffix = defaults.text("prompt_suffix", card.prompt_suffix);
    card.max_sequence_length = whole(defaults, "max_sequence_length", card.max_sequence_length, 1, 4096);
}

void apply_sizes(const ConfigReader& reader, const Json& hints, ModelCard& card) {
    const auto has_own_default = hints.contains("defaults") && hints["defaults"].contains("width");
    if (has_own_default) card.sizes.clear();
    for (const auto& row : rows(reader, hints, "sizes", 2)) {
        if (!(row[0] >= 1 && row[0] <= 8192 && row[1] >= 1 && row[1] <= 8192))
            reader.refuse("sizes", "each side must be 1 to 8192 px");
        card.sizes.push_back({static_cast<int>(row[0]), static_cast<int>(row[1])});
    }
    std::erase(card.sizes, card.default_size);
    card.sizes.insert(card.sizes.begin(), card.default_size);
}

}  // namespace

void apply_hints(const ModelFiles& files, ModelCard& card) {
    if (files.hints.is_null()) return;
    const auto file = files.root / "kinescope.json";
    const ConfigReader reader(files.hints, file);
    const auto& hints = files.hints;
    card.name = reader.text("name", card.name);
    card.variant = reader.text("variant", card.variant);
    card.fp16_safe = reader.flag("fp16_safe", card.fp16_safe);
    card.max_side = whole(reader, "max_side", card.max_side, 16, 8192);
    card.max_num_frames = whole(reader, "max_num_frames", card.max_num_frames, 1, 100'000);
    if (hints.contains("defaults")) apply_defaults(ConfigReader(hints["defaults"], file), card);
    apply_sizes(reader, hints, card);
    card.example_prompts = texts(reader, hints, "example_prompts");
    card.vocabulary = {.words = vocabulary_words(hints, file), .hint = reader.text("hint", "")};
    if (hints.contains("latent_rgb_factors")) card.latent_rgb_factors = rows(reader, hints, "latent_rgb_factors", 3);
    if (hints.contains("latent_rgb_bias")) card.latent_rgb_bias = reader.numbers("latent_rgb_bias");
    if (!card.latent_rgb_bias.empty() && card.latent_rgb_bias.size() != 3)
        reader.refuse("latent_rgb_bias", "expected 3 numbers");
}

}  // namespace kinescope
