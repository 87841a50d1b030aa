// Starts the program several times: one window for each state folder, which opens the files of all starts.
#include <QDir>
#include <QLocalServer>
#include <QLocalSocket>
#include <QPlainTextEdit>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>

#include "app/window/open_start.h"
#include "app/window/single_window.h"
#include "app/window/start_message.h"
#include "tests/ui/scenarios/real_window.h"

using namespace kinescope;
using kinescope::testing::RealWindow;

namespace {

constexpr int kMinuteMs = 60'000;

/// A started program with folders of its own; killed at the end.
class Program {
public:
    Program(const QString& home, const QStringList& arguments, const QString& state = QStringLiteral("state"),
            const QString& session = QStringLiteral("run")) {
        auto variables = QProcessEnvironment::systemEnvironment();
        variables.insert("HOME", home);
        variables.insert("LANG", "C");
        for (const char* name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
            variables.insert(name, home + QLatin1Char('/') + QLatin1String(name));
        variables.insert("XDG_STATE_HOME", home + QLatin1Char('/') + state);
        variables.insert("XDG_RUNTIME_DIR", home + QLatin1Char('/') + session);
        variables.insert("KINESCOPE_RESOURCES", KINESCOPE_SOURCE_DIR "/resources");
        process_.setProcessEnvironment(variables);
        process_.start(QStringLiteral(KINESCOPE_BIN_DIR "/kinescope"), arguments);
    }
    ~Program() {
        ::kill(static_cast<pid_t>(process_.processId()), SIGCONT);
        kill();
    }

    QProcess& process() { return process_; }
    bool isRunning() const { return process_.state() == QProcess::Running; }
    void signal(int number) { ::kill(static_cast<pid_t>(process_.processId()), number); }
    void kill() {
        process_.kill();
        process_.waitForFinished();
    }
    /// The exit code of a program that ends by itself; -1: it was killed or still runs after a minute.
    int exitCode() {
        const bool isOver = process_.state() == QProcess::NotRunning || process_.waitForFinished(kMinuteMs);
        return isOver && process_.exitStatus() == QProcess::NormalExit ? process_.exitCode() : -1;
    }

private:
    QProcess process_;
};

/// The folder of the sockets of programs with this home.
QString placeIn(const QString& home) {
    return home + QStringLiteral("/run/kinescope");
}

QStringList socketsIn(const QString& home) {
    return QDir(placeIn(home)).entryList({"*.sock"}, QDir::System);
}

/// Returns true if a window answers at each of `count` sockets.
bool areOpen(const QString& home, int count) {
    const QStringList sockets = socketsIn(home);
    return sockets.size() == count && std::all_of(sockets.begin(), sockets.end(), [&home](const QString& name) {
               QLocalSocket socket;
               socket.connectToServer(placeIn(home) + QLatin1Char('/') + name);
               return socket.waitForConnected(1000);
           });
}

QString write(const QString& file, const QByteArray& text) {
    QFile written(file);
    return written.open(QIODevice::WriteOnly) && written.write(text) == text.size() ? file : QString();
}

/// A list of one request for the queue.
QString queueIn(const QString& home, const char* prompt) {
    return write(home + QStringLiteral("/list.jsonl"),
                 QByteArray("{\"prompt\": \"") + prompt + "\", \"num_inference_steps\": 1}\n");
}

/// Returns true if the queue of a state folder has a job with this prompt.
bool isQueued(const QString& home, const QString& state, const char* prompt) {
    const QDir jobs(home + QLatin1Char('/') + state + QStringLiteral("/kinescope/jobs"));
    for (const QString& job : jobs.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        QFile file(jobs.filePath(job + QStringLiteral("/job.json")));
        if (file.open(QIODevice::ReadOnly) && file.readAll().contains(prompt)) return true;
    }
    return false;
}

/// A home folder whose runtime folder exists.
class Home {
public:
    Home() { QDir(path()).mkdir("run"); }
    QString path() const { return folder_.path(); }

private:
    QTemporaryDir folder_{QDir::tempPath() + QStringLiteral("/window-XXXXXX")};
};

}  // namespace

class TestSingleWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMessageKeepsTheOptions() {
        WindowOptions options;
        options.files = {QStringLiteral("/videos/a \"b\"\n.mp4"), QString::fromUtf8("/视频/球.json")};
        options.model = QStringLiteral("/models/wan");
        options.theme = QStringLiteral("dark");
        options.size = QSize(1280, 720);
        options.activationToken = "token";
        const QByteArray message = startMessage(options);
        QCOMPARE(message.count('\n'), 1);
        const auto read = readStartMessage(message);
        QVERIFY(read.has_value());
        QCOMPARE(read->files, options.files);
        QCOMPARE(read->model, options.model);
        QCOMPARE(read->theme, options.theme);
        QCOMPARE(read->size, options.size);
        QCOMPARE(read->activationToken, options.activationToken);
        QVERIFY(!readStartMessage(startMessage({}))->size.isValid());
    }

    void messagesOfAnotherFormAreRefused() {
        const QByteArray good = startMessage({});
        QVERIFY(readStartMessage(good).has_value());
        for (const QByteArray& message :
             {QByteArray(), QByteArray("files"), QByteArray("[]"), QByteArray("{}"), good.left(20),
              QByteArray(good).replace("\"format\":1", "\"format\":2"),
              QByteArray(good).replace("\"format\":1", "\"format\":\"1\""),
              QByteArray(good).replace("\"files\":[]", "\"files\":[7]"),
              QByteArray(good).replace("\"files\":[]", "\"files\":{}"),
              QByteArray(good).replace("\"model\":\"\"", "\"model\":[[[[[[]]]]]]"),
              QByteArray(good).replace("\"files\":[]", "\"files\":[\"" + QByteArray(kMostStartBytes, 'x') + "\"]")})
            QVERIFY2(!readStartMessage(message), message.left(80).constData());
        QVERIFY(!readStartMessage(QByteArray(good).replace("\"width\":0", "\"width\":-7"))->size.isValid());
        QCOMPARE(readAnswer(answerMessage(StartAnswer::accepted)), StartAnswer::accepted);
        for (const char* answer : {"", "{}", "accepted", "{\"accepted\": 1}", "{\"accepted\": false}"})
            QCOMPARE(readAnswer(answer), StartAnswer::refused);
    }

    void aSecondStartHandsItsFilesOver() {
        const Home home;
        Program first(home.path(), {});
        QTRY_VERIFY_WITH_TIMEOUT(areOpen(home.path(), 1), kMinuteMs);
        Program second(home.path(), {queueIn(home.path(), "a ball of the second start")});
        QCOMPARE(second.exitCode(), 0);
        QTRY_VERIFY_WITH_TIMEOUT(isQueued(home.path(), "state", "a ball of the second start"), kMinuteMs);
        Program third(home.path(), {});
        QCOMPARE(third.exitCode(), 0);
        QVERIFY(first.isRunning());
        QCOMPARE(socketsIn(home.path()).size(), 1);
    }

    void aKilledWindowDoesNotBlockAStart() {
        const Home home;
        Program first(home.path(), {});
        QTRY_VERIFY_WITH_TIMEOUT(areOpen(home.path(), 1), kMinuteMs);
        first.signal(SIGKILL);
        QVERIFY(first.process().waitForFinished());
        QCOMPARE(socketsIn(home.path()).size(), 1);  // dead
        QVERIFY(!areOpen(home.path(), 1));
        Program second(home.path(), {queueIn(home.path(), "a ball after a kill")});
        QTRY_VERIFY_WITH_TIMEOUT(areOpen(home.path(), 1), kMinuteMs);
        QTRY_VERIFY_WITH_TIMEOUT(isQueued(home.path(), "state", "a ball after a kill"), kMinuteMs);
        QVERIFY(second.isRunning());
    }

    void aWindowThatHangsIsNamed() {
        const Home home;
        Program first(home.path(), {});
        QTRY_VERIFY_WITH_TIMEOUT(areOpen(home.path(), 1), kMinuteMs);
        first.signal(SIGSTOP);
        Program second(home.path(), {});
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT((said += second.process().readAllStandardError()).contains("does not answer"),
                                 kMinuteMs);
        first.signal(SIGCONT);
        Program third(home.path(), {});
        QCOMPARE(third.exitCode(), 0);
    }

    void eachStateFolderHasAWindow() {
        const Home home;
        Program first(home.path(), {});
        QTRY_VERIFY_WITH_TIMEOUT(areOpen(home.path(), 1), kMinuteMs);
        Program other(home.path(), {queueIn(home.path(), "a ball of another folder")}, "other");
        QTRY_VERIFY_WITH_TIMEOUT(areOpen(home.path(), 2), kMinuteMs);
        QTRY_VERIFY_WITH_TIMEOUT(isQueued(home.path(), "other", "a ball of another folder"), kMinuteMs);
        QVERIFY(!isQueued(home.path(), "state", "a ball of another folder"));
        QVERIFY(first.isRunning() && other.isRunning());
    }

    /// As from a script that lacks $XDG_RUNTIME_DIR.
    void aStartInAnotherSessionOpensNoSecondWindow() {
        const Home home;
        Program first(home.path(), {});
        QTRY_VERIFY_WITH_TIMEOUT(areOpen(home.path(), 1), kMinuteMs);
        QVERIFY(QDir(home.path()).mkdir("other"));
        Program second(home.path(), {}, "state", "other");
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT((said += second.process().readAllStandardError()).contains("already open"), kMinuteMs);
        QVERIFY(first.isRunning());
    }

    void windowsThatStartTogetherBecomeOne() {
        const Home home;
        std::vector<std::unique_ptr<Program>> programs;
        for (int i = 0; i < 4; ++i) programs.push_back(std::make_unique<Program>(home.path(), QStringList{}));
        const auto running = [&programs] {
            return std::count_if(programs.begin(), programs.end(), [](const auto& one) { return one->isRunning(); });
        };
        QTRY_COMPARE_WITH_TIMEOUT(running(), 1, kMinuteMs);
        QVERIFY(areOpen(home.path(), 1));
    }

    void aFolderThatOthersCanUseIsNotTrusted() {
        const Home home;
        const QString folder = placeIn(home.path());
        Program first(home.path(), {});
        QTRY_VERIFY_WITH_TIMEOUT(areOpen(home.path(), 1), kMinuteMs);
        const QString name = socketsIn(home.path()).front();
        first.kill();
        QVERIFY(QFile::setPermissions(folder, QFile::Permissions(0x7777)));
        QLocalServer foreign;  // accepts everything, and hears nothing
        QLocalServer::removeServer(folder + QLatin1Char('/') + name);
        QVERIFY(foreign.listen(folder + QLatin1Char('/') + name));
        Program second(home.path(), {queueIn(home.path(), "a ball for nobody else")});
        QTRY_VERIFY_WITH_TIMEOUT(isQueued(home.path(), "state", "a ball for nobody else"), kMinuteMs);
        QVERIFY(!foreign.hasPendingConnections());
        QVERIFY(second.isRunning());
    }

    void theWindowComesToTheFrontAndOpensTheFile() {
        const Home home;
        RealWindow real(home.path());
        QVERIFY(real.isReady());
        StartServer server;
        QObject::connect(&server, &StartServer::startRequested, real.window.get(), [&](const WindowOptions& options) {
            bringToFront(*real.window, options.activationToken);
            openStart(*real.window, options);
        });
        qputenv("XDG_RUNTIME_DIR", (home.path() + QStringLiteral("/run")).toLocal8Bit());
        QCOMPARE(beginStart(windowPlace(), {}, server), Start::first);
        real.window->showMinimized();
        QTRY_VERIFY(real.window->isMinimized());
        Program second(home.path(), {write(home.path() + "/request.json", "{\"prompt\": \"a green ball\"}")},
                       "xdg_state_home");
        QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(real.window->request().request().prompt),
                                  QStringLiteral("a green ball"), kMinuteMs);
        QCOMPARE(second.exitCode(), 0);
        QVERIFY(!real.window->isMinimized() && real.window->isVisible());
    }

    void strangeCallersDoNotDisturbTheWindow() {
        const Home home;
        const QString name = home.path() + QStringLiteral("/run/x.sock");
        StartServer server;
        QVERIFY(server.listen(name));
        QCOMPARE(
            QFile::permissions(name) & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther),
            QFile::Permissions());
        QSignalSpy starts(&server, &StartServer::startRequested);
        for (const QByteArray& said : {QByteArray("\n"), QByteArray("{\"format\": 1}\n"),
                                       QByteArray(kMostStartBytes, 'x'), QByteArray(kMostStartBytes * 4, 'x')}) {
            QLocalSocket caller;
            caller.connectToServer(name);
            QVERIFY(caller.waitForConnected());
            caller.write(said + '\n');
            QTRY_VERIFY(caller.canReadLine() || caller.state() == QLocalSocket::UnconnectedState);
            const bool isReadToItsEnd = said.size() < kMostStartBytes;  // otherwise its end may come before the answer
            if (isReadToItsEnd || caller.canReadLine()) QCOMPARE(readAnswer(caller.readLine()), StartAnswer::refused);
        }
        QLocalSocket silent;
        silent.connectToServer(name);
        silent.write("{\"format\"");
        QTRY_COMPARE_WITH_TIMEOUT(silent.state(), QLocalSocket::UnconnectedState, kMinuteMs);
        QVERIFY(starts.isEmpty());
    }
};

QTEST_MAIN(TestSingleWindow)
#include "test_single_window.moc"
