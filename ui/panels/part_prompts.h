#pragma once

#include <QWidget>
#include <vector>

class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace kinescope::ui {

class MessageLine;
class PromptEdit;
class RequestModel;
class Theme;

/// The prompts of the parts after the first one, see VideoRequest::next_prompts, and a button that adds a part. Shown
/// for models that can continue a video.
class PartPrompts : public QWidget {
    Q_OBJECT

public:
    PartPrompts(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

private:
    struct Row {
        QWidget* widget;
        QLabel* label;
        QToolButton* remove;
        PromptEdit* prompt;
    };

    void buildAddButton();
    void showRequest();
    void showMessage();
    void setNumRows(std::size_t count);
    Row makeRow(std::size_t index);
    void retranslateRow(const Row& row, std::size_t index);
    void add();
    void remove(std::size_t index);

    const Theme& theme_;
    RequestModel& model_;
    QVBoxLayout* column_;
    std::vector<Row> rows_;
    MessageLine* message_;
    QPushButton* add_;
};

}  // namespace kinescope::ui
