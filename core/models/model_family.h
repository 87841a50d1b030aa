#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/api/model_card.h"
#include "core/api/video_request.h"
#include "core/device/compute_policy.h"
#include "core/device/rng.h"
#include "core/models/component_memory.h"
#include "core/models/diffusion_model.h"
#include "core/models/guidance.h"
#include "core/models/model_files.h"
#include "core/models/video_vae.h"
#include "core/schedulers/scheduler.h"

namespace kinescope {

/// What the encoders work on. The request is resolved: every value is set.
struct EncodeInput {
    const ModelFiles& files;
    const VideoRequest& request;
    const ComputePolicy& policy;
    Tensor image = {};  ///< uint8 [H, W, 3] as in the file; undefined: none
    Tensor last_image = {};
};

/// What a latent schedule is made from.
struct SamplingInput {
    const ModelFiles& files;
    const VideoRequest& request;
    NoiseSource& noise;  ///< the run's one source, in the reference's order of draws
};

/// One component alone, on the inputs that a golden case keeps.
struct ReplayInput {
    const ModelFiles& files;
    const ComputePolicy& policy;
    std::string component;       ///< as the case's file names it: "transformer", "vae_decode" ...
    const CheckpointReader& io;  ///< its inputs, "in.<argument>"
};

/// Everything the pipeline needs to know of a family. Components are built one by one, so that the text encoder's
/// memory can be given back before the denoiser is loaded. Requests are resolved: every value is set. Contexts name no
/// component yet: ForwardContext::of does.
class ModelFamily {
public:
    virtual ~ModelFamily() = default;
    virtual std::string name() const = 0;
    /// Why these files are of this family, by metadata only; nullopt: they are not.
    virtual std::optional<std::string> match(const ModelFiles& files) const = 0;
    virtual ModelCard card(const ModelFiles& files) const = 0;

    /// Runs the text and image encoders, and the VAE's on the images, one after the other, and gives their memory back.
    /// `negative_prompt_embeds` only with guidance. Each encoder's run is a transaction of its own.
    virtual Conditioning encode(const EncodeInput& input, NoiseSource& noise, const ForwardContext& context) const = 0;
    virtual int count_tokens(const ModelFiles& files, const std::string& prompt) const = 0;
    virtual std::unique_ptr<DiffusionModel> load_denoiser(const ModelFiles& files,
                                                          const ComputePolicy& policy) const = 0;
    virtual std::unique_ptr<VideoVae> load_vae(const ModelFiles& files, const VideoRequest& request,
                                               const Precision& precision) const = 0;
    /// Timesteps are set from the request. A stochastic scheduler draws from the noise at each step.
    virtual std::unique_ptr<Scheduler> make_scheduler(const SamplingInput& input) const = 0;
    /// [1, C, F, H, W] of the latents.
    virtual std::vector<std::int64_t> latents_shape(const ModelFiles& files, const VideoRequest& request) const = 0;
    /// Noise of that shape, float32 on the CPU; a family whose reference lays its axes out otherwise draws it so.
    virtual Tensor initial_latents(const SamplingInput& input, const Scheduler& scheduler) const;
    /// Which passes each step needs, with what scale.
    virtual Guidance guidance(const SamplingInput& input, const Conditioning& conditioning,
                              const Scheduler& scheduler) const;
    /// What a component needs besides its weights; from configs and the request alone.
    virtual ComponentMemory memory(const MemoryQuery& query) const = 0;
    /// Name and shape of every tensor that a component is made of, where a folder has its config and no weights yet.
    virtual std::vector<TensorEntry> wanted_tensors(const ModelFiles& files, const std::string& component) const = 0;
    /// Frames that the VAE hands out at once, at most.
    virtual int chunk_frames() const { return 4; }
    /// What of the denoised latents goes to the VAE: all, unless the model works on more frames than it was asked for,
    /// or keeps some from the image.
    virtual Tensor final_latents(const VideoRequest& request, const Conditioning& conditioning,
                                 const Tensor& latents) const;

    /// Latents in the order of axes that the family's reference keeps: [1, C, F, H, W] unless it says so.
    virtual Tensor in_reference_layout(const Tensor& latents) const;
    /// The outputs of one component by the names of the case without "out."; empty: this family does not offer it.
    virtual std::map<std::string, Tensor> replay(const ReplayInput& input, const ForwardContext& context) const;
};

/// The families, in a table: core/models/families.cpp. One line each.
const std::vector<const ModelFamily*>& model_families();

/// The one family that the files belong to. Throws Error(model_unknown) that says what was seen, or which families
/// tied.
const ModelFamily& find_family(const ModelFiles& files);

}  // namespace kinescope
