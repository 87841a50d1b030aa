#include "ui/widgets/icon_button.h"

#include <QToolButton>

#include "ui/widgets/theme.h"

namespace kinescope::ui {

QToolButton* makeIconButton(const char* name, const QIcon& icon, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setObjectName(QLatin1String(name));
    button->setProperty("role", "icon");
    button->setIcon(icon);
    button->setIconSize({18, 18});
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

QToolButton* makeRemoveButton(const Theme& theme, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setProperty("role", "icon");
    button->setIcon(theme.icon(QStringLiteral("close"), ColorRole::text2));
    return button;
}

void setIconButtonText(QAbstractButton* button, const QString& text) {
    button->setToolTip(text);
    button->setAccessibleName(text);
}

}  // namespace kinescope::ui
