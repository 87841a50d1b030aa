#pragma once

#include <QAbstractButton>
#include <QImage>
#include <QList>
#include <QTimer>

class QPainter;

namespace kinescope::ui {

class Theme;

/// A clickable example prompt: moving picture, prompt and caption. The picture moves for some seconds after the card
/// appears, and under the pointer or with the focus.
class ExampleCard : public QAbstractButton {
    Q_OBJECT

public:
    ExampleCard(const Theme& theme, const QString& prompt, QWidget* parent = nullptr);

    void setCaption(const QString& caption);
    /// Marks the example as the current prompt.
    void setChosen(bool chosen);
    /// Returns the frames of the picture. Empty if the card shows only an icon.
    const QList<QImage>& frames() const { return frames_; }
    /// Returns the prompt as it is painted. It is elided only if it does not fit without the picture either.
    QStringList shownLines() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {140, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QStringList linesAt(int left) const;
    int besidePicture() const;
    bool hasPicture() const;
    int paintTile(QPainter& painter) const;
    void startMoving();
    void showNextFrame();

    const Theme& theme_;
    QString caption_;
    bool chosen_ = false;
    QList<QImage> frames_;
    qsizetype frame_ = 0;
    qsizetype framesLeft_ = 0;  ///< until the picture stops
    QTimer clock_;
};

/// Returns the frames of a clip that the demo model made for one of its example prompts. Empty for other prompts.
QList<QImage> exampleFrames(const QString& prompt);

}  // namespace kinescope::ui
