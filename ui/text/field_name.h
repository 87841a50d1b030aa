#pragma once

#include <QString>
#include <string_view>

#include "core/api/model_card.h"

namespace kinescope::ui {

/// Returns the label of a request field: "num_inference_steps" -> "Steps". Returns unknown names unchanged.
QString fieldName(std::string_view field);
/// The same, with the labels that depend on the model: a VACE model takes a "Control video".
QString fieldName(std::string_view field, const ModelCard& card);
bool isFieldName(std::string_view field);
/// Replaces the names of fields in a message of the engine by their labels: "num_frames must be 1 to 81" -> "Length
/// must be 1 to 81". Leaves names that are words, such as "video", because they may be meant as words.
QString withFieldLabels(QString message);

}  // namespace kinescope::ui
