#pragma once

#include "core/models/model_family.h"

namespace kinescope::cogvideox {

/// CogVideoX 2B and 5B: text to video and image to video, versions 1.0 and 1.5.
class CogVideoXFamily final : public ModelFamily {
public:
    std::string name() const override { return "cogvideox"; }
    std::string display_name() const override { return "CogVideoX"; }
    std::optional<std::string> match(const ModelFiles& files) const override;
    ModelCard card(const ModelFiles& files) const override;
    std::optional<LayoutFamily> layout() const override;

    Conditioning encode(const EncodeInput& input, NoiseSource& noise, const ForwardContext& context) const override;
    std::unique_ptr<DiffusionModel> load_denoiser(const ModelFiles& files, const ComputePolicy& policy) const override;
    std::unique_ptr<VideoVae> load_vae(const ModelFiles& files, const ResolvedRequest& request,
                                       const Precision& precision) const override;
    std::unique_ptr<Scheduler> make_scheduler(const SamplingInput& input) const override;
    /// Returns the shape of the latents. Version 1.5 needs whole patches of two latent frames, so an odd number is
    /// rounded up.
    std::vector<std::int64_t> latents_shape(const ModelFiles& files, const ResolvedRequest& request) const override;
    /// Draws the noise in the reference's order, [1, F, C, H, W].
    Tensor initial_latents(const SamplingInput& input, const Scheduler& scheduler) const override;
    Guidance guidance(const SamplingInput& input, const Conditioning& conditioning,
                      const Scheduler& scheduler) const override;
    /// Returns false for an even number: its first latent frame becomes as many frames as the others.
    bool has_single_first_frame(std::int64_t latent_frames) const override { return latent_frames % 2 == 1; }
    /// Removes the leading latent frames that latents_shape added.
    Tensor final_latents(const ResolvedRequest& request, const Conditioning& conditioning,
                         const Tensor& latents) const override;
    Tensor in_reference_layout(const Tensor& latents) const override { return latents.transpose(1, 2); }
    ComponentMemory memory(const MemoryQuery& query) const override;
    double evaluation_work(const ModelFiles& files, const ResolvedRequest& request) const override;
    void request_tensors(const ModelFiles& files, const std::string& component, WeightStore& store) const override;
    RowLayers row_layers() const override;
    std::map<std::string, Tensor> replay(const ReplayInput& input, const ForwardContext& context) const override;
};

/// Returns the guidance scale at a timestep with `use_dynamic_cfg`. Like the reference, uses the timestep instead of
/// the step number, so the value jumps between 1 and 1 + scale; the published videos were made this way.
double dynamic_guidance_scale(double guidance_scale, double timestep, int num_inference_steps);

}  // namespace kinescope::cogvideox
