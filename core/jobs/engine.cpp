#include "core/api/engine.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>

#include "core/base/log_line.h"
#include "core/device/backend.h"
#include "core/device/device_memory.h"
#include "core/jobs/bench.h"
#include "core/jobs/check_file.h"
#include "core/jobs/compare.h"
#include "core/jobs/describe.h"
#include "core/jobs/doctor.h"
#include "core/jobs/idle_wishes.h"
#include "core/jobs/job_desk.h"
#include "core/jobs/kept_checks.h"
#include "core/jobs/learned_overrides.h"
#include "core/jobs/list_models.h"
#include "core/jobs/plan.h"
#include "core/jobs/prepare.h"
#include "core/jobs/presets.h"
#include "core/jobs/run_files.h"
#include "core/jobs/run_fingerprint.h"
#include "core/jobs/saved_tensors.h"
#include "core/jobs/verify.h"
#include "core/jobs/worker.h"
#include "core/media/guarded_reader.h"
#include "core/media/output_path.h"

namespace kinescope {

namespace {

class LocalEngine final : public Engine {
public:
    LocalEngine(EngineOptions options, RunObserver& observer)
        : options_(std::move(options)),
          timings_(default_timings_file()),
          checks_(default_checks_file()),
          reader_(options_.program),
          desk_({.worker = worker_,
                 .observer = observer,
                 .make_video = [this](const JobWork& work, const EventSink& emit) { return make_video(work, emit); },
                 .jobs_dir = options_.jobs_dir,
                 .queue_events = options_.queue_events}) {}

    ~LocalEngine() override {
        desk_.close();
        worker_.stop();
    }

    JobId submit(VideoRequest request) override { return desk_.submit(std::move(request)); }
    void cancel(JobId job) override { desk_.cancel(job); }
    std::vector<JobRecord> jobs() override { return desk_.jobs(); }
    std::optional<JobRecord> job(JobId job) override { return desk_.job(job); }
    void pause(JobId job) override { desk_.pause(job); }
    void suspend(JobId job) override { desk_.suspend(job); }
    void decode_now(JobId job) override { desk_.decode_now(job); }
    void proceed(JobId job) override { desk_.proceed(job); }
    void move(JobId job, int position) override { desk_.move(job, position); }
    void edit(JobId job, VideoRequest request) override { desk_.edit(job, std::move(request)); }
    void remove(JobId job) override { desk_.remove(job); }
    void hold_queue() override { desk_.hold(); }
    void release_queue() override { desk_.release(); }
    void retry(JobId job) override { desk_.retry(job); }

    ModelCard card(const std::string& model) override { return identify_model(model, options_.resources_dir).card; }
    ModelCard card(const VideoRequest& request) override {
        return identify_model(request.model, options_.resources_dir, request.components).card;
    }

    std::vector<ModelCard> models() override { return list_models(options_.resources_dir); }

    CheckpointDescription describe_checkpoint(const std::filesystem::path& path) override {
        worker_.wait_until_ready();
        CheckpointDescription description = describe(model_path(path.string(), options_.resources_dir));
        for (ComponentDescription& component : description.components)
            for (const auto& file : component.files)
                if (auto kept = checks_.find(file)) component.checks.push_back(std::move(*kept));
        return description;
    }

    FileCheck check_file(const std::filesystem::path& file, const CheckProgress& progress) override {
        worker_.wait_until_ready();
        FileCheck check = kinescope::check_file(file, options_.resources_dir / "downloads.json", progress);
        checks_.keep(check);
        return check;
    }

    std::vector<DeviceInfo> devices() override {
        std::vector<DeviceInfo> rows;
        for (const DeviceCapability& device : known_devices()) rows.push_back(describe_device(device));
        return rows;
    }

    std::vector<PresetInfo> presets(const VideoRequest& request) override {
        const PrepareOptions options = planning_options();
        return describe_presets(request, kinescope::presets(options), choose_device(request.device, options.devices),
                                card(request.model));
    }

    Plan plan(const VideoRequest& request) override {
        const PrepareOptions options = planning_options();
        Plan plan = make_plan(prepare(request, options), timings_);
        if (std::string words = preset_words(request, options, plan.card); !words.empty())
            plan.notes.push_back(std::move(words));
        return plan;
    }

    int count_tokens(const std::string& model, const std::string& prompt) override {
        const IdentifiedModel identified = identify_model(model, options_.resources_dir);
        return identified.family->count_tokens(identified.files, prompt);
    }

    VerifyReport verify(const std::filesystem::path& case_dir, const VerifyOptions& options) override {
        return worker_.call([&] {
            devices_for(options.device, &warn);
            return verify_case(case_dir, options_.resources_dir, options);
        });
    }

    std::vector<BenchRow> bench(const VideoRequest& request, int repeats) override {
        return worker_.call([&] {
            use_threads(request);
            apply_numeric_settings(request.half_accumulation);
            return bench_job(
                prepare_job(request, with_reader({options_.resources_dir, devices_for(request.device, &warn)})),
                repeats);
        });
    }

    DoctorReport doctor(CanaryMode mode) override {
        worker_.wait_until_ready();
        return make_doctor_report(canary(), options_.resources_dir / "known_bad.json", mode);
    }

    CompareReport compare(const std::filesystem::path& a, const std::filesystem::path& b,
                          const CompareTolerance& tolerance) override {
        worker_.wait_until_ready();
        return compare_files(a, b, tolerance);
    }

    int forget_overrides() override { return forget_learned_overrides(default_overrides_file()); }

    VideoRequest read_settings(const std::filesystem::path& video) override { return reader_.read_settings(video); }

    std::vector<FramePtr> read_frames(const std::filesystem::path& video, const FrameSelection& selection) override {
        return reader_.read_frames(video, selection);
    }

private:
    /// The devices as far as they are known: a plan tries nothing.
    PrepareOptions planning_options() const {
        CanarySource kept = canary();
        kept.program.clear();
        return with_reader({options_.resources_dir, examine_accelerators(kept).devices, Purpose::plan});
    }

    /// Pictures from outside are tried in another process before this one reads them.
    PrepareOptions with_reader(PrepareOptions options) const {
        options.check_image = [this](const std::filesystem::path& file) { reader_.check_image(file); };
        return options;
    }

    /// Adds a note for each option without effect.
    static VideoJob prepare(const VideoRequest& request, const PrepareOptions& options) {
        VideoJob job = prepare_job(request, options);
        std::ranges::move(idle_wishes(job), std::back_inserter(job.notes));
        return job;
    }

    /// Which preset would fit; a user's broken one is no reason to refuse a plan that does not ask for it.
    static std::string preset_words(const VideoRequest& request, const PrepareOptions& options, const ModelCard& card) {
        try {
            const DeviceCapability& device = choose_device(request.device, options.devices);
            return suggest_preset(request, kinescope::presets(options), device, card);
        } catch (const Error& error) {
            return error.message();
        }
    }

    CanarySource canary() const {
        return {.program = options_.program, .cache = CanaryCache(default_canary_file(), library_versions())};
    }

    /// For what has no events.
    static void warn(const std::string& words) { log_warning(words); }

    /// What may be run on where `device` is asked for; an accelerator is tried before its first use.
    std::vector<DeviceCapability> devices_for(const std::string& device,
                                              const std::function<void(const std::string&)>& say) {
        if (device == "cpu") return known_devices();
        ExaminedDevices examined = examine_accelerators(canary());
        apply_backend_switches(examined.switches);
        for (const std::string& words : examined.words) say(words);
        return std::move(examined.devices);
    }

    RunResult make_video(const JobWork& work, const EventSink& emit) {
        const VideoRequest& request = work.request;
        const int threads = use_threads(request);
        apply_numeric_settings(request.half_accumulation);
        const auto say = [&](const std::string& words) { emit(LogLine{"warning", words}); };
        PrepareOptions options = with_reader({options_.resources_dir, devices_for(request.device, say)});
        // A job that goes on may not need its image any more.
        options.check_image = [check = options.check_image](const std::filesystem::path& file) {
            if (std::filesystem::exists(file)) check(file);
        };
        VideoJob prepared = prepare(request, options);
        const OverrideKey key = override_key(prepared);
        record_threads(prepared.request, threads);
        add_overrides(prepared, key);
        for (const std::string& note : prepared.notes) emit(LogLine{"note", note});
        for (const auto& folder : missing_folders(prepared.request.output))
            emit(LogLine{"info", "the folder " + folder.string() + " is not there; it is made"});
        const auto archive = open_archive(work, run_fingerprint(prepared, key));
        prepared.keeper = std::make_shared<JobKeeper>(work, *archive, emit);
        RunResult result = run_or_pause(prepared, emit, work.wishes.stop);
        // A plan says the time of every step: it cannot know which ones are reused.
        if (prepared.request.step_cache.value_or(0) == 0 && result.stopped_after_step == 0)
            timings_.learn(prepared.request, prepared.policy.device().str(), result);
        return result;
    }

    static int use_threads(const VideoRequest& request) {
        return request.reproducible ? fix_cpu_threads(*request.reproducible)
                                    : set_cpu_threads(request.threads.value_or(0));
    }

    /// LibTorch divides sums, and the ends of vectorised loops, by the number of threads: it decides about bits.
    static void record_threads(VideoRequest& request, int threads) {
        if (request.reproducible)
            request.reproducible = threads;
        else
            request.threads = threads;
    }

    /// The overrides become part of the request: a video made again from its own settings begins with the same ones.
    static void add_overrides(VideoJob& job, const OverrideKey& key) {
        VideoRequest& request = job.request;
        if (!request.reproducible) job.memory = std::make_shared<OverrideFile>(default_overrides_file(), key);
        if (request.overrides || request.guard != GuardMode::heal) return;
        request.overrides.emplace();
        if (!request.reproducible) request.overrides = to_requests(job.memory->recall(job.policy));
    }

    static std::shared_ptr<RunArchive> open_archive(const JobWork& work, std::string fingerprint) {
        if (work.folder.empty()) return work.memory;
        return std::make_shared<RunFiles>(work.folder, std::move(fingerprint));
    }

    /// A paused run's tensors are gone when its exception arrives here: only now their memory can be given back.
    static RunResult run_or_pause(const VideoJob& job, const EventSink& emit, const CancellationToken& stop) {
        SavedTensors tensors(job.request.output);
        const Device device = job.policy.device();
        try {
            return run_video(job, emit, stop, tensors);
        } catch (Paused& paused) {
            give_back_memory(device);
            paused.memory_bytes = std::max<std::int64_t>(0, paused.memory_bytes - held_memory(device));
            throw;
        }
    }

    const EngineOptions options_;
    const Timings timings_;
    KeptChecks checks_;
    mutable GuardedReader reader_;
    Worker worker_;
    JobDesk desk_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(EngineOptions options, RunObserver& observer) {
    return std::make_unique<LocalEngine>(std::move(options), observer);
}

}  // namespace kinescope
