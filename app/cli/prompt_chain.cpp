#include "app/cli/prompt_chain.h"

#include <limits>
#include <utility>

#include "app/cli/output_name.h"
#include "core/api/video_request_json.h"

namespace kinescope::cli {
namespace {

namespace fs = std::filesystem;

fs::path part_name(const fs::path& output, std::size_t part) {
    return with_suffix(output, "-part" + std::to_string(part)).replace_extension(".mkv");
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

/// Throws Error(bad_request) if the parts need seeds above the largest one.
void check_seed(std::int64_t seed, std::size_t num_prompts) {
    if (seed <= std::numeric_limits<std::int64_t>::max() - static_cast<std::int64_t>(num_prompts)) return;
    throw Error(ErrorCode::bad_request,
                "seed " + std::to_string(seed) + " is too large: each of the " + std::to_string(num_prompts) +
                    " next prompts takes the seed after that of the part before it",
                "Use a smaller seed.");
}

/// Throws Error(output_exists) if a part would replace a file, before hours are spent on the parts before it.
void refuse_existing(const std::vector<ReadRequest>& parts) {
    for (const ReadRequest& part : parts) {
        const OutputRequest& output = part.request.output;
        std::error_code ignored;
        if (output.overwrite == OverwriteMode::refuse && fs::is_regular_file(output.file, ignored))
            throw Error(ErrorCode::output_exists, output.file.string() + " already exists",
                        "Choose another name, or allow it to be replaced (--overwrite).",
                        {{"path", output.file.string()}});
    }
}

}  // namespace

std::vector<ReadRequest> chain_prompts(ReadRequest first, const std::vector<std::string>& prompts, Engine& engine) {
    VideoRequest& request = first.request;
    if (!request.seed) request.seed = draw_seed();
    if (request.output.file.empty()) request.output.file = free_output_name(request, {}, {});
    check_seed(*request.seed, prompts.size());
    const OutputRequest whole = request.output;
    const FinishSteps finish = std::exchange(request.finish, {});
    request.output = output_of_part(whole, 1);
    validate_with_card(first, engine);
    std::vector<ReadRequest> parts{std::move(first)};
    for (std::size_t i = 0; i < prompts.size(); ++i) {
        const bool is_last = i + 1 == prompts.size();
        ReadRequest next{next_of(parts.back().request, prompts[i], is_last ? whole : output_of_part(whole, i + 2)), {}};
        if (is_last) next.request.finish = finish;
        validate_with_card(next, engine);
        parts.push_back(std::move(next));
    }
    refuse_existing(parts);
    return parts;
}

}  // namespace kinescope::cli
