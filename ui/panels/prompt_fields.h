#pragma once

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace kinescope::ui {

class MessageLine;
class RequestModel;
class Theme;

/// Prompt and negative prompt with token count.
class PromptFields : public QWidget {
    Q_OBJECT

public:
    PromptFields(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

    QPlainTextEdit* prompt() const { return prompt_; }
    QPlainTextEdit* negative() const { return negative_; }
    void focusPrompt();
    void focusAndSelect();

private:
    QPlainTextEdit* makeEdit(const char* name, int lines);
    void buildNegative();
    void showRequest();
    void showTokens();
    void showMessage();

    const Theme& theme_;
    RequestModel& model_;
    QPlainTextEdit* prompt_;
    QPlainTextEdit* negative_;
    QPushButton* toggle_;
    QLabel* tokens_;
    MessageLine* message_;
    MessageLine* negativeMessage_;
};

}  // namespace kinescope::ui
