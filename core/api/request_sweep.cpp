#include "core/api/request_sweep.h"

#include "core/api/prompt_variants.h"

namespace kinescope {

std::vector<VideoRequest> request_sweep(const VideoRequest& request, int num_seeds, std::uint64_t first_seed) {
    const std::vector<std::string> prompts = prompt_variants(request.prompt);
    if (prompts.size() * static_cast<std::size_t>(num_seeds) > kMostPromptVariants)
        throw Error(ErrorCode::bad_request,
                    std::to_string(prompts.size()) + " prompts with " + std::to_string(num_seeds) +
                        " seeds are more than " + std::to_string(kMostPromptVariants) + " videos",
                    "Use fewer alternatives or seeds.");
    std::vector<VideoRequest> requests;
    for (const std::string& prompt : prompts)
        for (int i = 0; i < num_seeds; ++i) {
            requests.push_back(request);
            requests.back().prompt = prompt;
            requests.back().seed = first_seed + static_cast<std::uint64_t>(i);
        }
    return requests;
}

}  // namespace kinescope
