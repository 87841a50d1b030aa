#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fstream>

#include "core/api/engine.h"
#include "core/base/json.h"
#include "core/media/frame_sink.h"
#include "tests/core/jobs/event_recorder.h"
#include "tests/core/jobs/tiny_wan_request.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

std::string tiny_model() {
    return std::string(KINESCOPE_TEST_DATA) + "/wan_t2v/model";
}

VideoRequest tiny_request(const QTemporaryDir& folder) {
    VideoRequest request = tiny_wan_request();
    request.output.file = folder.filePath("a.mp4").toStdString();
    return request;
}

std::vector<Json> read_lines(const QString& path) {
    std::ifstream file(path.toStdString());
    std::vector<Json> records;
    for (std::string line; std::getline(file, line);) records.push_back(Json::parse(line));
    return records;
}

}  // namespace

class TestEngine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        engine_.reset();  // destroyed first, because it still reports events to the recorder
        recorder_ = std::make_unique<EventRecorder>();
        QVERIFY(folder_.isValid());
        qputenv("XDG_CACHE_HOME", folder_.filePath("cache").toUtf8());
        engine_ = make_engine({.resources_dir = KINESCOPE_SOURCE_DIR "/resources"}, *recorder_);
    }

    /// The first run of the process loads code and tables, which belong to the program afterwards. This test comes
    /// first.
    void a_plan_after_a_run_counts_what_the_run_has_loaded_once() {
        const VideoRequest request = tiny_request(folder_);
        const std::int64_t before = engine_->catalog().plan(request).peak_memory_bytes;
        const auto events = recorder_->wait(engine_->jobs().submit(request));
        const std::int64_t peak = of_type<RunFinished>(events).at(0).result.peak_memory_bytes;
        const std::int64_t after = engine_->catalog().plan(request).peak_memory_bytes;
        const QString figures = QString("before %1, run %2, after %3").arg(before).arg(peak).arg(after);
        QVERIFY2(after - before < (std::int64_t{16} << 20), qPrintable(figures));
    }

    void a_request_becomes_a_video_and_a_log() {
        VideoRequest request = tiny_request(folder_);
        request.output.file = folder_.filePath("whole.mp4").toStdString();
        request.output.numeric_log = folder_.filePath("whole.jsonl").toStdString();
        request.output.numeric_csv = folder_.filePath("whole.csv").toStdString();
        const auto events = recorder_->wait(engine_->jobs().submit(request));
        const auto finished = of_type<RunFinished>(events);
        QCOMPARE(finished.size(), std::size_t{1});
        QCOMPARE(finished[0].result.num_frames, 9);
        QVERIFY(QFile::exists(folder_.filePath("whole.mp4")));
        QCOMPARE(of_type<StepCompleted>(events).size(), std::size_t{3});

        const auto records = read_lines(folder_.filePath("whole.jsonl"));
        QCOMPARE(records.front()["record"].get<std::string>(), std::string("header"));
        const Json& header = records.front();
        QCOMPARE(header["settings"]["tf32_convolution"].get<std::string>(), std::string("off"));
        QCOMPARE(header["model"]["files"].size(), std::size_t{3});
        QCOMPARE(header["model"]["files"][0]["header_sha256"].get<std::string>().size(), std::size_t{64});
        const Json& device = header["requested_against_actual"][0];
        QVERIFY(device == (Json{{"what", "device"}, {"requested", "cpu"}, {"actual", "cpu"}}));
        QCOMPARE(records.back()["record"].get<std::string>(), std::string("summary"));
        QCOMPARE(records.back()["status"].get<std::string>(), std::string("completed"));
        std::map<std::string, int> count;
        for (const Json& record : records) ++count[record["record"]];
        QCOMPARE(count["encode"], 2);  // the prompt and the negative prompt
        QCOMPARE(count["step"], 3);
        QCOMPARE(count["frame"], 9);
        QVERIFY(count["stat"] > 3 * 2 * 3);
    }

    void the_built_in_model_is_part_of_the_resources() {
        EventRecorder recorder;
        const auto engine = make_engine({}, recorder);
        try {
            engine->catalog().card("builtin");
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::file_not_found);
            QVERIFY(error.hint().find("--resources") != std::string::npos);
        }
        const auto models = engine->catalog().models();
        QVERIFY(std::ranges::none_of(models, [](const auto& model) { return model.id == "builtin"; }));
    }

    void words_outside_the_vocabulary_are_noted() {
        VideoRequest request = tiny_request(folder_);
        request.model = "builtin";
        request.prompt = "a dragon";
        const Plan plan = engine_->catalog().plan(request);
        const auto is_hint = [](const std::string& note) { return note.find("\"dragon\"") != std::string::npos; };
        QCOMPARE(std::count_if(plan.notes.begin(), plan.notes.end(), is_hint), 1);
    }

    void a_prompt_that_the_model_cuts_is_noted() {
        VideoRequest request = tiny_request(folder_);
        request.max_sequence_length = 4;
        request.prompt = "a red ball rolls over the green meadow";
        const auto events = recorder_->wait(engine_->jobs().submit(request));
        const auto lines = of_type<LogLine>(events);
        const auto is_hint = [](const LogLine& line) {
            return line.level == LogLineLevel::note && line.text.ends_with("the model reads only the first 4");
        };
        QCOMPARE(std::ranges::count_if(lines, is_hint), 1);
        QVERIFY(std::ranges::any_of(engine_->catalog().plan(request).notes, [](const std::string& note) {
            return note.ends_with("the model reads only the first 4");
        }));
    }

    void mistyped_alternatives_are_noted() {
        VideoRequest request = tiny_request(folder_);
        request.prompt = "a {red|blue ball";
        const Plan plan = engine_->catalog().plan(request);
        const auto is_hint = [](const std::string& note) { return note.find("brace") != std::string::npos; };
        QCOMPARE(std::count_if(plan.notes.begin(), plan.notes.end(), is_hint), 1);
    }

    void a_missing_model_folder_is_listed() {
        const QString folder = folder_.filePath("nowhere");
        qputenv("KINESCOPE_MODELS", folder.toUtf8());
        const std::vector<ModelCard> cards = engine_->catalog().models();
        qunsetenv("KINESCOPE_MODELS");
        const auto found = std::ranges::find(cards, folder.toStdString(), &ModelCard::id);
        QVERIFY(found != cards.end());
        QVERIFY2(found->recognized_by.find("does not exist") != std::string::npos, found->recognized_by.c_str());
    }

    void previews_are_sent_for_every_step_and_chunk() {
        VideoRequest request = tiny_request(folder_);
        request.output.file.clear();
        const auto previews = of_type<PreviewReady>(recorder_->wait(engine_->jobs().submit(request)));
        int latent = 0;
        int decoded_frames = 0;
        for (const PreviewReady& preview : previews) {
            if (preview.kind == PreviewKind::latent)
                ++latent;
            else
                decoded_frames += static_cast<int>(preview.frames.size());
        }
        QCOMPARE(latent, 3);
        QCOMPARE(decoded_frames, 9);
    }

    void without_the_guard_only_a_log_causes_statistics() {
        VideoRequest request = tiny_request(folder_);
        request.output = {};
        request.guard = GuardMode::off;
        QVERIFY(of_type<NumericsReady>(recorder_->wait(engine_->jobs().submit(request))).empty());
        request.output.numeric_log = folder_.filePath("unguarded.jsonl").toStdString();
        QVERIFY(!of_type<NumericsReady>(recorder_->wait(engine_->jobs().submit(request))).empty());
    }

    void settings_are_restored_from_the_video() {
        VideoRequest request = tiny_request(folder_);
        request.output.file = folder_.filePath("settings.mp4").toStdString();
        recorder_->wait(engine_->jobs().submit(request));
        const VideoRequest restored = engine_->videos().read_settings(request.output.file);
        QCOMPARE(restored.prompt, request.prompt);
        QCOMPARE(*restored.seed, 42);
        QCOMPARE(*restored.num_inference_steps, 3);
        QCOMPARE(engine_->videos().describe_video(request.output.file),
                 (VideoDescription{48, 32, 9, double(*restored.fps)}));
    }

    /// A recursive JSON parser would overflow the stack.
    void settings_that_are_nested_deeply_are_refused_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"deep.mp4", "deep.mkv", "deep.gif", "deep_frames"}) QTest::newRow(name) << name;
    }
    void settings_that_are_nested_deeply_are_refused() {
        QFETCH(QString, name);
        SinkOptions options;
        options.output.file = folder_.filePath(name).toStdString();
        options.width = options.height = 32;
        options.fps = 8;
        options.metadata = {{"comment", R"({"request":{"prompt":)" + std::string(60'000, '[')}};
        const auto sink = open_frame_sink(options);
        for (int i = 0; i < 2; ++i) sink->write(Frame{32, 32, std::vector<std::uint8_t>(std::size_t{3} * 32 * 32)});
        const auto video = sink->finish();
        try {
            engine_->videos().read_settings(video);
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::no_settings);
        }
    }

    void a_plan_checks_the_image() {
        const std::filesystem::path folder = std::string(KINESCOPE_TEST_DATA) + "/svd";
        VideoRequest request = parse_request(read_json(folder / "request.json").dump(), folder);
        request.device = "cpu";
        engine_->catalog().plan(request);
        std::ofstream(folder_.filePath("cut.png").toStdString(), std::ios::binary) << "\x89PNG\r\n\x1A\n";
        for (const auto& [name, code] :
             {std::pair{"none.png", ErrorCode::file_not_found}, std::pair{"cut.png", ErrorCode::image_unreadable}}) {
            request.image = folder_.filePath(name).toStdString();
            try {
                engine_->catalog().plan(request);
                QFAIL("no error was thrown");
            } catch (const Error& error) {
                QCOMPARE(error.code(), code);
            }
        }
    }

    void a_bad_request_fails_with_every_fault_and_leaves_nothing() {
        VideoRequest request = tiny_request(folder_);
        request.output.file = folder_.filePath("bad.mp4").toStdString();
        request.width = 47;
        request.num_inference_steps = 0;
        const auto failed = of_type<RunFailed>(recorder_->wait(engine_->jobs().submit(request)));
        QCOMPARE(failed.size(), std::size_t{1});
        QCOMPARE(failed[0].error.code(), ErrorCode::bad_request);
        QVERIFY(failed[0].error.message().find("width") != std::string::npos);
        QVERIFY(failed[0].error.message().find("steps") != std::string::npos);
        QVERIFY(!QFile::exists(folder_.filePath("bad.mp4")));
    }

    void an_insufficient_memory_limit_is_refused() {
        VideoRequest request = tiny_request(folder_);
        request.max_memory_bytes = 1000;
        request.offload = OffloadMode::blocks;
        const auto failed = of_type<RunFailed>(recorder_->wait(engine_->jobs().submit(request)));
        QCOMPARE(failed.size(), std::size_t{1});
        QCOMPARE(failed[0].error.code(), ErrorCode::out_of_memory);
        QVERIFY(failed[0].error.message().find("max_memory") != std::string::npos);
    }

    void weights_can_be_kept_in_float8() {
        VideoRequest request = tiny_request(folder_);
        request.output.file.clear();
        request.storage = DtypeChoice::fp8;
        QCOMPARE(engine_->catalog().plan(request).policy[1].storage, std::string("float8_e4m3fn"));
        QCOMPARE(of_type<RunFinished>(recorder_->wait(engine_->jobs().submit(request))).size(), std::size_t{1});
    }

    void weights_can_be_kept_in_int8() {
        VideoRequest request = tiny_request(folder_);
        request.output.file.clear();
        request.storage = DtypeChoice::int8;
        const auto part = engine_->catalog().plan(request).policy[1];
        QCOMPARE(part.storage, std::string("int8"));
        QVERIFY(part.reason.find("multiply int8") != std::string::npos);
        QCOMPARE(of_type<RunFinished>(recorder_->wait(engine_->jobs().submit(request))).size(), std::size_t{1});
    }

    void a_part_of_the_model_can_be_replaced() {
        VideoRequest request = tiny_request(folder_);
        request.output.file.clear();
        request.components = {{"transformer", tiny_model() + "/transformer/diffusion_pytorch_model.safetensors"}};
        QCOMPARE(of_type<RunFinished>(recorder_->wait(engine_->jobs().submit(request))).size(), std::size_t{1});
        request.components = {{"transformer", tiny_model() + "/vae/diffusion_pytorch_model.safetensors"}};
        const auto failed = of_type<RunFailed>(recorder_->wait(engine_->jobs().submit(request)));
        QCOMPARE(failed.size(), std::size_t{1});
        QCOMPARE(failed[0].error.code(), ErrorCode::model_unknown);
    }

    void a_file_for_another_option_is_no_model_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("option");
        QTest::newRow("upscaler") << "finish/nearest_x2.safetensors"
                                  << "is an upscaler"
                                  << "--upscale.";
        QTest::newRow("interpolator") << "finish/mean_rife.safetensors"
                                      << "is an interpolator"
                                      << "--interpolate.";
        QTest::newRow("tiny decoder") << "taehv/taew2_1.pth"
                                      << "is a tiny decoder"
                                      << "--preview-decoder.";
        QTest::newRow("tensors of a test") << "taehv/taew2_1_expected.safetensors"
                                           << "contains no tensors of a known model"
                                           << "Step-Video-T2V";
    }

    void a_file_for_another_option_is_no_model() {
        QFETCH(QString, name);
        QFETCH(QString, what);
        QFETCH(QString, option);
        VideoRequest request = tiny_request(folder_);
        request.model = KINESCOPE_TEST_DATA "/" + name.toStdString();
        const auto failed = of_type<RunFailed>(recorder_->wait(engine_->jobs().submit(request)));
        QCOMPARE(failed.size(), std::size_t{1});
        const Error& error = failed[0].error;
        QCOMPARE(error.code(), ErrorCode::model_unknown);
        QVERIFY2(error.message().find(what.toStdString()) != std::string::npos, error.what());
        QVERIFY2(error.hint().find(option.toStdString()) != std::string::npos, error.hint().c_str());
    }

    void a_cancel_ends_the_job_within_the_step() {
        recorder_->on_step = [this](JobId job, const StepCompleted&) { engine_->jobs().cancel(job); };
        VideoRequest request = tiny_request(folder_);
        request.num_inference_steps = 50;
        request.output.file = folder_.filePath("cancelled.mp4").toStdString();
        const auto events = recorder_->wait(engine_->jobs().submit(request));
        QCOMPARE(of_type<RunCancelled>(events).size(), std::size_t{1});
        QCOMPARE(of_type<StepCompleted>(events).size(), std::size_t{1});
        QVERIFY(!QFile::exists(folder_.filePath("cancelled.mp4")));
    }

    void the_engine_may_be_destroyed_during_a_job() {
        VideoRequest request = tiny_request(folder_);
        request.num_inference_steps = 200;
        request.output.file = folder_.filePath("dying.mp4").toStdString();
        engine_->jobs().submit(request);
        engine_.reset();
        QVERIFY(!QFile::exists(folder_.filePath("dying.mp4")));
    }

    void a_plan_counts_weights_without_loading_them() {
        const Plan plan = engine_->catalog().plan(tiny_request(folder_));
        QCOMPARE(plan.phases.size(), std::size_t{3});
        QVERIFY(plan.peak_memory_bytes > 0);
        QCOMPARE(plan.policy.size(), std::size_t{3});
        QCOMPARE(plan.policy[1].compute, std::string("float32"));
    }

    void a_plan_applies_a_preset_and_notes_it() {
        VideoRequest request = tiny_request(folder_);
        request.num_inference_steps.reset();
        QVERIFY(engine_->catalog().plan(request).notes.back().find("--preset cpu") != std::string::npos);
        request.preset = "cpu";
        const Plan plan = engine_->catalog().plan(request);
        QCOMPARE(*plan.request.num_inference_steps, 20);
        QCOMPARE(*plan.request.num_frames, 9);
        QVERIFY(std::ranges::any_of(plan.notes,
                                    [](const auto& note) { return note.starts_with("preset cpu, as requested"); }));
        request.preset = "no-such-one";
        QVERIFY_EXCEPTION_THROWN(engine_->catalog().plan(request), Error);
    }

    void the_doctor_describes_this_machine() {
        const DoctorReport report = engine_->diagnostics().doctor(CanaryMode::cached);
        QVERIFY(report.libraries.at("libtorch").starts_with("2."));
        QCOMPARE(report.settings.at("float16_accumulation"), std::string("off"));
        QCOMPARE(report.devices.back().device.id, std::string("cpu"));
        QCOMPARE(report.devices.back().policy.size(), std::size_t{4});
        // The canary starts the program as a child process, so it cannot run without the program's path.
        QCOMPARE(report.devices.back().canary_summary, std::string("not run"));
    }

    void half_precision_accumulation_is_noted() {
        VideoRequest request = tiny_request(folder_);
        request.half_accumulation = HalfAccumulation::allowed;
        const Plan plan = engine_->catalog().plan(request);
        QCOMPARE(plan.policy[0].accumulation, std::string("half precision allowed"));
        QVERIFY(plan.notes.front().find("half precision") != std::string::npos);
    }

    void a_file_check_reports_progress_and_is_saved() {
        const auto vae = [&] {
            const auto components =
                engine_->catalog().describe_checkpoint(KINESCOPE_SOURCE_DIR "/resources/demo_model").components;
            return *std::ranges::find(components, "vae", &ComponentDescription::name);
        };
        QVERIFY(vae().checks.empty());
        const FileCheck check = engine_->catalog().check_file(vae().files.at(0), 1);
        QVERIFY(!check.has_damage());
        const auto progress = of_type<FileCheckProgress>(recorder_->wait(0, 0));
        QVERIFY(!progress.empty());
        QCOMPARE(progress.back().check, CheckId{1});
        QVERIFY(progress.back().done > 0 && progress.back().done <= progress.back().total);
        QCOMPARE(vae().checks.at(0).sha256, check.sha256);
    }

    void a_file_check_can_be_cancelled_before_it_starts() {
        const auto file = std::filesystem::path(KINESCOPE_SOURCE_DIR "/resources/demo_model/vae") /
                          "diffusion_pytorch_model.safetensors";
        engine_->catalog().cancel_check(7);
        try {
            engine_->catalog().check_file(file, 7);
            QFAIL("the check was not cancelled");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::cancelled);
        }
        engine_->catalog().check_file(file, 8);  // other checks are not affected
    }

    void inspect_names_the_family_and_the_reasons() {
        const CheckpointDescription description = engine_->catalog().describe_checkpoint(tiny_model());
        QCOMPARE(description.card.family, std::string("wan"));
        QVERIFY(description.missing.empty());
        QVERIFY(description.reasons.size() >= 2);
    }

    void a_missing_component_is_named_and_refused_by_plan() {
        const auto model = std::string(KINESCOPE_TEST_DATA) + "/wan_shapes/odd_image/model";
        VideoRequest request = tiny_request(folder_);
        request.components = {{"transformer", model + "/transformer"}};
        const ModelCard card = engine_->catalog().card(request);
        QCOMPARE(card.missing, std::vector<std::string>{"image_encoder"});
        request.image = std::string(KINESCOPE_TEST_DATA) + "/wan_shapes/odd_image/image.png";
        try {
            engine_->catalog().plan(request);
            QFAIL("planned without an image encoder");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::component_missing);
        }
        const auto description =
            engine_->catalog().describe_checkpoint(std::string(KINESCOPE_TEST_DATA) + "/wan_variants/a14b_t2v/model");
        QCOMPARE(description.components.size(), std::size_t{3});  // two experts and a scheduler, no VAE
    }

    /// A plan needs no weights, but says with which error a run would fail.
    void weights_that_are_missing_are_planned_and_named() {
        VideoRequest request = tiny_request(folder_);
        QVERIFY(!engine_->catalog().plan(request).missing_weights);
        const std::filesystem::path model = folder_.filePath("no_vae").toStdString();
        std::filesystem::copy(tiny_model(), model, std::filesystem::copy_options::recursive);
        std::filesystem::remove(model / "vae/diffusion_pytorch_model.safetensors");
        request.model = model.string();
        const auto missing = engine_->catalog().plan(request).missing_weights;
        QVERIFY(missing);
        const auto failed = of_type<RunFailed>(recorder_->wait(engine_->jobs().submit(request)));
        QCOMPARE(missing->message(), failed.at(0).error.message());
    }

    void the_card_reflects_replaced_components() {
        VideoRequest request = tiny_request(folder_);
        request.components = {
            {"transformer", std::string(KINESCOPE_TEST_DATA) + "/wan_shapes/odd_image/model/transformer"}};
        QVERIFY(engine_->catalog().card(request.model).tasks == std::vector{Task::text_to_video});
        QVERIFY(engine_->catalog().card(request).tasks == std::vector{Task::image_to_video});
    }

    void golden_cases_are_within_tolerance_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"wan_t2v", "wan_t2v_euler"}) QTest::newRow(name) << name;
    }
    void golden_cases_are_within_tolerance() {
        QFETCH(QString, name);
        const VerifyReport report = engine_->diagnostics().verify(KINESCOPE_TEST_DATA "/" + name.toStdString());
        for (const VerifyRow& row : report.rows) {
            QVERIFY2(row.passed,
                     qPrintable(
                         QString("%1 %2: %3").arg(row.component.c_str(), row.tensor.c_str()).arg(row.relative_error)));
        }
        QVERIFY(report.rows.size() > 10);
        QVERIFY(report.passed);
    }

private:
    QTemporaryDir folder_;
    std::unique_ptr<EventRecorder> recorder_;
    std::unique_ptr<Engine> engine_;
};

QTEST_GUILESS_MAIN(TestEngine)
#include "test_engine.moc"
