#pragma once

#include <QDialog>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace kinescope::ui {

struct Desktop;
class Theme;

/// "Report a Problem": shows what a report contains, lets the user change it, and copies it or saves it to a file.
/// Nothing is sent.
class ReportDialog : public QDialog {
    Q_OBJECT

public:
    ReportDialog(const Theme& theme, const Desktop& desktop, QWidget* parent);

    /// Sets the report; until then the dialog shows that the computer is being checked.
    void setReport(const QString& text);
    bool hasReport() const { return ready_; }

private:
    void build();
    void retranslate();
    void save();

    const Desktop& desktop_;
    QLabel* title_;
    QLabel* sentence_;
    QLabel* state_;
    QPlainTextEdit* text_;
    QPushButton* close_;
    QPushButton* copy_;
    QPushButton* save_;
    bool ready_ = false;
};

}  // namespace kinescope::ui
