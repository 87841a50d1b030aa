#pragma once

#include <optional>
#include <string>
#include <utility>

#include "core/api/localizable_message.h"
#include "core/base/json.h"
#include "core/weights/formats/tensor_catalog.h"
#include "core/weights/key_map.h"

namespace kinescope {

/// The part of a model that a set of tensors forms, recognized only by names and shapes.
struct RecognizedPart {
    std::string family;         ///< such as "wan"; empty for parts that several families share
    std::string component;      ///< the name used in model_index.json: "transformer", "text_encoder", ...
    std::string class_name;     ///< "WanTransformer3DModel"
    std::string variant;        ///< such as "Wan 2.1 T2V 1.3B"; empty if the class is unambiguous
    LocalizableMessage reason;  ///< the evidence for the recognition
    Json config;                ///< the keys of config.json that the shapes determine
    Json assumed;               ///< published values of the other keys
    KeyMap key_map = {};
};

/// Returns the complete config: values from the shapes, then from the config `at_hand` if it describes the same model,
/// then assumed values.
Json complete_config(const RecognizedPart& part, const Json& at_hand);

/// Recognizes one kind of model part. Returns nullopt for other tensors.
using PartRecognizer = std::optional<RecognizedPart> (*)(const TensorCatalog&);

inline KeyMap with_prefix(KeyMap map, std::string prefix) {
    map.prefix = std::move(prefix);
    return map;
}

/// Returns the map of tensors that have diffusers' names after the prefix.
inline KeyMap diffusers_names(std::string prefix) {
    return {.naming = "diffusers names", .prefix = std::move(prefix), .rules = {}};
}

}  // namespace kinescope
