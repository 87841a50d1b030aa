#include "ui/models/preferences.h"

#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QStandardPaths>
#include <algorithm>

#include "core/api/guard_mode_names.h"

namespace kinescope::ui {
namespace {

const QHash<QLatin1String, QVariant>& atFirst() {
    using Key = QLatin1String;
    static const QHash<QLatin1String, QVariant> values{{Key(setting::kLanguage), "system"},
                                                       {Key(setting::kTheme), "system"},
                                                       {Key(setting::kTextPercent), 100},
                                                       {Key(setting::kNotify), true},
                                                       {Key(setting::kKeepAwake), true},
                                                       {Key(setting::kWhenQueueDone), "nothing"},
                                                       {Key(setting::kHistoryAsList), false},
                                                       {Key(setting::kOutputFolder), ""},
                                                       {Key(setting::kExportFolder), ""},
                                                       {Key(setting::kFileName), RequestRules().fileName},
                                                       {Key(setting::kFormat), RequestRules().format},
                                                       {Key(setting::kCrf), -1},
                                                       {Key(setting::kSettingsInFile), true},
                                                       {Key(setting::kNumericLog), true},
                                                       {Key(setting::kNumericCsv), false},
                                                       {Key(setting::kLogDays), 90},
                                                       {Key(setting::kLogMegabytes), 500},
                                                       {Key(setting::kDevice), "auto"},
                                                       {Key(setting::kThreads), 0},
                                                       {Key(setting::kGuard), "heal"}};
    return values;
}

GuardMode guardMode(const QString& name) {
    for (const auto& [mode, known] : kGuardModes)
        if (name == QLatin1String(known)) return mode;
    return GuardMode::heal;
}

}  // namespace

/// Returns a setting or its default. The value has the type of the default, because settings files store only strings.
QVariant Preferences::value(const char* key) const {
    const QVariant first = atFirst().value(QLatin1String(key));
    QVariant kept = settings_.value(QLatin1String(key));
    return kept.isValid() && kept.convert(first.metaType()) ? kept : first;
}

LogLimits Preferences::logLimits() const {
    constexpr qint64 kMebibyte = 1 << 20;
    return {.days = value(setting::kLogDays).toInt(), .bytes = value(setting::kLogMegabytes).toInt() * kMebibyte};
}

RequestRules Preferences::rules() const {
    RequestRules rules;
    rules.device = value(setting::kDevice).toString().toStdString();
    if (const int threads = value(setting::kThreads).toInt(); threads > 0) rules.threads = threads;
    rules.guard = guardMode(value(setting::kGuard).toString());
    rules.fileName = value(setting::kFileName).toString();
    rules.format = value(setting::kFormat).toString();
    if (const int crf = value(setting::kCrf).toInt(); crf >= 0) rules.crf = crf;
    rules.settingsInFile = value(setting::kSettingsInFile).toBool() ? SettingsInFile::kept : SettingsInFile::left_out;
    rules.numericLog = value(setting::kNumericLog).toBool();
    rules.numericCsv = value(setting::kNumericCsv).toBool();
    return rules;
}

QString Preferences::defaultOutputFolder() {
    // Without a videos folder, QStandardPaths returns the home folder or a folder that does not exist.
    const QString named = QStandardPaths::writableLocation(QStandardPaths::MoviesLocation);
    const bool exists = QFileInfo(named).isDir() && QDir(named) != QDir::home();
    const QString videos = exists ? named : QDir::home().filePath(QStringLiteral("Videos"));
    return QDir(videos).filePath(QStringLiteral("Kinescope"));
}

QString Preferences::exportFolder() const {
    const QString last = value(setting::kExportFolder).toString();
    return last.isEmpty() || !QFileInfo(last).isDir() ? QFileInfo(defaultOutputFolder()).absolutePath() : last;
}

QString Preferences::outputFolder() const {
    const QString chosen = value(setting::kOutputFolder).toString();
    return chosen.isEmpty() ? defaultOutputFolder() : chosen;
}

}  // namespace kinescope::ui
