#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/device/compute_policy.h"
#include "core/models/model_files.h"
#include "core/models/wan/transformer.h"

namespace kinescope::wan {

/// Builds `Model` from the weights of a component; a missing or misshapen tensor is an error that lists them all.
template <class Model, class Config>
std::unique_ptr<Model> load_component(const ModelFiles& files, const std::string& component, const Config& config,
                                      const Precision& precision, const std::vector<std::string>& known_unused) {
    WeightStore store(files.open_weights(component));
    auto model = std::make_unique<Model>(WeightScope(store), config, precision);
    store.finish(known_unused);
    return model;
}

/// "transformer" or "transformer_2".
std::unique_ptr<Transformer> load_transformer(const ModelFiles& files, const ComputePolicy& policy,
                                              const std::string& component);

}  // namespace kinescope::wan
