#pragma once

#include <QString>
#include <QStringList>
#include <optional>

#include "core/api/engine.h"

namespace kinescope::ui {

/// A model of the list: its card, and what a closer look found, when there was one.
struct ModelEntry {
    ModelCard card;
    std::optional<CheckpointDescription> description;
    std::optional<Error> error;  ///< the closer look failed
};

enum class ModelState { ready, partMissing, damaged, unknown };

ModelState modelState(const ModelEntry& entry);
/// "Ready", "Text encoder is missing", "2 parts are missing", "Damaged: the file ends early", "Damaged: holds numbers
/// that are none", "Not known".
QString modelStateText(const ModelEntry& entry);
/// "Text to video", "Image to video", "Text or image to video"; a dash where nothing is known.
QString makesText(const std::vector<Task>& tasks);
/// How the denoiser lies in its file: "bf16", "fp8"; empty until it is known.
QString storedText(const ModelEntry& entry);
/// Of all its parts; 0 until it is known.
std::int64_t modelBytes(const ModelEntry& entry);

enum class PartState { there, missing, damaged };

/// A part of a model as it is listed.
struct ModelPart {
    QString name;   ///< "Text encoder"
    QString place;  ///< file or folder name; what is not there and what would serve
    std::int64_t bytes = 0;
    PartState state = PartState::there;
};
QList<ModelPart> modelParts(const ModelEntry& entry);

/// What was found, and why: one sentence each.
QStringList modelReasons(const ModelEntry& entry);
/// What a full read of its files found: one sentence for each file that was read.
QStringList checkTexts(const ModelEntry& entry);
/// Everything above as plain text, for a report.
QString modelReport(const ModelEntry& entry);

}  // namespace kinescope::ui
