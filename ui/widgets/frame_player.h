#pragma once

#include <QElapsedTimer>
#include <QImage>
#include <QList>
#include <QTimer>
#include <QUrl>

#include "ui/widgets/clip_frames.h"
#include "ui/widgets/painted_widget.h"
#include "ui/widgets/picture_view.h"
#include "ui/widgets/playhead.h"

namespace kinescope::ui {

/// Shows the frames of a clip during generation and plays the finished clip. Images are converted to Format_RGB32. The
/// playback timer stops while the widget is hidden.
///
/// Keys: Space play or pause, Left/Right one frame, Shift+Left/Right ten frames, Home/End first or last frame, L loop,
/// C compare, S save frame, F theater mode, Esc leave it. Wheel: one frame. Ctrl+wheel: zoom. Drag: pan.
class FramePlayer : public PaintedWidget {
    Q_OBJECT
    Q_PROPERTY(QString kind READ kindName NOTIFY framesChanged)

public:
    enum class Kind { none, latent, final };
    using Zoom = PictureView::Zoom;

    explicit FramePlayer(const Theme& theme, QWidget* parent = nullptr);

    /// Shows a latent preview of a clip with `num_frames`. Each image is held for `frames_each` frames.
    void setPreview(const QList<QImage>& pictures, int num_frames, int frames_each);
    /// Adds final frames, starting with index `first`. Frames that are not decoded yet keep their preview.
    void appendFrames(int first, const QList<QImage>& frames, int num_frames);
    /// Replaces the clip with final frames.
    void setFrames(const QList<QImage>& frames, double fps);
    void clear();

    void setFps(double fps);
    void setSpeed(double speed);
    /// Sets the size of the finished video. It is the reference for 100 % zoom, even while a smaller preview is shown.
    void setFinalSize(const QSize& size);
    void setZoom(Zoom zoom);
    Zoom zoom() const { return view_.zoom(); }
    /// Sets the label in the lower left corner, e.g. "Step 23 of 50"; empty hides it.
    void setBadge(const QString& text);
    /// Shows a picture instead of the clip, until clearStill, play or clear is called or the user plays, moves through
    /// the clip or presses Esc.
    void showStill(const QImage& picture, const QString& badge);
    void clearStill();
    /// Sets the content shown while there are no frames.
    void setEmptyState(const QString& icon, const QString& title, const QString& text);
    /// Sets the file that can be dragged out of the player.
    void setDragUrl(const QUrl& url) { drag_url_ = url; }

    Kind kind() const;
    QString kindName() const;
    int frame() const { return head_.frame(); }
    int numFrames() const { return head_.numFrames(); }
    int numFinal() const { return clip_.numFinal(); }
    double fps() const { return head_.fps(); }
    double speed() const { return head_.speed(); }
    /// Returns the measured playback rate of about the last second in frames per second, or 0 if it is not measured
    /// yet.
    double shownFps() const { return shown_fps_; }
    bool isPlaying() const { return head_.isPlaying(); }
    bool isLooping() const { return head_.isLooping(); }
    /// Returns the current image of the clip, unscaled, or a null image if there is none. A still does not change it.
    virtual QImage currentImage() const;

    QSize sizeHint() const override { return {640, 400}; }
    QSize minimumSizeHint() const override { return {240, 160}; }

public Q_SLOTS:
    void play();
    void pause();
    void togglePlaying();
    void setLooping(bool looping);
    void seek(int frame);
    void step(int delta);

Q_SIGNALS:
    void framesChanged();  ///< the clip was replaced, extended or removed
    void frameShown(int frame);
    void stillLeft();  ///< the user returned from the still to the clip
    void playingChanged(bool playing);
    void rateChanged();  ///< frame rate, speed or measured rate changed (at most once a second)
    void loopingChanged(bool looping);
    void zoomChanged();
    void compareRequested();
    void saveFrameRequested();
    void theatreRequested();
    void theatreLeft();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void changed(bool was_playing);
    void tick();
    void countFrame();
    void runTimer();
    void showFrame();
    bool leaveStill();
    QString frameText() const;
    void retranslate();
    QImage shownImage() const;
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);
    void startDrag();

    Playhead head_;
    ClipFrames clip_;
    PictureView view_;
    QPointF press_;
    QUrl drag_url_;
    QString badge_;
    QImage still_;
    QString still_badge_;
    QString empty_icon_ = QStringLiteral("film");
    QString empty_title_;
    QString empty_text_;
    QTimer timer_;
    QElapsedTimer clock_;
    QElapsedTimer rate_clock_;
    int frames_counted_ = 0;
    double shown_fps_ = 0;
};

}  // namespace kinescope::ui
