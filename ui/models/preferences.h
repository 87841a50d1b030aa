#pragma once

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QVariant>
#include <optional>

#include "core/api/model_card.h"
#include "ui/models/log_folder.h"
#include "ui/models/request_rules.h"

namespace kinescope::ui {

/// Keys of the settings in the preferences dialog. Preferences defines their defaults.
namespace setting {
inline constexpr auto kLanguage = "window/language";        ///< "system", "en", "zh_CN"
inline constexpr auto kTheme = "window/theme";              ///< "system", "dark", "light", "high contrast"
inline constexpr auto kTextPercent = "window/textPercent";  ///< 80 to 200
inline constexpr auto kNotify = "window/notifyWhenDone";
inline constexpr auto kKeepAwake = "window/keepAwake";
inline constexpr auto kWhenQueueDone = "queue/whenDone";      ///< "nothing", "notify", "close"
inline constexpr auto kHistoryAsList = "library/asList";      ///< false: thumbnails
inline constexpr auto kOutputFolder = "output/folder";        ///< empty: Videos/Kinescope
inline constexpr auto kExportFolder = "output/exportFolder";  ///< of the last export; empty: Videos
inline constexpr auto kFileName = "output/fileName";          ///< pattern, see outputName
inline constexpr auto kFormat = "output/format";              ///< id of an OutputFormat
inline constexpr auto kCrf = "output/crf";                    ///< below 0: default of the format
inline constexpr auto kSettingsInFile = "output/settingsInFile";
inline constexpr auto kNumericLog = "output/numericLog";
inline constexpr auto kNumericCsv = "output/numericCsv";
inline constexpr auto kLogDays = "output/logDays";            ///< 0: no limit
inline constexpr auto kLogMegabytes = "output/logMegabytes";  ///< 0: no limit
inline constexpr auto kDevice = "engine/device";
inline constexpr auto kThreads = "engine/threads";  ///< 0: physical cores
inline constexpr auto kGuard = "engine/guard";      ///< a name in kGuardModes
}  // namespace setting

/// Typed access to the settings that are kept between sessions.
class Preferences {
public:
    explicit Preferences(QSettings& settings) : settings_(settings) {}

    /// Returns the value of a setting, or its default.
    QVariant value(const char* key) const;
    void set(const char* key, const QVariant& value) { settings_.setValue(QLatin1String(key), value); }
    void reset(const char* key) { settings_.remove(QLatin1String(key)); }
    /// Returns the path of the settings file.
    QString fileName() const { return settings_.fileName(); }

    QString language() const { return value(setting::kLanguage).toString(); }
    int textPercent() const { return value(setting::kTextPercent).toInt(); }
    bool notifyWhenDone() const { return value(setting::kNotify).toBool(); }
    bool keepAwake() const { return value(setting::kKeepAwake).toBool(); }
    LogLimits logLimits() const;
    /// Returns the settings of the pages Output, Performance and Guard, which apply to every request.
    RequestRules rules() const;

    /// Returns the output folder, by default Videos/Kinescope.
    QString outputFolder() const;
    void setOutputFolder(const QString& folder) { set(setting::kOutputFolder, folder); }
    static QString defaultOutputFolder();
    /// Returns the default folder for exported videos, which is the folder of the last export.
    QString exportFolder() const;

    QString theme() const { return value(setting::kTheme).toString(); }
    void setTheme(const QString& theme) { set(setting::kTheme, theme); }

    QString model() const { return settings_.value("request/model", kBuiltinModel).toString(); }
    void setModel(const QString& model) { settings_.setValue("request/model", model); }

    /// The state of the form: the request as JSON, the selected preset, and whether the seed is locked.
    QString form() const { return settings_.value("request/form").toString(); }
    void setForm(const QString& json) { settings_.setValue("request/form", json); }
    QString preset() const { return settings_.value("request/preset", "auto").toString(); }
    void setPreset(const QString& name) { settings_.setValue("request/preset", name); }
    bool seedLocked() const { return settings_.value("request/seedLocked", false).toBool(); }
    void setSeedLocked(bool locked) { settings_.setValue("request/seedLocked", locked); }

    /// Returns true for expert mode, or nullopt if the user has not chosen a mode, so that the window size decides.
    std::optional<bool> expertNumbers() const {
        const QVariant chosen = settings_.value("numbers/expert");
        return chosen.isValid() ? std::optional(chosen.toBool()) : std::nullopt;
    }
    void setExpertNumbers(bool expert) { settings_.setValue("numbers/expert", expert); }

    bool demoNoticeClosed() const { return settings_.value("window/demoNoticeClosed", false).toBool(); }
    void closeDemoNotice() { settings_.setValue("window/demoNoticeClosed", true); }

    /// Returns the graphics card for which the user closed the offer of GPU support.
    QString declinedCard() const { return settings_.value("window/declinedCard").toString(); }
    void declineCard(const QString& card) { settings_.setValue("window/declinedCard", card); }

    /// Returns the stored value, or an invalid QVariant if there is none.
    QVariant saved(const char* key) const { return settings_.value(QLatin1String(key)); }
    QByteArray bytes(const char* key) const { return settings_.value(QLatin1String(key)).toByteArray(); }
    void setBytes(const char* key, const QByteArray& value) { settings_.setValue(QLatin1String(key), value); }

private:
    QSettings& settings_;
};

}  // namespace kinescope::ui
