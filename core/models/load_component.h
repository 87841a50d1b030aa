#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/models/discovery/model_files.h"
#include "core/weights/weight_store.h"

namespace kinescope {

/// A component's weights, and the names or prefixes of tensors that the model does not use.
struct ComponentWeights {
    const ModelFiles& files;
    std::string component;
    std::vector<std::string> known_unused = {};
};

/// Returns a sink that adds the notes about a component to `notes`. Returns an empty function if `notes` is null.
inline Float8Sink float8_sink(const std::shared_ptr<Float8Notes>& notes, const std::string& component) {
    if (!notes) return {};
    return [notes, component](Float8Note note) {
        note.component = component;
        notes->add(std::move(note));
    };
}

/// Builds Model(scope, arguments...) from the weights of a component. Throws Error(missing_keys or wrong_shape), which
/// lists all tensors that are missing or have the wrong shape. Logs a warning for unexpected ones. A model that streams
/// its blocks or narrows its weights keeps the file open.
template <class Model, class... Arguments>
std::unique_ptr<Model> load_component(const ComponentWeights& weights, Arguments&&... arguments) {
    const auto store = std::make_shared<WeightStore>(weights.files.open_weights(weights.component),
                                                     float8_sink(weights.files.float8_notes, weights.component));
    auto model = std::make_unique<Model>(WeightScope(*store), std::forward<Arguments>(arguments)...);
    store->finish(weights.known_unused);
    // All tensors have been checked, and the copied ones are not read again. Pages of mapped tensors are loaded again
    // when they are used.
    WeightScope(*store).release_pages();
    return model;
}

/// Requests the tensors that Model(scope, arguments...) uses, by name and shape. Reads no values.
template <class Model, class... Arguments>
void request_tensors_of(WeightStore& store, Arguments&&... arguments) {
    const WeightStore::ReadingScope names(store, Reading::names);
    const Model model(WeightScope(store), std::forward<Arguments>(arguments)...);
}

}  // namespace kinescope
