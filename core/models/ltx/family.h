#pragma once

#include "core/models/model_family.h"

namespace kinescope::ltx {

/// LTX-Video 0.9.0 to 0.9.8, 2B and 13B: text to video, image to video, and, in 0.9.5 or later, images at given frames.
class LtxFamily final : public ModelFamily {
public:
    std::string name() const override { return "ltx"; }
    std::string display_name() const override { return "LTX-Video"; }
    std::optional<std::string> match(const ModelFiles& files) const override;
    ModelCard card(const ModelFiles& files) const override;
    std::optional<LayoutFamily> layout() const override;

    /// Encodes the prompt and the images. Ignores `noise` and draws from the request's seed, see draws.h.
    Conditioning encode(const EncodeInput& input, NoiseSource& noise, const ForwardContext& context) const override;
    std::unique_ptr<DiffusionModel> load_denoiser(const ModelFiles& files, const ComputePolicy& policy) const override;
    std::unique_ptr<VideoVae> load_vae(const ModelFiles& files, const ResolvedRequest& request,
                                       const Precision& precision) const override;
    std::unique_ptr<Scheduler> make_scheduler(const SamplingInput& input) const override;
    /// Returns the shape of the latents. It includes the latent frames of images after the first frame, which come
    /// before those of the video.
    std::vector<std::int64_t> latents_shape(const ModelFiles& files, const ResolvedRequest& request) const override;
    Tensor initial_latents(const SamplingInput& input, const Scheduler& scheduler) const override;
    /// Removes the latent frames of images, which latents_shape added.
    Tensor final_latents(const ResolvedRequest& request, const Conditioning& conditioning,
                         const Tensor& latents) const override;
    /// Converts latents to the shape in which the reference stores them: as tokens, as a video, or as a video without
    /// the frames of images.
    Tensor as_reference_keeps(const Tensor& latents, const std::vector<std::int64_t>& shape) const override;
    ComponentMemory memory(const MemoryQuery& query) const override;
    double evaluation_work(const ModelFiles& files, const ResolvedRequest& request) const override;
    int chunk_frames() const override { return 8; }
    void request_tensors(const ModelFiles& files, const std::string& component, WeightStore& store) const override;
    RowLayers row_layers() const override;
    std::map<std::string, Tensor> replay(const ReplayInput& input, const ForwardContext& context) const override;
};

}  // namespace kinescope::ltx
