#include <QFile>
#include <QTest>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/api/engine.h"
#include "core/protocol/message.h"
#include "core/protocol/protocol_error.h"
#include "core/protocol/schema.h"

using namespace kinescope;
using namespace kinescope::protocol;

namespace {

Bytes payload(const std::vector<std::uint8_t>& bytes) {
    return Bytes(bytes).subspan(kLengthBytes);
}

/// Encodes and decodes a message.
template <class Known>
Known round_trip(const Known& message) {
    const std::vector<std::uint8_t> bytes = encode(message);
    if (decode_length(Bytes(bytes).first(kLengthBytes)) != bytes.size() - kLengthBytes)
        throw ProtocolError("the length is wrong");
    return std::get<Known>(decode(payload(bytes)));
}

/// Two values are equal if they have the same document.
template <class Event>
void check_event(const Event& event) {
    const EventMessage sent{7, event};
    const EventMessage received = round_trip(sent);
    QCOMPARE(received.job, JobId{7});
    QVERIFY(std::holds_alternative<Event>(received.event));
    QVERIFY(encode(received) == encode(sent));
}

ModelCard full_card() {
    ModelCard card;
    card.id = "builtin";
    card.tasks = {Task::text_to_video, Task::image_to_video};
    card.sizes = {{256, 144}, {144, 256}};
    card.default_guidance_scale_2 = 3.5;
    card.extra_fields = {{"motion_bucket_id", 127, 0, 255}};
    card.vocabulary = {{"ball", "red"}, "use few words"};
    card.latent_rgb_factors = {{0.1, 0.2, 0.3}};
    return card;
}

VideoRequest full_request() {
    VideoRequest request;
    request.model = "/models/a";
    request.components = {{"vae", "/models/b.safetensors"}};
    request.loras = {{"/models/c.safetensors", -0.3}};
    request.prompt = "a \"red\" ball\n";
    request.negative_prompt = "";
    request.conditions = {{"/i.png", 3, 0.1}};
    request.width = 256;
    request.guidance_scale = 0.1;
    request.seed = std::numeric_limits<std::uint64_t>::max();
    request.overrides = std::vector<OverrideRequest>{};
    request.reproducible = 0;
    request.max_memory_bytes = 123'456'789'012;
    request.output.file = "/v/\xff.mp4";
    request.output.crf = 20;
    request.output.settings = SettingsInFile::left_out;
    request.originals = {{"/inputs/i.png", "/home/\xff.png"}};
    return request;
}

QString refusal_of(const Json& message) {
    try {
        decode(Json::to_cbor(message));
    } catch (const ProtocolError& error) {
        return error.what();
    }
    return QStringLiteral("accepted");
}

Json valid_event() {
    return {{"event", {{"job", 1}, {"event", {{"LogLine", {{"level", "info"}, {"text", "a"}, {"topic", "other"}}}}}}}};
}

}  // namespace

class TestMessage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void messages_survive_a_round_trip() {
        const Hello hello = round_trip(Hello{.version = "1.2", .schema = "abc", .heartbeat_seconds = 0.5});
        QCOMPARE(hello.program, std::string("kinescope"));
        QCOMPARE(hello.protocol, 1);
        QCOMPARE(hello.heartbeat_seconds, 0.5);
        Json newer = Json::from_cbor(payload(encode(hello)));
        newer["hello"]["languages"] = {"en"};
        QCOMPARE(std::get<Hello>(decode(Json::to_cbor(newer))).version, std::string("1.2"));
        const Request request = round_trip(Request{5, "jobs.pause", Json::array({1, "at_once"})});
        QCOMPARE(request.call, std::string("jobs.pause"));
        QVERIFY(request.arguments == Json::array({1, "at_once"}));
        const Answer answer =
            round_trip(Answer{.id = 5, .error = Error(ErrorCode::disk_full, "full", "delete", {{"path", "/v"}})});
        QCOMPARE(answer.error->code(), ErrorCode::disk_full);
        QCOMPARE(answer.error->hint(), std::string("delete"));
        QCOMPARE(answer.error->arguments().at("path"), std::string("/v"));
        round_trip(Heartbeat{});
    }

    void frames_are_sent_as_bytes() {
        const auto frame = std::make_shared<Frame>(Frame{2, 3, std::vector<std::uint8_t>(18, 200)});
        const std::vector<std::uint8_t> bytes = encode(AnswerFrames{1, {frame}});
        QVERIFY(bytes.size() < 100);
        const AnswerFrames received = round_trip(AnswerFrames{1, {frame}});
        QCOMPARE(received.frames.at(0)->height, 3);
        QVERIFY(received.frames.at(0)->pixels == frame->pixels);
    }

    void every_event_survives_a_round_trip() {
        const double nan = std::nan("");
        check_event(RunStarted{full_request(), full_card(), {{"vae", "float16", "float32", "float32", "float32"}}});
        check_event(PhaseStarted{Phase::decode, 3});
        check_event(PhaseProgress{Phase::load, 1, 2, 0.1});
        check_event(
            StepCompleted{1, 2, 999, 0.5, 0.25, {.count = 4, .min = nan}, {}, {1, 2}, -1, 1, PredictionSource::reused});
        const auto frame = std::make_shared<Frame>(Frame{1, 1, {1, 2, 3}});
        check_event(PreviewReady{PreviewKind::decoded, 1, 2, 3, 4, {5, 6}, {frame, frame}});
        NumericSample sample{.step = 2, .branch = "cond", .component = "vae", .site = "a.b"};
        sample.precision = {ElementType::float16, PrecisionLevel::scaled};
        sample.kind = SiteKind::latents_unchanged;
        check_event(NumericsReady{{sample}});
        const OnDevice on_cpu{"cpu", ComputePrecision{ElementType::float32, PrecisionLevel::float32}};
        for (const ComputeMode& mode :
             {ComputeMode{}, ComputeMode{AsPlanned{}}, ComputeMode{sample.precision}, ComputeMode{on_cpu}})
            check_event(GuardActed{Phase::denoise,
                                   1,
                                   "a",
                                   Detector::float8,
                                   {"c", {{"k", "v"}}, "text"},
                                   GuardAction::move_to_cpu,
                                   mode,
                                   mode,
                                   1,
                                   0.5});
        check_event(LogLine{LogLineLevel::note, "a"});
        check_event(LogLine{LogLineLevel::warning, "a", LogTopic::unsaved_steps});
        check_event(
            RunFinished{{.output = "/v/a.mp4", .status = RunStatus::healed, .seconds_by_phase = {{"load", 0.5}}}});
        check_event(RunFailed{Error(ErrorCode::engine_lost, "a", "b", {{"c", "d"}})});
        check_event(RoundingMeasured{.phase = Phase::decode,
                                     .step = 1,
                                     .attempt = 2,
                                     .component = "vae",
                                     .site = "conv_in",
                                     .precision = {ElementType::bfloat16},
                                     .decibels = 52.5});
        check_event(RunCancelled{3, "/v/a.mp4"});
        check_event(RunPaused{3, 4});
        check_event(QueueChanged{{Job{.id = 3,
                                      .request = full_request(),
                                      .state = JobState::failed,
                                      .created = "now",
                                      .error = Error(ErrorCode::internal, "a")}}});
        check_event(FileCheckProgress{1, 2, 3});
        check_event(ExportProgress{1, 2, 3});
        check_event(FinishProgress{1, 2, 3, 0.5, FinishStage::file});
        check_event(FinishProgress{});
        check_event(GpuSupportProgress{GpuSupportStep::unpack, "a", 1, 2});
        check_event(EngineEnded{{"signal", {{"signal", "SIGFPE"}}, "a"}, {"b"}, AfterEngineEnd::set_aside, {}});
        QCOMPARE(std::variant_size_v<RunEvent>, std::size_t{19});  // a new event belongs into this test
    }

    void requests_are_not_changed() {
        const VideoRequest request = full_request();
        QVERIFY(from_document<VideoRequest>(to_document(request)) == request);
        VideoRequest empty;
        empty.model.clear();
        QVERIFY(from_document<VideoRequest>(to_document(empty)) == empty);
        ExportRequest exported{"/v/a.mp4", request.output};
        QVERIFY(from_document<ExportRequest>(to_document(exported)).output == exported.output);
    }

    void comparisons_are_not_changed() {
        const LoggedPlace place{"denoise", 2, "cond", "transformer", "blocks.0"};
        const std::vector<FirstDifference> differences = {
            StatisticDifference{place, Statistic::inf, std::nullopt, 0, INFINITY}, FrameDifference{2, 31.2},
            LengthDifference{3}};
        for (const FirstDifference& difference : differences) {
            const CompareReport sent{.kind = CompareKind::videos,
                                     .settings = {{SettingAspect::storage, "vae", "", R"("float32")"}},
                                     .first_difference = difference,
                                     .largest_place = place,
                                     .other_count = CountDifference{place, 1240, std::int64_t{1} << 40}};
            const auto received = from_document<CompareReport>(to_document(sent));
            QCOMPARE(received.kind, sent.kind);
            QCOMPARE(received.settings, sent.settings);
            QCOMPARE(received.first_difference, sent.first_difference);
            QCOMPARE(received.largest_place, sent.largest_place);
            QCOMPARE(received.other_count, sent.other_count);
        }
        QVERIFY(!from_document<CompareReport>(to_document(CompareReport{})).first_difference);
    }

    void numbers_keep_all_bits() {
        for (const double value : {0.1, 1e-310, -0.0, 16777217.0, std::nextafter(1.0, 2.0)}) {
            const TensorStats stats =
                std::get<StepCompleted>(round_trip(EventMessage{1, StepCompleted{.latents = {.mean = value}}}).event)
                    .latents;
            QVERIFY(std::memcmp(&stats.mean, &value, sizeof value) == 0);
        }
    }

    void invalid_messages_are_refused_by_name_data() {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const char* pointer, const char* value, const char* words) {
            QTest::newRow(name) << pointer << QByteArray(value) << words;
        };
        row("unknown message", "", R"({"shutdown": {}})", "\"shutdown\" is unknown");
        row("two messages", "", R"({"heartbeat": {}, "request": {}})", "a map with one member");
        row("no map", "", "[1]", "a map with one member");
        row("unknown event", "/event/event", R"({"Explosion": {}})", "\"Explosion\" is unknown");
        row("unknown member", "/event/event/LogLine/colour", "1", "LogLine has no member \"colour\"");
        row("unknown level", "/event/event/LogLine/level", "\"fatal\"", "\"fatal\" is not one of info, note");
        row("missing member", "/event/event/LogLine", R"({"level": "info"})", "LogLine.text is missing");
        row("wrong type", "/event/job", "\"one\"", "event.job: expected integer");
        row("number out of range", "/event/event", R"({"PhaseStarted": {"phase": "load", "total": 3000000000}})",
            "PhaseStarted.total: expected integer");
        row("unknown enumerator", "/event/event", R"({"PhaseStarted": {"phase": "lunch", "total": 3}})",
            "\"lunch\" is not one of load");
        row("truncated frame", "",
            R"({"answer_frames": {"id": 1, "frames": [{"width": 2, "height": 2, "pixels": 1}]}})", "expected bytes");
        row("unknown request field", "/event/event",
            R"({"QueueChanged": {"jobs": [{"id": 1, "request": {"size": 1}}]}})", "'size' is not a known key");
    }

    void invalid_messages_are_refused_by_name() {
        QFETCH(QString, pointer);
        QFETCH(QByteArray, value);
        QFETCH(QString, words);
        Json message = valid_event();
        QCOMPARE(refusal_of(message), QStringLiteral("accepted"));
        message[Json::json_pointer(pointer.toStdString())] = Json::parse(value.toStdString());
        const QString refusal = refusal_of(message);
        QVERIFY2(refusal.contains(words), qPrintable(refusal));
    }

    void frames_of_another_size_are_refused() {
        const auto frame = std::make_shared<Frame>(Frame{70'000, 70'000, {1, 2, 3}});
        QVERIFY_THROWS_EXCEPTION(ProtocolError, decode(payload(encode(AnswerFrames{1, {frame}}))));
    }

    void lengths_are_bounded() {
        const std::vector<std::uint8_t> largest = {4, 0, 0, 0};
        QCOMPARE(decode_length(largest), kLargestMessage);
        const std::vector<std::uint8_t> huge = {255, 255, 255, 255};
        QVERIFY_THROWS_EXCEPTION(ProtocolError, decode_length(huge));
        const auto frame =
            std::make_shared<Frame>(Frame{8192, 2731, std::vector<std::uint8_t>(std::size_t{3} * 8192 * 2731)});
        QVERIFY_THROWS_EXCEPTION(ProtocolError, encode(AnswerFrames{1, {frame}}));
    }

    /// `kinescope-cli serve --schema` prints the second part of the document.
    void the_document_describes_the_format() {
        QFile file(QStringLiteral(KINESCOPE_SOURCE_DIR "/resources/engine_protocol.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY2(text.contains(schema_text().c_str()),
                 "run: kinescope-cli serve --schema, and replace the text from '## Messages' on");
        QVERIFY(text.contains("protocol version " + QByteArray::number(kVersion)));
        QCOMPARE(schema_hash().size(), std::size_t{16});
    }
};

QTEST_GUILESS_MAIN(TestMessage)
#include "test_message.moc"
