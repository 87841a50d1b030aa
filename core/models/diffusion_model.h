#pragma once

#include <map>
#include <string>

#include "core/device/tensor.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// The passes of classifier-free guidance.
enum class Branch { cond, uncond };

std::string to_string(Branch branch);

/// What the text and image encoders say to the denoiser. Undefined where the model has no use for it.
struct Conditioning {
    Tensor prompt_embeds;           ///< float32 [1, N, D]
    Tensor negative_prompt_embeds;  ///< float32 [1, N, D]; undefined without guidance
    Tensor prompt_embeds_2;         ///< of a second text encoder
    Tensor negative_prompt_embeds_2;
    Tensor image_embeds;    ///< float32 [images, N, D], of the image encoder
    Tensor condition;       ///< float32 [1, C, F, H, W]: image latents (and mask), put beside the latents along C
    Tensor added_time_ids;  ///< float32 [1, N]: frame rate and the like, for models that are told them as numbers
    Tensor input_ids;       ///< int64 [1, N], for the record
    Tensor attention_mask;
    /// Further values for the record, by the names that golden cases give them ("negative_input_ids", "image_pixels").
    std::map<std::string, Tensor> details;

    const Tensor& prompt(Branch branch) const {
        return branch == Branch::cond ? prompt_embeds : negative_prompt_embeds;
    }
};

struct DenoiseInput {
    Tensor latents;  ///< float32 [1, C, F, H, W], as Scheduler::scale_model_input leaves them
    double timestep = 0;
    Branch branch = Branch::cond;
    const Conditioning& conditioning;
};

class DiffusionModel {
public:
    virtual ~DiffusionModel() = default;
    /// The prediction in float32, of the shape of the latents. The context names the component; a model of several
    /// experts names the one that runs.
    virtual Tensor predict(const DenoiseInput& input, const ForwardContext& context) = 0;
    /// Which of several experts predicts at a timestep: what one said tells nothing of another.
    virtual int expert(double /*timestep*/) const { return 0; }
};

}  // namespace kinescope
