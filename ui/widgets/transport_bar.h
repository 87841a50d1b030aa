#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace kinescope::ui {

class FramePlayer;
class ScrubSlider;
class Theme;

/// The controls below a player: position, step, play, loop, frame number, compare, save frame, theater mode. The player
/// must outlive it.
class TransportBar : public QWidget {
    Q_OBJECT

public:
    TransportBar(const Theme& theme, FramePlayer& player, QWidget* parent = nullptr);

    ScrubSlider* slider() const { return slider_; }
    QToolButton* playButton() const { return play_; }
    QToolButton* compareButton() const { return compare_; }
    void retranslate();

private:
    QToolButton* iconButton(const QString& icon, const QString& name);
    void buildRow();
    void wire();
    void showClip();
    void showFrame();
    void showPlaying();
    void showRate();
    void buildSpeeds();

    const Theme& theme_;
    FramePlayer& player_;
    ScrubSlider* slider_;
    QToolButton* previous_;
    QToolButton* play_;
    QToolButton* next_;
    QToolButton* loop_;
    QToolButton* compare_;
    QToolButton* save_;
    QToolButton* theatre_;
    QLabel* frame_;
    QToolButton* fps_;  ///< shows the frame rate; its menu changes the speed
};

}  // namespace kinescope::ui
