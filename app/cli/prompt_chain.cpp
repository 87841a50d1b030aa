#include "app/cli/prompt_chain.h"

#include <utility>

#include "app/cli/output_name.h"
#include "core/api/video_request_json.h"

namespace kinescope::cli {
namespace {

namespace fs = std::filesystem;

fs::path part_name(const fs::path& output, std::size_t part) {
    return output.parent_path() / (output.stem().string() + "-part" + std::to_string(part) + ".mkv");
}

/// Returns a request for the part after `part`.
VideoRequest next_of(const VideoRequest& part, const std::string& prompt, const OutputRequest& output) {
    VideoRequest next = part;
    next.prompt = prompt;
    next.continue_video = fs::absolute(part.output.file).lexically_normal();
    next.seed = *part.seed + 1;
    for (auto* input : {&next.image, &next.last_image, &next.video, &next.mask}) input->reset();
    next.strength.reset();
    next.conditions.clear();
    next.output = output;
    return next;
}

OutputRequest output_of_part(const OutputRequest& whole, std::size_t part) {
    OutputRequest output = without_files(whole);
    output.file = part_name(whole.file, part);
    output.overwrite = whole.overwrite;
    output.codec = "ffv1";
    output.crf.reset();
    return output;
}

}  // namespace

std::vector<ReadRequest> chain_prompts(ReadRequest first, const std::vector<std::string>& prompts, Engine& engine) {
    VideoRequest& request = first.request;
    if (!request.seed) request.seed = draw_seed();
    if (request.output.file.empty()) request.output.file = free_output_name(request, {}, {});
    const OutputRequest whole = request.output;
    request.output = output_of_part(whole, 1);
    std::vector<ReadRequest> parts{std::move(first)};
    for (std::size_t i = 0; i < prompts.size(); ++i) {
        const bool is_last = i + 1 == prompts.size();
        ReadRequest next{next_of(parts.back().request, prompts[i], is_last ? whole : output_of_part(whole, i + 2)), {}};
        validate_with_card(next, engine);
        parts.push_back(std::move(next));
    }
    return parts;
}

}  // namespace kinescope::cli
