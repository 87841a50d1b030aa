#include "core/models/wan/load.h"

#include "core/models/load_component.h"
#include "core/models/wan/card.h"

namespace kinescope::wan {

namespace {

/// Returns the names of tensors that the model does not use: some files contain a query norm for the image branch.
std::vector<std::string> unneeded(const TransformerConfig& config) {
    std::vector<std::string> names;
    for (std::int64_t i = 0; i < config.num_layers; ++i)
        names.push_back("blocks." + std::to_string(i) + ".attn2.norm_added_q.");
    return names;
}

}  // namespace

std::unique_ptr<Transformer> load_transformer(const ModelFiles& files, const ComputePolicy& policy,
                                              const std::string& component) {
    const auto config = transformer_config(files, component);
    return load_component<Transformer>({files, component, unneeded(config)}, config, policy.at(component));
}

std::unique_ptr<VaeEncoder> load_vae_encoder(const ModelFiles& files, const VaeConfig& config,
                                             const Precision& precision) {
    return load_component<VaeEncoder>({files, "vae", {"decoder.", "post_quant_conv."}}, config, precision);
}

}  // namespace kinescope::wan
