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

/// Shows a clip while it is being made and plays it when it is done. Pictures are QImage in Format_RGB32 (others are
/// converted once); no decoder, no clock but a timer, nothing runs while hidden.
///
/// Keys: Space play or pause, Left/Right one frame, with Shift ten, Home/End, L loop, C compare, S save frame,
/// F theatre, Esc leave. Wheel: one frame; Ctrl+wheel: zoom; drag: pan.
class FramePlayer : public PaintedWidget {
    Q_OBJECT
    Q_PROPERTY(QString kind READ kindName NOTIFY framesChanged)

public:
    enum class Kind { none, latent, final };
    using Zoom = PictureView::Zoom;

    explicit FramePlayer(const Theme& theme, QWidget* parent = nullptr);

    /// The newest latent preview of a clip of `num_frames`; each picture is held for as many frames as it stands for.
    void setPreview(const QList<QImage>& pictures, int num_frames, int frames_each);
    /// Final frames from index `first` on; what is not there yet is still shown as preview.
    void appendFrames(int first, const QList<QImage>& frames, int num_frames);
    /// A whole clip at once.
    void setFrames(const QList<QImage>& frames, double fps);
    void clear();

    void setFps(double fps);
    void setSpeed(double speed);
    /// Size of the finished video: 100 % is measured by it, whatever the preview's own size.
    void setFinalSize(const QSize& size);
    void setZoom(Zoom zoom);
    Zoom zoom() const { return view_.zoom(); }
    /// A short word in the lower left corner: "Step 23 of 50". Empty: none.
    void setBadge(const QString& text);
    /// What stands here while there are no pictures.
    void setEmptyState(const QString& icon, const QString& title, const QString& text);
    /// The file that a drag out of the picture gives.
    void setDragUrl(const QUrl& url) { drag_url_ = url; }

    Kind kind() const;
    QString kindName() const;
    int frame() const { return head_.frame(); }
    int numFrames() const { return head_.numFrames(); }
    int numFinal() const { return clip_.numFinal(); }
    double fps() const { return head_.fps(); }
    double speed() const { return head_.speed(); }
    /// Frames a second that were really shown while playing, over the last second or so; 0: not known yet.
    double shownFps() const { return shown_fps_; }
    bool isPlaying() const { return head_.isPlaying(); }
    bool isLooping() const { return head_.isLooping(); }
    /// The picture on show, in its own size; null when there is none.
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
    void framesChanged();  ///< another clip, more of it, or none
    void frameShown(int frame);
    void playingChanged(bool playing);
    void rateChanged();  ///< frame rate, speed, or the rate really reached (once a second)
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
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);
    void startDrag();

    Playhead head_;
    ClipFrames clip_;
    PictureView view_;
    QPointF press_;
    QUrl drag_url_;
    QString badge_;
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
