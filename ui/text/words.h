#pragma once

#include <QString>
#include <cstdint>
#include <filesystem>

#include "core/api/model_card.h"

namespace kinescope::ui {

/// "2.1 MB", "15.6 GB": decimal units with one decimal, as in file managers.
QString bytesText(std::int64_t bytes);

/// Converts a path to a QString.
QString pathText(const std::filesystem::path& path);

/// The last two components of a path: "Videos › Kinescope".
QString folderText(const QString& path);

/// Makes a sentence: capitalizes the first word unless it is a name, and adds a full stop in the right script.
QString asSentence(const QString& words);

/// The display name of a model: family, variant and size, "Wan 2.1 T2V 1.3B"; the built-in one is translated.
QString modelName(const ModelCard& card);
/// The same with the name of its folder or file: "Wan 2.1 T2V 1.3B (my-finetune)".
QString modelNameWithFolder(const ModelCard& card);
/// The display name of the folder or file of a model. A snapshot of a Hugging Face cache has the name of its
/// repository.
QString modelFolderName(const QString& path);
QString builtinModelName();

}  // namespace kinescope::ui
