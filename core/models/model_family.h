#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/api/model_card.h"
#include "core/api/resolved_request.h"
#include "core/device/compute_policy.h"
#include "core/device/rng.h"
#include "core/device/row_layer.h"
#include "core/models/component_case.h"
#include "core/models/component_memory.h"
#include "core/models/diffusion_model.h"
#include "core/models/discovery/layout_family.h"
#include "core/models/discovery/model_files.h"
#include "core/models/guidance.h"
#include "core/models/video_vae.h"
#include "core/schedulers/scheduler.h"
#include "core/weights/weight_store.h"

namespace kinescope {

/// Calls `take` with each of the first `count` frames of a video, uint8 [H, W, 3], in order. May be called several
/// times. Throws Error(bad_request) if the video has fewer frames, and Error if it cannot be read.
using ReadFrames = std::function<void(int count, const std::function<void(const Tensor& frame)>& take)>;

/// Input of the text and image encoders.
struct EncodeInput {
    const ModelFiles& files;
    const ResolvedRequest& request;
    const ComputePolicy& policy;
    Tensor image = {};  ///< uint8 [H, W, 3] in the file's size; undefined: none
    Tensor last_image = {};
    std::vector<ReadFrames> conditions = {};    ///< in the order of ResolvedContent::conditions
    ReadFrames video = {};                      ///< empty: none
    ReadFrames mask = {};                       ///< one picture counts as a video of any length; empty: none
    std::vector<Tensor> reference_images = {};  ///< uint8 [H, W, 3]
    /// Receives the pixels that the VAE encodes, by their names in golden cases; empty: nobody compares them.
    std::function<void(const std::string& name, const Tensor& pixels)> record = {};
};

/// The input for the scheduler, the initial latents and the guidance.
struct SamplingInput {
    const ModelFiles& files;
    const ResolvedRequest& request;
    NoiseSource& noise;              ///< the run's only source; draws follow the reference's order
    Conditioning conditioning = {};  ///< for schedules that depend on the condition images
};

/// A component of a model, with the inputs that a golden case recorded.
struct ReplayInput {
    const ModelFiles& files;
    const ComputePolicy& policy;
    std::string component;       ///< as in the case's file names: "transformer", "vae_decode" ...
    const CheckpointReader& io;  ///< inputs, named "in.<argument>"

    bool has(const std::string& name) const;  ///< whether the case recorded this input
};

/// The interface between the pipeline and a model family. Components are loaded one after the other, so that the text
/// encoder's memory is free before the denoiser is loaded. The given contexts name no component; implementations set it
/// with ForwardContext::of.
class ModelFamily {
public:
    virtual ~ModelFamily() = default;
    virtual std::string name() const = 0;
    /// Returns the name for messages, e.g. "Stable Video Diffusion".
    virtual std::string display_name() const = 0;
    /// Returns the reason why these files belong to this family, from metadata only. Returns nullopt if they do not.
    virtual std::optional<std::string> match(const ModelFiles& files) const = 0;
    virtual ModelCard card(const ModelFiles& files) const = 0;
    /// Adds the components of a published folder that its model_index.json omits. Called for every model before
    /// match(); must not change the files of other families. Skips missing components, which ModelFiles::component
    /// reports when they are needed.
    virtual void add_unlisted_parts(ModelFiles&) const {}
    /// Returns how to read files without model_index.json. Returns nullopt if the family has no such layout.
    virtual std::optional<LayoutFamily> layout() const { return std::nullopt; }

    /// Runs the text encoders, the image encoder and the VAE's encoder one after the other, and frees each. Computes
    /// `negative_prompt_embeds` only if the request is guided. Each encoder runs in its own transaction.
    virtual Conditioning encode(const EncodeInput& input, NoiseSource& noise, const ForwardContext& context) const = 0;
    /// Returns the number of tokens of a prompt of any length.
    virtual int count_tokens(const ModelFiles& files, const std::string& prompt) const;
    virtual std::unique_ptr<DiffusionModel> load_denoiser(const ModelFiles& files,
                                                          const ComputePolicy& policy) const = 0;
    virtual std::unique_ptr<VideoVae> load_vae(const ModelFiles& files, const ResolvedRequest& request,
                                               const Precision& precision) const = 0;
    /// Creates a scheduler with the request's timesteps. A stochastic scheduler draws from `input.noise` in each step.
    virtual std::unique_ptr<Scheduler> make_scheduler(const SamplingInput& input) const = 0;
    /// Returns the shape of the latents, [1, C, F, H, W]. Throws Error(bad_request) for sizes that the model does not
    /// support.
    virtual std::vector<std::int64_t> latents_shape(const ModelFiles& files, const ResolvedRequest& request) const = 0;
    /// Returns the initial noise in the shape of the latents, float32 on the CPU, drawn in the axis order of the
    /// family's reference.
    virtual Tensor initial_latents(const SamplingInput& input, const Scheduler& scheduler) const;
    /// Returns the branches and guidance scales of each step.
    virtual Guidance guidance(const SamplingInput& input, const Conditioning& conditioning,
                              const Scheduler& scheduler) const;
    /// Returns the memory that a component needs in addition to its weights, from configs and the request only.
    virtual ComponentMemory memory(const MemoryQuery& query) const = 0;
    /// Returns the multiply-adds of one evaluation of the denoiser, to which its time is about proportional. From
    /// configs and the request only.
    virtual double evaluation_work(const ModelFiles& files, const ResolvedRequest& request) const = 0;
    /// Requests the tensors that a run uses of a component from `store`, by name and shape. Reads no values. Of a VAE,
    /// these are the tensors of the decoder.
    virtual void request_tensors(const ModelFiles& files, const std::string& component, WeightStore& store) const = 0;
    /// Returns the names and shapes of a component's tensors, for folders that contain the config but no weights yet.
    std::vector<TensorEntry> expected_tensors(const ModelFiles& files, const std::string& component) const;
    /// Throws Error(missing_keys or wrong_shape) if `weights` are not those of this component, by names and shapes
    /// only. Accepts image encoders and second text encoders, because not every model uses those in its folder.
    void require_tensors(const ModelFiles& files, const std::string& component,
                         std::shared_ptr<const CheckpointReader> weights) const;
    /// Returns the sizes of the time embedders and modulations of the published models. The canary tests them on each
    /// device, because some graphics libraries compute products with one or two rows incorrectly.
    virtual RowLayers row_layers() const = 0;
    /// Returns the maximum number of frames in one decoded chunk.
    virtual int chunk_frames() const { return 4; }
    /// Returns true if the first of `latent_frames` becomes a single frame, and each of the others several.
    virtual bool has_single_first_frame(std::int64_t /*latent_frames*/) const { return true; }
    /// Returns the latents to decode. Families override this to drop padding frames or to restore frames that an image
    /// provides.
    virtual Tensor final_latents(const ResolvedRequest& request, const Conditioning& conditioning,
                                 const Tensor& latents) const;

    /// Converts latents [1, C, F, H, W] to the axis order of the family's reference, for comparison.
    virtual Tensor in_reference_layout(const Tensor& latents) const;
    /// Converts latents for references that store them in several shapes. `shape` is that of the stored values.
    virtual Tensor as_reference_keeps(const Tensor& latents, const std::vector<std::int64_t>& shape) const;
    /// Runs one component. Returns its outputs under their names in the case, without "out.". Returns an empty map if
    /// the component is not supported.
    virtual std::map<std::string, Tensor> replay(const ReplayInput& input, const ForwardContext& context) const;
    /// Runs a component whose files contain no model, see kinescope::run_component. Returns an empty map if the family
    /// does not recognize its tensors.
    virtual ComponentOutputs run_component(const ComponentCase& given, const ForwardContext& context) const;
};

/// Returns all families. The table is in core/models/families.cpp.
const std::vector<const ModelFamily*>& model_families();

/// Returns the row layers of all families, see ModelFamily::row_layers.
RowLayers row_layers();

/// Returns the family that matches the files. Throws Error(model_unknown) if none or several match.
const ModelFamily& find_family(const ModelFiles& files);

}  // namespace kinescope
