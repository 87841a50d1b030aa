#pragma once

#include <QDBusVariant>
#include <QObject>
#include <QString>

namespace kinescope::ui {

enum class Scheme { dark, light };

/// What the desktop asks for. On Linux the settings portal is asked over D-Bus without waiting; until it answers, and
/// elsewhere, the lightness of the system palette decides.
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
    void askPortal(const QString& key);
    void take(const QString& key, const QVariant& value);

    Scheme scheme_ = Scheme::dark;
    bool high_contrast_ = false;
};

/// The portal wraps its answer in one or two variants; key "color-scheme" holds 0 (no wish), 1 (dark) or 2 (light).
uint portalNumber(const QVariant& value);

}  // namespace kinescope::ui
