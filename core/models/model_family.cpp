#include "core/models/model_family.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <utility>

#include "core/api/component_role.h"

namespace kinescope {

bool ReplayInput::has(const std::string& name) const {
    return std::ranges::find(io.entries(), name, &TensorEntry::name) != io.entries().end();
}

int ModelFamily::count_tokens(const ModelFiles& files, const std::string& prompt) const {
    constexpr std::int64_t kNoLimit = std::int64_t{1} << 20;
    return static_cast<int>(files.open_tokenizer()->encode(prompt, kNoLimit).size());
}

std::vector<TensorEntry> ModelFamily::expected_tensors(const ModelFiles& files, const std::string& component) const {
    WeightStore store;
    request_tensors(files, component, store);
    return store.wanted();
}

void ModelFamily::require_tensors(const ModelFiles& files, const std::string& component,
                                  std::shared_ptr<const CheckpointReader> weights) const {
    const ComponentRole role = role_of(component);
    const bool is_second_encoder = role == ComponentRole::text_encoder && component != "text_encoder";
    if (role == ComponentRole::image_encoder || is_second_encoder) return;
    WeightStore store(std::move(weights));
    request_tensors(files, component, store);
    store.require_requested();
}

Tensor ModelFamily::initial_latents(const SamplingInput& input, const Scheduler& scheduler) const {
    return input.noise.normal(latents_shape(input.files, input.request)) * scheduler.init_noise_sigma();
}

Guidance ModelFamily::guidance(const SamplingInput& input, const Conditioning& conditioning, const Scheduler&) const {
    return constant_guidance(conditioning, input.request.sampling.guidance_scale);
}

Tensor ModelFamily::final_latents(const ResolvedRequest&, const Conditioning&, const Tensor& latents) const {
    return latents;
}

Tensor ModelFamily::in_reference_layout(const Tensor& latents) const {
    return latents;
}

Tensor ModelFamily::as_reference_keeps(const Tensor& latents, const std::vector<std::int64_t>&) const {
    return in_reference_layout(latents);
}

std::map<std::string, Tensor> ModelFamily::replay(const ReplayInput&, const ForwardContext&) const {
    return {};
}

ComponentOutputs ModelFamily::run_component(const ComponentCase&, const ForwardContext&) const {
    return {};
}

}  // namespace kinescope
