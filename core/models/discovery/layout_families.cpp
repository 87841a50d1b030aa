#include <utility>

#include "core/api/error.h"
#include "core/models/discovery/layout_family.h"
#include "core/models/model_family.h"
#include "core/text_encoders/clip_vision_files.h"
#include "core/text_encoders/t5_files.h"

namespace kinescope {

namespace {

std::vector<LayoutFamily> collect_layouts() {
    std::vector<LayoutFamily> layouts;
    for (const auto* family : model_families())
        if (auto layout = family->layout()) layouts.push_back(std::move(*layout));
    return layouts;
}

}  // namespace

const std::vector<LayoutFamily>& layout_families() {
    static const std::vector<LayoutFamily> families = collect_layouts();
    return families;
}

const LayoutFamily& layout_family(std::string_view name) {
    for (const auto& family : layout_families())
        if (family.name == name) return family;
    throw Error(ErrorCode::internal, "Unknown family: " + std::string(name));
}

bool is_expert(const RecognizedPart& part) {
    if (part.family.empty()) return false;
    const LayoutFamily& family = layout_family(part.family);
    return part.class_name == family.denoiser_class && family.is_expert != nullptr && family.is_expert(part.config);
}

std::vector<RecognizedPart> recognize_parts(const TensorCatalog& tensors) {
    std::vector<PartRecognizer> recognizers;
    for (const auto& family : layout_families())
        recognizers.insert(recognizers.end(), family.recognizers.begin(), family.recognizers.end());
    recognizers.push_back(recognize_t5);
    recognizers.push_back(recognize_clip_vision);
    std::vector<RecognizedPart> parts;
    for (const auto recognize : recognizers)
        if (auto part = recognize(tensors)) parts.push_back(std::move(*part));
    return parts;
}

}  // namespace kinescope
