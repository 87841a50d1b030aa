#include "core/models/clip_vision.h"

#include "core/models/load_component.h"

namespace kinescope {

ClipVisionConfig clip_vision_config(const ModelFiles& files) {
    const auto& component = files.component("image_encoder");
    return read_clip_vision_config(component.config, component.folder / "config.json");
}

std::unique_ptr<ClipVisionEncoder> load_clip_vision(const ModelFiles& files, ClipVisionEncoder::Use use,
                                                    const Precision& precision) {
    const auto config = clip_vision_config(files);
    return load_component<ClipVisionEncoder>({files, "image_encoder", ClipVisionEncoder::unneeded(config, use)}, config,
                                             use, precision);
}

}  // namespace kinescope
