#include "core/models/encoder_widths.h"

#include <string>

#include "core/api/error.h"
#include "core/text_encoders/clip_vision_encoder.h"
#include "core/text_encoders/t5_encoder.h"

namespace kinescope {

namespace {

/// Returns the component if it is present with a config.json, or nullptr.
const ComponentFiles* described(const ModelFiles& files, const std::string& name) {
    if (!files.is_present(name)) return nullptr;
    const ComponentFiles& component = files.component(name);
    return component.config.is_null() ? nullptr : &component;
}

/// Names the component `part` in the message.
struct Width {
    std::string part;
    const ComponentFiles& component;
    std::int64_t channels = 0;
};

void check_width(const ModelFiles& files, const Width& gives, std::int64_t taken) {
    if (gives.channels != taken)
        throw Error(ErrorCode::bad_config,
                    "In " + files.root.string() + " the " + gives.part + " outputs " + std::to_string(gives.channels) +
                        " channels and the denoiser takes " + std::to_string(taken) + files.mismatch_cause(),
                    {}, {{"path", gives.component.place().string()}});
}

}  // namespace

void check_text_encoder_width(const ModelFiles& files, std::int64_t taken) {
    const ComponentFiles* part = described(files, "text_encoder");
    if (part == nullptr) return;
    const T5Config config = read_t5_config(part->config, part->folder / "config.json");
    check_width(files, {"text encoder", *part, config.d_model}, taken);
}

void check_image_encoder_width(const ModelFiles& files, std::int64_t taken) {
    const ComponentFiles* part = described(files, "image_encoder");
    if (part == nullptr) return;
    const ClipVisionConfig config = read_clip_vision_config(part->config, part->folder / "config.json");
    check_width(files, {"image encoder", *part, config.hidden_size}, taken);
}

void check_image_embedding_width(const ModelFiles& files, std::int64_t taken) {
    const ComponentFiles* part = described(files, "image_encoder");
    if (part == nullptr) return;
    const ClipVisionConfig config = read_clip_vision_config(part->config, part->folder / "config.json");
    check_width(files, {"image encoder", *part, config.projection_dim}, taken);
}

}  // namespace kinescope
