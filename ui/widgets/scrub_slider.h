#pragma once

#include <QSlider>

namespace kinescope::ui {

class Theme;

/// The position slider of a player. The part that is ready is darker; the played part has the accent color. A click
/// jumps to that frame.
class ScrubSlider : public QSlider {
    Q_OBJECT

public:
    explicit ScrubSlider(const Theme& theme, QWidget* parent = nullptr);

    /// Sets the number of frames that can be shown.
    void setReady(int count);
    int ready() const { return ready_; }

    QSize sizeHint() const override { return {320, 20}; }

Q_SIGNALS:
    void scrubbed(int value);  ///< moved by the user, not by setValue()

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void goTo(double x);

    const Theme& theme_;
    int ready_ = 0;
};

}  // namespace kinescope::ui
