#pragma once

#include <QDialog>

#include "ui/windows/preferences_pages.h"

class QLineEdit;
class QListWidget;
class QStackedWidget;

namespace kinescope::ui {

/// The preferences: a searchable list of pages, the page, and the buttons "Reset this page" and "Close". Changes of
/// settings apply and are stored immediately.
class PreferencesDialog : public QDialog {
    Q_OBJECT

public:
    PreferencesDialog(const PreferencesContext& context, QWidget* parent = nullptr);

Q_SIGNALS:
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addPage(const QString& icon, PreferencesPage* page);
    PreferencesPage* page(int index) const;
    QWidget* makeList();
    QWidget* makeFoot();
    void search(const QString& words);
    void fitPages();
    /// What the foot says about a page with settings is not true of the others.
    void updateFoot();
    void retranslate();

    const Theme& theme_;
    QLineEdit* search_;
    QListWidget* list_;
    QStackedWidget* pages_;
    QPushButton* reset_ = nullptr;
    QPushButton* close_ = nullptr;
    QLabel* note_ = nullptr;
};

}  // namespace kinescope::ui
