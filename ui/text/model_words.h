#pragma once

#include <QString>
#include <QStringList>
#include <optional>

#include "core/api/engine.h"

namespace kinescope::ui {

/// A listed model: its card and, after inspection, its description.
struct ModelEntry {
    ModelCard card;
    std::optional<CheckpointDescription> description;
    std::optional<Error> error;  ///< set if the inspection failed
};

enum class ModelState { ready, partMissing, damaged, unknown };

ModelState modelState(const ModelEntry& entry);
/// Returns "Ready", "Text encoder is missing", "2 components are missing", "Damaged: truncated file", "Damaged:
/// contains NaN or infinity" or "Unknown".
QString modelStateText(const ModelEntry& entry);
/// Returns "Text to video", "Image to video", "Text or image to video", or a dash if the tasks are unknown.
QString makesText(const std::vector<Task>& tasks);
/// Returns the storage dtype of the denoiser, such as "bf16" or "fp8". Empty until it is known.
QString storedText(const ModelEntry& entry);
/// Returns the size of all components in bytes, or 0 until it is known.
std::int64_t modelBytes(const ModelEntry& entry);

enum class PartState { there, missing, damaged };

/// A component in the list of a model.
struct ModelPart {
    QString name;   ///< "Text encoder"
    QString place;  ///< file or folder name; for a missing component the reason and the files that would work
    std::int64_t bytes = 0;
    PartState state = PartState::there;
};
QList<ModelPart> modelParts(const ModelEntry& entry);

/// Explains why the model was recognized, with one sentence per reason.
QStringList modelReasons(const ModelEntry& entry);
/// Describes the results of checking the files, with one sentence per checked file.
QStringList checkTexts(const ModelEntry& entry);
/// Describes the model as plain text: state, components, check results and reasons.
QString modelReport(const ModelEntry& entry);

}  // namespace kinescope::ui
