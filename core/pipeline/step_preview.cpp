#include "core/pipeline/step_preview.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/pipeline/latent_preview.h"

namespace kinescope {

namespace {

/// Numbers of enlargements to choose from, the largest pictures first.
std::vector<int> enlargements_for(const tiny_vae::Config& config, const Tensor& latents) {
    std::vector<int> choices;
    for (int i = tiny_vae::most_enlargements(config, std::max(latents.size(3), latents.size(4))); i >= 1; --i)
        choices.push_back(i);
    return choices;
}

std::vector<double> costs_of(const tiny_vae::Config& config, const Tensor& latents, const std::vector<int>& choices) {
    std::vector<double> costs;
    const auto pixels = latents.size(3) * latents.size(4);
    for (const int enlargements : choices)
        costs.push_back(
            static_cast<double>(latents.size(2)) *
            tiny_vae::cost(config, pixels, {.rate = tiny_vae::FrameRate::low, .enlargements = enlargements}));
    return costs;
}

}  // namespace

StepPreviewer::StepPreviewer(const PhaseServices& services) : services_(services), file_(services.job.tiny_decoder) {}

std::optional<StepPreview> StepPreviewer::make(const Tensor& clean, double step_seconds) {
    times_.steps += step_seconds;
    times_.last_step = step_seconds;
    if (!file_.empty() && services_.job.request.compute.previews == PreviewMode::automatic) {
        try {
            return decode(clean);
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& error) {
            give_up(error.message());
        } catch (const std::exception& error) {
            give_up(error.what());
        }
    }
    return StepPreview{.frames = latent_preview(clean, services_.job.card)};
}

std::optional<StepPreview> StepPreviewer::decode(const Tensor& clean) {
    const tiny_vae::Config& config = vae().config();
    const std::vector<int> choices = enlargements_for(config, clean);
    const std::vector<double> costs = costs_of(config, clean, choices);
    const auto choice = choose_preview(costs, times_);
    if (!choice) return std::nullopt;
    const Stopwatch watch;
    SilentProbe silent;
    const Tensor frames = vae_->preview(clean, choices[*choice], {silent, services_.cancellation, "preview"});
    if (!at::isfinite(frames).all().item<bool>())
        throw Error(ErrorCode::not_finite,
                    "the tiny decoder " + file_.string() + " computes values that are not finite");
    StepPreview preview{.frames = to_frames(frames), .decoder = file_.stem().string(), .seconds = watch.seconds()};
    times_.previews += preview.seconds;
    times_.seconds_per = preview.seconds / costs[*choice];
    return preview;
}

const tiny_vae::TinyVae& StepPreviewer::vae() {
    // Float32, because previews must not depend on what a device can do.
    if (!vae_) vae_ = tiny_vae::load_tiny_vae(file_, {.device = services_.job.policy.device()});
    return *vae_;
}

void StepPreviewer::give_up(const std::string& why) {
    services_.emit(LogLine{LogLineLevel::warning, why + "; previews show projected latents"});
    file_.clear();
    vae_.reset();
}

}  // namespace kinescope
