#include "core/jobs/tools/comparing_observer.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <utility>

#include "core/jobs/tools/compare_tensors.h"
#include "core/models/numbered.h"

namespace kinescope {

namespace {

/// Returns all guidance scales as one tensor, with one value per step or frame.
Tensor flat_scales(const Guidance& guidance) {
    std::vector<Tensor> flat;
    for (const Tensor& scale : guidance.scales) flat.push_back(scale.flatten());
    return flat.empty() ? Tensor() : at::cat(flat);
}

}  // namespace

ComparingObserver::ComparingObserver(std::shared_ptr<const CheckpointReader> expected, const PreparedRun& job,
                                     VerifyReport& report)
    : expected_(std::move(expected)), job_(job), report_(report), denoiser_(job.policy.denoiser_name()) {}

const TensorEntry* ComparingObserver::find(const std::string& name) const {
    const auto& entries = expected_->entries();
    const auto found = std::ranges::find(entries, name, &TensorEntry::name);
    return found == entries.end() ? nullptr : &*found;
}

void ComparingObserver::compare(const std::string& component, const std::string& name, const Tensor& actual) {
    if (find(name) == nullptr || !actual.defined()) return;
    compared_.insert(name);
    report_.rows.push_back(compare_tensor(component, name, actual, expected_->read(name)));
}

void ComparingObserver::compare_latents(const std::string& component, const std::string& name, const Tensor& latents) {
    const TensorEntry* expected = find(name);
    if (expected != nullptr && latents.defined())
        compare(component, name, job_.family->as_reference_keeps(latents, expected->shape));
}

void ComparingObserver::on_encoder_input(const std::string& name, const Tensor& pixels) {
    compare("pipeline", name, pixels);
}

void ComparingObserver::on_conditioning(const Conditioning& conditioning) {
    compare("tokenizer", "input_ids", conditioning.input_ids);
    compare("tokenizer", "attention_mask", conditioning.attention_mask);
    compare("text_encoder", "prompt_embeds", conditioning.prompt_embeds);
    compare("text_encoder", "negative_prompt_embeds", conditioning.negative_prompt_embeds);
    compare("image_encoder", "image_embeds", conditioning.image_embeds);
    compare_latents("vae", "condition", conditioning.condition);
    for (const auto& [name, value] : conditioning.details) compare("pipeline", name, value);
}

void ComparingObserver::on_initial_latents(const Tensor& latents) {
    initial_latents_ = latents;
    compare_latents("pipeline", "latents_start", latents);
}

void ComparingObserver::on_noise_pred(int step, const Tensor& noise_pred) {
    compare_latents(denoiser_, numbered("noise_pred", step), noise_pred);
}

void ComparingObserver::on_latents(int step, const Tensor& latents) {
    compare_latents("scheduler", numbered("latents", step), latents);
}

void ComparingObserver::on_sampled(const Scheduler& scheduler, const Guidance& guidance) {
    // The reference stores the drawn noise as initial latents. If a family mixes the noise with an image, it reports
    // the noise in Conditioning::details.
    if (!compared_.contains("latents_initial"))
        compare_latents("pipeline", "latents_initial", initial_latents_ / scheduler.init_noise_sigma());
    compare("scheduler", "timesteps", at::tensor(scheduler.timesteps(), at::kDouble));
    auto recorded = scheduler.record();
    recorded.try_emplace("sigmas", at::tensor(scheduler.sigmas(), at::kFloat));
    for (const auto& [name, value] : recorded) compare("scheduler", name, value);
    auto scales = flat_scales(guidance);
    const auto* expected = find("guidance_scales");
    if (expected != nullptr && scales.defined() && scales.numel() == 1) scales = scales.expand(expected->shape);
    compare("pipeline", "guidance_scales", scales);
}

void ComparingObserver::on_final_latents(const Tensor& latents) {
    compare_latents("pipeline", "latents_final", latents);
}

void ComparingObserver::on_decoded(const VideoVae& vae) {
    for (const auto& [name, value] : vae.record()) compare("vae", name, value);
}

void ComparingObserver::finish() {
    for (const TensorEntry& entry : expected_->entries()) {
        // Noise that the scheduler draws is not compared separately, because a difference shows up in the latents.
        if (entry.name.starts_with("scheduler_noise_")) continue;
        if (!compared_.contains(entry.name) && entry.name != "frames")
            report_.rows.push_back(compare_tensor("pipeline", entry.name, {}, expected_->read(entry.name)));
    }
    if (find("frames") != nullptr)
        report_.rows.push_back(
            compare_frames(frames_.empty() ? Tensor() : at::cat(frames_), expected_->read("frames")));
}

}  // namespace kinescope
