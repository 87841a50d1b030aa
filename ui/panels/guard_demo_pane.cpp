#include "ui/panels/guard_demo_pane.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/models/guard_demo.h"
#include "ui/models/images.h"
#include "ui/panels/guard_demo_words.h"
#include "ui/widgets/clip_view.h"
#include "ui/widgets/state_icon.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

QString paneName(GuardDemoRun run) {
    switch (run) {
        case GuardDemoRun::unguarded:
            return QStringLiteral("unguarded");
        case GuardDemoRun::guarded:
            return QStringLiteral("guarded");
        case GuardDemoRun::reference:
            break;
    }
    return QStringLiteral("reference");
}

constexpr double kPictureRatio = 0.5;  ///< height of the picture by the width of the pane

}  // namespace

GuardDemoPane::GuardDemoPane(const Theme& theme, const GuardDemo& demo, GuardDemoRun run, QWidget* parent)
    : Card(theme, parent),
      demo_(demo),
      run_(run),
      clip_(new ClipView(theme, this)),
      icon_(new StateIcon(theme, Severity::none, this)),
      verdict_(new QLabel(this)),
      text_(new QLabel(this)) {
    const QString name = paneName(run);
    setObjectName(name + QStringLiteral("Panel"));
    clip_->setObjectName(name + QStringLiteral("View"));
    verdict_->setObjectName(name + QStringLiteral("VerdictLabel"));
    verdict_->setProperty("type", "strong");
    verdict_->setWordWrap(true);
    text_->setObjectName(name + QStringLiteral("TextLabel"));
    text_->setWordWrap(true);
    text_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(icon_, 0, Qt::AlignTop);
    row->addWidget(verdict_, 1);
    body()->setSpacing(8);
    body()->addWidget(clip_);
    body()->addLayout(row);
    body()->addWidget(text_, 1);
}

/// Makes the pictures of all panes equally high, whatever the length of their texts.
void GuardDemoPane::resizeEvent(QResizeEvent* event) {
    Card::resizeEvent(event);
    clip_->setFixedHeight(qRound(contentsRect().width() * kPictureRatio));
}

QString GuardDemoPane::waitingText() const {
    switch (demo_.state()) {
        case GuardDemo::State::waiting:
            return tr("Waiting for the current run to finish");
        case GuardDemo::State::failed:
            return tr("Not available");
        default:
            return demo_.isCurrent(run_) ? tr("Running…") : tr("Not started yet");
    }
}

void GuardDemoPane::showRun(const GuardDemoStory* story) {
    setTitle(guardDemoTitle(run_));
    clip_->setAccessibleName(guardDemoTitle(run_));
    const GuardDemoResult* result = demo_.result(run_);
    clip_->setClip(result ? imagesOf(result->frames) : QList<QImage>());
    if (result && result->frames.empty())
        clip_->setMessage(tr("No frames: all values are invalid"), ColorRole::error);
    else
        clip_->setMessage(waitingText());
    const GuardDemoVerdict verdict = story ? guardDemoVerdict(run_, *story) : GuardDemoVerdict{};
    icon_->setVisible(verdict.severity != Severity::none);
    icon_->setSeverity(verdict.severity);
    verdict_->setText(verdict.text);
    text_->setText(story ? guardDemoText(run_, *story) : QString());
}

void GuardDemoPane::setFrame(int frame) {
    clip_->setFrame(frame);
}

}  // namespace kinescope::ui
