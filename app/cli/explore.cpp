#include "app/cli/explore.h"

#include <limits>

#include "app/cli/output_name.h"
#include "core/api/prompt_variants.h"

namespace kinescope::cli {
namespace {

constexpr std::size_t kMostRequests = 1000;

std::filesystem::path numbered(const std::filesystem::path& file, std::size_t number) {
    return file.empty() ? file : with_suffix(file, "-" + std::to_string(number));
}

OutputRequest numbered(OutputRequest output, std::size_t number) {
    for (auto* file :
         {&output.file, &output.numeric_log, &output.numeric_csv, &output.latents, &output.frames, &output.preview_dir})
        *file = numbered(*file, number);
    return output;
}

std::int64_t first_seed(const VideoRequest& request, int num_seeds) {
    const std::int64_t seed = request.seed ? *request.seed : draw_seed();
    if (seed > std::numeric_limits<std::int64_t>::max() - num_seeds)
        throw Error(ErrorCode::bad_request, "seed " + std::to_string(seed) + " is too large for " +
                                                std::to_string(num_seeds) + " consecutive seeds");
    return seed;
}

}  // namespace

std::vector<VideoRequest> explore(const VideoRequest& request, int num_seeds) {
    const std::vector<std::string> prompts = prompt_variants(request.prompt);
    if (prompts.size() == 1 && num_seeds == 1) {
        VideoRequest only = request;
        only.prompt = prompts.front();
        return {only};
    }
    if (prompts.size() * static_cast<std::size_t>(num_seeds) > kMostRequests)
        throw Error(ErrorCode::bad_request,
                    std::to_string(prompts.size()) + " prompts with " + std::to_string(num_seeds) +
                        " seeds are more than " + std::to_string(kMostRequests) + " videos",
                    "Use fewer alternatives or seeds.");
    const std::int64_t seed = first_seed(request, num_seeds);
    std::vector<VideoRequest> requests;
    for (const std::string& prompt : prompts)
        for (int i = 0; i < num_seeds; ++i) {
            VideoRequest one = request;
            one.prompt = prompt;
            one.seed = seed + i;
            one.output = numbered(request.output, requests.size() + 1);
            requests.push_back(std::move(one));
        }
    return requests;
}

}  // namespace kinescope::cli
