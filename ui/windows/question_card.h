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

/// The form that all questions of the window have: an icon on a disc, a title, a sentence, what stands under them, and
/// a row of buttons: the quiet one at the left, the best one at the right. Fills the dialog that it is given.
class QuestionCard {
public:
    using Call = std::function<void()>;

    QuestionCard(const Theme& theme, QDialog& dialog, const QString& icon);

    void setWords(const QString& title, const QString& sentence);
    /// For what stands between the sentence and the buttons.
    QVBoxLayout* body() const { return body_; }
    QPushButton* addQuietButton(const char* name, const QString& text, const Call& call);
    QPushButton* addButton(const char* name, const QString& text, const Call& call);
    /// Pressed by Enter too.
    QPushButton* addDefaultButton(const char* name, const QString& text, const Call& call);

private:
    QPushButton* makeButton(const char* name, const QString& text, const Call& call);

    QDialog& dialog_;
    QLabel* title_;
    QLabel* sentence_;
    QVBoxLayout* body_;
    QHBoxLayout* buttons_;
};

}  // namespace kinescope::ui
