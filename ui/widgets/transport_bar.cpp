#include "ui/widgets/transport_bar.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/widgets/frame_player.h"
#include "ui/widgets/language.h"
#include "ui/widgets/scrub_slider.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {

TransportBar::TransportBar(const Theme& theme, FramePlayer& player, QWidget* parent)
    : QWidget(parent), theme_(theme), player_(player), slider_(new ScrubSlider(theme, this)) {
    previous_ = iconButton(QStringLiteral("prev"), QStringLiteral("previousFrameButton"));
    play_ = iconButton(QStringLiteral("play"), QStringLiteral("playButton"));
    play_->setProperty("role", "round");
    next_ = iconButton(QStringLiteral("next"), QStringLiteral("nextFrameButton"));
    loop_ = iconButton(QStringLiteral("loop"), QStringLiteral("loopButton"));
    loop_->setIcon(theme_.icon(QStringLiteral("loop"), ColorRole::text2, ColorRole::accent));
    loop_->setCheckable(true);
    loop_->setChecked(player_.isLooping());
    compare_ = iconButton(QStringLiteral("wipe"), QStringLiteral("comparePreviewButton"));
    save_ = iconButton(QStringLiteral("camera"), QStringLiteral("saveFrameButton"));
    theatre_ = iconButton(QStringLiteral("expand"), QStringLiteral("theatreButton"));
    slider_->setObjectName("scrubSlider");
    frame_ = new QLabel(this);
    frame_->setProperty("type", "note");
    fps_ = new QToolButton(this);
    fps_->setObjectName("speedButton");
    fps_->setProperty("role", "quiet");
    fps_->setFocusPolicy(Qt::StrongFocus);
    fps_->setPopupMode(QToolButton::InstantPopup);
    buildSpeeds();
    buildRow();
    wire();
    inEveryLanguage(this, [this] { retranslate(); });
}

QToolButton* TransportBar::iconButton(const QString& icon, const QString& name) {
    auto* button = new QToolButton(this);
    button->setObjectName(name);
    button->setProperty("role", "icon");
    button->setIcon(theme_.icon(icon));
    button->setIconSize({20, 20});
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

void TransportBar::buildRow() {
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(2);
    all->addWidget(slider_);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    for (auto* button : {previous_, play_, next_, loop_}) row->addWidget(button);
    row->addSpacing(8);
    row->addWidget(frame_);
    row->addSpacing(8);
    row->addWidget(fps_);
    row->addStretch(1);
    for (auto* button : {compare_, save_, theatre_}) row->addWidget(button);
    all->addLayout(row);
}

void TransportBar::buildSpeeds() {
    auto* menu = new QMenu(fps_);
    auto* group = new QActionGroup(menu);
    for (const double speed : {0.25, 0.5, 1.0, 1.5, 2.0}) {
        QAction* action = menu->addAction(QLocale().toString(speed) + QStringLiteral(" ×"));
        action->setCheckable(true);
        action->setChecked(speed == player_.speed());
        group->addAction(action);
        connect(action, &QAction::triggered, &player_, [this, speed] { player_.setSpeed(speed); });
    }
    fps_->setMenu(menu);
}

void TransportBar::wire() {
    connect(slider_, &ScrubSlider::scrubbed, this, [this](int frame) {
        player_.pause();
        player_.seek(frame);
    });
    connect(previous_, &QToolButton::clicked, &player_, [this] { player_.step(-1); });
    connect(next_, &QToolButton::clicked, &player_, [this] { player_.step(1); });
    connect(play_, &QToolButton::clicked, &player_, &FramePlayer::togglePlaying);
    connect(loop_, &QToolButton::toggled, &player_, &FramePlayer::setLooping);
    connect(compare_, &QToolButton::clicked, &player_, &FramePlayer::compareRequested);
    connect(save_, &QToolButton::clicked, &player_, &FramePlayer::saveFrameRequested);
    connect(theatre_, &QToolButton::clicked, &player_, &FramePlayer::theatreRequested);
    connect(&player_, &FramePlayer::framesChanged, this, &TransportBar::showClip);
    connect(&player_, &FramePlayer::frameShown, this, &TransportBar::showFrame);
    connect(&player_, &FramePlayer::playingChanged, this, &TransportBar::showPlaying);
    connect(&player_, &FramePlayer::rateChanged, this, &TransportBar::showRate);
    connect(&player_, &FramePlayer::loopingChanged, loop_, &QToolButton::setChecked);
}

void TransportBar::retranslate() {
    const auto name = [](QWidget* widget, const QString& words, const QString& key) {
        widget->setAccessibleName(words);
        widget->setToolTip(key.isEmpty() ? words : tr("%1 (%2)", "action and key").arg(words, key));
    };
    name(slider_, tr("Position"), {});
    name(previous_, tr("Previous frame"), tr("Left"));
    name(next_, tr("Next frame"), tr("Right"));
    name(fps_, tr("Speed"), {});
    name(loop_, tr("Loop"), QStringLiteral("L"));
    name(compare_, tr("Compare"), QStringLiteral("C"));
    name(save_, tr("Save frame"), QStringLiteral("S"));
    name(theatre_, tr("Theater mode"), QStringLiteral("F"));
    showClip();
}

void TransportBar::showClip() {
    const bool any = player_.numFrames() > 0;
    slider_->setRange(0, qMax(player_.numFrames() - 1, 0));
    // A latent preview covers all frames; during decoding, only the decoded frames can be shown.
    slider_->setReady(player_.kind() == FramePlayer::Kind::final ? player_.numFinal() : player_.numFrames());
    for (QWidget* part : {static_cast<QWidget*>(slider_), static_cast<QWidget*>(previous_),
                          static_cast<QWidget*>(play_), static_cast<QWidget*>(next_), static_cast<QWidget*>(compare_),
                          static_cast<QWidget*>(save_), static_cast<QWidget*>(theatre_)}) {
        part->setEnabled(any);
    }
    // Reserve the width of the widest value, so that the layout does not change during playback.
    const QString widest =
        tr("Frame %1 of %2").arg(QLocale().toString(player_.numFrames()), QLocale().toString(player_.numFrames()));
    frame_->setMinimumWidth(any ? frame_->fontMetrics().horizontalAdvance(widest) + 4 : 0);
    showPlaying();
    showFrame();
    showRate();
}

void TransportBar::showFrame() {
    const bool any = player_.numFrames() > 0;
    slider_->setValue(player_.frame());
    frame_->setText(
        any ? tr("Frame %1 of %2").arg(QLocale().toString(player_.frame() + 1), QLocale().toString(player_.numFrames()))
            : QString());
}

void TransportBar::showRate() {
    fps_->setVisible(player_.numFrames() > 0);
    const double wanted = player_.fps() * player_.speed();
    const QString file_rate = QLocale().toString(player_.fps(), 'g', 4);
    QString text = tr("%1 fps").arg(file_rate);
    if (player_.shownFps() > 0 && player_.shownFps() < 0.9 * wanted) {
        text =
            tr("%1 of %2 fps").arg(QLocale().toString(player_.shownFps(), 'f', 1), QLocale().toString(wanted, 'g', 4));
    } else if (player_.speed() != 1) {
        text = tr("%1 fps, %2 ×").arg(file_rate, QLocale().toString(player_.speed()));
    }
    fps_->setText(text);
}

void TransportBar::showPlaying() {
    const bool playing = player_.isPlaying();
    play_->setIcon(theme_.icon(playing ? QStringLiteral("pause") : QStringLiteral("play"), ColorRole::text));
    const QString words = playing ? tr("Pause") : tr("Play");
    play_->setAccessibleName(words);
    play_->setToolTip(tr("%1 (%2)", "action and key").arg(words, tr("Space")));
}

}  // namespace kinescope::ui
