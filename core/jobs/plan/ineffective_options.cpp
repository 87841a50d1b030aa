#include "core/jobs/plan/ineffective_options.h"

#include <algorithm>

#include "core/media/frame_sink.h"
#include "core/models/guidance.h"

namespace kinescope {

namespace {

bool has_interval(const ResolvedSampling& sampling) {
    return sampling.guidance_start > 0 || sampling.guidance_stop < 1;
}

/// Returns whether a step lies in the interval of guidance. A short interval may hold none of the few steps of a run.
bool has_guided_step(const ResolvedSampling& sampling) {
    const StepRange steps = within({}, sampling.guidance_start, sampling.guidance_stop, steps_to_run(sampling)).steps;
    return steps.first < steps.end;
}

/// Returns why guidance_start and guidance_stop do not do what they say; empty if they do.
std::string ineffective_interval(const ResolvedSampling& sampling) {
    if (!has_interval(sampling)) return {};
    if (!uses_negative_prompt(sampling))
        return "guidance_start and guidance_stop have no effect: with a guidance_scale of 1 or less, no step is "
               "guided, so each step evaluates the model once";
    if (has_guided_step(sampling)) return {};
    return "guidance has no effect: no step lies between guidance_start and guidance_stop, because the run has only " +
           std::to_string(steps_to_run(sampling)) + " steps";
}

/// Returns why the guidance method changes nothing; empty if it does.
std::string ineffective_method(const ResolvedSampling& sampling) {
    const GuidanceMethod method = sampling.guidance_method;
    const bool leaves_out_steps = method == GuidanceMethod::cfg_zero_star && sampling.zero_init_steps > 0;
    const bool needs_guidance = method == GuidanceMethod::cfg_zero_star || method == GuidanceMethod::apg;
    if (needs_guidance && !leaves_out_steps && !is_guided(sampling))
        return "with a guidance_scale of 1 or below no step is guided";
    if (method != GuidanceMethod::skip_layer) return {};
    const int num_steps = steps_to_run(sampling);
    const StepRange steps = with_method({}, sampling, num_steps).settings.skip_steps;
    if (steps.first < steps.end) return {};
    return "no step lies between skip_layer_guidance_start and skip_layer_guidance_stop, because the run has only " +
           std::to_string(num_steps) + " steps";
}

/// Adds a note for each setting that the model does not have.
void note_unknown_settings(const ResolvedRequest& request, const ModelCard& card, std::vector<std::string>& notes) {
    if (!card.default_flow_shift && request.sampling.flow_shift != ResolvedSampling().flow_shift)
        notes.emplace_back("flow_shift has no effect on this model: its schedule has no such shift");
    if (card.extra_field("max_guidance_scale") && request.sampling.guidance_scale != card.default_guidance_scale)
        notes.emplace_back(
            "guidance_scale has no effect on this model; min_guidance_scale and max_guidance_scale are its guidance");
    if (card.takes_prompt) return;
    if (!request.content.prompt.empty()) notes.emplace_back("the prompt has no effect: this model does not read text");
    if (!request.content.negative_prompt.empty())
        notes.emplace_back("the negative prompt has no effect: this model does not read text");
}

void note_encoding_of_pictures(const ResolvedOutput& output, std::vector<std::string>& notes) {
    if (output.file.empty() || output_kind(output.file) != OutputKind::pictures) return;
    if (!output.codec.empty()) notes.emplace_back("codec has no effect: PNG files have no encoder");
    if (output.crf != kDefaultCrf) notes.emplace_back("crf has no effect: PNG files keep all details");
}

}  // namespace

std::vector<std::string> ineffective_options(const PreparedRun& job) {
    std::vector<std::string> notes;
    note_encoding_of_pictures(job.request.output, notes);
    note_unknown_settings(job.request, job.card, notes);
    if (const std::string reason = ineffective_interval(job.request.sampling); !reason.empty()) notes.push_back(reason);
    if (const std::string reason = ineffective_method(job.request.sampling); !reason.empty())
        notes.push_back("guidance_method " + to_string(job.request.sampling.guidance_method) +
                        " has no effect: " + reason);
    const auto denoiser =
        std::ranges::find(job.policy_summary, job.policy.denoiser_name(), &ComponentPolicy::component);
    if (denoiser == job.policy_summary.end()) return notes;
    if (job.request.compute.storage == DtypeChoice::gguf && !denoiser->stored.starts_with("gguf"))
        notes.push_back("storage gguf has no effect: the denoiser's file contains " + denoiser->stored +
                        ", not GGUF blocks; in memory it is " + denoiser->storage);
    if (job.request.compute.storage == DtypeChoice::int8 && denoiser->storage == to_string(ElementType::int8) &&
        denoiser->device != "cpu")
        notes.push_back("storage int8 saves only memory on " + denoiser->device + "; it does not save time");
    return notes;
}

}  // namespace kinescope
