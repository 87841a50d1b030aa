#include "core/api/visit_paths.h"

#include <utility>

namespace kinescope {

namespace fs = std::filesystem;

void visit_paths(VideoRequest& request, const std::function<void(PathUse, fs::path&)>& visit) {
    const auto visit_optional = [&](PathUse use, std::optional<fs::path>& path) {
        if (path && !path->empty()) visit(use, *path);
    };
    if (request.model != VideoRequest().model) {
        fs::path model = request.model;
        visit(PathUse::model, model);
        request.model = model.string();
    }
    for (auto& [name, path] : request.components) visit(PathUse::model, path);
    for (LoraRequest& lora : request.loras) visit(PathUse::model, lora.path);
    visit_optional(PathUse::model, request.preview_decoder);
    visit_optional(PathUse::input, request.image);
    visit_optional(PathUse::input, request.last_image);
    for (FrameCondition& condition : request.conditions) visit(PathUse::input, condition.file);
    visit_optional(PathUse::input, request.video);
    visit_optional(PathUse::input, request.mask);
    for (fs::path& image : request.reference_images) visit(PathUse::input, image);
    visit_optional(PathUse::input, request.continue_video);
    for (fs::path* weights : {&request.finish.upscaler, &request.finish.interpolator})
        if (!weights->empty()) visit(PathUse::model, *weights);
    if (!request.finish.audio.file.empty()) visit(PathUse::input, request.finish.audio.file);
}

VideoRequest with_originals(VideoRequest request) {
    const auto originals = std::exchange(request.originals, {});
    visit_paths(request, [&originals](PathUse use, fs::path& path) {
        const auto found = originals.find(path);
        if (use == PathUse::input && found != originals.end()) path = found->second;
    });
    return request;
}

}  // namespace kinescope
