#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <csignal>
#include <thread>

#include "core/base/stopwatch.h"
#include "core/computers/computer_group.h"
#include "core/computers/computer_link.h"
#include "core/protocol/message.h"
#include "tests/app/other_computer.h"
#include "tests/support/file_bytes.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

namespace fs = std::filesystem;

}  // namespace

/// Computers that cannot be reached, hang, or have another version. See test_computers.
class TestComputerConnections : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void what_cannot_be_reached_is_named_data() {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("cause");
        QTest::addColumn<QString>("lines");
        QTest::newRow("no program here") << "no-such-program serve"
                                         << "no_program_here"
                                         << "";
        QTest::newRow("no program there") << "sh -c 'exec no-such-kinescope serve'"
                                          << "no_program"
                                          << "exec: no-such-kinescope: not found";
        QTest::newRow("unknown host") << "ssh no-such-host.invalid kinescope-cli serve --keep"
                                      << "unknown_host"
                                      << "ssh: Could not resolve hostname";
        QTest::newRow("no server") << "ssh -p 1 127.0.0.1 kinescope-cli serve --keep"
                                   << "refused"
                                   << "ssh: connect to host 127.0.0.1";
        QTest::newRow("text") << "echo hello"
                              << "not_engine"
                              << "";
        QTest::newRow("text and messages") << "sh -c 'echo looking for paper >&2; echo hello'"
                                           << "not_engine"
                                           << "looking for paper";
        QTest::newRow("echo") << "cat"
                              << "not_engine"
                              << "";
        QTest::newRow("no output") << "true"
                                   << "other"
                                   << "";
        QTest::newRow("messages") << "sh -c 'echo out of paper >&2'"
                                  << "other"
                                  << "out of paper";
    }
    void what_cannot_be_reached_is_named() {
        QFETCH(QString, command);
        UsedComputer computer(command.toStdString());
        const auto error = error_of([&] { computer.engine().facts(); });
        QTEST(QString::fromStdString(error.value().arguments().at("cause")), "cause");
        QFETCH(QString, lines);
        const auto told = error.value().arguments().find("lines");
        const std::string printed = told == error.value().arguments().end() ? "" : told->second;
        QVERIFY2(QString::fromStdString(printed).contains(lines), printed.c_str());
        QCOMPARE(printed.empty(), lines.isEmpty());
        QCOMPARE(computer.engine().status().state, ComputerState::unreachable);
        const JobId job = computer->jobs().submit(small_request(computer.file("out/1.mp4"), 1));
        QCOMPARE(computer->jobs().find(job)->state, JobState::waiting);
        computer->jobs().cancel(job);
        QCOMPARE(of_type<RunCancelled>(computer.recorder.wait(job)).size(), std::size_t{1});
    }

    /// The output of a process stays open while another process holds it.
    void the_end_of_a_command_is_noticed_although_its_output_is_held() {
        UsedComputer computer("sh -c 'sleep 200 & echo out of paper >&2'");
        const Stopwatch watch;
        const auto error = error_of([&] { computer.engine().facts(); });
        QVERIFY2(watch.seconds() < 60, qPrintable(QString::number(watch.seconds())));
        QCOMPARE(error.value().arguments().at("cause"), std::string("other"));
        QCOMPARE(error->arguments().at("lines"), std::string("out of paper"));
    }

    void a_command_can_end_before_the_engine_that_it_started() {
        const OtherComputer there;
        UsedComputer computer("sh -c 'exec 3<&0; " + there.command() + " <&3 3<&- &'");
        QVERIFY(!computer.engine().facts().devices.empty());
    }

    void another_command_replaces_one_that_hangs() {
        const OtherComputer there;
        UsedComputer computer("sh -c 'sleep 200; true'");
        std::optional<Error> error;
        std::jthread user([&] { error = error_of([&] { computer.engine().facts(); }); });
        QTRY_COMPARE(computer.engine().status().state, ComputerState::connecting);
        const Stopwatch watch;
        computer.engine().change({"studio", there.command(), {}});
        QVERIFY2(watch.seconds() < 60, qPrintable(QString::number(watch.seconds())));
        user.join();
        QCOMPARE(error.value().code(), ErrorCode::engine_lost);
        QVERIFY(!computer.engine().facts().devices.empty());
    }

    /// Orders name jobs by ids that another engine gives to other jobs, so that the queues are compared first.
    void an_order_does_not_reach_a_connection_that_is_newer_than_its_id() {
        const OtherComputer there;
        std::atomic<int> first_seen = -1;
        std::optional<computers::ComputerLink> link;
        link.emplace(
            Computer{"studio", there.command(), {}}, kVersion,
            computers::ComputerLink::Receiver{.on_event = [](JobId, const RunEvent&) {},
                                              .on_change =
                                                  [&] {
                                                      if (first_seen < 0 && link->state() == ComputerState::connected)
                                                          first_seen = link->generation();
                                                  }});
        const auto order = [&link](int generation) {
            return error_of([&] { link->call_over(generation, "jobs.list", protocol::Json::array()); });
        };
        QVERIFY(order(0).has_value());
        QCOMPARE(link->generation(), 0);  // an order does not connect
        QCOMPARE(link->open(), 1);
        QCOMPARE(first_seen.load(), 1);
        QVERIFY(!order(1).has_value());
        ::kill(newest_connection(), SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(order(1).has_value(), 20'000);
        QCOMPARE(link->open(), 2);
        QVERIFY(order(1).has_value());
        QVERIFY(!order(2).has_value());
    }

    void a_connection_that_hangs_is_given_up_on_request() {
        std::stop_source cancel;
        computers::ComputerLink link({"studio", "sh -c 'sleep 100; true'", {}}, "1",
                                     {.on_event = [](JobId, const RunEvent&) {}, .on_change = [] {}},
                                     computers::ConnectionTest{cancel.get_token()});
        const Stopwatch watch;
        const std::jthread user([&cancel] {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            cancel.request_stop();
        });
        const auto error = error_of([&] { link.call("jobs.list", protocol::Json::array(), remote::AfterLoss::fail); });
        QCOMPARE(error.value().code(), ErrorCode::engine_lost);
        QVERIFY(watch.seconds() < 60);  // without the request, it is waited for until it ends
    }

    /// ssh does not end, either, while a program there holds its output.
    void a_test_ends_a_command_that_goes_on_after_the_answer() {
        const OtherComputer there;
        const QTemporaryDir folder;
        EventRecorder recorder;
        const fs::path end = folder.filePath("end").toStdString();
        const Computer computer{"studio", "sh -c '" + there.command() + "; sleep 20; touch " + end.string() + "'", {}};
        const auto group = computers::make_computer_group(
            [&folder](RunObserver& observer) { return local_engine(folder.filePath("jobs"), observer); },
            {.version = kVersion,
             .list = folder.filePath("computers.json").toStdString(),
             .ledgers = folder.filePath("ledgers").toStdString()},
            recorder);
        QVERIFY(computers_of(*group)->test(computer, {}).num_models >= 1);
        QVERIFY(!fs::exists(end));  // the command did not reach its end
    }

    void a_list_of_computers_that_could_not_be_read_is_not_replaced() {
        const QTemporaryDir folder;
        EventRecorder recorder;
        const fs::path list = folder.filePath("computers.json").toStdString();
        std::ofstream(list) << "{";
        const auto group = computers::make_computer_group(
            [&folder](RunObserver& observer) { return local_engine(folder.filePath("jobs"), observer); },
            {.version = kVersion, .list = list, .ledgers = folder.filePath("ledgers").toStdString()}, recorder);
        const auto error = error_of([&] { computers_of(*group)->save({{"studio", "ssh studio", {}}}); });
        QVERIFY(error.has_value());
        QVERIFY(error->message().find(list.string()) != std::string::npos);
        QCOMPARE(contents_of(list), std::string("{"));
    }

    /// A script takes the part of sbatch.
    void a_cluster_whose_controller_does_not_answer_is_named() {
        const QTemporaryDir shared;
        const fs::path folder = shared.path().toStdString();
        const OtherComputer there;
        const auto answer = [&folder](const std::string& script) {
            std::ofstream(folder / "sbatch") << "#!/bin/sh\n" << script << '\n';
            fs::permissions(folder / "sbatch", fs::perms(0755));
        };
        answer("echo 'sbatch: error: Unable to contact slurm controller (connect failure)' >&2; exit 1");
        UsedComputer computer("env PATH=" + folder.string() + ":/usr/bin:/bin " + there.command().substr(4) +
                              " --slurm --shared-dir " + folder.string());
        const auto error = error_of([&] { computer.engine().facts(); });
        QVERIFY2(error.value().message().find("does not reach the cluster's controller") != std::string::npos,
                 error->what());
        answer("exit 0");
        QVERIFY(!computer.engine().facts().devices.empty());
    }

    void another_version_is_named() {
        const OtherComputer there;
        UsedComputer computer(there.command(), "9.9.9");
        const auto error = error_of([&] { computer.engine().facts(); });
        QCOMPARE(error.value().arguments().at("cause"), std::string("other_version"));
        QCOMPARE(error->arguments().at("engine"), std::string(kVersion));
        QCOMPARE(error->arguments().at("program"), std::string("9.9.9"));
    }

    /// A window tries to connect as long as a job is open.
    void an_engine_of_another_version_ends_although_programs_ask_for_it() {
        const OtherComputer there;
        UsedComputer(there.command()).engine().facts();
        const pid_t outdated = there.engine_process();
        QVERIFY(outdated > 0);
        UsedComputer computer(there.command(), "9.9.9");
        QTRY_VERIFY_WITH_TIMEOUT(error_of([&] { computer.engine().facts(); }) && there.engine_process() != outdated,
                                 60'000);
    }

    void a_folder_that_cannot_be_written_there_is_named() {
        const OtherComputer there;
        fs::create_directories(there.engine_folder().parent_path());
        std::ofstream(there.engine_folder()) << "not a folder";
        UsedComputer computer(there.command());
        const auto error = error_of([&] { computer.engine().facts(); });
        QVERIFY2(error.value().arguments().at("cause") == "not_writable", error->what());
        fs::remove(there.engine_folder());
    }
};

QTEST_GUILESS_MAIN(TestComputerConnections)
#include "test_computer_connections.moc"
