#include "ui/widgets/help_button.h"

#include <QDesktopServices>
#include <QUrl>

#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {

void openManual(const QString& address) {
    QDesktopServices::openUrl(QUrl(QStringLiteral("%1:%2").arg(QLatin1String(kManualScheme), address)));
}

HelpButton::HelpButton(const Theme& theme, const QString& address, QWidget* explained)
    : QToolButton(explained), address_(address) {
    setObjectName(QStringLiteral("helpButton-") + QString(address).replace(QLatin1Char('#'), QLatin1Char('-')));
    setProperty("role", "help");
    setIcon(theme.icon(QStringLiteral("help"), ColorRole::text3));
    setIconSize({16, 16});
    setFocusPolicy(Qt::StrongFocus);
    explained->setProperty(kManualSection, address);
    connect(this, &QToolButton::clicked, this, [this] { openManual(address_); });
    inEveryLanguage(this, [this] {
        setToolTip(tr("What is this?"));
        setAccessibleName(tr("What is this?"));
    });
}

}  // namespace kinescope::ui
