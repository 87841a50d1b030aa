#pragma once

#include <QDialog>
#include <QList>
#include <utility>

class QMenu;
class QMenuBar;
class QVBoxLayout;

namespace kinescope::ui {

/// Lists all shortcuts of the menus, the preview and the window.
class ShortcutsDialog : public QDialog {
    Q_OBJECT

public:
    explicit ShortcutsDialog(const QMenuBar& menus, QWidget* parent = nullptr);

private:
    using Keys = QList<std::pair<QString, QString>>;  ///< action, key

    static void collect(const QMenu& menu, Keys& keys);
    static Keys playerKeys();
    static Keys windowKeys();
    void addGroup(QVBoxLayout& column, const QString& title, const Keys& keys);
};

}  // namespace kinescope::ui
