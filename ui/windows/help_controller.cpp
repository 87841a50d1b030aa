#include "ui/windows/help_controller.h"

#include <QAction>
#include <QApplication>
#include <QDesktopServices>
#include <QFile>
#include <QScreen>
#include <QThreadPool>
#include <algorithm>
#include <optional>

#include "ui/models/log_folder.h"
#include "ui/models/preferences.h"
#include "ui/models/problem_report.h"
#include "ui/models/run_model.h"
#include "ui/panels/log_panel.h"
#include "ui/text/words.h"
#include "ui/widgets/help_button.h"
#include "ui/windows/guard_demo_dialog.h"
#include "ui/windows/main_menu.h"
#include "ui/windows/manual_window.h"
#include "ui/windows/numeric_log_window.h"
#include "ui/windows/report_dialog.h"

namespace kinescope::ui {
namespace {

constexpr qint64 kLogShare = 4 << 20;  ///< bytes at the end of a numeric log that a report reads

QByteArray endOf(const QString& name) {
    QFile file(name);
    if (name.isEmpty() || !file.open(QIODevice::ReadOnly)) return {};
    file.seek(std::max<qint64>(0, file.size() - kLogShare));
    return file.readAll();
}

/// Returns the manual section of the widget or of its nearest ancestor that has one.
QString sectionOf(const QWidget* widget) {
    for (; widget; widget = widget->parentWidget())
        if (const QVariant section = widget->property(kManualSection); section.isValid()) return section.toString();
    return {};
}

void bringToFront(QWidget& window) {
    const QSize screen = window.screen()->availableSize();
    if (!window.isVisible()) window.resize(window.size().boundedTo(screen));
    window.show();
    window.raise();
    window.activateWindow();
}

}  // namespace

HelpController::HelpController(QWidget& window, const Parts& parts) : QObject(&window), window_(window), parts_(parts) {
    QDesktopServices::setUrlHandler(QLatin1String(kManualScheme), this, "openManual");
    connect(parts_.menu.help, &QAction::triggered, this, &HelpController::openManualForFocus);
    connect(parts_.menu.whatNumbersMean, &QAction::triggered, this, [] { ui::openManual(QStringLiteral("numbers")); });
    connect(parts_.menu.seeGuardWork, &QAction::triggered, this, &HelpController::seeGuardWork);
    connect(parts_.menu.reportProblem, &QAction::triggered, this, &HelpController::reportProblem);
    connect(parts_.menu.openNumericLog, &QAction::triggered, this, &HelpController::openNumericLog);
    connect(&parts_.inspector, &EngineInspector::examined, this,
            [this](const DoctorReport& computer) { showReport(&computer); });
    connect(&parts_.inspector, &EngineInspector::examineFailed, this, [this] { showReport(nullptr); });
}

HelpController::~HelpController() {
    QDesktopServices::unsetUrlHandler(QLatin1String(kManualScheme));
}

void HelpController::openManual(const QUrl& address) {
    if (!manual_) {
        manual_ = new ManualWindow(parts_.theme, &window_);
        manual_->setAttribute(Qt::WA_DeleteOnClose);
    }
    const QString section =
        address.path() + (address.hasFragment() ? QLatin1Char('#') + address.fragment() : QString());
    manual_->showSection(section);
    bringToFront(*manual_);
}

/// Opens the manual section of the focused widget (F1).
void HelpController::openManualForFocus() {
    ui::openManual(sectionOf(QApplication::focusWidget()));
}

void HelpController::seeGuardWork() {
    if (!demo_) {
        demo_ = new GuardDemoDialog(parts_.theme, parts_.bridge, &window_);
        demo_->setAttribute(Qt::WA_DeleteOnClose);
    }
    bringToFront(*demo_);
}

void HelpController::reportProblem() {
    if (!report_) {
        report_ = new ReportDialog(parts_.theme, parts_.desktop, &window_);
        report_->setAttribute(Qt::WA_DeleteOnClose);
        parts_.inspector.askDoctor(CanaryMode::cached);
    }
    bringToFront(*report_);
}

/// Fills the report dialog. Uses only the first result, because the Doctor page may ask the same inspector again.
void HelpController::showReport(const DoctorReport* computer) {
    if (!report_ || report_->hasReport()) return;
    const QString log = pathText(parts_.run.facts().request.output.numeric_log);
    ProblemFacts facts{.computer = computer ? std::optional(*computer) : std::nullopt,
                       .run = parts_.run.facts(),
                       .numericLog = {},
                       .messages = parts_.log.allText()};
    QThreadPool::globalInstance()->start([dialog = report_, facts, log]() mutable {
        facts.numericLog = endOf(log);
        const QString text = problemReport(facts);
        QMetaObject::invokeMethod(qApp, [dialog, text] {
            if (dialog) dialog->setReport(text);
        });
    });
}

/// Opens the log of the last run, or asks for a file.
void HelpController::openNumericLog() {
    QString file = pathText(parts_.run.facts().request.output.numeric_log);
    if (file.isEmpty() || !QFile::exists(file))
        file = parts_.desktop.askFile(tr("Open Numeric Log"), logFolder(),
                                      tr("Numeric logs") + QStringLiteral(" (*.jsonl)"));
    if (file.isEmpty()) return;
    if (!log_) {
        log_ = new NumericLogWindow(parts_.theme, parts_.desktop, &window_);
        log_->setAttribute(Qt::WA_DeleteOnClose);
    }
    log_->read(file);
    bringToFront(*log_);
}

}  // namespace kinescope::ui
