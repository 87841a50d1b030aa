#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/api/engine.h"
#include "core/base/json.h"
#include "tests/core/jobs/event_recorder.h"
#include "tests/core/jobs/tiny_wan_request.h"
#include "tests/support/file_bytes.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

std::string data(const char* name) {
    return std::string(KINESCOPE_TEST_DATA) + "/" + name;
}

std::vector<std::string> warnings_and_notes(const std::vector<RunEvent>& events) {
    std::vector<std::string> texts;
    for (const LogLine& line : of_type<LogLine>(events)) texts.push_back(line.text);
    return texts;
}

bool mention(const std::vector<std::string>& texts, const std::string& part) {
    return std::ranges::any_of(texts, [&](const auto& text) { return text.find(part) != std::string::npos; });
}

}  // namespace

/// Runs of a tiny Wan model with tiny decoders.
class TestTinyDecoderRun : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::unique_ptr<EventRecorder> recorder_;
    std::unique_ptr<Engine> engine_;

    std::filesystem::path file(const std::string& name) const {
        return folder_.filePath(QString::fromStdString(name)).toStdString();
    }

    VideoRequest request(const std::string& name) const {
        VideoRequest made = tiny_wan_request();
        made.output.file = file(name + ".mp4");
        made.output.frames = file(name + ".safetensors");
        return made;
    }

    std::vector<RunEvent> run(const VideoRequest& wanted) { return recorder_->wait(engine_->jobs().submit(wanted)); }

    /// Returns the frames of a run without a tiny decoder.
    std::string plain_frames() {
        if (!std::filesystem::exists(file("plain.safetensors"))) run(request("plain"));
        return contents_of(file("plain.safetensors"));
    }

private Q_SLOTS:
    void init() {
        engine_.reset();
        recorder_ = std::make_unique<EventRecorder>();
        qputenv("XDG_CACHE_HOME", folder_.filePath("cache").toUtf8());
        qputenv("XDG_CONFIG_HOME", folder_.filePath("config").toUtf8());
        qunsetenv("KINESCOPE_MODELS");
        engine_ = make_engine({.resources_dir = KINESCOPE_SOURCE_DIR "/resources"}, *recorder_);
    }

    void previews_become_frames_and_the_video_stays_the_same() {
        QCOMPARE(of_type<RunFinished>(run(request("plain"))).size(), std::size_t{1});
        VideoRequest with = request("with");
        with.preview_decoder = data("taehv/taew2_1.pth");
        with.output.numeric_log = file("with.jsonl");
        const auto events = run(with);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        const auto previews = of_type<PreviewReady>(events);
        QCOMPARE(previews.front().decoder, std::string("taew2_1"));
        QCOMPARE(previews.front().frames.size(), std::size_t{3});
        QCOMPARE(previews.front().frames_each, 3);
        const StepCompleted step = of_type<StepCompleted>(events).front();
        QCOMPARE(step.preview_decoder, std::string("taew2_1"));
        QVERIFY(step.preview_seconds > 0);
        QVERIFY(!plain_frames().empty());
        QCOMPARE(contents_of(file("with.safetensors")), plain_frames());
        QVERIFY(mention({contents_of(file("with.jsonl"))}, "\"preview\":{\"decoder\":\"taew2_1\",\"seconds\":"));
    }

    void a_file_in_comfyui_s_folder_is_found() {
        const QDir models(folder_.filePath("models"));
        QVERIFY(QDir().mkpath(models.filePath("vae_approx")));
        QVERIFY(
            QFile::copy(QString::fromStdString(data("taehv/taew2_1.pth")), models.filePath("vae_approx/taew2_1.pth")));
        qputenv("KINESCOPE_MODELS", models.path().toUtf8());
        const auto previews = of_type<PreviewReady>(run(request("found")));
        QCOMPARE(previews.front().decoder, std::string("taew2_1"));
        VideoRequest latent = request("latent");
        latent.previews = PreviewMode::latent;
        QCOMPARE(of_type<PreviewReady>(run(latent)).front().decoder, std::string());
    }

    void a_wrong_file_is_named_and_the_run_goes_on_data() {
        QTest::addColumn<QString>("decoder");
        QTest::addColumn<QString>("words");
        QTest::newRow("another model's") << QString::fromStdString(data("taehv/taew2_2.safetensors"))
                                         << "48 channels, and the model has 16";
        QTest::newRow("no decoder") << QString::fromStdString(data("wan_t2v/transformer_io.safetensors"))
                                    << "is not a tiny decoder";
        QTest::newRow("missing") << "/nowhere/taew2_1.pth"
                                 << "/nowhere/taew2_1.pth";
        const QString cut = folder_.filePath("cut.pth");
        QFile stream(cut);
        const QByteArray whole = bytes_of(QString::fromStdString(data("taehv/taew2_1.pth")));
        if (stream.open(QIODevice::WriteOnly)) stream.write(whole.left(20000));
        QTest::newRow("truncated") << cut << "cut.pth";
    }
    void a_wrong_file_is_named_and_the_run_goes_on() {
        QFETCH(const QString, decoder);
        QFETCH(const QString, words);
        VideoRequest wrong = request("wrong");
        wrong.preview_decoder = decoder.toStdString();
        wrong.output.overwrite = OverwriteMode::overwrite;
        const auto events = run(wrong);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QCOMPARE(of_type<PreviewReady>(events).front().decoder, std::string());
        QVERIFY(mention(warnings_and_notes(events), words.toStdString()));
        QVERIFY(mention(warnings_and_notes(events), "previews show projected latents"));
        wrong.decode = DecodeMode::draft;
        const auto failed = of_type<RunFailed>(run(wrong));
        QCOMPARE(failed.size(), std::size_t{1});
        QVERIFY(failed.front().error.message().find(words.toStdString()) != std::string::npos);
    }

    void a_draft_is_decoded_by_the_tiny_decoder_and_says_so() {
        VideoRequest draft = request("draft");
        draft.decode = DecodeMode::draft;
        draft.preview_decoder = data("taehv/taew2_1.pth");
        draft.output.numeric_log = file("draft.jsonl");
        const auto events = run(draft);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QCOMPARE(of_type<RunFinished>(events).front().result.num_frames, 9);
        QVERIFY(std::filesystem::exists(file("draft.safetensors")) && !plain_frames().empty());
        QVERIFY(contents_of(file("draft.safetensors")) != plain_frames());
        const VideoRequest restored = engine_->videos().read_settings(file("draft.mp4"));
        QVERIFY(restored.decode == DecodeMode::draft);
        QVERIFY(mention({contents_of(file("draft.mp4"))}, "\"draft\":{\"decoder\":\"taew2_1\"}"));
        QVERIFY(mention({contents_of(file("draft.jsonl"))}, "taew2_1.pth"));
    }

    void a_draft_needs_a_decoder() {
        VideoRequest draft = request("none");
        draft.decode = DecodeMode::draft;
        const auto failed = of_type<RunFailed>(run(draft));
        QCOMPARE(failed.size(), std::size_t{1});
        QVERIFY(failed.front().error.message().find("needs the tiny decoder taew2_1") != std::string::npos);
        QVERIFY(!QFile::exists(folder_.filePath("none.mp4")));
    }
};

QTEST_GUILESS_MAIN(TestTinyDecoderRun)
#include "test_tiny_decoder_run.moc"
