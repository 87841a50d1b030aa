#pragma once

#include <QString>
#include <cstdint>
#include <filesystem>

namespace kinescope::ui {

/// "2.1 MB", "15.6 GB": decimal units with one digit behind the point, as file managers show them.
QString bytesText(std::int64_t bytes);

/// A path of the engine as Qt has it.
QString pathText(const std::filesystem::path& path);

/// A folder as people name it: "Videos › Kinescope".
QString folderText(const QString& path);

}  // namespace kinescope::ui
