#pragma once

#include <QIcon>
#include <QString>

class QAbstractButton;
class QToolButton;
class QWidget;

namespace kinescope::ui {

class Theme;

/// Creates a flat button with an 18 px icon and the object name `name`. Set its texts with setIconButtonText().
QToolButton* makeIconButton(const char* name, const QIcon& icon, QWidget* parent);

/// Creates a flat button with a cross, which removes a row or a file. Set its name and texts.
QToolButton* makeRemoveButton(const Theme& theme, QWidget* parent);

/// Sets the tooltip and the accessible name of a button that shows only an icon.
void setIconButtonText(QAbstractButton* button, const QString& text);

}  // namespace kinescope::ui
