#pragma once

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QVariant>
#include <optional>

namespace kinescope::ui {

/// What the window remembers between two starts. A thin, typed face of QSettings.
class Preferences {
public:
    explicit Preferences(QSettings& settings) : settings_(settings) {}

    /// Where videos go; Videos/Kinescope unless another folder was chosen.
    QString outputFolder() const;
    void setOutputFolder(const QString& folder);
    static QString defaultOutputFolder();

    /// "system", "dark", "light" or "high contrast".
    QString theme() const { return text("window/theme", "system"); }
    void setTheme(const QString& theme) { settings_.setValue("window/theme", theme); }

    QString model() const { return text("request/model", "builtin"); }
    void setModel(const QString& model) { settings_.setValue("request/model", model); }

    /// Nothing until it was chosen: then the room decides.
    std::optional<bool> expertNumbers() const {
        const QVariant chosen = settings_.value("numbers/expert");
        return chosen.isValid() ? std::optional(chosen.toBool()) : std::nullopt;
    }
    void setExpertNumbers(bool expert) { settings_.setValue("numbers/expert", expert); }

    bool demoNoticeClosed() const { return settings_.value("window/demoNoticeClosed", false).toBool(); }
    void closeDemoNotice() { settings_.setValue("window/demoNoticeClosed", true); }

    QByteArray bytes(const char* key) const { return settings_.value(QLatin1String(key)).toByteArray(); }
    void setBytes(const char* key, const QByteArray& value) { settings_.setValue(QLatin1String(key), value); }

private:
    QString text(const char* key, const char* fallback) const {
        return settings_.value(QLatin1String(key), QString::fromLatin1(fallback)).toString();
    }

    QSettings& settings_;
};

}  // namespace kinescope::ui
