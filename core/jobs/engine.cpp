#include "core/api/engine.h"

#include <c10/util/Exception.h>

#include <filesystem>
#include <map>
#include <mutex>
#include <string_view>

#include "core/base/json.h"
#include "core/device/backend.h"
#include "core/jobs/bench.h"
#include "core/jobs/compare.h"
#include "core/jobs/describe.h"
#include "core/jobs/doctor.h"
#include "core/jobs/list_models.h"
#include "core/jobs/learned_overrides.h"
#include "core/jobs/plan.h"
#include "core/jobs/prepare.h"
#include "core/jobs/presets.h"
#include "core/jobs/saved_tensors.h"
#include "core/jobs/verify.h"
#include "core/jobs/worker.h"
#include "core/media/frame_sink.h"

namespace kinescope {

namespace {

/// Whatever ended a job, as the one error type.
Error translate(const std::exception_ptr& exception) {
    try {
        std::rethrow_exception(exception);
    } catch (const Error& error) {
        return error;
    } catch (const c10::OutOfMemoryError& error) {
        return {ErrorCode::out_of_memory, std::string("the device's memory is full: ") + error.what_without_backtrace(),
                "Use a smaller size or fewer frames."};
    } catch (const std::bad_alloc&) {
        return {ErrorCode::out_of_memory, "the computer's memory is full", "Use a smaller size or fewer frames."};
    } catch (const c10::Error& error) {
        if (std::string_view(error.what_without_backtrace()).find("DefaultCPUAllocator") != std::string_view::npos)
            return {ErrorCode::out_of_memory, "the computer's memory is full", "Use a smaller size or fewer frames."};
        return {ErrorCode::internal, error.what_without_backtrace(),
                "This is a fault of the program; please report it."};
    } catch (const std::filesystem::filesystem_error& error) {
        return {ErrorCode::file_unreadable, error.what(), "Check the path and its permissions."};
    } catch (const std::exception& error) {
        return {ErrorCode::internal, error.what(), "This is a fault of the program; please report it."};
    }
}

class LocalEngine final : public Engine {
public:
    LocalEngine(EngineOptions options, RunObserver& observer)
        : options_(std::move(options)), observer_(observer), timings_(default_timings_file()) {}

    ~LocalEngine() override {
        const std::lock_guard lock(mutex_);
        for (auto& [job, token] : running_) token.request();
    }

    JobId submit(VideoRequest request) override {
        const std::lock_guard lock(mutex_);
        const JobId job = ++last_job_;
        const CancellationToken token = running_[job];
        worker_.post([this, job, token, request = std::move(request)] { run(job, request, token); });
        return job;
    }

    void cancel(JobId job) override {
        const std::lock_guard lock(mutex_);
        if (const auto found = running_.find(job); found != running_.end()) found->second.request();
    }

    ModelCard card(const std::string& model) override { return identify_model(model, options_.resources_dir).card; }

    std::vector<ModelCard> models() override { return list_models(options_.resources_dir); }

    CheckpointDescription describe_checkpoint(const std::filesystem::path& path) override { return describe(path); }

    std::vector<DeviceInfo> devices() override {
        std::vector<DeviceInfo> rows;
        for (const DeviceCapability& device : known_devices()) rows.push_back(describe_device(device));
        return rows;
    }

    Plan plan(const VideoRequest& request) override {
        CanarySource kept = canary();
        kept.program.clear();  // a plan tries nothing
        const PrepareOptions options{options_.resources_dir, examine_accelerators(kept).devices};
        Plan plan = make_plan(prepare_job(request, options), timings_);
        if (const std::string words = preset_words(request, options); !words.empty()) plan.notes.push_back(words);
        return plan;
    }

    int count_tokens(const std::string& model, const std::string& prompt) override {
        const IdentifiedModel identified = identify_model(model, options_.resources_dir);
        return identified.family->count_tokens(identified.files, prompt);
    }

    VerifyReport verify(const std::filesystem::path& case_dir, const VerifyOptions& options) override {
        return worker_.call([&] { return verify_case(case_dir, options_.resources_dir, options); });
    }

    std::vector<BenchRow> bench(const VideoRequest& request, int repeats) override {
        return worker_.call([&] {
            set_cpu_threads(request.threads.value_or(0));
            return bench_job(prepare_job(request, {options_.resources_dir, known_devices()}), repeats);
        });
    }

    DoctorReport doctor(CanaryMode mode) override {
        worker_.wait_until_ready();
        return make_doctor_report(canary(), options_.resources_dir / "known_bad.json", mode);
    }

    CompareReport compare(const std::filesystem::path& a, const std::filesystem::path& b,
                          const CompareTolerance& tolerance) override {
        return compare_files(a, b, tolerance);
    }

    int forget_overrides() override { return forget_learned_overrides(default_overrides_file()); }

    VideoRequest read_settings(const std::filesystem::path& video) override {
        const Json comment = Json::parse(read_comment(video), nullptr, /*allow_exceptions=*/false);
        if (!comment.is_object() || !comment.contains("request")) {
            throw Error(ErrorCode::no_settings,
                        "'" + video.string() +
                            "' holds no settings: it was not made by Kinescope, or another program removed them");
        }
        return parse_request(comment["request"].dump());
    }

private:
    /// Which preset would fit; a user's broken one is no reason to refuse a plan that does not ask for it.
    static std::string preset_words(const VideoRequest& request, const PrepareOptions& options) {
        try {
            return suggest_preset(request, presets(options), choose_device(request.device, options.devices));
        } catch (const Error& error) {
            return error.message();
        }
    }

    /// The job boundary: the one place where everything is caught.
    void run(JobId job, const VideoRequest& request, const CancellationToken& token) {
        int steps_done = 0;
        const EventSink emit = [&](const RunEvent& event) {
            if (const auto* step = std::get_if<StepCompleted>(&event)) steps_done = step->step + 1;
            observer_.on_event(job, event);
        };
        try {
            token.throw_if_requested();
            emit(RunFinished{make_video(request, emit, token)});
        } catch (const Cancelled&) {
            emit(RunCancelled{steps_done, {}});
        } catch (const StoppedWhileDecoding& stopped) {
            emit(RunCancelled{steps_done, stopped.output});
        } catch (...) {
            emit(RunFailed{translate(std::current_exception())});
        }
        const std::lock_guard lock(mutex_);
        running_.erase(job);
    }

    CanarySource canary() const {
        return {.program = options_.program, .cache = CanaryCache(default_canary_file(), library_versions())};
    }

    /// What the request may run on; an accelerator is tried before its first use.
    std::vector<DeviceCapability> devices_for(const VideoRequest& request, const EventSink& emit) {
        if (request.device == "cpu") return known_devices();
        ExaminedDevices examined = examine_accelerators(canary());
        apply_backend_switches(examined.switches);
        for (const std::string& words : examined.words) emit(LogLine{"warning", words});
        return std::move(examined.devices);
    }

    RunResult make_video(const VideoRequest& request, const EventSink& emit, const CancellationToken& token) {
        set_cpu_threads(request.threads.value_or(0));
        apply_numeric_settings(request.half_accumulation);
        VideoJob prepared = prepare_job(request, {options_.resources_dir, devices_for(request, emit)});
        prepared.memory = std::make_shared<OverrideFile>(default_overrides_file(), override_key(prepared));
        for (const std::string& note : prepared.notes) emit(LogLine{"warning", note});
        SavedTensors tensors(prepared.request.output);
        RunResult result = run_video(prepared, emit, token, tensors);
        timings_.learn(prepared.request, prepared.policy.device().str(), result);
        return result;
    }

    const EngineOptions options_;
    RunObserver& observer_;
    const Timings timings_;
    std::mutex mutex_;
    JobId last_job_ = 0;
    std::map<JobId, CancellationToken> running_;
    Worker worker_;  // last: its thread uses the rest
};

}  // namespace

std::unique_ptr<Engine> make_engine(EngineOptions options, RunObserver& observer) {
    return std::make_unique<LocalEngine>(std::move(options), observer);
}

}  // namespace kinescope
