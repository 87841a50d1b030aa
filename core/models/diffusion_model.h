#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "core/device/tensor.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// The denoiser evaluations of a guided step.
enum class Branch {
    cond,
    uncond,
    skip,  ///< as cond, without some blocks (skip-layer guidance)
};

std::string to_string(Branch branch);

/// The output of the text and image encoders. Tensors that the model does not use are undefined.
struct Conditioning {
    Tensor prompt_embeds;           ///< float32 [1, N, D]
    Tensor negative_prompt_embeds;  ///< float32 [1, N, D]; undefined without guidance
    Tensor prompt_embeds_2;         ///< from a second text encoder
    Tensor negative_prompt_embeds_2;
    Tensor image_embeds;  ///< float32 [images, N, D], from the image encoder
    Tensor condition;     ///< float32 [1, C, F, H, W]: image latents (and mask), concatenated to the latents along C
    /// float32 [1, C, F, H, W], normalized: the video from which denoising starts, or the last frames of the video that
    /// the run continues, see ResolvedContent.
    Tensor video_latents;
    Tensor control_scale;   ///< float32 [n]: the scale of each control block (VACE)
    Tensor added_time_ids;  ///< float32 [1, N]: frame rate and other numeric conditions
    Tensor input_ids;       ///< int64 [1, N], only for comparison with golden cases
    Tensor attention_mask;
    /// Further intermediate values for comparison, under their names in golden cases ("negative_input_ids",
    /// "image_pixels").
    std::map<std::string, Tensor> details;

    const Tensor& prompt(Branch branch) const {
        return branch == Branch::uncond ? negative_prompt_embeds : prompt_embeds;
    }
};

/// Normalized attention guidance: how attention to the prompt moves away from attention to the negative prompt.
struct NagSettings {
    double scale = 1;
    double tau = 1;
    double alpha = 0;
    bool operator==(const NagSettings&) const = default;
};

struct DenoiseInput {
    Tensor latents;  ///< float32 [1, C, F, H, W], output of Scheduler::scale_model_input
    double timestep = 0;
    Branch branch = Branch::cond;
    const Conditioning& conditioning;
    std::span<const int> skipped_blocks = {};  ///< for models with GuidanceMethod::skip_layer
    std::optional<NagSettings> nag = {};       ///< for models with GuidanceMethod::nag
};

class DiffusionModel {
public:
    virtual ~DiffusionModel() = default;
    /// Returns the prediction, float32 in the shape of the latents. `context` names the component; a model with several
    /// experts replaces this name with that of the running expert.
    virtual Tensor predict(const DenoiseInput& input, const ForwardContext& context) = 0;
    /// Returns the index of the expert that predicts at a timestep. Cached predictions of one expert are invalid for
    /// another.
    virtual int expert(double /*timestep*/) const { return 0; }
};

}  // namespace kinescope
