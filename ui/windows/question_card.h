#pragma once

#include <QString>
#include <functional>

class QDialog;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace kinescope::ui {

class Theme;

/// The common layout of all questions: icon, title, text, optional content, and a row of buttons with the secondary one
/// on the left and the default on the right. Fills the dialog.
class QuestionCard {
public:
    using Call = std::function<void()>;

    QuestionCard(const Theme& theme, QDialog& dialog, const QString& icon);

    /// Has no effect if the dialog already has these texts.
    void setText(const QString& title, const QString& sentence);
    /// Returns the layout between the text and the buttons.
    QVBoxLayout* body() const { return body_; }
    QPushButton* addQuietButton(const char* name, const QString& text, const Call& call);
    QPushButton* addButton(const char* name, const QString& text, const Call& call);
    /// Adds the button that Enter triggers.
    QPushButton* addDefaultButton(const char* name, const QString& text, const Call& call);
    /// Makes another button the one that Enter triggers. It takes the focus from the previous one.
    void setDefaultButton(QPushButton& button);

private:
    QPushButton* makeButton(const char* name, const QString& text, const Call& call);

    QDialog& dialog_;
    QPushButton* default_ = nullptr;
    QLabel* title_;
    QLabel* sentence_;
    QVBoxLayout* body_;
    QHBoxLayout* buttons_;
};

}  // namespace kinescope::ui
