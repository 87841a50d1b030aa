#include "ui/windows/run_tray.h"

#include <QAction>
#include <QMenu>
#include <QPainter>
#include <QSystemTrayIcon>
#include <QWidget>
#include <utility>

#include "ui/models/run_model.h"
#include "ui/widgets/eta_format.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kSide = 64;
constexpr int kRing = 7;
constexpr int kCircle = 16 * 360;  ///< in units of 1/16 degree

/// Draws a film icon inside a progress ring. Its colors do not depend on the theme, because the desktop panel has its
/// own colors.
QIcon ringIcon(int percent) {
    QPixmap picture(kSide, kSide);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens& tokens = darkTokens();
    const QRectF ring = QRectF(0, 0, kSide, kSide).adjusted(kRing, kRing, -kRing, -kRing);
    painter.setPen(QPen(tokens.color(ColorRole::line), kRing));
    painter.setBrush(tokens.color(ColorRole::well));
    painter.drawEllipse(ring);
    painter.setPen(QPen(tokens.color(ColorRole::accent), kRing));
    painter.drawArc(ring, kCircle / 4, -kCircle * percent / 100);
    paintIcon(painter, QStringLiteral("film"), tokens.color(ColorRole::text), ring.adjusted(11, 11, -11, -11));
    return QIcon(picture);
}

}  // namespace

RunTray::RunTray(RunModel& run, QWidget& window)
    : run_(run),
      window_(window),
      menu_(std::make_unique<QMenu>()),
      show_(menu_->addAction(QString())),
      pause_(menu_->addAction(QString())),
      quit_(menu_->addAction(QString())) {
    connect(show_, &QAction::triggered, this, &RunTray::showWindow);
    connect(pause_, &QAction::triggered, this,
            [this] { run_.state() == RunState::paused ? run_.proceed() : run_.pause(); });
    connect(quit_, &QAction::triggered, this, [this] {
        showWindow();  // quitting may ask a question in the window
        window_.close();
    });
    connect(&run_, &RunModel::stateChanged, this, &RunTray::updateIcon);
    connect(&run_, &RunModel::progressed, this, &RunTray::updateIcon);
    inEveryLanguage(menu_.get(), [this] {
        show_->setText(tr("&Show Kinescope"));
        quit_->setText(tr("&Quit"));
        updateIcon();
    });
}

RunTray::~RunTray() = default;

QString RunTray::statusText() const {
    if (run_.state() == RunState::paused) return tr("Kinescope: paused");
    const auto done = run_.fractionDone();
    const auto left = run_.secondsLeft();
    if (!done || !left) return tr("Kinescope: generating a video");
    return tr("Kinescope: %1 %, %2 left").arg(static_cast<int>(*done * 100)).arg(formatDuration(*left));
}

void RunTray::updateIcon() {
    const bool paused = run_.state() == RunState::paused;
    pause_->setText(paused ? tr("&Continue") : tr("&Pause"));
    shown_ = run_.running() || paused;
    if (!shown_) return void(icon_.reset());
    if (!QSystemTrayIcon::isSystemTrayAvailable()) return;
    if (!icon_) {
        icon_ = std::make_unique<QSystemTrayIcon>();
        icon_->setContextMenu(menu_.get());
        connect(icon_.get(), &QSystemTrayIcon::activated, this, [this](QSystemTrayIcon::ActivationReason reason) {
            if (reason == QSystemTrayIcon::Trigger) showWindow();
        });
        percent_ = -1;
    }
    const int percent = static_cast<int>(run_.fractionDone().value_or(0) * 100);
    if (std::exchange(percent_, percent) != percent) icon_->setIcon(ringIcon(percent));
    icon_->setToolTip(statusText());
    icon_->show();
}

void RunTray::showWindow() {
    window_.setWindowState(window_.windowState() & ~Qt::WindowMinimized);
    window_.show();
    window_.raise();
    window_.activateWindow();
}

}  // namespace kinescope::ui
