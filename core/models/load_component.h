#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/models/model_files.h"
#include "core/weights/float8_notes.h"
#include "core/weights/weight_store.h"

namespace kinescope {

/// Whose weights to build from, and the names there (or their beginnings) that the model has no use for.
struct ComponentWeights {
    const ModelFiles& files;
    std::string component;
    std::vector<std::string> known_unused = {};
};

/// Builds Model(scope, arguments...) from the weights of a component. Missing and misshapen tensors are an
/// Error(missing_keys or wrong_shape) that lists them all; tensors that nobody asked for are a warning in the log. A
/// model whose blocks are streamed keeps the file open.
template <class Model, class... Arguments>
std::unique_ptr<Model> load_component(const ComponentWeights& weights, Arguments&&... arguments) {
    const LoadingComponent loading(weights.component);
    const auto store = std::make_shared<WeightStore>(weights.files.open_weights(weights.component));
    auto model = std::make_unique<Model>(WeightScope(*store), std::forward<Arguments>(arguments)...);
    store->finish(weights.known_unused);
    // All numbers have been looked at; those that were copied are not needed any more, others come back when they are.
    WeightScope(*store).release_pages();
    return model;
}

/// The tensors that Model(scope, arguments...) asks for; nothing is read.
template <class Model, class... Arguments>
std::vector<TensorEntry> wanted_by(Arguments&&... arguments) {
    WeightStore store;
    const Model model(WeightScope(store), std::forward<Arguments>(arguments)...);
    return store.wanted();
}

}  // namespace kinescope
