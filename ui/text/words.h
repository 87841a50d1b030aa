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

/// The display name of a model; the built-in one is translated.
QString modelName(const ModelCard& card);
QString builtinModelName();

}  // namespace kinescope::ui
