#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/api/frame.h"
#include "core/models/tiny_vae/tiny_vae.h"
#include "core/pipeline/phase_services.h"
#include "core/pipeline/preview_budget.h"

namespace kinescope {

/// The pictures of one step.
struct StepPreview {
    std::vector<FramePtr> frames;
    std::string decoder = {};  ///< name of the tiny decoder; empty: projected latents
    double seconds = 0;        ///< of the tiny decoder
};

/// Makes the previews of a run: with the job's tiny decoder if it has one, else by projection. A decoder that fails is
/// reported once and not used again.
class StepPreviewer {
public:
    explicit StepPreviewer(const PhaseServices& services);

    /// `clean`: the prediction of the final latents, on any device. Returns nullopt in a step whose preview would take
    /// too long; the last one then stays.
    std::optional<StepPreview> make(const Tensor& clean, double step_seconds);

private:
    std::optional<StepPreview> decode(const Tensor& clean);
    const tiny_vae::TinyVae& vae();
    void give_up(const std::string& why);

    const PhaseServices& services_;
    std::filesystem::path file_;  ///< of the tiny decoder; empty: none
    std::unique_ptr<tiny_vae::TinyVae> vae_;
    PreviewTimes times_;
};

}  // namespace kinescope
