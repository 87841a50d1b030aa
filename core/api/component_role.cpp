#include "core/api/component_role.h"

namespace kinescope {

ComponentRole role_of(std::string_view component) {
    if (component.starts_with("text_encoder")) return ComponentRole::text_encoder;
    if (component.starts_with("transformer") || component.starts_with("unet")) return ComponentRole::denoiser;
    if (component == "vae") return ComponentRole::vae;
    return component == "image_encoder" ? ComponentRole::image_encoder : ComponentRole::none;
}

Phase phase_of(ComponentRole role) {
    switch (role) {
        case ComponentRole::text_encoder:
        case ComponentRole::image_encoder:
            return Phase::encode;
        case ComponentRole::vae:
            return Phase::decode;
        case ComponentRole::denoiser:
        case ComponentRole::none:
            break;
    }
    return Phase::denoise;
}

}  // namespace kinescope
