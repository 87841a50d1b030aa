#pragma once

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QVariant>
#include <optional>

#include "ui/models/request_rules.h"

namespace kinescope::ui {

/// The names of the settings that the preferences dialog changes; Preferences knows what each is at first.
namespace setting {
inline constexpr auto kLanguage = "window/language";        ///< "system", "en", "zh_CN"
inline constexpr auto kTheme = "window/theme";              ///< "system", "dark", "light", "high contrast"
inline constexpr auto kTextPercent = "window/textPercent";  ///< 80 to 200
inline constexpr auto kNotify = "window/notifyWhenDone";
inline constexpr auto kKeepAwake = "window/keepAwake";
inline constexpr auto kWhenQueueDone = "queue/whenDone";  ///< "nothing", "notify", "close"
inline constexpr auto kHistoryAsList = "library/asList";  ///< else thumbnails
inline constexpr auto kOutputFolder = "output/folder";    ///< empty: Videos/Kinescope
inline constexpr auto kFileName = "output/fileName";      ///< with tokens, see outputName
inline constexpr auto kFormat = "output/format";          ///< id of an OutputFormat
inline constexpr auto kCrf = "output/crf";                ///< below 0: the format's own
inline constexpr auto kSettingsInFile = "output/settingsInFile";
inline constexpr auto kNumericLog = "output/numericLog";
inline constexpr auto kNumericCsv = "output/numericCsv";
inline constexpr auto kDevice = "engine/device";
inline constexpr auto kThreads = "engine/threads";  ///< 0: physical cores
inline constexpr auto kGuard = "engine/guard";      ///< "heal", "observe", "off"
}  // namespace setting

/// What the window remembers between two starts. A thin, typed face of QSettings.
class Preferences {
public:
    explicit Preferences(QSettings& settings) : settings_(settings) {}

    /// A setting of the dialog as it is now, and back to what it was at first.
    QVariant value(const char* key) const;
    void set(const char* key, const QVariant& value) { settings_.setValue(QLatin1String(key), value); }
    void reset(const char* key) { settings_.remove(QLatin1String(key)); }
    /// Where all of this is kept.
    QString fileName() const { return settings_.fileName(); }

    QString language() const { return value(setting::kLanguage).toString(); }
    int textPercent() const { return value(setting::kTextPercent).toInt(); }
    bool notifyWhenDone() const { return value(setting::kNotify).toBool(); }
    bool keepAwake() const { return value(setting::kKeepAwake).toBool(); }
    /// What the pages Output, Performance and Guard say of every request.
    RequestRules rules() const;

    /// Where videos go; Videos/Kinescope unless another folder was chosen.
    QString outputFolder() const;
    void setOutputFolder(const QString& folder) { set(setting::kOutputFolder, folder); }
    static QString defaultOutputFolder();

    QString theme() const { return value(setting::kTheme).toString(); }
    void setTheme(const QString& theme) { set(setting::kTheme, theme); }

    QString model() const { return settings_.value("request/model", "builtin").toString(); }
    void setModel(const QString& model) { settings_.setValue("request/model", model); }

    /// The form as it was left: the request as JSON, the chosen preset, whether the seed is locked.
    QString form() const { return settings_.value("request/form").toString(); }
    void setForm(const QString& json) { settings_.setValue("request/form", json); }
    QString preset() const { return settings_.value("request/preset", "auto").toString(); }
    void setPreset(const QString& name) { settings_.setValue("request/preset", name); }
    bool seedLocked() const { return settings_.value("request/seedLocked", false).toBool(); }
    void setSeedLocked(bool locked) { settings_.setValue("request/seedLocked", locked); }

    /// Nothing until it was chosen: then the room decides.
    std::optional<bool> expertNumbers() const {
        const QVariant chosen = settings_.value("numbers/expert");
        return chosen.isValid() ? std::optional(chosen.toBool()) : std::nullopt;
    }
    void setExpertNumbers(bool expert) { settings_.setValue("numbers/expert", expert); }

    bool demoNoticeClosed() const { return settings_.value("window/demoNoticeClosed", false).toBool(); }
    void closeDemoNotice() { settings_.setValue("window/demoNoticeClosed", true); }

    /// As it was written; invalid when it never was.
    QVariant saved(const char* key) const { return settings_.value(QLatin1String(key)); }
    QByteArray bytes(const char* key) const { return settings_.value(QLatin1String(key)).toByteArray(); }
    void setBytes(const char* key, const QByteArray& value) { settings_.setValue(QLatin1String(key), value); }

private:
    QSettings& settings_;
};

}  // namespace kinescope::ui
