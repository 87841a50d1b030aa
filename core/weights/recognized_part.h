#pragma once

#include <optional>
#include <string>

#include "core/api/sentence.h"
#include "core/base/json.h"
#include "core/weights/key_map.h"
#include "core/weights/tensor_catalogue.h"

namespace kinescope {

/// What tensors are, by their names and shapes alone.
struct RecognizedPart {
    std::string family;      ///< "wan"; empty for parts that several families share
    std::string component;   ///< "transformer", "text_encoder" ...: as model_index.json calls it
    std::string class_name;  ///< "WanTransformer3DModel"
    std::string variant;     ///< "Wan 2.1 T2V 1.3B"; empty: the class says all
    Sentence reason;         ///< what told it
    Json config;             ///< of config.json's keys those that shapes tell
    Json assumed;            ///< those that shapes do not tell, as published
    KeyMap key_map = {};
};

/// The whole config: what shapes tell, then what a config at hand says if it is of the same model, then what is
/// assumed.
Json complete_config(const RecognizedPart& part, const Json& at_hand);

/// nullopt: the tensors are something else.
using PartRecognizer = std::optional<RecognizedPart> (*)(const TensorCatalogue&);

inline KeyMap with_prefix(KeyMap map, std::string prefix) {
    map.prefix = std::move(prefix);
    return map;
}

}  // namespace kinescope
