#pragma once

#include <QPlainTextEdit>
#include <string>

namespace kinescope::ui {

/// An edit with the height of a number of lines at every text size, in which Tab moves the focus.
class PromptEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    PromptEdit(const char* name, int lines, QWidget* parent);

    /// Shows a text without emitting textChanged(). The user can undo this in the edit. Keeps the cursor if the text is
    /// already there.
    void setTextQuietly(const std::string& text);

protected:
    void changeEvent(QEvent* event) override;

private:
    void fit();

    int lines_;
};

}  // namespace kinescope::ui
