#pragma once

#include <QTextEdit>

namespace kinescope::ui {

/// A text that can be selected and copied, without a frame and as high as its lines need. A word that is too long for a
/// line breaks anywhere. Hidden while empty.
class TextView : public QTextEdit {
public:
    explicit TextView(QWidget* parent = nullptr);

    /// Shows a text. If it is already shown, its selection stays.
    void showText(const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitHeight();

    QString text_;
};

}  // namespace kinescope::ui
