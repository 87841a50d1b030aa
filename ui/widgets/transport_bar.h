#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace kinescope::ui {

class FramePlayer;
class ScrubSlider;
class Theme;

/// The controls under a player: scrub line, step, play, loop, frame number, and compare, save frame, theatre.
/// It drives the player that it is given and follows it; the player outlives it.
class TransportBar : public QWidget {
    Q_OBJECT

public:
    TransportBar(const Theme& theme, FramePlayer& player, QWidget* parent = nullptr);

    ScrubSlider* slider() const { return slider_; }
    QToolButton* playButton() const { return play_; }
    QToolButton* compareButton() const { return compare_; }
    /// New words after a change of language.
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
    QToolButton* fps_;  ///< says the rate; its menu changes the speed
};

}  // namespace kinescope::ui
