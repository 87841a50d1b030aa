#pragma once

#include "core/models/model_family.h"

namespace kinescope::svd {

/// Returns the number of frames that the VAE decodes together, at least 1.
std::int64_t decode_chunk_size(const ResolvedRequest& request);

/// Stable Video Diffusion (img2vid, img2vid-xt, 1.1) in the diffusers layout: image to video.
class SvdFamily final : public ModelFamily {
public:
    std::string name() const override { return "svd"; }
    std::string display_name() const override { return "Stable Video Diffusion"; }
    std::optional<std::string> match(const ModelFiles& files) const override;
    ModelCard card(const ModelFiles& files) const override;
    std::optional<LayoutFamily> layout() const override;

    Conditioning encode(const EncodeInput& input, NoiseSource& noise, const ForwardContext& context) const override;
    int count_tokens(const ModelFiles& files, const std::string& prompt) const override;
    std::unique_ptr<DiffusionModel> load_denoiser(const ModelFiles& files, const ComputePolicy& policy) const override;
    std::unique_ptr<VideoVae> load_vae(const ModelFiles& files, const ResolvedRequest& request,
                                       const Precision& precision) const override;
    std::unique_ptr<Scheduler> make_scheduler(const SamplingInput& input) const override;
    std::vector<std::int64_t> latents_shape(const ModelFiles& files, const ResolvedRequest& request) const override;
    /// Draws the noise in the reference's order, frames before channels.
    Tensor initial_latents(const SamplingInput& input, const Scheduler& scheduler) const override;
    /// Returns guidance scales that rise linearly from the first frame to the last. Returns no guidance if
    /// max_guidance_scale is 1 or less.
    Guidance guidance(const SamplingInput& input, const Conditioning& conditioning,
                      const Scheduler& scheduler) const override;

    Tensor in_reference_layout(const Tensor& latents) const override;
    ComponentMemory memory(const MemoryQuery& query) const override;
    double evaluation_work(const ModelFiles& files, const ResolvedRequest& request) const override;
    void request_tensors(const ModelFiles& files, const std::string& component, WeightStore& store) const override;
    RowLayers row_layers() const override;
    std::map<std::string, Tensor> replay(const ReplayInput& input, const ForwardContext& context) const override;
};

}  // namespace kinescope::svd
