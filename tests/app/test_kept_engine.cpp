#include <QTemporaryDir>
#include <QTest>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "core/api/version.h"
#include "core/base/local_socket.h"
#include "core/computers/kept_engine.h"
#include "core/remote/engine_connection.h"
#include "core/remote/message_channel.h"
#include "tests/app/stub_engine.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

namespace fs = std::filesystem;

/// A kept engine in this process.
class KeptHere {
public:
    explicit KeptHere(std::vector<Job> jobs) {
        script_.jobs = std::move(jobs);
        thread_ = std::thread([this] {
            computers::keep_engine({.folder = folder(),
                                    .files = folder() / "files",
                                    .version = kVersion,
                                    .longest_greeting_seconds = 3,
                                    .idle_seconds = 1},
                                   [this](RunObserver& observer) {
                                       observer_.set_value(&observer);
                                       return std::make_unique<StubEngine>(script_, observer);
                                   });
        });
        events_ = observer_.get_future().get();
    }
    /// The engine ends a second after its last program.
    ~KeptHere() { thread_.join(); }
    void send(JobId job, const RunEvent& event) { events_->on_event(job, event); }
    LocalConnection connect() const {
        for (;;) {
            if (auto connection = connect_locally(folder() / "engine.sock")) return std::move(*connection);
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }

private:
    fs::path folder() const { return fs::path(parent_.path().toStdString()) / "engine"; }

    QTemporaryDir parent_;
    StubScript script_;
    std::promise<RunObserver*> observer_;
    RunObserver* events_ = nullptr;
    std::thread thread_;
};

/// A program that is connected to a kept engine.
class Program {
public:
    explicit Program(LocalConnection connection) : connection_(std::move(connection)) {
        writer_.send(std::get<protocol::Hello>(reader_.next().value()));
    }
    /// The events that arrive before the second heartbeat, which follows a second without a message.
    std::vector<protocol::EventMessage> first_events() {
        std::vector<protocol::EventMessage> events;
        for (int heartbeats = 0; heartbeats < 2;) {
            const auto message = reader_.next();
            if (!message) break;
            if (std::holds_alternative<protocol::Heartbeat>(*message)) ++heartbeats;
            if (const auto* event = std::get_if<protocol::EventMessage>(&*message)) events.push_back(*event);
        }
        return events;
    }

private:
    LocalConnection connection_;
    remote::MessageReader reader_{connection_.in};
    remote::MessageWriter writer_{connection_.out};
};

/// The reason for which an engine ends this connection; empty: none.
std::string refusal_of(LocalConnection& connection) {
    remote::MessageReader reader(connection.in);
    std::string refusal;
    while (const auto message = reader.next())
        if (const auto* answer = std::get_if<protocol::Answer>(&*message)) refusal = answer->error.value().message();
    return refusal;
}

}  // namespace

class TestKeptEngine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_program_that_connects_late_gets_the_queue_and_the_newest_progress() {
        constexpr JobId kJob = 5;
        Job job;
        job.id = kJob;
        job.request.prompt = "a kite";
        KeptHere engine({job});
        engine.send(kJob, RunStarted{});
        engine.send(kJob, PhaseStarted{Phase::decode, 10});
        for (int chunk = 1; chunk <= 3; ++chunk) {
            engine.send(kJob, PhaseProgress{Phase::decode, chunk, 10, 0.5 * chunk});
            engine.send(kJob, FinishProgress{.finish_id = 0, .done = 2 * chunk, .total = 40});
        }
        const auto events = Program(engine.connect()).first_events();
        QCOMPARE(events.size(), std::size_t{5});
        QCOMPARE(std::get<QueueChanged>(events[0].event).jobs.at(0).request.prompt, std::string("a kite"));
        QVERIFY(std::holds_alternative<RunStarted>(events[1].event));
        QCOMPARE(std::get<PhaseStarted>(events[2].event).phase, Phase::decode);
        QCOMPARE(std::get<PhaseProgress>(events[3].event).done, 3);
        QCOMPARE(std::get<PhaseProgress>(events[3].event).seconds, 1.5);
        QCOMPARE(std::get<FinishProgress>(events[4].event).done, 6);
        QCOMPARE(events[4].job, kJob);
    }

    void the_progress_of_an_earlier_phase_is_not_repeated() {
        constexpr JobId kJob = 5;
        KeptHere engine({});
        engine.send(kJob, RunStarted{});
        engine.send(kJob, PhaseStarted{Phase::decode, 10});
        engine.send(kJob, PhaseProgress{Phase::decode, 3, 10, 1});
        engine.send(kJob, FinishProgress{.finish_id = 0, .done = 4, .total = 40});
        engine.send(kJob, PhaseStarted{Phase::save, 40});
        const auto saving = Program(engine.connect()).first_events();
        QCOMPARE(saving.size(), std::size_t{4});
        QCOMPARE(std::get<FinishProgress>(saving[3].event).done, 4);  // the save phase continues with these frames
        engine.send(kJob, PhaseStarted{Phase::load, 0});              // of the next part
        const auto loading = Program(engine.connect()).first_events();
        QCOMPARE(loading.size(), std::size_t{3});
        QCOMPARE(std::get<PhaseStarted>(loading[2].event).phase, Phase::load);
    }

    void a_program_that_does_not_greet_is_refused() {
        KeptHere engine({});
        LocalConnection silent = engine.connect();
        QCOMPARE(refusal_of(silent), std::string("the program does not greet"));
    }

    void a_program_too_many_is_refused() {
        KeptHere engine({});
        std::vector<std::unique_ptr<Program>> programs;
        for (int i = 0; i < 16; ++i) programs.push_back(std::make_unique<Program>(engine.connect()));
        LocalConnection one_more = engine.connect();
        QCOMPARE(refusal_of(one_more), std::string("this engine serves 16 programs already"));
    }

    /// The system accepts connections for a process that is stopped.
    void an_engine_that_hangs_before_its_greeting_is_named() {
        const QTemporaryDir parent;
        const fs::path folder = fs::path(parent.path().toStdString()) / "engine";
        make_private_folder(folder);
        const LocalListener stopped(folder / "engine.sock");
        try {
            computers::relay_to_kept_engine(folder,
                                            {.program = "/bin/false", .arguments = {}, .longest_greeting_seconds = 1});
            QFAIL("it has greeted");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::engine_lost);
            QVERIFY2(error.message() == "the engine runs, but it does not greet", error.what());
        }
    }

    void a_command_that_hangs_is_named() {
        remote::MessageQueue events;
        try {
            const remote::EngineConnection connection(
                {.program = "/bin/sleep", .arguments = {"600"}, .version = kVersion, .longest_greeting_seconds = 1},
                {.events = events, .on_event = [](const protocol::EventMessage&) {}, .on_end = [] {}});
            QFAIL("it has greeted");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::engine_lost);
            QVERIFY2(error.message() == "'/bin/sleep' runs, but it does not greet", error.what());
        }
    }
};

QTEST_GUILESS_MAIN(TestKeptEngine)
#include "test_kept_engine.moc"
