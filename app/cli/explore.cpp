#include "app/cli/explore.h"

#include "app/cli/output_name.h"
#include "core/api/output_files.h"
#include "core/api/prompt_variants.h"
#include "core/api/request_sweep.h"
#include "core/base/draw_seed.h"
#include "core/base/logging.h"

namespace kinescope::cli {
namespace {

std::filesystem::path numbered(const std::filesystem::path& file, std::size_t number) {
    return file.empty() ? file : with_suffix(file, "-" + std::to_string(number));
}

OutputRequest numbered(OutputRequest output, std::size_t number) {
    // A slash marks a folder: with_suffix() takes a dot in the name of a file for an extension.
    output.preview_dir /= "";
    for (const auto& [field, member] : kOutputFiles) output.*member = numbered(output.*member, number);
    output.preview_dir = output.preview_dir.parent_path();
    return output;
}

/// Logs the note about a brace without a partner. Runs log it themselves if their own prompt still has such a brace.
void note_stray_brace(const std::string& prompt, const std::string& variant) {
    if (has_unpaired_alternatives(prompt) && !has_unpaired_alternatives(variant)) log_note(kUnpairedAlternativesNote);
}

}  // namespace

std::vector<VideoRequest> explore(const VideoRequest& request, int num_seeds) {
    if (const auto prompts = prompt_variants(request.prompt); prompts.size() == 1 && num_seeds == 1) {
        VideoRequest only = request;
        only.prompt = prompts.front();
        return {only};
    }
    std::vector<VideoRequest> requests = request_sweep(request, num_seeds, request.seed ? *request.seed : draw_seed());
    note_stray_brace(request.prompt, requests.front().prompt);
    for (std::size_t i = 0; i < requests.size(); ++i) requests[i].output = numbered(request.output, i + 1);
    return requests;
}

}  // namespace kinescope::cli
