#pragma once

#include <optional>
#include <string>

#include "core/api/localizable_message.h"
#include "core/weights/weight_check.h"

namespace kinescope {

/// What a file is whose network works on the results of a model.
struct HelperWeights {
    std::string name;                ///< "upscaler", "interpolator" or "tiny decoder"
    std::string option;              ///< the option of the command line that takes the file
    LocalizableMessage description;  ///< with its layout
};

/// Returns nullopt for other files.
std::optional<HelperWeights> recognize_helper(const CheckpointReader& weights);

/// Throws Error(model_unknown) that names the option for a file that recognize_helper() knows. Returns for other paths.
/// `check`: see open_checked().
void refuse_helper(const std::filesystem::path& file, const WeightCheck& check);

}  // namespace kinescope
