#include <pthread.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <future>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "core/api/error.h"
#include "core/base/child_process.h"
#include "core/base/child_server.h"
#include "tests/support/children.h"

using namespace kinescope;

namespace {

/// Returns a child process that runs a shell script. The script reads the messages from stdin; `cat` echoes each
/// message.
ServerProgram shell(const std::string& script, const AnswerLimits& limits = {}) {
    return {.program = "/bin/sh", .arguments = {"-c", script}, .limits = limits};
}

constexpr std::string_view kBurn = "--burn";

/// The work of this program as a child: uses CPU time, as many seconds as the message says.
std::string burn(std::string_view message) {
    const std::clock_t end = std::clock() + static_cast<std::clock_t>(std::stod(std::string(message)) * CLOCKS_PER_SEC);
    while (std::clock() < end) continue;
    return std::string(message);
}

constexpr std::string_view kHeld = "--held";

/// The work of this program as a child that a drive holds: it cannot end, not even by SIGKILL. A second process holds
/// it as a debugger does, until the folder contains the file "release". The file "held" has its number.
int be_held(const std::filesystem::path& folder) {
    ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    if (::fork() == 0) {
        const pid_t held = ::getppid();
        const bool is_held = ::ptrace(PTRACE_SEIZE, held, nullptr, PTRACE_O_TRACEEXIT) == 0;
        std::ofstream(folder / "number") << (is_held ? held : 0);
        std::filesystem::rename(folder / "number", folder / "held");
        for (int i = 0; i < 3000 && !std::filesystem::exists(folder / "release"); ++i) ::usleep(20'000);
        ::_exit(0);
    }
    for (;;) ::pause();
}

constexpr std::string_view kReplaced = "--replaced";

/// The same for the first child of this folder, after it has closed its input and output. The next one answers.
int be_replaced(const std::filesystem::path& folder) {
    if (std::filesystem::exists(folder / "held"))
        return serve_parent([](std::string_view message) { return std::string(message); }, {});
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO}) ::close(stream);
    return be_held(folder);
}

std::string failure_of(ChildServer& child) {
    try {
        child.ask("a");
    } catch (const ChildFailed& failure) {
        return failure.what();
    }
    return "answered";
}

/// While it exists, no thread can be started: no memory suffices for its stack.
class NoThreads {
public:
    NoThreads() {
        pthread_getattr_default_np(&former_);
        pthread_attr_t huge{};
        pthread_attr_init(&huge);
        pthread_attr_setstacksize(&huge, std::size_t{1} << 47);
        pthread_setattr_default_np(&huge);
        pthread_attr_destroy(&huge);
    }
    ~NoThreads() {
        pthread_setattr_default_np(&former_);
        pthread_attr_destroy(&former_);
    }
    NoThreads(const NoThreads&) = delete;
    NoThreads& operator=(const NoThreads&) = delete;

private:
    pthread_attr_t former_{};
};

}  // namespace

class TestChildServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void one_child_answers_many_messages() {
        ChildServer child(shell("exec cat"));
        for (const std::size_t size : {0U, 5U, 50'000U})
            QCOMPARE(child.ask(std::string(size, 'x')), std::string(size, 'x'));
    }

    /// Simulates a child that exits after a long idle time.
    void an_exited_child_is_restarted() {
        ChildServer child(shell("exec head -c 9"));
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(child.ask("a"), std::string("a"));
            QTest::qWait(100);
        }
    }

    /// Such as a child that was idle for too long.
    void an_exited_child_is_reaped_without_a_further_message() {
        ChildServer child(shell("exec head -c 9"));
        QCOMPARE(child.ask("a"), std::string("a"));
        siginfo_t ignored{};
        QTRY_VERIFY(::waitid(P_ALL, 0, &ignored, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD);
        QCOMPARE(child.ask("b"), std::string("b"));
    }

    void the_signal_that_killed_a_child_is_known() {
        const auto signal_of = [](const char* script) {
            ChildServer child(shell(script));
            try {
                child.ask("a");
            } catch (const ChildFailed& failure) {
                return failure.signal();
            }
            return -1;
        };
        QCOMPARE(signal_of("head -c 9 >/dev/null; kill -KILL $$"), SIGKILL);
        QCOMPARE(signal_of("head -c 9 >/dev/null; exit 3"), 0);
    }

    void a_failed_child_is_reported_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("words");
        QTest::newRow("signal") << "head -c 9 >/dev/null; kill -SEGV $$"
                                << "was killed by SIGSEGV";
        QTest::newRow("exit") << "head -c 9 >/dev/null; exit 3"
                              << "ended with exit code 3";
        QTest::newRow("truncated answer") << "head -c 5; exit 0"
                                          << "ended with exit code 0";
        QTest::newRow("impossible length")
            << "head -c 9 >/dev/null; printf '\\377\\377\\377\\377\\377\\377\\377\\377'; sleep 60"
            << "sent an invalid answer";
        QTest::newRow("hangs") << "exec sleep 60"
                               << "did not answer within 1 s";
        QTest::newRow("hangs within an answer") << "head -c 8; exec sleep 60"
                                                << "did not answer within 1 s";
    }
    void a_failed_child_is_reported() {
        QFETCH(QString, script);
        QFETCH(QString, words);
        ChildServer child(shell(script.toStdString(), {.wall_seconds = 1}));
        for (int i = 0; i < 2; ++i) QCOMPARE(QString::fromStdString(failure_of(child)), words);
    }

    /// Its file keeps the processor busy forever, for example.
    void a_child_that_computes_for_too_long_is_ended() {
        ChildServer child(shell("while :; do :; done", {.cpu_seconds = 1}));
        for (int i = 0; i < 2; ++i) QCOMPARE(failure_of(child), std::string("did not answer within 1 s of CPU time"));
    }

    /// As it does on a busy computer, or if a drive is slow.
    void a_child_that_waits_may_take_longer_than_its_cpu_time() {
        ChildServer child(shell("sleep 2; exec cat", {.cpu_seconds = 1}));
        QCOMPARE(child.ask("a"), std::string("a"));
    }

    void each_answer_may_take_the_whole_cpu_time() {
        ChildServer child({.program = std::filesystem::read_symlink("/proc/self/exe"),
                           .arguments = {std::string(kBurn)},
                           .limits = {.cpu_seconds = 2}});
        for (int i = 0; i < 4; ++i) QCOMPARE(child.ask("0.8"), std::string("0.8"));
        QVERIFY_EXCEPTION_THROWN(child.ask("1000"), ChildFailed);
    }

    void a_child_that_does_not_answer_is_ended_as_soon_as_the_request_is_cancelled() {
        const QTemporaryDir folder;
        const std::string file = folder.filePath("asked").toStdString();
        ChildServer child(shell("[ -e " + file + " ] && exec cat; : > " + file + "; exec sleep 600"));
        QVERIFY_THROWS_EXCEPTION(Cancelled, child.ask("a", [&] { return std::filesystem::exists(file); }));
        siginfo_t ignored{};
        QTRY_VERIFY(::waitid(P_ALL, 0, &ignored, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD);
        QCOMPARE(child.ask("a"), std::string("a"));
    }

    /// The other one may wait for minutes for its answer.
    void a_request_that_waits_for_another_one_can_be_cancelled() {
        ChildServer child(shell("exec sleep 600"));
        std::atomic<bool> waits = false;
        std::atomic<bool> is_over = false;
        auto other = std::async(std::launch::async, [&] {
            try {
                child.ask("a", [&] {
                    waits = true;
                    return is_over.load();
                });
            } catch (const Cancelled&) {
                return true;
            }
            return false;
        });
        const auto end = qScopeGuard([&] { is_over = true; });  // the future waits for it
        QTRY_VERIFY(waits);
        QVERIFY_THROWS_EXCEPTION(Cancelled, child.ask("b", [] { return true; }));
        QVERIFY(other.wait_for(std::chrono::seconds(0)) != std::future_status::ready);
        is_over = true;
        QVERIFY(other.get());
    }

    /// As with a file on a network drive that does not answer.
    void a_child_that_cannot_be_killed_does_not_keep_the_caller() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        pid_t held = 0;
        {
            ChildServer child({.program = std::filesystem::read_symlink("/proc/self/exe"),
                               .arguments = {std::string(kHeld), path.string()}});
            QVERIFY_THROWS_EXCEPTION(Cancelled, child.ask("a", [&] { return std::filesystem::exists(path / "held"); }));
            std::ifstream(path / "held") >> held;
            if (held == 0) QSKIP("a process cannot be held here");
            QVERIFY(testing::is_running(held));
        }
        std::ofstream(path / "release") << "now";
        QTRY_VERIFY(!testing::is_running(held));
    }

    /// It was idle for too long, and waits for a drive that does not answer when it closes its files.
    void a_child_that_cannot_end_by_itself_is_replaced() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        pid_t held = 0;
        {
            ChildServer child({.program = std::filesystem::read_symlink("/proc/self/exe"),
                               .arguments = {std::string(kReplaced), path.string()}});
            const std::string failure = failure_of(child);
            std::ifstream(path / "held") >> held;
            if (held == 0) QSKIP("a process cannot be held here");
            QCOMPARE(failure, std::string("answered"));
            QVERIFY(testing::is_running(held));
        }
        std::ofstream(path / "release") << "now";
        QTRY_VERIFY(!testing::is_running(held));
    }

    /// The child has closed its output some time before it ends.
    void a_child_can_end_by_itself_without_a_thread_that_waits() {
        const NoThreads none;
        QVERIFY_EXCEPTION_THROWN(std::thread([] {}).join(), std::system_error);
        ChildServer child(shell("head -c 9 >/dev/null; exec <&- >&-; sleep 0.3; exit 3"));
        for (int i = 0; i < 2; ++i) QCOMPARE(failure_of(child), std::string("ended with exit code 3"));
        ChildServer late(shell("head -c 9 >/dev/null; exec <&- >&-; exec sleep 60"));
        QCOMPARE(failure_of(late), std::string("was killed by SIGKILL"));
    }

    /// A terminal or a service manager sends its signals to all processes of a program, also to one that still loads.
    void signals_to_the_program_do_not_end_a_child_that_starts() {
        const std::string signals = "kill -TERM $$; kill -HUP $$; kill -INT $$; kill -USR1 $$; ";
        ChildServer child(shell(signals + "exec cat"));
        QCOMPARE(child.ask("a"), std::string("a"));
        const ChildEnd end = run_child({.program = "/bin/sh", .arguments = {"-c", signals + "echo done"}});
        QCOMPARE(end.signal, 0);
        QCOMPARE(end.output, std::string("done\n"));
    }

    /// As in a program that handles signals: they interrupt the calls that wait for the child.
    void signals_to_the_program_do_not_end_the_wait_for_a_child() {
        struct sigaction ignoring {};
        struct sigaction before {};
        ignoring.sa_handler = [](int) {};
        ::sigaction(SIGUSR2, &ignoring, &before);
        std::atomic<bool> is_over = false;
        std::thread signals([&is_over, waiting = ::pthread_self()] {
            while (!is_over) {
                ::pthread_kill(waiting, SIGUSR2);
                ::usleep(1000);
            }
        });
        const ChildEnd end =
            run_child({.program = "/bin/sh", .arguments = {"-c", "sleep 0.2; echo done; exec >&-; sleep 0.2; exit 3"}});
        is_over = true;
        signals.join();
        ::sigaction(SIGUSR2, &before, nullptr);
        QCOMPARE(end.output, std::string("done\n"));
        QCOMPARE(end.exit_code, 3);
    }

    void a_caller_that_no_longer_waits_ends_the_child() {
        const QTemporaryDir folder;
        const auto number = std::filesystem::path(folder.path().toStdString()) / "number";
        const std::string script = "echo $$ >'" + number.string() + ".part'; mv '" + number.string() + ".part' '" +
                                   number.string() + "'; exec sleep 600";
        QVERIFY_EXCEPTION_THROWN(run_child({.program = "/bin/sh",
                                            .arguments = {"-c", script},
                                            .time_limit_seconds = 300,
                                            .is_cancelled = [&] { return std::filesystem::exists(number); }}),
                                 Cancelled);
        pid_t child = 0;
        std::ifstream(number) >> child;
        QVERIFY(child > 0);
        QVERIFY(!testing::is_running(child));
    }

    /// The limit finds a child that hangs, not one whose work is slow.
    void a_child_that_goes_on_writing_has_time() {
        const auto run = [](const std::string& script) {
            return run_child({.program = "/bin/sh", .arguments = {"-c", script}, .time_limit_seconds = 4});
        };
        const ChildEnd slow = run("for i in 1 2 3 4 5 6 7 8 9; do echo $i; sleep 0.6; done; exit 3");
        QVERIFY(!slow.timed_out);
        QCOMPARE(slow.output, std::string("1\n2\n3\n4\n5\n6\n7\n8\n9\n"));
        QCOMPARE(slow.exit_code, 3);
        const ChildEnd silent = run("echo 1; exec sleep 60");
        QVERIFY(silent.timed_out);
        QCOMPARE(silent.output, std::string("1\n"));
    }

    /// The parent was killed, for example.
    void a_service_ends_with_its_parent_while_it_answers() {
        std::array<int, 2> ends{};
        QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
        const pid_t service = ::fork();
        if (service == 0) {
            ::close(ends[0]);
            for (const int stream : {STDIN_FILENO, STDOUT_FILENO}) ::dup2(ends[1], stream);
            ::close(ends[1]);
            const auto answer = [](std::string_view) -> std::string { return ::sleep(60), std::string(); };
            ::_exit(serve_parent(answer, {}));
        }
        ::close(ends[1]);
        const std::array<char, 9> message{1, 0, 0, 0, 0, 0, 0, 0, 'x'};
        QCOMPARE(::write(ends[0], message.data(), message.size()), ssize_t{9});
        QTest::qWait(200);
        QCOMPARE(::waitpid(service, nullptr, WNOHANG), 0);
        ::close(ends[0]);
        bool has_ended = false;
        QTRY_VERIFY(has_ended = has_ended || ::waitpid(service, nullptr, WNOHANG) == service);
    }

    void a_missing_program_is_an_error() {
        ChildServer child({.program = "/nowhere/program", .arguments = {}});
        QVERIFY_EXCEPTION_THROWN(child.ask("a"), Error);
    }
};

int main(int argc, char** argv) {
    if (argc == 2 && argv[1] == kBurn) return serve_parent(burn, {.memory = LimitedMemory::data});
    if (argc == 3 && argv[1] == kHeld) return be_held(argv[2]);
    if (argc == 3 && argv[1] == kReplaced) return be_replaced(argv[2]);
    QCoreApplication application(argc, argv);
    TestChildServer test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_child_server.moc"
