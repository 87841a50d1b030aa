#pragma once

#include <QString>
#include <optional>
#include <string>

#include "core/api/video_request.h"

namespace kinescope::ui {

/// Preferences that apply to every request: devices and outputs.
struct RequestRules {
    std::string device = "auto";
    std::optional<int> threads;  ///< unset: physical cores
    GuardMode guard = GuardMode::heal;

    QString fileName = QStringLiteral("{date}-{prompt:32}-{seed}");  ///< see outputName
    QString format = QStringLiteral("h264");                         ///< id of an OutputFormat
    std::optional<int> crf;                                          ///< unset: default of the format
    SettingsInFile settingsInFile = SettingsInFile::kept;
    bool numericLog = true;
    bool numericCsv = false;

    bool operator==(const RequestRules&) const = default;
};

}  // namespace kinescope::ui
