#include <QApplication>
#include <QElapsedTimer>
#include <QMessageBox>
#include <QProcess>
#include <QSettings>
#include <QTimer>
#include <cstdio>
#include <cstdlib>

#include "app/end_of_memory.h"
#include "app/resources_dir.h"
#include "app/window/open_start.h"
#include "app/window/single_window.h"
#include "core/base/memory_limits.h"
#include "core/computers/computer_group.h"
#include "core/remote/device_engines.h"
#include "ui/bridge/engine_bridge.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"
#include "ui/windows/desktop_notifier.h"
#include "ui/windows/main_window.h"
#include "ui/windows/queue_end.h"
#include "ui/windows/run_tray.h"

using namespace kinescope;

namespace {

/// Creates the engines of this computer, one for each device and each in a process of its own: kinescope-cli beside
/// this program. Their log lines arrive as events.
ui::EngineFactory enginesInProcesses() {
    return [](RunObserver& observer) {
        return remote::make_device_engines(
            {.program = program_dir() / "kinescope-cli", .arguments = {"serve"}, .version = KINESCOPE_VERSION},
            observer);
    };
}

/// Adds the user's other computers to an engine on this one.
ui::EngineFactory withComputers(ui::EngineFactory thisComputer) {
    return [thisComputer = std::move(thisComputer)](RunObserver& observer) {
        return computers::make_computer_group(thisComputer, computers::user_computers(KINESCOPE_VERSION), observer);
    };
}

/// Prints the times until the window is drawn and until Generate is enabled, then quits.
void reportStartup(ui::MainWindow& window, const QElapsedTimer& clock) {
    QTimer::singleShot(0, &window,
                       [&clock] { std::printf("window %lld ms\n", static_cast<long long>(clock.elapsed())); });
    auto* poll = new QTimer(&window);
    QObject::connect(poll, &QTimer::timeout, &window, [&window, &clock] {
        if (!window.request().canRun()) return;
        std::printf("ready %lld ms\n", static_cast<long long>(clock.elapsed()));
        QCoreApplication::quit();
    });
    poll->start(5);
}

void saveScreenshot(ui::MainWindow& window, const QString& file) {
    auto* poll = new QTimer(&window);
    QObject::connect(poll, &QTimer::timeout, &window, [&window, file] {
        if (!window.request().plan() && !window.request().planError()) return;
        window.grab().save(file);
        QCoreApplication::quit();
    });
    poll->start(100);
}

/// The exit code of the window, and whether to start it again.
struct End {
    int exit_code = 0;
    bool restarts = false;  ///< the user asked for a restart
};

/// Shows the window, which also opens what `server` receives. Returns when it is closed and the engine has ended.
End runWindow(const WindowOptions& options, StartServer& server, const QElapsedTimer& clock) {
    End end;
    QSettings settings;
    ui::Theme theme;
    theme.install();
    ui::chooseLanguage(ui::Preferences(settings).language());
    ui::EngineBridge bridge(withComputers(enginesInProcesses()));
    ui::MainWindow window(theme, bridge, settings, ui::systemDesktop());
    ui::DesktopNotifier herald(window.run(), window, ui::Preferences(settings), ui::systemDesktop(),
                               {QDBusConnection::sessionBus(), QDBusConnection::systemBus()});
    QObject::connect(&window.queueEnd(), &ui::QueueEnd::ended, &herald, &ui::DesktopNotifier::notifyQueueEnd);
    // Close the window in the usual way, because it may ask the user what to do with a running job.
    QObject::connect(&window, &ui::MainWindow::restartRequested, &window,
                     [&window, &end] { end.restarts = window.close(); });
    const ui::RunTray tray(window.run(), window);
    QObject::connect(&server, &StartServer::startRequested, &window, [&window](const WindowOptions& further) {
        bringToFront(window, further.activationToken);
        openStart(window, further);
    });
    openStart(window, options);
    window.show();
    if (options.startupTime) reportStartup(window, clock);
    if (!options.screenshot.isEmpty()) saveScreenshot(window, options.screenshot);
    end.exit_code = QApplication::exec();
    server.close();  // the engine may save its job for a minute, in which nothing can be opened
    return end;
}

/// Tells why no window is opened. Returns the exit code.
int showProblem(Start start) {
    QSettings settings;
    ui::chooseLanguage(ui::Preferences(settings).language());
    const QString problem = startProblem(start);
    std::fprintf(stderr, "%s\n", qPrintable(problem));
    QMessageBox box(QMessageBox::Warning, QApplication::applicationName(), problem);
    box.setObjectName(QStringLiteral("startProblem"));
    box.exec();
    return EXIT_FAILURE;
}

/// Opens the window, or hands the files over to the one that is open.
End start(const WindowOptions& options, const QElapsedTimer& clock) {
    StartServer server;
    const bool isForOnePicture = !options.screenshot.isEmpty() || options.startupTime;
    const Start kind = isForOnePicture ? Start::alone : beginStart(windowPlace(), options, server);
    if (kind == Start::handedOver) return {};
    if (!startProblem(kind).isEmpty()) return {.exit_code = showProblem(kind)};
    return runWindow(options, server, clock);
}

}  // namespace

int main(int argc, char** argv) {
    explain_end_of_memory();
    ignore_file_size_signal();
    QElapsedTimer clock;
    clock.start();
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("Kinescope"));
    QApplication::setOrganizationName(QStringLiteral("Kinescope"));
    QApplication::setApplicationVersion(QStringLiteral(KINESCOPE_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("kinescope"));
    const End end = start(parseWindowOptions(QApplication::arguments()), clock);
    if (end.restarts) QProcess::startDetached(QString::fromStdString(program_file().string()), {});
    return end.exit_code;
}
