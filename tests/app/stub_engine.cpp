#include "tests/app/stub_engine.h"

#include <algorithm>
#include <sstream>

#include "app/cli/command_line.h"

namespace kinescope::testing {

ModelCard small_card() {
    ModelCard card;
    card.id = "builtin";
    card.name = "Small";
    card.family = "wan";
    card.variant = "Wan 2.1, small";
    card.tasks = {Task::text_to_video};
    card.default_size = {64, 32};
    card.default_num_frames = 9;
    card.schedulers = {"unipc", "flow_match_euler"};
    return card;
}

JobId StubEngine::submit(VideoRequest request) {
    script_.submitted.push_back(request);
    const auto job = static_cast<JobId>(script_.submitted.size());
    for (const RunEvent& event : script_.run(with_defaults(request, script_.card))) observer_.on_event(job, event);
    return job;
}

ExportResult StubEngine::export_video(const ExportRequest& request, ExportId id) {
    script_.exported.push_back(request);
    if (script_.during_export) script_.during_export();
    observer_.on_event(0, ExportProgress{id, 9, 9});
    if (is_export_cancelled_) throw Error(ErrorCode::cancelled, "the export was cancelled");
    return {request.output.file, 2048};
}

FinishResult StubEngine::finish_video(const FinishRequest& request, FinishId id) {
    script_.made_finished.push_back(request);
    observer_.on_event(0, FinishProgress{.finish_id = id, .done = 9, .total = 9});
    return {.file = request.output.file, .bytes = 2048, .width = 384, .height = 256, .num_frames = 9, .fps = 16};
}

void StubEngine::play(JobId job) {
    for (const RunEvent& event : script_.run(with_defaults({}, script_.card))) observer_.on_event(job, event);
}

void StubEngine::resume(JobId job) {
    if (script_.locked.contains(job)) throw Error(ErrorCode::unsupported, "another program is working on it");
    script_.proceeded.push_back(job);
    play(job);
}

void StubEngine::decode_now(JobId job) {
    script_.decoded.push_back(job);
    play(job);
}

void StubEngine::retry(JobId job) {
    script_.restarted.push_back(job);
    play(job);
}

void StubEngine::pause(JobId job, PausePoint) {
    script_.suspended.push_back(job);
    observer_.on_event(job, RunPaused{2});
}

/// Returns the job of the script with this id. Otherwise returns a record with only the id and, for a suspended job,
/// the state.
std::optional<Job> StubEngine::find(JobId job) {
    const auto found = std::ranges::find(script_.jobs, job, &Job::id);
    if (found != script_.jobs.end()) return *found;
    Job record;
    record.id = job;
    if (!script_.suspended.empty() && script_.suspended.back() == job) record.state = JobState::paused;
    return record;
}

ModelCard StubEngine::card(const std::string& model) {
    if (model == "builtin") return script_.card;
    throw Error(ErrorCode::file_not_found, "the model folder '" + model + "' does not exist", "Check the path.");
}

CheckpointDescription StubEngine::describe_checkpoint(const std::filesystem::path& path) {
    return {path,
            script_.card,
            "diffusers folder",
            {{"vae", "AutoencoderKLWan", "", {path / "vae"}, 4, 100, 400, {{"float32", 4}}}},
            {{.code = "no_folder", .values = {{"component", "tokenizer"}}, .text = "tokenizer"}},
            {{.code = "pipeline", .values = {}, .text = "model_index.json says WanPipeline"}}};
}

FileCheck StubEngine::check_file(const std::filesystem::path& file, CheckId) {
    FileCheck check = script_.check;
    check.file = file;
    return check;
}

DoctorReport StubEngine::doctor(CanaryMode mode) {
    const std::string summary = mode == CanaryMode::fresh ? "tried anew" : "as kept";
    DeviceReport cuda{
        .device = {.id = "cuda:0", .name = "NVIDIA H20", .capability = "9.0", .driver = "12.4", .unusable = {}},
        .canary = {{.kind = CanaryKind::products,
                    .probe = {.code = "two_rows", .values = {}, .text = "two rows"},
                    .outcome = ProbeOutcome::killed,
                    .error = 0,
                    .tolerance = 0.008,
                    .seconds = 1,
                    .verdict = "two rows ended the process by SIGFPE; works with cuBLAS instead of cuBLASLt",
                    .fallbacks = {CanaryFallback::plain_cublas},
                    .alternative = "cuBLAS instead of cuBLASLt"}},
        .canary_summary = summary,
        .known_bad = {{"h20", "cuBLASLt divides by zero", "Install cuBLAS 12.4.5.8", "https://example.org/1"}},
        .policy = {}};
    return {.version = "1",
            .libraries = {{"cublas", "12.3.2"}},
            .settings = {{"tf32_matmul", "off"}},
            .devices = {std::move(cuda)},
            .overrides = {{.device = "cuda:0 NVIDIA H20",
                           .driver = "12.4",
                           .libtorch = "2.11.0",
                           .model = "wan 0123",
                           .learned = "2026-11-21T10:00:00Z",
                           .component = "transformer",
                           .site = "blocks.3.ffn",
                           .precision = "float32"}}};
}

std::vector<DeviceInfo> StubEngine::devices() {
    return {{.id = "cpu",
             .name = "Some CPU",
             .capability = "AVX2",
             .memory_total_bytes = 16LL << 30,
             .memory_free_bytes = 8LL << 30,
             .dtypes = {"float32", "bfloat16"},
             .compute_dtype = "float32",
             .reason = "it is exact"}};
}

Plan StubEngine::plan(const VideoRequest& request) {
    Plan plan = script_.plan;
    plan.card = script_.card;
    plan.request = with_defaults(request, script_.card);
    return plan;
}

VerifyReport StubEngine::verify(const std::filesystem::path& case_dir, const VerifyOptions&, DiagnosticId) {
    if (script_.missing_cases.contains(case_dir))
        throw Error(ErrorCode::file_not_found, case_dir.string() + " does not exist");
    VerifyReport report = script_.verify;
    report.case_dir = case_dir;
    return report;
}

CompareReport StubEngine::compare(const std::filesystem::path&, const std::filesystem::path&, const CompareTolerance&,
                                  DiagnosticId) {
    return script_.comparison;
}

std::vector<BenchRow> StubEngine::bench(const VideoRequest& request, int repeats, DiagnosticId) {
    script_.benched.push_back(request);
    return {{"denoise step", 0.5, 0.4, 0.6, repeats},
            {"denoise: gemm", 0.25, 0.25, 0.25, 1, 0.5, "denoise of the profiled run"}};
}

CommandResult run_commands(StubScript& script, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "kinescope-cli");
    std::vector<const char*> argv;
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    std::ostringstream out;
    std::ostringstream err;
    const auto stub = [&script](EngineOptions, RunObserver& observer) {
        return std::make_unique<StubEngine>(script, observer);
    };
    const int exit_code = cli::run_command_line(static_cast<int>(argv.size()), argv.data(), stub, out, err);
    return {exit_code, out.str(), err.str()};
}

}  // namespace kinescope::testing
