#pragma once

#include "core/models/model_family.h"

namespace kinescope::stepvideo {

/// Step-Video-T2V and its Turbo variant in the authors' layout. Appends the model card's prompt_suffix to every prompt.
class StepVideoFamily final : public ModelFamily {
public:
    std::string name() const override { return "stepvideo"; }
    std::string display_name() const override { return "Step-Video-T2V"; }
    std::optional<std::string> match(const ModelFiles& files) const override;
    ModelCard card(const ModelFiles& files) const override;
    void add_unlisted_parts(ModelFiles& files) const override;

    Conditioning encode(const EncodeInput& input, NoiseSource& noise, const ForwardContext& context) const override;
    int count_tokens(const ModelFiles& files, const std::string& prompt) const override;
    std::unique_ptr<DiffusionModel> load_denoiser(const ModelFiles& files, const ComputePolicy& policy) const override;
    std::unique_ptr<VideoVae> load_vae(const ModelFiles& files, const ResolvedRequest& request,
                                       const Precision& precision) const override;
    std::unique_ptr<Scheduler> make_scheduler(const SamplingInput& input) const override;
    std::vector<std::int64_t> latents_shape(const ModelFiles& files, const ResolvedRequest& request) const override;
    int chunk_frames() const override;
    /// Draws the noise in the reference's order, frames before channels.
    Tensor initial_latents(const SamplingInput& input, const Scheduler& scheduler) const override;
    ComponentMemory memory(const MemoryQuery& query) const override;
    double evaluation_work(const ModelFiles& files, const ResolvedRequest& request) const override;
    void request_tensors(const ModelFiles& files, const std::string& component, WeightStore& store) const override;
    RowLayers row_layers() const override;
    std::map<std::string, Tensor> replay(const ReplayInput& input, const ForwardContext& context) const override;
    ComponentOutputs run_component(const ComponentCase& given, const ForwardContext& context) const override;
};

}  // namespace kinescope::stepvideo
