#pragma once

#include <QString>
#include <cstdint>

namespace kinescope::ui {

/// "2.1 MB", "15.6 GB": decimal units with one digit behind the point, as file managers show them.
QString bytesText(std::int64_t bytes);

/// A folder as people name it: "Videos › Kinescope".
QString folderText(const QString& path);

}  // namespace kinescope::ui
