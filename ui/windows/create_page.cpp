#include "ui/windows/create_page.h"

#include <QCoreApplication>
#include <QDockWidget>
#include <QVBoxLayout>
#include <utility>

#include "ui/models/numbers_model.h"
#include "ui/models/request_model.h"
#include "ui/models/run_model.h"
#include "ui/panels/log_panel.h"
#include "ui/panels/numbers_panel.h"
#include "ui/panels/preview_panel.h"
#include "ui/panels/request_panel.h"
#include "ui/panels/run_panel.h"
#include "ui/widgets/language.h"
#include "ui/widgets/notice_strip.h"
#include "ui/widgets/plots/step_cursor.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kColumnGap = 8;
constexpr int kWideWindow = 1600;      ///< px; in wider windows the Numbers dock is open at full width
constexpr int kMiddleWindow = 1360;    ///< px; in wider windows the Numbers dock is open and narrow
constexpr int kTallWindow = 900;       ///< px; in taller windows the precision timeline is visible
constexpr int kVeryTallWindow = 1000;  ///< px; in taller windows the sections are expanded
constexpr int kSettingsWide = 360;
constexpr int kSettingsNarrow = 320;
constexpr int kNumbersWide = 560;
constexpr int kNumbersNarrow = 400;
constexpr int kLogHeight = 160;
constexpr int kCenterMinimum = 480;  ///< px of the preview between two docks

/// A button that Qt adds to each dock, and its texts in Qt's translations.
struct DockButton {
    const char* name;
    const char* text;
    const char* description;
};

constexpr DockButton kDockButtons[] = {
    {"qt_dockwidget_floatbutton", "Float", "Undocks and re-attaches the dock widget"},
    {"qt_dockwidget_closebutton", "Close", "Closes the dock widget"}};

/// Qt sets the texts for screen readers only once.
void retranslateButtons(const QDockWidget& dock) {
    for (const DockButton& each : kDockButtons) {
        auto* button = dock.findChild<QWidget*>(QLatin1String(each.name), Qt::FindDirectChildrenOnly);
        if (button == nullptr) continue;
        button->setAccessibleName(QCoreApplication::translate("QDockWidget", each.text));
        button->setAccessibleDescription(QCoreApplication::translate("QDockWidget", each.description));
    }
}

}  // namespace

CreatePage::CreatePage(const Theme& theme, RequestModel& request, RunModel& run, NumbersModel& numbers, QWidget* parent)
    : QMainWindow(parent),
      notice_(new NoticeStrip(theme, this)),
      gpuStrip_(new NoticeStrip(theme, this)),
      request_(new RequestPanel(theme, request, run)),
      preview_(new PreviewPanel(theme, request, run)),
      run_(new RunPanel(theme, run)),
      numbers_(new NumbersPanel(theme, numbers)),
      log_(new LogPanel(theme)) {
    setObjectName(QStringLiteral("createPage"));
    setWindowFlags(Qt::Widget);
    setDockNestingEnabled(true);
    setCentralWidget(makeCenter());
    settingsDock_ = addDock("settingsDock", request_, Qt::LeftDockWidgetArea);
    numbersDock_ = addDock("numbersDock", numbers_, Qt::RightDockWidgetArea);
    logDock_ = addDock("logDock", log_, Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    numbers_->setMinimumWidth(360);
    connect(numbers_, &NumbersPanel::floatRequested, this,
            [this] { numbersDock_->setFloating(!numbersDock_->isFloating()); });
    connect(settingsDock_, &QDockWidget::visibilityChanged, this, &CreatePage::onSettingsDockToggled);
    connect(numbersDock_, &QDockWidget::visibilityChanged, this, &CreatePage::onNumbersDockToggled);
    connect(&run, &RunModel::logged, log_, &LogPanel::add);
    connectSteps();
    inEveryLanguage(this, [this] {
        settingsDock_->setWindowTitle(tr("Settings"));
        numbersDock_->setWindowTitle(tr("Numbers"));
        logDock_->setWindowTitle(tr("Log"));
        for (const QDockWidget* dock : {settingsDock_, numbersDock_, logDock_}) retranslateButtons(*dock);
    });
}

/// A step that is pinned in the plots is shown in the preview, and a step selected there is pinned in the plots.
void CreatePage::connectSteps() {
    StepCursor* cursor = numbers_->cursor();
    connect(cursor, &StepCursor::pinnedChanged, preview_, &PreviewPanel::showStep);
    connect(preview_, &PreviewPanel::stepChosen, cursor, [cursor](int step) {
        if (step == 0) return cursor->release();
        if (step != cursor->pinned()) cursor->pin(step);
    });
}

QDockWidget* CreatePage::addDock(const char* name, QWidget* panel, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(this);
    dock->setObjectName(QLatin1String(name));
    dock->setTitleBarWidget(new QWidget(dock));  // the card has its own title
    dock->setWidget(panel);
    addDockWidget(area, dock);
    return dock;
}

QWidget* CreatePage::makeCenter() {
    auto* center = new QWidget(this);
    auto* column = new QVBoxLayout(center);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kColumnGap);
    notice_->setObjectName(QStringLiteral("noticeStrip"));
    gpuStrip_->setObjectName(QStringLiteral("gpuStrip"));
    column->addWidget(gpuStrip_);
    column->addWidget(notice_);
    column->addWidget(preview_, 1);
    column->addWidget(run_);
    return center;
}

void CreatePage::adapt(QSize window) {
    run_->setTimelineShown(window.height() >= kTallWindow);
}

void CreatePage::resetLayout(QSize window) {
    const bool wide = window.width() >= kWideWindow;
    for (QDockWidget* dock : {settingsDock_, numbersDock_, logDock_}) dock->setFloating(false);
    settingsDock_->show();
    logDock_->hide();
    numbersDock_->setVisible(window.width() >= kMiddleWindow);
    request_->setExpanded(window.height() >= kVeryTallWindow);
    resizeDocks({settingsDock_, numbersDock_},
                {wide ? kSettingsWide : kSettingsNarrow, wide ? kNumbersWide : kNumbersNarrow}, Qt::Horizontal);
    resizeDocks({logDock_}, {kLogHeight}, Qt::Vertical);
    adapt(window);
}

bool CreatePage::fitsBothSideDocks() const {
    if (settingsDock_->isFloating() || numbersDock_->isFloating()) return true;
    return width() >= request_->minimumWidth() + kCenterMinimum + numbers_->minimumWidth() + 2 * kColumnGap;
}

/// Shows or hides the Numbers dock. In a narrow window, it replaces the settings until it is closed.
void CreatePage::onNumbersDockToggled() {
    if (!isVisible() || !hiddenByTheatre_.isEmpty()) return;
    if (!numbersDock_->isHidden() && !settingsDock_->isHidden() && !fitsBothSideDocks()) {
        settingsReplaced_ = true;
        settingsDock_->hide();
    } else if (numbersDock_->isHidden() && std::exchange(settingsReplaced_, false)) {
        settingsDock_->show();
    }
}

void CreatePage::onSettingsDockToggled() {
    if (!isVisible() || !hiddenByTheatre_.isEmpty() || settingsDock_->isHidden()) return;
    settingsReplaced_ = false;
    if (!numbersDock_->isHidden() && !fitsBothSideDocks()) numbersDock_->hide();
}

void CreatePage::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    onSettingsDockToggled();
}

/// Returns true for a part that still has something to show: notices and runs can end during the theatre.
bool CreatePage::hasContent(const QWidget* part) const {
    if (part == run_) return run_->hasRun();
    const auto* strip = qobject_cast<const NoticeStrip*>(part);
    return strip == nullptr || strip->hasNotice();
}

void CreatePage::setTheatre(bool on) {
    if (on == !hiddenByTheatre_.isEmpty()) return;
    preview_->setTheatre(on);
    if (on) {
        for (QWidget* part : {static_cast<QWidget*>(settingsDock_), static_cast<QWidget*>(numbersDock_),
                              static_cast<QWidget*>(logDock_), static_cast<QWidget*>(notice_),
                              static_cast<QWidget*>(gpuStrip_), static_cast<QWidget*>(run_)}) {
            if (part->isVisible()) hiddenByTheatre_ << part;
        }
    }
    for (QWidget* part : std::as_const(hiddenByTheatre_)) part->setVisible(!on && hasContent(part));
    if (!on) hiddenByTheatre_.clear();
}

}  // namespace kinescope::ui
