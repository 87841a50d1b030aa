#pragma once

#include <QString>
#include <cstdint>
#include <filesystem>

#include "core/api/model_card.h"

namespace kinescope::ui {

/// "2.1 MB", "15.6 GB": decimal units with one digit behind the point, as file managers show them.
QString bytesText(std::int64_t bytes);

/// A path of the engine as Qt has it.
QString pathText(const std::filesystem::path& path);

/// A folder as people name it: "Videos › Kinescope".
QString folderText(const QString& path);

/// Words as a whole sentence: a capital letter at the beginning, unless a name stands there, and a full stop of their
/// script at the end.
QString asSentence(const QString& words);

/// A model as people call it; the built-in one in the window's language.
QString modelName(const ModelCard& card);
QString builtinModelName();

}  // namespace kinescope::ui
