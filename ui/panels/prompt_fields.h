#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace kinescope::ui {

class MessageLine;
class PartPrompts;
class PromptEdit;
class RequestModel;
class Theme;

/// Prompt with token count, prompts of further parts, and negative prompt.
class PromptFields : public QWidget {
    Q_OBJECT

public:
    PromptFields(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

    PromptEdit* prompt() const { return prompt_; }
    PromptEdit* negative() const { return negative_; }
    void focusPrompt();
    void focusAndSelect();

private:
    void buildNegative();
    void showRequest();
    void showTokens();
    void showMessage();

    const Theme& theme_;
    RequestModel& model_;
    PromptEdit* prompt_;
    PartPrompts* parts_;
    PromptEdit* negative_;
    QPushButton* toggle_;
    QLabel* tokens_;
    MessageLine* message_;
    MessageLine* negativeMessage_;
};

}  // namespace kinescope::ui
