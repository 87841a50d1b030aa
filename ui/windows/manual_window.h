#pragma once

#include <QDialog>
#include <QUrl>

#include "ui/models/manual.h"

class QLabel;
class QLineEdit;
class QTextBrowser;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace kinescope::ui {

class Card;
class Theme;

/// Shows the manual: contents and search on the left, the page on the right. Not modal.
class ManualWindow : public QDialog {
    Q_OBJECT

public:
    explicit ManualWindow(const Theme& theme, QWidget* parent = nullptr);

    /// Shows a section, for example "numbers#headroom"; an unknown address shows the first page.
    void showSection(const QString& address);
    /// Returns the address of the section that was shown last.
    QString address() const;

private:
    QWidget* makeContents();
    QWidget* makePage();
    void wire();
    void retranslate();
    void fillContents();
    void search();
    void showItem(const QTreeWidgetItem* item);
    void selectCurrent();
    void decorate();
    void highlight(const QString& anchor);

    const Theme& theme_;
    Manual manual_;
    QToolButton* back_;
    QToolButton* forward_;
    QLineEdit* search_;
    QLabel* hits_;
    QTreeWidget* contents_;
    QTextBrowser* text_;
    QUrl shown_;  ///< QTextBrowser::source() still returns the previous page while it emits sourceChanged()
};

}  // namespace kinescope::ui
