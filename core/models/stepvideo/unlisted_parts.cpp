#include "core/models/stepvideo/unlisted_parts.h"

#include <array>

#include "core/models/stepvideo/config.h"

namespace kinescope::stepvideo {

namespace {

namespace fs = std::filesystem;

/// A component and its location below the root. `file` is the name of its weights in that folder. If it is empty, the
/// folder's default weights are used.
struct Part {
    const char* name;
    const char* folder;
    const char* file;
    const char* class_name;
};

/// The components of the published folder. The folder "vae" contains an older VAE, too, so this table names the file.
constexpr std::array<Part, 5> kParts{{
    {"text_encoder", "step_llm", "", "Step1Model"},
    {"tokenizer", "step_llm", "step1_chat_tokenizer.model", "StepChatTokenizer"},
    {"text_encoder_2", "hunyuan_clip/clip_text_encoder", "", "BertModel"},
    {"tokenizer_2", "hunyuan_clip/tokenizer", "", "BertTokenizer"},
    {"vae", "vae", "vae_v2.safetensors", "AutoencoderKL (version 2)"},
}};

Json config_of(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / "config.json", ignored) ? read_json(folder / "config.json") : Json();
}

void add(const Part& part, ModelFiles& files) {
    std::error_code ignored;
    const auto folder = files.root / part.folder;
    const auto file = folder / part.file;
    if (!fs::exists(folder, ignored)) {
        files.components[part.name] = missing_component(files.root, part.folder, part.name, part.class_name);
        return;
    }
    files.components[part.name] = {.folder = folder,
                                   .weights = *part.file == '\0' ? fs::path() : file,
                                   .class_name = part.class_name,
                                   .config = config_of(folder)};
}

}  // namespace

void add_unlisted_parts(ModelFiles& files) {
    if (!files.has("transformer", kTransformerClass)) return;
    for (const auto& part : kParts)
        if (!files.is_present(part.name)) add(part, files);
    files.layout = "Step-Video's published folder";
}

}  // namespace kinescope::stepvideo
