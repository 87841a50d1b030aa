#pragma once

#include "core/models/model_family.h"

namespace kinescope::wan {

/// Wan 2.1 and 2.2, from the tiny built-in model to 14B: text to video, image to video, first and last frame, models
/// with two experts, and the 5B model for both text and image.
class WanFamily final : public ModelFamily {
public:
    std::string name() const override { return "wan"; }
    std::string display_name() const override { return "Wan"; }
    std::optional<std::string> match(const ModelFiles& files) const override;
    /// VACE differs by its config only; its class gets the name of the other models, so that LoRAs and files fit both.
    void add_unlisted_parts(ModelFiles& files) const override;
    ModelCard card(const ModelFiles& files) const override;
    std::optional<LayoutFamily> layout() const override;

    Conditioning encode(const EncodeInput& input, NoiseSource& noise, const ForwardContext& context) const override;
    int count_tokens(const ModelFiles& files, const std::string& prompt) const override;
    std::unique_ptr<DiffusionModel> load_denoiser(const ModelFiles& files, const ComputePolicy& policy) const override;
    std::unique_ptr<VideoVae> load_vae(const ModelFiles& files, const ResolvedRequest& request,
                                       const Precision& precision) const override;
    std::unique_ptr<Scheduler> make_scheduler(const SamplingInput& input) const override;
    std::vector<std::int64_t> latents_shape(const ModelFiles& files, const ResolvedRequest& request) const override;
    Tensor initial_latents(const SamplingInput& input, const Scheduler& scheduler) const override;
    Guidance guidance(const SamplingInput& input, const Conditioning& conditioning,
                      const Scheduler& scheduler) const override;
    Tensor final_latents(const ResolvedRequest& request, const Conditioning& conditioning,
                         const Tensor& latents) const override;
    ComponentMemory memory(const MemoryQuery& query) const override;
    double evaluation_work(const ModelFiles& files, const ResolvedRequest& request) const override;
    void request_tensors(const ModelFiles& files, const std::string& component, WeightStore& store) const override;
    RowLayers row_layers() const override;
    std::map<std::string, Tensor> replay(const ReplayInput& input, const ForwardContext& context) const override;
};

}  // namespace kinescope::wan
