#pragma once

#include <QString>
#include <functional>

class QAction;
class QMenu;
class QWidget;

namespace kinescope::ui {

/// Creates a context menu that deletes itself when it closes. Show it with QMenu::popup, which does not block.
QMenu* makeContextMenu(const char* name, QWidget* parent);
QAction* addMenuAction(QMenu* menu, const char* name, const QString& text, const std::function<void()>& call);

/// Copies a file to the clipboard: as a file for file managers, as its path for text fields.
void copyFileToClipboard(const QString& file);

}  // namespace kinescope::ui
