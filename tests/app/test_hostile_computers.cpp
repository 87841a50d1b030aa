#include <unistd.h>
#include <QTemporaryFile>
#include <algorithm>

#include "core/base/byte_channel.h"
#include "core/base/piped_child.h"
#include "core/computers/command_words.h"
#include "core/computers/file_calls.h"
#include "core/computers/file_names.h"
#include "core/computers/file_store.h"
#include "core/protocol/message.h"
#include "core/remote/message_channel.h"
#include "tests/app/other_computer.h"
#include "tests/app/stub_engine.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

namespace fs = std::filesystem;

/// Speaks to the kept engine without the client's classes.
class RawComputer {
public:
    explicit RawComputer(const std::string& command) : words_(computers::split_command(command)), child_(start()) {
        ignore_closed_readers();
        auto hello = std::get<protocol::Hello>(reader_.next(60).value());
        writer_.send(hello);
    }
    protocol::Answer call(const std::string& name, protocol::Json arguments) {
        writer_.send(protocol::Request{++last_, name, std::move(arguments)});
        while (auto message = reader_.next(60))
            if (auto* answer = std::get_if<protocol::Answer>(&*message); answer != nullptr && answer->id == last_)
                return *answer;
        return {};
    }

private:
    PipedChild start() { return {"/usr/bin/env", {words_.begin() + 1, words_.end()}}; }

    std::vector<std::string> words_;
    PipedChild child_;
    remote::MessageReader reader_{child_.output()};
    remote::MessageWriter writer_{child_.input()};
    protocol::RequestId last_ = 0;
};

/// The standard error of this process, while the object lives.
class StandardError {
public:
    StandardError() : before_(::dup(STDERR_FILENO)) {
        file_.open();
        ::dup2(file_.handle(), STDERR_FILENO);
    }
    ~StandardError() {
        ::dup2(before_, STDERR_FILENO);
        ::close(before_);
    }
    QByteArray text() {
        file_.seek(0);
        return file_.readAll();
    }

private:
    QTemporaryFile file_;
    const int before_;
};

}  // namespace

/// Programs and computers that send what they may not: each side refuses what the other one sends.
class TestHostileComputers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hostile_requests_are_refused_by_name() {
        using protocol::Json;
        const OtherComputer there;
        RawComputer raw(there.command());
        const std::string hash(64, 'a');
        const auto code = [&](const char* name, Json arguments) {
            const auto error = raw.call(name, std::move(arguments)).error;
            return error ? to_string(error->code()) : std::string_view("none");
        };
        const Json bytes = Json::binary({1, 2, 3});
        QCOMPARE(code("files.put", {"../../.ssh/authorized_keys", 3, 0, bytes}), "bad_request");
        QCOMPARE(code("files.put", {"inputs/" + hash, 3, 0, "text"}), "bad_request");
        QCOMPARE(code("files.put", {"inputs/" + hash, 2, 0, bytes}), "bad_request");
        QCOMPARE(code("files.put", {"inputs/" + hash, 3, 1, bytes}), "bad_request");
        QCOMPARE(code("files.put", {"inputs/" + hash, -3, 0, bytes}), "bad_request");
        QCOMPARE(code("files.put", {"inputs/" + hash, 1e30, 0, bytes}), "bad_request");
        QCOMPARE(code("files.put", Json::array({"inputs/" + hash})), "bad_request");
        QCOMPARE(code("files.put", {"inputs/" + hash, 3, 0, bytes}), "none");
        QCOMPARE(code("files.finish", {"inputs/" + hash, hash}), "bad_request");
        QCOMPARE(code("files.get", {"results/../../jobs/1/job.json", 0, 1}), "bad_request");
        QCOMPARE(code("files.get", {"/etc/passwd", 0, 1}), "bad_request");
        QCOMPARE(code("files.list", Json::array({".."})), "bad_request");
        QCOMPARE(code("files.remove", Json::array({"../.."})), "bad_request");
        QCOMPARE(code("models.match", Json::array({7})), "bad_request");
        QCOMPARE(code("jobs.submit_once", {"no token", Json::object()}), "bad_request");
        QCOMPARE(code("files.explode", Json::array()), "unsupported");
        QCOMPARE(code("files.about", Json::array()), "none");
        QVERIFY(!fs::exists(there.engine_folder() / ".ssh"));
    }

    /// A lost connection may deliver a request after its job was deleted.
    void a_withdrawn_request_is_not_queued() {
        using protocol::Json;
        const QTemporaryDir folder;
        const fs::path files = fs::path(folder.path().toStdString()) / "files";
        const auto calls = computers::file_calls(std::make_shared<computers::FileStore>(files), {});
        StubScript script;
        EventRecorder recorder;
        StubEngine engine(script, recorder);
        const auto error_in = [&](const std::string& name, const Json& arguments) {
            return error_of([&] { std::ranges::find(calls, name, &remote::Call::name)->run(engine, arguments, {}); });
        };
        const std::string token = computers::make_token();
        VideoRequest request;
        request.output.file = files / "results" / token / "video.mp4";
        script.jobs = {Job{.id = 1, .request = request}};
        QVERIFY(error_in("files.remove", Json::array({token})).has_value());  // its job would run without a folder
        script.jobs.clear();
        QVERIFY(!error_in("files.remove", Json::array({token})));
        QVERIFY(error_in("jobs.submit_once", Json::array({token, protocol::to_document(request)})).has_value());
        QVERIFY(script.submitted.empty());
    }

    void a_hostile_computer_is_refused_data() {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QString>("words");
        QTest::newRow("a name outside") << "outside"
                                        << "is not";
        QTest::newRow("another job") << "another_job"
                                     << "is not a result of this job";
        QTest::newRow("wrong hash") << "wrong_hash"
                                    << "another SHA-256";
        QTest::newRow("short part") << "short_part"
                                    << "wrong length";
        QTest::newRow("long part") << "long_part"
                                   << "wrong length";
        QTest::newRow("too large") << "too_large"
                                   << "bytes";
        QTest::newRow("negative size") << "negative"
                                       << "bytes";
        QTest::newRow("no list") << "no_list"
                                 << "not a list";
    }
    void a_hostile_computer_is_refused() {
        QFETCH(QString, mode);
        QFETCH(QString, words);
        UsedComputer computer(KINESCOPE_BIN_DIR "/../tests/hostile_computer " + mode.toStdString());
        const JobId job = computer->jobs().submit(small_request(computer.file("out/1.mp4"), 1));
        const auto failed = of_type<RunFailed>(computer.recorder.wait(job));
        QCOMPARE(failed.size(), std::size_t{1});
        QVERIFY2(QString::fromStdString(failed[0].error.message()).contains(words), failed[0].error.what());
        QVERIFY(!fs::exists(computer.file("out/1.mp4")));
        QVERIFY(!fs::exists(computer.file("evil")));
    }

    /// They could clear it, rename its window or inject input.
    void messages_of_a_hostile_computer_do_not_control_the_terminal() {
        QByteArray printed;
        {
            StandardError standard_error;
            UsedComputer computer(KINESCOPE_BIN_DIR "/../tests/hostile_computer escapes");
            computer.recorder.wait(computer->jobs().submit(small_request(computer.file("out/1.mp4"), 1)));
            computer.close();
            printed = standard_error.text();
        }
        QVERIFY2(printed.contains("]0;evil"), printed);
        QVERIFY2(printed.contains("last words"), printed);
        for (const char* control : {"\x1b", "\a", "\r", "\xc2\x9b"}) QVERIFY2(!printed.contains(control), printed);
    }
};

QTEST_GUILESS_MAIN(TestHostileComputers)
#include "test_hostile_computers.moc"
