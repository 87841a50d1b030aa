#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/models/model_files.h"
#include "core/weights/weight_store.h"

namespace kinescope {

/// Whose weights to build from, and the names there (or their beginnings) that the model has no use for.
struct ComponentWeights {
    const ModelFiles& files;
    std::string component;
    std::vector<std::string> known_unused = {};
};

/// Builds Model(scope, arguments...) from the weights of a component. Missing and misshapen tensors are an
/// Error(missing_keys or wrong_shape) that lists them all; tensors that nobody asked for are a warning in the log.
template <class Model, class... Arguments>
std::unique_ptr<Model> load_component(const ComponentWeights& weights, Arguments&&... arguments) {
    WeightStore store(weights.files.open_weights(weights.component));
    auto model = std::make_unique<Model>(WeightScope(store), std::forward<Arguments>(arguments)...);
    store.finish(weights.known_unused);
    return model;
}

}  // namespace kinescope
