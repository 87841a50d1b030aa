#include "tests/support/fake_engine.h"

#include "tests/support/study_answers.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

namespace kinescope::testing {
namespace {

constexpr int kMostFrames = 8;  ///< drawing images is slow here
constexpr int kWidestFrame = 160;

[[noreturn]] void throwStudioIsOff() {
    throw Error(ErrorCode::engine_lost, "'studio' cannot be used: no computer has this name", {},
                {{"computer", "studio"}, {"cause", "unknown_host"}});
}

}  // namespace

void FakeEngine::keepSettings(const std::filesystem::path& video, const VideoRequest& request) {
    std::lock_guard lock(mutex_);
    settings_[video] = request;
}

ModelCard FakeEngine::card(const std::string& model) {
    if (model == "/models/cogvideox_5b.safetensors")
        throw Error(ErrorCode::checkpoint_truncated, "6.1 of 9.8 GB are there");
    if (model == kForeignLora)
        throw Error(ErrorCode::model_unknown, "a LoRA, not a model", "", {{"path", model}, {"kind", "lora"}});
    if (model == kUnreachableModel && studio_ != Studio::on) throwStudioIsOff();
    ModelCard card = demoCard();
    card.id = model;
    card.offers_vae_tiling = model == kTilingModel;
    if (model == kOtherVariant) {
        card.variant = "Other 14B";
        card.default_flow_shift.reset();
        card.extra_fields = {{"max_guidance_scale", 3, 0, 100}};
    }
    if (model == kImageModel) {
        card.tasks = {Task::image_to_video, Task::first_last_frame_to_video};
        card.takes_prompt = false;
        card.default_guidance_scale_2 = 3.5;
        card.takes_conditions = true;
        card.extra_fields = {
            {"motion_bucket_id", 127, 1, 255}, {"noise_aug_strength", 0.02, 0, 10}, {"decode_noise_scale", -1, -1, 1}};
    }
    if (model == "/models/start" || model == "/models/control") {
        card.video_use = model == "/models/start" ? VideoUse::start : VideoUse::control;
        card.continuation = model == "/models/start" ? Continuation::last_latents : Continuation::control;
    }
    return card;
}
std::vector<ModelCard> FakeEngine::models() {
    if (studio_ == Studio::off) throwStudioIsOff();
    std::vector<ModelCard> cards = studyCards();
    if (studio_ == Studio::on) cards.push_back(card(kUnreachableModel));
    return cards;
}
CheckpointDescription FakeEngine::describe_checkpoint(const std::filesystem::path& path) {
    CheckpointDescription description = studyDescription(path);
    std::lock_guard lock(mutex_);
    for (ComponentDescription& part : description.components)
        for (const auto& file : part.files)
            if (const auto found = checks_.find(file); found != checks_.end()) part.checks.push_back(found->second);
    return description;
}

void FakeEngine::setCheck(const FileCheck& check, double seconds) {
    std::lock_guard lock(mutex_);
    check_ = check;
    check_seconds_ = seconds;
}

void FakeEngine::cancel_check(CheckId id) {
    std::lock_guard lock(mutex_);
    cancelled_.insert(id);
}

FileCheck FakeEngine::check_file(const std::filesystem::path& file, CheckId id) {
    constexpr int kParts = 20;
    const auto [found, seconds] = [&] {
        std::lock_guard lock(mutex_);
        FileCheck check = check_;
        check.file = file;
        return std::pair{check, check_seconds_};
    }();
    for (int part = 1; part <= kParts; ++part) {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds / kParts));
        observer_.on_event(0, FileCheckProgress{id, part, kParts});
        std::lock_guard lock(mutex_);
        if (cancelled_.contains(id)) throw Error(ErrorCode::cancelled, "stopped");
    }
    std::lock_guard lock(mutex_);
    return checks_[file] = found;
}

DoctorReport FakeEngine::doctor(CanaryMode) {
    return studyReport();
}

GpuSetup FakeEngine::setup() {
    std::lock_guard lock(mutex_);
    return gpu_;
}

void FakeEngine::setGpuSetup(const GpuSetup& setup) {
    std::lock_guard lock(mutex_);
    gpu_ = setup;
}

void FakeEngine::finishInstallation(const std::optional<Error>& fault) {
    std::lock_guard lock(mutex_);
    installs_ = false;
    gpu_fault_ = fault;
}

void FakeEngine::stop(InstallId id) {
    std::lock_guard lock(mutex_);
    stopped_.insert(id);
}

void FakeEngine::install(InstallId id) {
    const std::int64_t all = setup().download_bytes;
    for (bool goes_on = true; goes_on;) {
        observer_.on_event(0, GpuSupportProgress{.step = GpuSupportStep::download,
                                                 .file = "nvidia_cublas.whl",
                                                 .downloaded = all / 2,
                                                 .download_bytes = all});
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        std::lock_guard lock(mutex_);
        if (stopped_.contains(id)) throw Error(ErrorCode::cancelled, "stopped");
        goes_on = installs_;
    }
    std::lock_guard lock(mutex_);
    if (gpu_fault_) throw Error(*gpu_fault_);
    gpu_.need = GpuNeed::restart;
    gpu_.bytes_to_download = 0;
}

void FakeEngine::setDevices(const std::vector<DeviceInfo>& devices) {
    std::lock_guard lock(mutex_);
    devices_ = devices;
}

std::vector<DeviceInfo> FakeEngine::devices() {
    std::lock_guard lock(mutex_);
    if (!devices_.empty()) return devices_;
    constexpr std::int64_t kGigabyte = 1'000'000'000;
    return {{.id = "cpu",
             .name = "CPU, 8 cores",
             .capability = "AVX2",
             .memory_total_bytes = 16 * kGigabyte,
             .memory_free_bytes = 12 * kGigabyte,
             .dtypes = {"float32"},
             .compute_dtype = "float32",
             .reason = "This CPU has no bf16 arithmetic"}};
}

std::vector<PresetInfo> FakeEngine::presets(const VideoRequest&) {
    std::vector<PresetInfo> rows{
        {.name = "cpu", .fields = R"({"num_inference_steps":20,"dtype":"fp32"})", .best = true},
        {.name = "cpu-fast", .fields = R"({"num_inference_steps":20,"dtype":"fp32","storage":"int8"})"},
        {.name = "gpu-12gb", .fields = R"({"offload":"components"})", .fits = false},
        {.name = "wan-few-steps", .fields = R"({"num_inference_steps":4})", .needs = PresetNeeds::lora}};
    std::lock_guard lock(mutex_);
    std::ranges::copy_if(added_presets_, std::back_inserter(rows),
                         [](const PresetInfo& preset) { return std::filesystem::exists(preset.file); });
    return rows;
}

void FakeEngine::addPreset(const PresetInfo& preset) {
    std::lock_guard lock(mutex_);
    added_presets_.push_back(preset);
}

namespace {

/// Simulates a CPU that computes in fp16, but not in bf16.
void applyDtype(ComponentPolicy& part, DtypeChoice dtype) {
    part.requested = to_string(dtype);
    if (dtype == DtypeChoice::fp16) {
        part.compute = part.storage = "float16";
        part.reason = "float16: requested";
    }
    if (dtype == DtypeChoice::bf16)
        part.reason = "float32 instead of the requested bfloat16: not supported by a CPU (AVX2)";
}

PolicySummary plannedPolicy(const VideoRequest& request) {
    PolicySummary policy = demoPolicy();
    for (ComponentPolicy& part : policy) {
        if (part.component == "text_encoder") applyDtype(part, request.text_encoder_dtype);
        const bool follows = request.vae_dtype == DtypeChoice::automatic && request.dtype == DtypeChoice::fp16;
        if (part.component == "vae") applyDtype(part, follows ? request.dtype : request.vae_dtype);
        if (part.component != "transformer") continue;
        applyDtype(part, request.dtype);
        if (request.storage == DtypeChoice::int8) part.storage = "int8";
        if (request.half_accumulation == HalfAccumulation::allowed) part.accumulation = "float16";
    }
    return policy;
}

}  // namespace

Plan FakeEngine::plan(const VideoRequest& request) {
    if (request.model.find("cogvideox") != std::string::npos)
        throw Error(ErrorCode::checkpoint_truncated, "6.1 of 9.8 GB are there");
    const auto uses = [&request](const char* file) {
        return std::ranges::find(request.loras, file, &LoraRequest::path) != request.loras.end();
    };
    if (uses(kMissingLora))
        throw Error(ErrorCode::file_not_found, "No such file or folder", "", {{"path", kMissingLora}});
    if (uses(kForeignLora))
        throw Error(ErrorCode::lora_mismatch, "no module fits", "", {{"path", kForeignLora}, {"modules", "480"}});
    Plan plan;
    plan.card = demoCard();
    plan.request = with_defaults(request, plan.card);
    plan.policy = plannedPolicy(request);
    const std::vector<std::pair<std::string, std::int64_t>> parts{{"weights", 80'000'000},
                                                                  {"activations", 240'000'000}};
    plan.phases = {{Phase::load, 1, 80'000'000, {}},
                   {Phase::encode, 1, 90'000'000, {}},
                   {Phase::denoise, 14, 320'000'000, parts},
                   {Phase::decode, 3, 300'000'000, {}},
                   {Phase::save, 1, 90'000'000, {}}};
    plan.peak_memory_bytes = request.storage == DtypeChoice::int8 ? 210'000'000 : 320'000'000;
    if (request.max_memory_bytes && *request.max_memory_bytes < plan.peak_memory_bytes)
        throw Error(ErrorCode::out_of_memory, "max_memory is too little", "",
                    {{"component", "transformer"}, {"needed", std::to_string(plan.peak_memory_bytes)}});
    plan.free_memory_bytes = 12'000'000'000;
    plan.seconds = 20;
    return plan;
}

int FakeEngine::count_tokens(const std::string&, const std::string& prompt) {
    std::istringstream words(prompt);
    return 1 + static_cast<int>(std::distance(std::istream_iterator<std::string>(words), {}));
}

VerifyReport FakeEngine::verify(const std::filesystem::path& case_dir, const VerifyOptions&, DiagnosticId) {
    return {case_dir, {}, true};
}
CompareReport FakeEngine::compare(const std::filesystem::path& a, const std::filesystem::path&, const CompareTolerance&,
                                  DiagnosticId) {
    std::lock_guard lock(mutex_);
    if (a.extension() == ".jsonl" && log_error_) {
        ++num_failed_logs_;
        throw *log_error_;
    }
    if (a.extension() == ".jsonl") return logs_;
    return {.kind = CompareKind::videos,
            .first_difference = FrameDifference{.frame = 2, .psnr_db = 31.2},
            .num_compared = 6,
            .psnr_db = 33.4,
            .passed = false};
}

void FakeEngine::setLogComparison(const CompareReport& report) {
    std::lock_guard lock(mutex_);
    logs_ = report;
}

void FakeEngine::failLogComparison(const Error& error) {
    std::lock_guard lock(mutex_);
    log_error_ = error;
}

GuardDemoResult FakeEngine::guard_demo(GuardDemoRun run, DiagnosticId) {
    std::lock_guard lock(mutex_);
    if (demo_error_) throw *demo_error_;
    return demoRun(run);
}

void FakeEngine::failDemo(const Error& error) {
    std::lock_guard lock(mutex_);
    demo_error_ = error;
}

std::vector<BenchRow> FakeEngine::bench(const VideoRequest&, int, DiagnosticId) {
    return {};
}
VideoRequest FakeEngine::read_settings(const std::filesystem::path& video) {
    for (const Job& job : queue_.jobs()) {
        if (job.state == JobState::finished && job.output == video) return job.request;
    }
    std::lock_guard lock(mutex_);
    const auto kept = settings_.find(video);
    if (kept == settings_.end()) throw Error(ErrorCode::no_settings, video.string() + " has no settings");
    return kept->second;
}

void FakeEngine::describe(const std::filesystem::path& video, const VideoDescription& description) {
    const std::lock_guard lock(mutex_);
    descriptions_[video] = description;
}

VideoDescription FakeEngine::describe_video(const std::filesystem::path& video) {
    const std::lock_guard lock(mutex_);
    const auto found = descriptions_.find(video);
    if (found == descriptions_.end()) throw Error(ErrorCode::file_unreadable, video.string() + " cannot be read");
    return found->second;
}

int FakeEngine::numReads(int max_frames) {
    std::lock_guard lock(mutex_);
    return num_reads_[max_frames];
}

std::vector<FramePtr> FakeEngine::read_frames(const std::filesystem::path& video, const FrameSelection& selection,
                                              ReadId) {
    {
        std::lock_guard lock(mutex_);
        ++num_reads_[selection.max_frames];
    }
    const bool is_made_up = video.parent_path() == "/videos";
    if (!is_made_up && !std::filesystem::exists(video))
        throw Error(ErrorCode::file_not_found, video.string() + " is not there");
    const int wanted = selection.max_width_px > 0 ? selection.max_width_px : 128;
    const int count = is_made_up ? 6 : std::clamp(selection.max_frames, 1, kMostFrames);
    const int width = std::min(wanted, is_made_up ? 64 : kWidestFrame);
    const double noise = video.stem() == "b" ? 0.04 : 0.0;  // about 33 dB
    std::vector<FramePtr> frames;
    for (int i = 0; i < count; ++i)
        frames.push_back(ballFrame({width, width * 9 / 16}, i / std::max(1.0, count - 1.0), noise));
    return frames;
}

ExportResult FakeEngine::export_video(const ExportRequest& request, ExportId id) {
    constexpr int kFrames = 24;
    const auto is_cancelled = [&] {
        std::lock_guard lock(mutex_);
        return cancelled_exports_.contains(id);
    };
    {
        std::lock_guard lock(mutex_);
        exports_.push_back(request);
    }
    const bool replaces = request.output.overwrite == OverwriteMode::overwrite;
    if (!replaces && std::filesystem::exists(request.output.file))
        throw Error(ErrorCode::output_exists, request.output.file.string() + " already exists", {},
                    {{"path", request.output.file.string()}});
    for (int frame = 1; frame <= kFrames; ++frame) {
        observer_.on_event(0, ExportProgress{id, frame, kFrames});
        while (export_held_ && frame == kFrames / 2 && !is_cancelled())
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        if (is_cancelled()) throw Error(ErrorCode::cancelled, "stopped");
    }
    std::ofstream(request.output.file) << "exported";
    return {request.output.file, 8};
}

void FakeEngine::cancel_export(ExportId id) {
    std::lock_guard lock(mutex_);
    cancelled_exports_.insert(id);
}

FinishResult FakeEngine::finish_video(const FinishRequest& request, FinishId id) {
    constexpr int kFrames = 24;
    const auto is_cancelled = [&] {
        std::lock_guard lock(mutex_);
        return cancelled_finishes_.contains(id);
    };
    const auto is_paused = [&] {
        std::lock_guard lock(mutex_);
        return paused_finishes_.contains(id);
    };
    {
        std::lock_guard lock(mutex_);
        finishes_.push_back(request);
    }
    for (int frame = 1; frame <= kFrames; ++frame) {
        observer_.on_event(0, FinishProgress{.finish_id = id, .done = frame, .total = kFrames, .seconds = 0.1 * frame});
        while (finish_held_ && frame == kFrames / 2 && !is_cancelled() && !is_paused())
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        if (is_cancelled()) throw Error(ErrorCode::cancelled, "stopped");
        if (is_paused()) throw Error(ErrorCode::cancelled, "stopped", "The same request continues.");
    }
    observer_.on_event(0,
                       FinishProgress{.finish_id = id, .done = kFrames, .total = kFrames, .stage = FinishStage::file});
    std::ofstream(request.output.file) << "finished";
    return {.file = request.output.file, .bytes = 8, .width = 384, .height = 256, .num_frames = kFrames, .fps = 16};
}

void FakeEngine::cancel_finish(FinishId id) {
    std::lock_guard lock(mutex_);
    cancelled_finishes_.insert(id);
}

void FakeEngine::pause_finish(FinishId id) {
    std::lock_guard lock(mutex_);
    paused_finishes_.insert(id);
}

int FakeEngine::numCancelledFinishes() {
    std::lock_guard lock(mutex_);
    return static_cast<int>(cancelled_finishes_.size());
}

int FakeEngine::numPausedFinishes() {
    std::lock_guard lock(mutex_);
    return static_cast<int>(paused_finishes_.size());
}

std::vector<FinishRequest> FakeEngine::finishes() {
    std::lock_guard lock(mutex_);
    return finishes_;
}

ExportEstimate FakeEngine::estimate_export(const ExportRequest& request) {
    const bool is_gif = request.output.file.extension() == ".gif";
    return {.bytes = is_gif ? 240'000 : 24'000, .num_frames = 24, .num_tried = 12};
}

std::vector<ExportRequest> FakeEngine::exports() {
    std::lock_guard lock(mutex_);
    return exports_;
}

}  // namespace kinescope::testing
