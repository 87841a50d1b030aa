#include "ui/windows/view_controller.h"

#include <QAction>
#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QMenuBar>
#include <QScreen>
#include <QShortcut>
#include <QSignalBlocker>

#include "ui/panels/numbers_panel.h"
#include "ui/panels/preview_panel.h"
#include "ui/panels/request_panel.h"
#include "ui/widgets/nav_rail.h"
#include "ui/widgets/theme.h"
#include "ui/windows/about_dialog.h"
#include "ui/windows/create_page.h"
#include "ui/windows/main_menu.h"
#include "ui/windows/shortcuts_dialog.h"
#include "ui/windows/status_line.h"

namespace kinescope::ui {
namespace {

constexpr int kCompactRail = 1360;   ///< px; in narrower windows the navigation rail shows only icons
constexpr int kExpertWindow = 1600;  ///< px; in wider windows all plots fit
constexpr int kTextStep = 10;        ///< step of the text size, in percent
constexpr auto kGeometry = "window/geometry";
constexpr auto kDocks = "window/createDocks";
constexpr auto kSections = "window/openSections";
constexpr auto kPage = "window/page";
constexpr QSize kFirstSize(1280, 800);
constexpr QSize kSmallestSize(1024, 640);  ///< below it, pages scroll
constexpr QSize kFrame(16, 40);            ///< maximum size of the window frame

}  // namespace

QSize smallestWindowSize(QSize usable) {
    return kSmallestSize.boundedTo(usable - kFrame);
}

QSize firstWindowSize(QSize usable, QSize smallest) {
    return kFirstSize.boundedTo(usable - kFrame).expandedTo(smallest);
}

QRect fittedWindow(const QRect& saved, const QRect& usable, QSize smallest) {
    if (saved.width() <= usable.width() && saved.height() <= usable.height()) return saved;
    QRect fitted({}, saved.size().boundedTo(usable.size() - kFrame).expandedTo(smallest));
    fitted.moveCenter(usable.center());
    return fitted;
}

ViewController::ViewController(QMainWindow& window, const Parts& parts)
    : QObject(&window), window_(window), parts_(parts) {
    wireNumbers();
    wireText();
    PreviewPanel* preview = parts_.page.previewPanel();
    connect(preview, &PreviewPanel::theatreRequested, this, [this] { setTheatre(!theatre_); });
    connect(preview, &PreviewPanel::theatreLeft, this, [this] { setTheatre(false); });
    leaveTheatre_ = new QShortcut(QKeySequence(Qt::Key_Escape), &window_);
    leaveTheatre_->setEnabled(false);
    connect(leaveTheatre_, &QShortcut::activated, this, [this] { setTheatre(false); });
    connect(parts_.menu.theme, &QActionGroup::triggered, this, [this](QAction* action) {
        parts_.preferences.setTheme(action->data().toString());
        showTheme(action->data().toString());
    });
    window_.installEventFilter(this);
    connect(parts_.menu.fullScreen, &QAction::triggered, this, [this](bool on) {
        window_.setWindowState(window_.windowState().setFlag(Qt::WindowFullScreen, on));  // it stays maximized
    });
    connect(parts_.menu.resetLayout, &QAction::triggered, this, &ViewController::resetLayout);
    connect(parts_.menu.keyboardShortcuts, &QAction::triggered, this, [this] {
        auto* dialog = new ShortcutsDialog(*window_.menuBar(), &window_);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    connect(parts_.menu.about, &QAction::triggered, this, [this] {
        auto* dialog = new AboutDialog(&window_);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
}

/// Follows the full screen that a start restores or the desktop changes.
bool ViewController::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::WindowStateChange) parts_.menu.fullScreen->setChecked(window_.isFullScreen());
    return QObject::eventFilter(watched, event);
}

void ViewController::wireNumbers() {
    NumbersPanel* numbers = parts_.page.numbersPanel();
    connect(numbers, &NumbersPanel::expertChanged, this, [this](bool expert) {
        parts_.preferences.setExpertNumbers(expert);
        parts_.menu.expertNumbers->setChecked(expert);
    });
    connect(parts_.menu.expertNumbers, &QAction::triggered, this, [this, numbers](bool expert) {
        numbers->setExpert(expert);
        parts_.page.numbersDock()->show();
    });
    connect(&parts_.status, &StatusLine::numbersRequested, this, [this, numbers] {
        parts_.page.numbersDock()->show();
        numbers->setFocus();
    });
}

void ViewController::wireText() {
    const auto scaleText = [this](int percent) {
        parts_.theme.setTextScalePercent(percent);
        parts_.preferences.set(setting::kTextPercent, parts_.theme.textScalePercent());
    };
    connect(parts_.menu.largerText, &QAction::triggered, this,
            [=, this] { scaleText(parts_.theme.textScalePercent() + kTextStep); });
    connect(parts_.menu.smallerText, &QAction::triggered, this,
            [=, this] { scaleText(parts_.theme.textScalePercent() - kTextStep); });
    connect(parts_.menu.normalText, &QAction::triggered, this, [=] { scaleText(100); });
}

void ViewController::showTheme(const QString& name) {
    const auto mode = name == QLatin1String("dark")            ? Theme::Mode::dark
                      : name == QLatin1String("light")         ? Theme::Mode::light
                      : name == QLatin1String("high contrast") ? Theme::Mode::highContrast
                                                               : Theme::Mode::system;
    parts_.theme.setMode(mode);
    for (QAction* action : parts_.menu.theme->actions()) action->setChecked(action->data().toString() == name);
}

void ViewController::resetLayout() {
    parts_.page.resetLayout(window_.size());
    NumbersPanel* numbers = parts_.page.numbersPanel();
    const QSignalBlocker unchosen(numbers);
    numbers->setExpert(parts_.preferences.expertNumbers().value_or(window_.width() >= kExpertWindow));
    parts_.menu.expertNumbers->setChecked(numbers->isExpert());
}

/// Restores place and size of the window. The screen may be smaller than in the last session.
void ViewController::restoreGeometry() {
    if (!window_.restoreGeometry(parts_.preferences.bytes(kGeometry)))
        return window_.resize(firstWindowSize(window_.screen()->availableSize(), window_.minimumSize()));
    if (window_.isMaximized() || window_.isFullScreen()) return;
    const QRect fitted = fittedWindow(window_.geometry(), window_.screen()->availableGeometry(), window_.minimumSize());
    if (fitted != window_.geometry()) window_.setGeometry(fitted);
}

void ViewController::restoreLayout() {
    restoreGeometry();
    resetLayout();
    parts_.page.restoreState(parts_.preferences.bytes(kDocks));
    const QVariant sections = parts_.preferences.saved(kSections);
    if (sections.isValid()) parts_.page.requestPanel()->setOpenSections(sections.toStringList());
}

void ViewController::restorePage() {
    parts_.rail.setCurrentIndex(parts_.preferences.saved(kPage).toInt());
    connect(&parts_.rail, &NavRail::currentChanged, this, [this](int page) { parts_.preferences.set(kPage, page); });
}

void ViewController::saveLayout() {
    setTheatre(false);
    parts_.preferences.setBytes(kGeometry, window_.saveGeometry());
    parts_.preferences.setBytes(kDocks, parts_.page.saveState());
    parts_.preferences.set(kSections, parts_.page.requestPanel()->openSections());
}

void ViewController::adapt() {
    parts_.rail.setWidth(window_.width() < kCompactRail ? NavRail::Width::compact : NavRail::Width::full);
    parts_.page.adapt(window_.size());
}

void ViewController::setTheatre(bool on) {
    theatre_ = on;
    leaveTheatre_->setEnabled(on);
    const std::initializer_list<QWidget*> around{window_.menuBar(), &parts_.rail, &parts_.status};
    for (QWidget* part : around) part->setVisible(!on);
    parts_.page.setTheatre(on);
}

}  // namespace kinescope::ui
