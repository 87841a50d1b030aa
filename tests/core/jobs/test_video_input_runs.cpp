#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <set>

#include "core/device/backend.h"
#include "core/jobs/prepare.h"
#include "core/jobs/queue/file_checkpoint_store.h"
#include "core/jobs/tools/describe.h"
#include "core/media/control_picture.h"
#include "core/media/flow_picture.h"
#include "core/media/image_io.h"
#include "core/media/read_frames.h"
#include "core/models/pil_resize.h"
#include "core/pipeline/input_video.h"
#include "core/weights/formats/safetensors_writer.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

namespace fs = std::filesystem;

VideoRequest request_in(const std::string& name) {
    const auto folder = test_data(name);
    auto request = parse_request(read_json(folder / "request.json").dump(), folder);
    request.device = "cpu";
    request.num_inference_steps = 4;
    return request;
}

VideoRequest case_request(const std::string& name) {
    return request_in("wan_video/" + name);
}

/// Moves the tensors of VACE's side branch of a transformer to a file of their own.
void split_off_vace(const fs::path& transformer, const fs::path& module) {
    const auto file = transformer / "diffusion_pytorch_model.safetensors";
    std::map<std::string, Tensor> main;
    std::map<std::string, Tensor> vace;
    const auto reader = open_checkpoint(file);
    for (const TensorEntry& entry : reader->entries())
        (entry.name.starts_with("vace_") ? vace : main)[entry.name] = reader->read(entry.name).clone();
    write_safetensors(file, main);
    write_safetensors(module, vace);
    Json config = read_json(transformer / "config.json");
    for (const char* key : {"vace_in_channels", "vace_layers"}) config.erase(key);
    std::ofstream(transformer / "config.json") << config;
}

struct KeepFrames final : TensorObserver {
    void on_conditioning(const Conditioning& value) override { conditioning = value; }
    void on_frames(const Tensor& frames) override { chunks.push_back(frames); }
    Conditioning conditioning;
    std::vector<Tensor> chunks;
};

/// Saves checkpoints in a folder, and pauses after a step.
class PausingControl final : public RunControl {
public:
    PausingControl(const fs::path& folder, int last_step)
        : store_(folder, RunFingerprint{.run = "print", .model = "print", .device = "cpu"}), last_step_(last_step) {}
    std::optional<RunCheckpoint> load_checkpoint() override { return store_.load().checkpoint; }
    void on_begin(const VideoRequest&) override {}
    void save_conditioning(const Conditioning& conditioning, const RunPosition& position) override {
        store_.save_conditioning(conditioning, position);
    }
    void save_step(const RunPosition& position) override {
        store_.save_step(position);
        store_.finish();
        step_ = position.step;
    }
    std::optional<Error> finish_saving() override { return std::nullopt; }
    void on_video_written(const fs::path&, const RunResult&) override {}
    bool has_begun() const override { return false; }
    bool wants_pause() const override { return last_step_ > 0 && step_ >= last_step_; }
    bool wants_decoding() const override { return false; }
    std::string mark() const override { return "test"; }

private:
    FileCheckpointStore store_;
    int last_step_;
    int step_ = 0;
};

struct Outcome {
    RunResult result;
    Tensor frames;
    Conditioning conditioning;
    std::set<std::string> raised;  ///< raised sites
    std::string notes;
    std::string plan_notes;  ///< of the preparation
};

Outcome run(const VideoRequest& request, std::shared_ptr<RunControl> control = nullptr) {
    Outcome outcome;
    KeepFrames observer;
    auto job = prepare_job(request, {.resources_dir = test_data("../../resources"), .devices = known_devices()});
    job.control = std::move(control);
    for (const std::string& note : job.notes) outcome.plan_notes += note + "\n";
    outcome.result = run_video(
        job,
        [&](const RunEvent& event) {
            if (const auto* guard = std::get_if<GuardActed>(&event)) outcome.raised.insert(guard->site);
            if (const auto* line = std::get_if<LogLine>(&event)) outcome.notes += line->text + "\n";
        },
        CancellationToken(), observer);
    outcome.frames = at::cat(observer.chunks);
    outcome.conditioning = observer.conditioning;
    return outcome;
}

std::string message_of(const VideoRequest& request) {
    try {
        run(request);
    } catch (const Error& error) {
        return error.message();
    }
    return {};
}

double psnr(const Tensor& a, const Tensor& b) {
    return -10 * std::log10((a - b).to(at::kDouble).square().mean().item<double>());
}

/// Enlarges a weight whose result a norm divides again, so that only half precision notices.
void enlarge(const fs::path& model, const std::string& weight) {
    const auto file = model / "transformer/diffusion_pytorch_model.safetensors";
    const auto stored = open_checkpoint(file);
    std::map<std::string, Tensor> tensors;
    for (const auto& entry : stored->entries()) tensors[entry.name] = stored->read(entry.name).clone();
    const double factor = 60000 / tensors.at(weight + ".weight").abs().max().item<double>();
    for (const char* kind : {".weight", ".bias"}) tensors.at(weight + kind).mul_(factor);
    write_safetensors(file, tensors);
}

}  // namespace

/// Whole runs of tiny models that start from videos.
class TestVideoInputRuns : public QObject {
    Q_OBJECT

    QTemporaryDir dir_;
    fs::path folder_ = dir_.path().toStdString();

private Q_SLOTS:
    void a_module_over_a_model_makes_the_same_video() {
        const auto model = folder_ / "base";
        const auto module = folder_ / "vace_module.safetensors";
        fs::copy(test_data("wan_video/vace/model"), model, fs::copy_options::recursive);
        split_off_vace(model / "transformer", module);
        VideoRequest request = case_request("vace");
        const Tensor whole = run(request).frames;
        request.model = model.string();
        QVERIFY_THROWS_EXCEPTION(Error, run(request));  // the model without the module takes no reference pictures
        request.components.emplace_back("transformer", module);
        // Not the same bits: those of a product depend on the alignment of the weights in the file.
        QVERIFY(psnr(run(request).frames, whole) >= 100);
        QCOMPARE(describe(module, {}).components.front().kind, std::string("WanVACEModule"));
    }

    void an_overflow_in_the_side_branch_is_healed() {
        const auto model = folder_ / "overflow";
        fs::copy(test_data("wan_video/vace/model"), model, fs::copy_options::recursive);
        VideoRequest request = case_request("vace");
        request.model = model.string();
        const Tensor plain = run(request).frames;
        enlarge(model, "vace_blocks.1.attn1.to_q");
        request.dtype = DtypeChoice::fp16;
        request.vae_dtype = DtypeChoice::fp32;
        const Outcome outcome = run(request);
        QCOMPARE(outcome.result.status, RunStatus::healed);
        QCOMPARE(outcome.raised, std::set<std::string>{"transformer.vace_blocks.1.attn1.to_q"});
        qInfo("frames: %.1f dB", psnr(outcome.frames, plain));
        QVERIFY(psnr(outcome.frames, plain) >= 40);
    }

    void the_numeric_log_names_the_side_branch() {
        VideoRequest request = case_request("vace");
        request.output.numeric_log = folder_ / "log.jsonl";
        run(request);
        std::ifstream log(folder_ / "log.jsonl");
        const std::string text{std::istreambuf_iterator<char>(log), {}};
        for (const char* site : {"vace_patch_embedding", "vace_blocks.0.proj_in", "vace_blocks.1.proj_out",
                                 "vace_blocks.1.attn2", "vace_blocks.1.ffn", "\"vace_blocks.1\""})
            QVERIFY2(text.find(site) != text.npos, site);
    }

    void a_resumed_run_gives_the_same_bits_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("v2v") << "wan_video/v2v";
        QTest::newRow("v2v of CogVideoX") << "cogvideox/v2v";
        QTest::newRow("vace") << "wan_video/vace";
        QTest::newRow("inpaint") << "wan_video/inpaint";
        QTest::newRow("videos as conditions") << "ltx/condition_clips";
    }
    void a_resumed_run_gives_the_same_bits() {
        QFETCH(QString, name);
        const VideoRequest request = request_in(name.toStdString());
        const auto folder = folder_ / (std::string("resumed ") + QTest::currentDataTag());
        fs::create_directories(folder);
        QVERIFY_THROWS_EXCEPTION(Paused, run(request, std::make_shared<PausingControl>(folder, 1)));
        const Outcome resumed = run(request, std::make_shared<PausingControl>(folder, 0));
        QVERIFY(at::equal(resumed.frames, run(request).frames));
    }

    void held_frames_are_not_reported_as_unchanged_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("first frame") << "ltx/i2v";
        QTest::newRow("images") << "ltx/condition";
        QTest::newRow("videos") << "ltx/condition_clips";
    }
    void held_frames_are_not_reported_as_unchanged() {
        QFETCH(QString, name);
        for (const auto& site : run(request_in(name.toStdString())).raised)
            QVERIFY2(site.find("unchanged") == site.npos, site.c_str());
    }

    void unusable_condition_videos_are_refused_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("part");
        QTest::newRow("missing") << "gone.mp4"
                                 << "gone.mp4";
        QTest::newRow("text as video") << "text.mp4"
                                       << "text.mp4";
        QTest::newRow("empty folder") << "empty"
                                      << "contains no PNG frames";
    }
    void unusable_condition_videos_are_refused() {
        QFETCH(QString, file);
        QFETCH(QString, part);
        const auto path = folder_ / file.toStdString();
        if (file == "text.mp4") std::ofstream(path) << "no video";
        if (file == "empty") fs::create_directories(path);
        VideoRequest request = request_in("ltx/condition_clips");
        request.conditions[0].file = path;
        const auto message = message_of(request);
        QVERIFY2(message.find(part.toStdString()) != message.npos, message.c_str());
    }

    void a_continuation_holds_the_last_frames() {
        VideoRequest request;
        request.prompt = "a red ball moving left on a blue background";
        request.seed = 5;
        request.num_frames = 17;
        request.num_inference_steps = 4;
        request.device = "cpu";
        request.output.file = folder_ / "first.mkv";
        request.output.codec = "ffv1";
        run(request);
        request.continue_video = request.output.file;
        request.output.file = folder_ / "both.mkv";
        const Outcome outcome = run(request);
        QVERIFY2(outcome.notes.find("colors at the seam") != std::string::npos, outcome.notes.c_str());
        QVERIFY(outcome.result.warnings.empty());
        const auto first = read_frames(folder_ / "first.mkv", {});
        const auto both = read_frames(folder_ / "both.mkv", {});
        QCOMPARE(first.size(), std::size_t{17});
        QCOMPARE(both.size(), std::size_t{17 + 17 - 5});
        for (std::size_t i = 0; i < 12; ++i) QVERIFY(both[i]->pixels == first[i]->pixels);
    }

    /// White frames differ by more than 100 of 255. They are flat, so the contrast of the new frames stays.
    void a_large_difference_at_the_seam_is_a_warning() {
        VideoRequest request = case_request("vace");
        request.reference_images.clear();
        request.num_inference_steps = 2;
        const auto white = folder_ / "white";
        fs::create_directories(white);
        const std::vector<std::uint8_t> pixels(static_cast<std::size_t>(*request.width * *request.height * 3), 255);
        for (int i = 0; i < 9; ++i)
            write_png(white / (std::to_string(i) + ".png"),
                      {.width = *request.width, .height = *request.height, .pixels = pixels});
        request.continue_video = white;
        request.output.file = folder_ / "after_white.mkv";
        const Outcome outcome = run(request);
        QVERIFY2(outcome.notes.find("differed by up to 1") != std::string::npos, outcome.notes.c_str());
        QVERIFY2(outcome.notes.find("e+") == std::string::npos, outcome.notes.c_str());
        QCOMPARE(outcome.result.warnings.size(), std::size_t{1});
        const std::string warning = warning_text(outcome.result.warnings[0]);
        QVERIFY2(warning.find("of 255 after the correction") != std::string::npos, warning.c_str());
        QCOMPARE(outcome.result.status, RunStatus::completed);
    }

    void a_model_without_a_way_to_continue_refuses_by_name() {
        VideoRequest request = case_request("v2v");
        request.video.reset();
        request.strength.reset();
        request.model = test_data("cogvideox/t2v/model").string();
        request.continue_video = test_data("wan_video/v2v/video");
        const auto message = message_of(request);
        QVERIFY2(message.find("cannot continue a video") != message.npos, message.c_str());
    }

    void an_image_becomes_the_first_frame_of_a_vace_run() {
        VideoRequest request = case_request("vace");
        request.reference_images.clear();
        request.image = test_data("wan_video/vace/reference.png");
        request.last_image = request.image;
        const Tensor condition = run(request).conditioning.condition;
        QCOMPARE(condition.size(1), 96);
        // the mask of the last latent frame takes frame 7, and those of the given frames are not chosen
        QVERIFY(condition.narrow(1, 32, 64).eq(1).all().item<bool>());
    }

    /// As in the reference. Before, the run failed with a message about a mask.
    void an_image_becomes_the_only_frame_of_a_vace_run() {
        VideoRequest request = case_request("vace");
        request.reference_images.clear();
        request.image = test_data("wan_video/vace/reference.png");
        request.num_frames = 1;
        const Outcome outcome = run(request);
        QCOMPARE(outcome.frames.size(0), std::int64_t{1});
        QVERIFY(outcome.conditioning.condition.narrow(1, 32, 64).eq(0).all().item<bool>());
    }

    void bad_input_is_refused_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("part");
        QTest::newRow("missing video") << "v2v"
                                       << "not";
        QTest::newRow("short video") << "v2v"
                                     << "contains 9 frames, and num_frames is 13";
        QTest::newRow("text as video") << "v2v"
                                       << "is not a readable video";
        QTest::newRow("empty folder") << "v2v"
                                      << "contains no PNG frames";
        QTest::newRow("mask without white") << "inpaint"
                                            << "contains no white";
        QTest::newRow("short mask") << "inpaint"
                                    << "contains 2 frames";
        QTest::newRow("missing picture") << "vace"
                                         << "image not found";
    }
    void bad_input_is_refused() {
        QFETCH(QString, name);
        QFETCH(QString, part);
        const std::string row = QTest::currentDataTag();
        VideoRequest request = case_request(name.toStdString());
        const auto file = folder_ / row;
        if (row == "missing video") request.video = file;
        if (row == "short video") request.num_frames = 13;
        if (row == "text as video") std::ofstream(file) << "no video", request.video = file;
        if (row == "empty folder") fs::create_directories(file), request.video = file;
        if (row == "mask without white") request.mask = test_data("wan_video/extend/mask/000.png");
        if (row == "short mask") {
            fs::create_directories(file);
            for (const char* frame : {"000.png", "001.png"})
                fs::copy_file(test_data("wan_video/inpaint/mask") / frame, file / frame);
            request.mask = file;
        }
        if (row == "missing picture") request.reference_images = {file};
        const auto message = message_of(request);
        QVERIFY2(message.find(part.toStdString()) != message.npos, message.c_str());
    }

    /// Every kind of job that takes a video, with every odd video: a result, or a message and no file.
    void odd_videos_give_a_result_or_a_message_data() {
        QTest::addColumn<QString>("job");
        QTest::addColumn<QString>("video");
        QTest::addColumn<QString>("words");
        const std::vector<std::pair<const char*, const char*>> videos = {{"phone.mp4", ""},
                                                                         {"uneven.mp4", "frame rate of"},
                                                                         {"hlg.mp4", "is an HDR video"},
                                                                         {"wide.mkv", "not square"},
                                                                         {"late.mkv", ""},
                                                                         {"odd.mkv", ""},
                                                                         {"one.mp4", ""},
                                                                         {"sound_only.mp4", "has no video stream"},
                                                                         {"empty.mp4", "is not a readable video"}};
        for (const char* job : {"v2v", "control", "motion", "mask", "continue", "condition"})
            for (const auto& [video, words] : videos)
                QTest::addRow("%s, %s", job, video) << QString(job) << QString(video) << QString(words);
    }
    void odd_videos_give_a_result_or_a_message() {
        QFETCH(QString, job);
        QFETCH(QString, video);
        QFETCH(QString, words);
        const auto file = video == "empty.mp4" ? folder_ / "empty.mp4" : test_data("finish/" + video.toStdString());
        if (video == "empty.mp4") std::ofstream(file).flush();
        VideoRequest request = case_request(job == "v2v" ? "v2v" : "inpaint");
        if (job == "condition") request = request_in("ltx/condition_clips");
        request.num_inference_steps = 2;
        request.strength = job == "v2v" ? std::optional(1.0) : std::nullopt;
        if (job == "motion") request.control = ControlSource::flow;
        if (job == "v2v" || job == "control" || job == "motion") {
            request.video = file;
            request.mask.reset();
            request.num_frames.reset();
        }
        if (job == "mask") request.mask = file, request.num_frames = video == "odd.mkv" ? 1 : 5;
        if (job == "continue") {
            request.video.reset();
            request.mask.reset();
            request.fps.reset();  // that of the video
            request.continue_video = file;
        }
        if (job == "condition") request.conditions.resize(1), request.conditions[0] = {.file = file};
        request.output.file = folder_ / "out.mkv";
        request.output.codec = "ffv1";
        request.output.overwrite = OverwriteMode::overwrite;
        fs::remove(request.output.file);
        try {
            const Outcome outcome = run(request);
            QVERIFY(outcome.frames.isfinite().all().item<bool>());
            QVERIFY2(outcome.plan_notes.find(words.toStdString()) != std::string::npos, outcome.plan_notes.c_str());
            QVERIFY(!read_frames(request.output.file, {}).empty());
        } catch (const Error& error) {
            const std::set<QString> refused{"sound_only.mp4", "empty.mp4"};
            QVERIFY2(refused.contains(video), error.what());
            QVERIFY2(error.message().find(words.toStdString()) != std::string::npos, error.what());
            QVERIFY(!fs::exists(request.output.file));
        }
    }

    void a_control_video_is_made_from_a_video_data() {
        QTest::addColumn<ControlSource>("source");
        QTest::newRow("edges") << ControlSource::edges;
        QTest::newRow("gray") << ControlSource::gray;
    }
    void a_control_video_is_made_from_a_video() {
        QFETCH(ControlSource, source);
        VideoRequest request = case_request("vace");
        request.reference_images.clear();
        request.video = test_data("wan_video/v2v/video");
        request.num_frames = 9;
        request.control = source;
        const Tensor condition = run(request).conditioning.condition;
        // The same as from pictures that were prepared before.
        const auto prepared = folder_ / ("prepared-" + std::string(QTest::currentDataTag()));
        fs::create_directories(prepared);
        for (const auto& entry : fs::directory_iterator(*request.video)) {
            const Tensor picture = to_tensor(read_image(entry.path()));
            write_png(prepared / entry.path().filename(),
                      control_picture(
                          to_frame(pil_resize(picture, *request.height, *request.width, PilFilter::lanczos)), source));
        }
        request.video = prepared;
        request.control = ControlSource::ready;
        QVERIFY(run(request).conditioning.condition.equal(condition));
    }

    void a_control_video_is_made_from_the_motion_of_a_video_data() {
        QTest::addColumn<int>("num_frames");
        QTest::newRow("nine frames") << 9;
        QTest::newRow("one frame") << 1;
    }
    void a_control_video_is_made_from_the_motion_of_a_video() {
        QFETCH(int, num_frames);
        VideoRequest request = case_request("vace");
        request.reference_images.clear();
        request.video = test_data("wan_video/v2v/video");
        request.num_frames = num_frames;
        request.control = ControlSource::flow;
        const Tensor condition = run(request).conditioning.condition;
        // The same as from pictures that were prepared before: the motion to the second frame twice, then to each next.
        std::vector<fs::path> files;
        for (const auto& entry : fs::directory_iterator(*request.video)) files.push_back(entry.path());
        std::ranges::sort(files);
        const auto frame = [&](int index) {
            const Tensor picture = to_tensor(read_image(files.at(static_cast<std::size_t>(index))));
            return to_frame(pil_resize(picture, *request.height, *request.width, PilFilter::lanczos));
        };
        const auto prepared = folder_ / ("motion-" + std::to_string(num_frames));
        fs::create_directories(prepared);
        for (int i = 0; i < num_frames; ++i) {
            const int to = std::min(std::max(i, 1), num_frames - 1);
            write_png(prepared / files.at(static_cast<std::size_t>(i)).filename(),
                      flow_picture(frame(std::max(0, to - 1)), frame(to)));
        }
        request.video = prepared;
        request.control = ControlSource::ready;
        QVERIFY(run(request).conditioning.condition.equal(condition));
    }

    void a_video_of_one_frame_gives_one_frame() {
        VideoRequest request = case_request("v2v");
        request.video = test_data("wan_video/v2v/video/000.png");
        request.num_frames.reset();
        QCOMPARE(run(request).frames.size(0), 1);
    }

    void a_control_video_of_another_size_is_stretched() {
        VideoRequest request = case_request("inpaint");
        QCOMPARE(run(request).conditioning.condition.sizes().vec(), (std::vector<std::int64_t>{1, 96, 3, 4, 6}));
    }
};

QTEST_GUILESS_MAIN(TestVideoInputRuns)
#include "test_video_input_runs.moc"
