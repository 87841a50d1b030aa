#pragma once

#include <QString>
#include <cstdint>
#include <filesystem>

#include "core/api/model_card.h"

namespace kinescope::ui {

/// Formats a size in decimal units with one decimal, as file managers do: "2.1 MB", "15.6 GB".
QString bytesText(std::int64_t bytes);

/// Converts a path to a QString.
QString pathText(const std::filesystem::path& path);

/// Returns the last two components of a path: "Videos › Kinescope".
QString folderText(const QString& path);

/// Makes a sentence: capitalizes the first word unless it is a name, and adds a full stop in the script of the text.
QString asSentence(const QString& words);

/// Returns the display name of a model, made of family, variant and size: "Wan 2.1 T2V 1.3B". The name of the built-in
/// model is translated.
QString modelName(const ModelCard& card);
/// Returns the display name of a model with the name of its folder or file: "Wan 2.1 T2V 1.3B (my-finetune)".
QString modelNameWithFolder(const ModelCard& card);
/// Returns the display name of a model's folder or file. A snapshot in a Hugging Face cache gets the name of its
/// repository.
QString modelFolderName(const QString& path);
QString builtinModelName();

}  // namespace kinescope::ui
