#pragma once

#include <QDialog>

#include "ui/windows/preferences_pages.h"

class QLineEdit;
class QListWidget;
class QStackedWidget;

namespace kinescope::ui {

/// The preferences: a list of pages with a search field, the page, and below it "Reset this page" and "Close". There is
/// nothing to confirm: each change is kept and told at once.
class PreferencesDialog : public QDialog {
    Q_OBJECT

public:
    PreferencesDialog(const PreferencesContext& context, QWidget* parent = nullptr);

Q_SIGNALS:
    void changed();

private:
    void addPage(const QString& icon, PreferencesPage* page);
    PreferencesPage* page(int index) const;
    QWidget* makeList();
    QWidget* makeFoot();
    void search(const QString& words);
    void say();

    const Theme& theme_;
    QLineEdit* search_;
    QListWidget* list_;
    QStackedWidget* pages_;
    QPushButton* reset_ = nullptr;
    QPushButton* close_ = nullptr;
    QLabel* note_ = nullptr;
};

}  // namespace kinescope::ui
