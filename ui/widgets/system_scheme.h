#pragma once

#include <QDBusVariant>
#include <QObject>
#include <QString>

namespace kinescope::ui {

enum class Scheme { dark, light };

/// The color scheme of the desktop. On Linux, reads the settings portal asynchronously over D-Bus. On other systems,
/// and until the reply arrives, the lightness of the system palette determines the scheme.
class SystemScheme : public QObject {
    Q_OBJECT

public:
    explicit SystemScheme(QObject* parent = nullptr);

    Scheme scheme() const { return scheme_; }
    bool wantsHighContrast() const { return high_contrast_; }

Q_SIGNALS:
    void changed();

private Q_SLOTS:
    void onPortalChanged(const QString& group, const QString& key, const QDBusVariant& value);

private:
    void requestSetting(const QString& key);
    void applySetting(const QString& key, const QVariant& value);

    Scheme scheme_ = Scheme::dark;
    bool high_contrast_ = false;
};

/// Unwraps a portal value, which is nested in one or two variants. "color-scheme" is 0 (no preference), 1 (dark) or 2
/// (light).
uint portalNumber(const QVariant& value);

}  // namespace kinescope::ui
