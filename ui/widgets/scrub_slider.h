#pragma once

#include <QSlider>

namespace kinescope::ui {

class Theme;

/// The line under the player: what is ready is darker, what has been played in the accent colour. A click goes there.
class ScrubSlider : public QSlider {
    Q_OBJECT

public:
    explicit ScrubSlider(const Theme& theme, QWidget* parent = nullptr);

    /// The first `count` values are ready; the rest of the line is pale.
    void setReady(int count);
    int ready() const { return ready_; }

    QSize sizeHint() const override { return {320, 20}; }

Q_SIGNALS:
    void scrubbed(int value);  ///< by the user, never by setValue

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
