#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <exception>
#include <fstream>
#include <functional>
#include <limits>
#include <new>
#include <system_error>

#include "core/api/steps_of_other_setup.h"
#include "core/device/fast_paths.h"
#include "core/jobs/queue/fallback_checkpoint_store.h"
#include "core/jobs/queue/file_checkpoint_store.h"
#include "core/jobs/queue/job_run_control.h"
#include "core/jobs/queue/part_folder.h"
#include "core/jobs/queue/part_result.h"
#include "tests/support/file_bytes.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using testing::contents_of;
using testing::thrown_by;

namespace {

namespace fs = std::filesystem;

NumericSample odd_sample() {
    NumericSample sample{.phase = Phase::denoise, .step = 3, .attempt = 1, .branch = "cond"};
    sample.component = "transformer";
    sample.site = "blocks.1.ffn";
    sample.precision = {ElementType::float16, PrecisionLevel::scaled};
    sample.stats = {.count = 5, .min = -0.1, .max = 1.0 / 3, .max_abs = std::numeric_limits<double>::infinity()};
    sample.stats.mean = std::numeric_limits<double>::quiet_NaN();
    sample.headroom_stops = -std::numeric_limits<double>::infinity();
    return sample;
}

RunPosition position_after(int step) {
    RunPosition position;
    position.step = step;
    position.latents = at::randn({1, 4, 3, 8, 8});
    position.clean = at::randn({1, 4, 3, 8, 8});
    position.scheduler.model_outputs = {at::randn({2, 3}), at::randn({2, 3})};
    position.scheduler.last_sample = at::randn({2, 3});
    position.scheduler.this_order = 2;
    position.scheduler.lower_order_nums = 1;
    position.noise = at::arange(0, 200, at::kByte);
    position.cache = {.latents = at::randn({2, 3}),
                      .prediction = at::randn({2, 3}),
                      .offsets = {at::randn({2, 3}), at::randn({2, 3})},
                      .branches = {Branch::cond, Branch::skip},
                      .has_nag = true,
                      .rate = 0.1 + 0.2,
                      .expected_error = 1.0 / 3,
                      .expert = 1};
    position.guidance.average = at::randn({2, 3});
    position.numerics.guard.overrides = {{"transformer", "blocks.1.ffn", PrecisionLevel::scaled},
                                         {"vae", "", PrecisionLevel::float32}};
    position.numerics.guard.half_accumulation = HalfAccumulation::allowed;
    position.numerics.guard.previous = {odd_sample()};
    position.numerics.last_block = {{"transformer blocks", 29}};
    position.numerics.journal.noted = {{Detector::feed_forward, "transformer", "blocks.2", "growth"}};
    position.numerics.journal.guard_actions = 3;
    position.numerics.journal.known_overrides = 2;
    position.numerics.journal.has_healed = true;
    position.numerics.log = {.json_lines = 4711, .csv = 12};
    position.seconds_by_phase = {{"denoise", 0.1 + 0.2}};
    return position;
}

Conditioning conditioning() {
    Conditioning made;
    made.prompt_embeds = at::randn({1, 7, 16});
    made.input_ids = at::arange(0, 7).unsqueeze(0);
    made.attention_mask = made.input_ids > 3;
    made.details["first_frame_mask"] = at::ones({2, 2});
    return made;
}

/// A store that cannot save anything.
class FailingStore final : public CheckpointStore {
public:
    explicit FailingStore(std::exception_ptr failure) : failure_(std::move(failure)) {}

    LoadedCheckpoint load() override { return {}; }
    void save_conditioning(const Conditioning&, const RunPosition&) override { std::rethrow_exception(failure_); }
    void save_step(const RunPosition&) override { std::rethrow_exception(failure_); }
    void finish() override { std::rethrow_exception(failure_); }
    void clear() override {}

private:
    std::exception_ptr failure_;
};

/// Flips a bit of the tensor values. Only a checksum can detect this damage.
void flip_a_bit(const fs::path& file) {
    std::string bytes = contents_of(file);
    bytes[bytes.size() - 5] = static_cast<char>(bytes[bytes.size() - 5] ^ 4);
    std::ofstream(file, std::ios::binary) << bytes;
}

/// While it exists, a file cannot be read, not even by root: its name leads back to itself.
class UnreadableFile {
public:
    explicit UnreadableFile(fs::path file) : file_(std::move(file)), kept_(file_.string() + ".kept") {
        fs::rename(file_, kept_);
        fs::create_symlink(file_.filename(), file_);
    }
    ~UnreadableFile() { fs::rename(kept_, file_); }
    UnreadableFile(const UnreadableFile&) = delete;
    UnreadableFile& operator=(const UnreadableFile&) = delete;

private:
    fs::path file_;
    fs::path kept_;
};

/// A disk that is full at times.
struct Disk {
    MemoryCheckpointStore files;
    enum class Space { none, some } space = Space::some;
    bool is_readable = true;
    void require_space() const {
        if (space == Space::none) throw Error(ErrorCode::disk_full, "the disk is full");
    }
};

class StoreOnDisk final : public CheckpointStore {
public:
    explicit StoreOnDisk(Disk& disk) : disk_(disk) {}
    LoadedCheckpoint load() override {
        if (!disk_.is_readable) throw Error(ErrorCode::file_unreadable, "the disk does not answer");
        return disk_.files.load();
    }
    void save_conditioning(const Conditioning& made, const RunPosition& position) override {
        disk_.require_space();
        disk_.files.save_conditioning(made, position);
    }
    void save_step(const RunPosition& position) override {
        disk_.require_space();
        disk_.files.save_step(position);
    }
    void clear() override { disk_.files.clear(); }

private:
    Disk& disk_;
};

FallbackCheckpointStore store_on(Disk& disk, const std::shared_ptr<MemoryCheckpointStore>& memory) {
    return {std::make_unique<StoreOnDisk>(disk), memory};
}

}  // namespace

class TestFileCheckpointStore : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> folder_;
    fs::path dir() const { return folder_->path().toStdString(); }
    FileCheckpointStore files(const std::string& run = "one", const std::string& model = "model",
                              const std::string& device = "cpu A") const {
        return {dir(), {.run = run, .model = model, .device = device}};
    }

    Conditioning keep_two_steps() const {
        const Conditioning made = conditioning();
        files().save_conditioning(made, position_after(0));
        files().save_step(position_after(1));
        files().save_step(position_after(2));
        return made;
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void a_new_store_is_empty() {
        QVERIFY(!files().load().checkpoint);
        QCOMPARE(saved_step(dir()), 0);
    }

    void checkpoints_round_trip_bit_for_bit() {
        const Conditioning condition = conditioning();
        const RunPosition start = position_after(0);
        const RunPosition position = position_after(3);
        files().save_conditioning(condition, start);
        files().save_step(position);
        QCOMPARE(saved_step(dir()), 3);
        const auto kept = files().load().checkpoint;
        QVERIFY(kept);
        QVERIFY(kept->conditioning.prompt_embeds.equal(condition.prompt_embeds));
        QVERIFY(kept->conditioning.input_ids.equal(condition.input_ids));
        QVERIFY(kept->conditioning.attention_mask.equal(condition.attention_mask));
        QVERIFY(!kept->conditioning.negative_prompt_embeds.defined());
        QVERIFY(kept->conditioning.details.at("first_frame_mask").equal(at::ones({2, 2})));
        QVERIFY(kept->noise_after_encode.equal(start.noise));
        QCOMPARE(kept->position.step, 3);
        QVERIFY(kept->position.latents.equal(position.latents));
        QVERIFY(kept->position.clean.equal(position.clean));
        QCOMPARE(kept->position.scheduler.model_outputs.size(), std::size_t{2});
        QVERIFY(kept->position.scheduler.model_outputs[1].equal(position.scheduler.model_outputs[1]));
        QVERIFY(kept->position.scheduler.last_sample.equal(position.scheduler.last_sample));
        QCOMPARE(kept->position.scheduler.this_order, 2);
        const PredictionCacheState& cache = kept->position.cache;
        QVERIFY(cache.latents.equal(position.cache.latents) && cache.prediction.equal(position.cache.prediction));
        QCOMPARE(cache.offsets.size(), std::size_t{2});
        QVERIFY(cache.offsets[1].equal(position.cache.offsets[1]));
        QVERIFY((cache.branches == std::vector{Branch::cond, Branch::skip}));
        QVERIFY(cache.has_nag);
        QCOMPARE(cache.rate, 0.1 + 0.2);
        QCOMPARE(cache.expected_error, 1.0 / 3);
        QCOMPARE(cache.expert, 1);
        QCOMPARE(kept->position.seconds_by_phase.at("denoise"), 0.1 + 0.2);
        QVERIFY(to_json(kept->position.numerics) == to_json(position.numerics));
        const NumericSample& sample = kept->position.numerics.guard.previous.at(0);
        QVERIFY(std::isnan(sample.stats.mean) && std::isinf(sample.stats.max_abs));
        QCOMPARE(sample.stats.max, 1.0 / 3);
    }

    void conditioning_is_saved_before_the_first_step() {
        RunPosition start;
        start.noise = at::ones({3}, at::kByte);
        files().save_conditioning(conditioning(), start);
        const auto kept = files().load().checkpoint;
        QVERIFY(kept && kept->position.step == 0 && !kept->position.latents.defined());
    }

    void a_checkpoint_of_another_program_or_model_is_refused() {
        files().save_conditioning(conditioning(), position_after(0));
        QVERIFY_THROWS_EXCEPTION(Error, files("two").load());
        QVERIFY_THROWS_EXCEPTION(Error, files("two", "other model", "cpu B").load());
    }

    void a_checkpoint_of_another_device_continues_with_a_warning() {
        keep_two_steps();
        const LoadedCheckpoint kept = files("two", "model", "cuda:0 B").load();
        QCOMPARE(kept.checkpoint->position.step, 2);
        QVERIFY(kept.checkpoint->position.latents.equal(files().load().checkpoint->position.latents));
        QCOMPARE(kept.warnings.size(), std::size_t{1});
        QVERIFY(kept.warnings[0].find("(cpu A) and continues after step 2 on cuda:0 B; the bits") != std::string::npos);
        QVERIFY(files().load().warnings.empty());
    }

    void steps_of_another_request_are_refused_and_kept() {
        RunFingerprint asked{.run = "one", .model = "model", .device = "cpu A", .request = "asked"};
        FileCheckpointStore(dir(), asked).save_conditioning(conditioning(), position_after(0));
        QVERIFY(FileCheckpointStore(dir(), asked).load().checkpoint);
        RunFingerprint on_gpu{.run = "two", .model = "model", .device = "cuda:0 B", .request = "asked"};
        QVERIFY(FileCheckpointStore(dir(), on_gpu).load().checkpoint);
        for (RunFingerprint other : {asked, on_gpu}) {
            other.request = "other";
            const Error error = thrown_by([&] { FileCheckpointStore(dir(), other).load(); });
            QCOMPARE(error.argument("cause"), std::string(kStepsOfOtherSetup));
            QVERIFY2(error.message().find("other settings") != std::string::npos, error.what());
        }
        QVERIFY(FileCheckpointStore(dir(), asked).load().checkpoint);
    }

    void a_request_is_identified_by_what_determines_the_numbers_of_its_steps() {
        const OverrideKey key{.device = "cpu A", .driver = {}, .libtorch = "2", .model = "wan 1"};
        PreparedRun job;
        job.request.content.image = "/home/a.png";
        job.request.content.components = {{"vae", "/home/vae.safetensors"}, {"text_encoder", "/home/t5.gguf"}};
        job.request.content.loras = {{.path = "/home/style.safetensors", .scale = 0.5}};
        const std::string asked = run_fingerprint(job, key, {}).request;
        const auto changed = [&](const std::function<void(ResolvedRequest&)>& change) {
            PreparedRun other = job;
            change(other.request);
            return run_fingerprint(other, key, {}).request != asked;
        };
        QVERIFY(changed([](ResolvedRequest& request) { request.sampling.seed ^= 4; }));
        QVERIFY(changed([](ResolvedRequest& request) { request.sampling.num_inference_steps = 9; }));
        QVERIFY(changed([](ResolvedRequest& request) { request.sampling.guidance_scale = 4; }));
        QVERIFY(changed([](ResolvedRequest& request) { request.content.prompt = "a red bald"; }));
        QVERIFY(changed([](ResolvedRequest& request) { request.content.loras[0].scale = 0.25; }));
        QVERIFY(changed([](ResolvedRequest& request) { request.compute.guard = GuardMode::observe; }));
        // What another computer or the user may change in a job that goes on.
        QVERIFY(!changed([](ResolvedRequest& request) {
            request.content.image = "/mnt/b.png";
            request.content.components = {{"text_encoder", "/mnt/t5.gguf"}, {"vae", "/mnt/vae.safetensors"}};
            request.content.originals = {{"/mnt/b.png", "/home/a.png"}};
            request.content.loras[0].path = "/mnt/style.safetensors";
            request.compute.device = "cuda:1";
            request.compute.threads = 3;
            request.compute.vae_tiling = true;
            request.compute.overrides = {{.component = "vae", .site = {}}};
            request.finish.audio.file = "/home/a.wav";
            request.output.file = "/mnt/b.mp4";
        }));
    }

    void a_modified_file_of_the_model_is_named_in_a_warning() {
        const auto modified_at = [](std::int64_t transformer, std::int64_t vae) {
            return RunFingerprint{.run = "one",
                                  .model = "model",
                                  .device = "cpu A",
                                  .request = {},
                                  .sampled = {{"/m/transformer.gguf", transformer}, {"/m/vae.safetensors", vae}}};
        };
        {
            FileCheckpointStore store(dir(), modified_at(1, 2));
            store.save_conditioning(conditioning(), position_after(0));
            store.save_step(position_after(1));
        }
        QVERIFY(FileCheckpointStore(dir(), modified_at(1, 2)).load().warnings.empty());
        const auto warnings = FileCheckpointStore(dir(), modified_at(1, 3)).load().warnings;
        QCOMPARE(warnings.size(), std::size_t{1});
        QVERIFY2(warnings[0].find("began: /m/vae.safetensors; if") != std::string::npos, warnings[0].c_str());
        // The warning remains as long as the video has steps of both files.
        FileCheckpointStore(dir(), modified_at(1, 3)).save_step(position_after(2));
        QCOMPARE(FileCheckpointStore(dir(), modified_at(1, 3)).load().warnings.size(), std::size_t{1});
        QCOMPARE(FileCheckpointStore(dir(), modified_at(1, 2)).load().warnings.size(), std::size_t{1});
    }

    /// As on another node of a cluster, which may have a CPU of the same name with fewer instructions switched on.
    void other_instructions_of_the_cpu_are_another_device() {
        PreparedRun job;
        const OverrideKey key{.device = "cpu A", .driver = {}, .libtorch = "2", .model = "wan 1"};
        job.libraries = {{"cpu_kernels", "AVX512"}, {"libtorch", "2"}};
        const RunFingerprint before = run_fingerprint(job, key, {});
        job.libraries["cpu_kernels"] = "AVX2";
        const RunFingerprint after = run_fingerprint(job, key, {});
        QVERIFY(before.run != after.run && before.device != after.device);
        QCOMPARE(before.model, after.model);
        FileCheckpointStore(dir(), before).save_conditioning(conditioning(), position_after(0));
        const LoadedCheckpoint kept = FileCheckpointStore(dir(), after).load();
        QVERIFY(kept.checkpoint && kept.warnings.size() == 1);
        QVERIFY2(kept.warnings[0].find("on cpu A, AVX2 kernels") != std::string::npos, kept.warnings[0].c_str());
    }

    /// The device check may decide differently about them before the job goes on.
    void other_fast_paths_are_another_device() {
        const Device gpu("cuda:0");
        PreparedRun job;
        job.policy.components["vae"].precision.device = gpu;
        const OverrideKey key{.device = "cuda:0 B", .driver = {}, .libtorch = "2", .model = "wan 1"};
        const RunFingerprint plain = run_fingerprint(job, key, {});
        QCOMPARE(plain.device, key.device);
        allow_fast_paths(gpu, {FastPath::fused_norm, FastPath::tf32_convolution});
        const RunFingerprint fast = run_fingerprint(job, key, {});
        job.policy.components["vae"].precision.device = Device(at::kCPU);
        const RunFingerprint on_cpu = run_fingerprint(job, key, {});
        allow_fast_paths(gpu, {});
        QVERIFY(fast.run != plain.run && fast.model == plain.model);
        QCOMPARE(fast.device, key.device + ", with fused norm, TF32 convolution");
        QCOMPARE(on_cpu.run, plain.run);
        FileCheckpointStore(dir(), fast).save_conditioning(conditioning(), position_after(0));
        const LoadedCheckpoint kept = FileCheckpointStore(dir(), plain).load();
        QVERIFY(kept.checkpoint && kept.warnings.size() == 1);
    }

    void a_checkpoint_that_the_system_refuses_does_not_end_the_run_data() {
        QTest::addColumn<std::exception_ptr>("failure");
        const auto again = std::make_error_code(std::errc::resource_unavailable_try_again);
        QTest::newRow("thread") << std::make_exception_ptr(std::system_error(again));
        QTest::newRow("memory") << std::make_exception_ptr(std::bad_alloc());
        QTest::newRow("disk") << std::make_exception_ptr(Error(ErrorCode::disk_full, "the disk is full"));
    }
    void a_checkpoint_that_the_system_refuses_does_not_end_the_run() {
        QFETCH(std::exception_ptr, failure);
        FailingStore store(failure);
        std::vector<LogLine> warnings;
        const EventSink emit = [&](const RunEvent& event) { warnings.push_back(std::get<LogLine>(event)); };
        RunningJob job;
        JobRunControl control(job, store, emit);
        control.save_step({});
        control.save_step({});
        QVERIFY(control.finish_saving().has_value());
        QCOMPARE(warnings.size(), std::size_t{1});
        QCOMPARE(warnings[0].topic, LogTopic::unsaved_steps);
        QVERIFY2(warnings[0].text.find("finished steps are lost") != std::string::npos, warnings[0].text.c_str());
    }

    /// The meta device stands for one that this computer lacks.
    void tensors_of_another_device_are_moved() {
        keep_two_steps();
        const auto kept =
            FileCheckpointStore(dir(), {.run = "two", .model = "model", .device = "B"}, Device(at::kMeta)).load();
        QVERIFY(kept.checkpoint->position.latents.is_meta());
        QVERIFY(kept.checkpoint->conditioning.prompt_embeds.is_meta());
        QVERIFY(kept.checkpoint->position.noise.is_cpu());
    }

    void a_checkpoint_of_another_program_is_not_deleted() {
        files().save_conditioning(conditioning(), position_after(0));
        files().save_step(position_after(2));
        try {
            files("two").load();
            QFAIL("no error");
        } catch (const Error& error) {
            QCOMPARE(error.argument("cause"), std::string(kStepsOfOtherSetup));
        }
        QCOMPARE(files().load().checkpoint->position.step, 2);
    }

    void a_truncated_file_falls_back_to_the_previous_step() {
        keep_two_steps();
        const auto size = fs::file_size(dir() / "step.safetensors");
        for (const auto kept : {size - 1, size / 2, std::uintmax_t{20}, std::uintmax_t{3}, std::uintmax_t{0}}) {
            fs::resize_file(dir() / "step.safetensors", kept);
            const LoadedCheckpoint recalled = files().load();
            QCOMPARE(recalled.checkpoint->position.step, 1);
            QCOMPARE(recalled.warnings.size(), std::size_t{1});
            QVERIFY(recalled.warnings[0].find("step.safetensors is damaged") != std::string::npos);
            QVERIFY(recalled.warnings[0].find("continues after step 1") != std::string::npos);
            QVERIFY2(recalled.warnings[0].find("ownload") == std::string::npos, recalled.warnings[0].c_str());
            QCOMPARE(saved_step(dir()), 1);
        }
    }

    /// Flips sampled bits of values, shapes, names and metadata.
    void one_flipped_bit_falls_back_to_the_previous_step() {
        keep_two_steps();
        const fs::path file = dir() / "step.safetensors";
        const std::string whole = contents_of(file);
        QVERIFY(!whole.empty());
        for (std::size_t i = 0; i < whole.size(); i += 61) {
            std::string flipped = whole;
            flipped[i] = static_cast<char>(flipped[i] ^ (1 << i % 8));
            std::ofstream(file, std::ios::binary) << flipped;
            const LoadedCheckpoint recalled = files().load();
            QVERIFY2(recalled.checkpoint->position.step == 1 && recalled.warnings.size() == 1,
                     std::to_string(i).c_str());
        }
    }

    void with_both_steps_damaged_the_conditioning_is_kept() {
        keep_two_steps();
        for (const char* name : {"step.safetensors", "step-before.safetensors"}) flip_a_bit(dir() / name);
        const LoadedCheckpoint recalled = files().load();
        QCOMPARE(recalled.checkpoint->position.step, 0);
        QCOMPARE(recalled.warnings.size(), std::size_t{2});
    }

    void damaged_conditioning_is_restored_from_its_copy() {
        const Conditioning expected = keep_two_steps();
        flip_a_bit(dir() / "conditioning.safetensors");
        const LoadedCheckpoint recalled = files().load();
        QCOMPARE(recalled.checkpoint->position.step, 2);
        QVERIFY(recalled.checkpoint->conditioning.prompt_embeds.equal(expected.prompt_embeds));
        QCOMPARE(recalled.warnings.size(), std::size_t{1});
        flip_a_bit(dir() / "conditioning-copy.safetensors");
        const LoadedCheckpoint nothing = files().load();
        QVERIFY(!nothing.checkpoint);
        QCOMPARE(nothing.warnings.size(), std::size_t{2});
    }

    void files_that_cannot_be_read_now_are_kept_data() {
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<int>("step");  // -1: an error
        QTest::newRow("conditioning") << QStringList{"conditioning"} << 2;
        QTest::newRow("conditioning and its copy") << QStringList{"conditioning", "conditioning-copy"} << -1;
        QTest::newRow("newest step") << QStringList{"step"} << 1;
        QTest::newRow("both steps") << QStringList{"step", "step-before"} << -1;
        QTest::newRow("one of each") << QStringList{"conditioning", "step"} << 1;
    }
    void files_that_cannot_be_read_now_are_kept() {
        QFETCH(QStringList, names);
        QFETCH(int, step);
        keep_two_steps();
        {
            std::vector<std::unique_ptr<UnreadableFile>> unreadable;
            for (const QString& name : names)
                unreadable.push_back(std::make_unique<UnreadableFile>(dir() / (name.toStdString() + ".safetensors")));
            try {
                const LoadedCheckpoint loaded = files().load();
                QVERIFY(loaded.checkpoint);
                QCOMPARE(loaded.checkpoint->position.step, step);
                QCOMPARE(loaded.warnings.size(), static_cast<std::size_t>(names.size()));
                QVERIFY2(loaded.warnings[0].find("Cannot read") != std::string::npos, loaded.warnings[0].c_str());
                QVERIFY2(loaded.warnings[0].find("damaged") == std::string::npos, loaded.warnings[0].c_str());
            } catch (const Error& error) {
                QCOMPARE(step, -1);
                QCOMPARE(error.code(), ErrorCode::file_unreadable);
                QVERIFY2(error.hint().find("They are kept") != std::string::npos, error.hint().c_str());
            }
        }
        const LoadedCheckpoint loaded = files().load();
        QVERIFY(loaded.checkpoint && loaded.warnings.empty());
        QCOMPARE(loaded.checkpoint->position.step, 2);
    }

    /// The disk cannot tell whether there is a checkpoint.
    void a_folder_that_cannot_be_searched_now_is_not_empty() {
        fs::create_symlink("loop", dir() / "loop");
        FileCheckpointStore store(dir() / "loop", {.run = "one", .model = "model", .device = "cpu A"});
        QVERIFY_THROWS_EXCEPTION(Error, store.load());
    }

    void the_step_in_memory_is_used_while_the_disk_cannot_be_read() {
        Disk disk;
        const auto memory = std::make_shared<MemoryCheckpointStore>();
        memory->save_conditioning(conditioning(), position_after(0));
        memory->save_step(position_after(1));
        disk.is_readable = false;
        FallbackCheckpointStore store = store_on(disk, memory);
        QCOMPARE(store.load().checkpoint->position.step, 1);
        const auto nothing = std::make_shared<MemoryCheckpointStore>();
        FallbackCheckpointStore without = store_on(disk, nothing);
        QVERIFY_THROWS_EXCEPTION(Error, without.load());
    }

    void steps_without_conditioning_are_reported() {
        files().save_step(position_after(2));
        QCOMPARE(saved_step(dir()), 0);
        const LoadedCheckpoint recalled = files().load();
        QVERIFY(!recalled.checkpoint);
        QCOMPARE(recalled.warnings.size(), std::size_t{1});
        QVERIFY2(recalled.warnings[0].find("the job starts over") != std::string::npos, recalled.warnings[0].c_str());
    }

    /// The newest step is missing if the process is killed between the two renames of a step.
    void a_missing_newest_step_is_not_damage() {
        keep_two_steps();
        fs::remove(dir() / "step.safetensors");
        const LoadedCheckpoint recalled = files().load();
        QCOMPARE(recalled.checkpoint->position.step, 1);
        QVERIFY(recalled.warnings.empty());
        QCOMPARE(saved_step(dir()), 1);
    }

    void steps_that_cannot_be_read_now_are_not_counted_as_none() {
        keep_two_steps();
        {
            const UnreadableFile newest(dir() / "step.safetensors");
            QCOMPARE(saved_step(dir()), 1);
            const UnreadableFile previous(dir() / "step-before.safetensors");
            QVERIFY_THROWS_EXCEPTION(Error, saved_step(dir()));
        }
        QCOMPARE(saved_step(dir()), 2);
        fs::create_symlink("loop", dir() / "loop");
        QVERIFY_THROWS_EXCEPTION(Error, has_checkpoint(dir() / "loop"));
        flip_a_bit(dir() / "step.safetensors");
        QCOMPARE(saved_step(dir()), 2);  // only the header is read
        std::ofstream(dir() / "step.safetensors") << "damaged";
        QCOMPARE(saved_step(dir()), 1);
    }

    /// A part that counts as missing is made again.
    void a_part_that_cannot_be_read_now_is_not_missing() {
        const fs::path part = part_folder(dir(), 0);
        QVERIFY(!is_complete_part(dir(), 0));
        fs::create_directory(part);
        QVERIFY(!is_complete_part(dir(), 0));
        std::ofstream(part / "frames.mkv") << "frames";
        QVERIFY(!is_complete_part(dir(), 0));
        PartResult result{.run = {}, .video_frames = 1, .video_sha256 = "hash", .setup = {{"fingerprint", "run"}}};
        result.run.output_bytes = 6;
        write_part_result(part, result);
        QVERIFY(is_complete_part(dir(), 0));
        for (const char* name : {"frames.mkv", "result.json"}) {
            const UnreadableFile unreadable(part / name);
            QVERIFY_THROWS_EXCEPTION(Error, is_complete_part(dir(), 0));
        }
        std::ofstream(part / "result.json") << "damaged";
        QVERIFY(!is_complete_part(dir(), 0));
    }

    void only_the_owner_may_read_checkpoints() {
        keep_two_steps();
        QVERIFY(!fs::is_empty(dir()));
        for (const fs::directory_entry& entry : fs::directory_iterator(dir()))
            QCOMPARE(entry.status().permissions() & fs::perms::all, fs::perms::owner_read | fs::perms::owner_write);
    }

    void conditioning_is_saved_before_the_next_step_if_that_failed() {
        Disk disk{.files = {}, .space = Disk::Space::none};
        const auto memory = std::make_shared<MemoryCheckpointStore>();
        FallbackCheckpointStore store = store_on(disk, memory);
        QVERIFY(!store.load().checkpoint);
        QVERIFY_THROWS_EXCEPTION(Error, store.save_conditioning(conditioning(), position_after(0)));
        QVERIFY_THROWS_EXCEPTION(Error, store.save_step(position_after(1)));
        disk.space = Disk::Space::some;
        store.save_step(position_after(2));
        store.save_step(position_after(3));
        store.finish();
        QCOMPARE(disk.files.checkpoint()->position.step, 3);
        QCOMPARE(disk.files.start().step, 0);
        QVERIFY(!memory->checkpoint());
    }

    void a_step_that_the_disk_does_not_take_stays_in_memory() {
        Disk disk;
        const auto memory = std::make_shared<MemoryCheckpointStore>();
        {
            FallbackCheckpointStore store = store_on(disk, memory);
            QVERIFY(!store.load().checkpoint);
            store.save_conditioning(conditioning(), position_after(0));
            store.save_step(position_after(1));
            disk.space = Disk::Space::none;
            QVERIFY_THROWS_EXCEPTION(Error, store.save_step(position_after(2)));
            QVERIFY_THROWS_EXCEPTION(Error, store.finish());
        }
        {
            const FallbackCheckpointStore unused = store_on(disk, memory);  // a run that fails before it loads
        }
        FallbackCheckpointStore store = store_on(disk, memory);
        QCOMPARE(store.load().checkpoint->position.step, 2);
        QCOMPARE(disk.files.checkpoint()->position.step, 1);
        disk.space = Disk::Space::some;
        store.finish();
        QCOMPARE(disk.files.checkpoint()->position.step, 2);
        QVERIFY(!memory->checkpoint());
    }

    void clear_removes_all_files() {
        files().save_conditioning(conditioning(), position_after(0));
        files().save_step(position_after(2));
        files().clear();
        QVERIFY(fs::is_empty(dir()));
    }
};

QTEST_GUILESS_MAIN(TestFileCheckpointStore)
#include "test_file_checkpoint_store.moc"
