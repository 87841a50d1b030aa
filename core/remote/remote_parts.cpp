#include "core/remote/remote_parts.h"

#include "core/protocol/message.h"
#include "core/protocol/protocol_error.h"

namespace kinescope::remote {

namespace {

template <class... Arguments>
Reply reply_to(const Caller& caller, AfterLoss after_loss, const char* name, const Arguments&... arguments) {
    Json json = Json::array();
    (json.push_back(protocol::to_document(arguments)), ...);
    return caller(name, std::move(json), after_loss);
}

template <class Result>
Result read_result(const char* name, const Json& value) {
    try {
        return protocol::from_document<Result>(value);
    } catch (const protocol::ProtocolError& error) {
        throw Error(ErrorCode::internal, std::string("the engine's answer to ") + name + " is invalid: " + error.what(),
                    "Install the same version of Kinescope on both sides.");
    }
}

template <class Result, class... Arguments>
Result ask(const Caller& caller, const char* name, const Arguments&... arguments) {
    return read_result<Result>(name, reply_to(caller, AfterLoss::ask_again, name, arguments...).value);
}

template <class Result, class... Arguments>
Result change(const Caller& caller, const char* name, const Arguments&... arguments) {
    return read_result<Result>(name, reply_to(caller, AfterLoss::fail, name, arguments...).value);
}

template <class... Arguments>
void order(const Caller& caller, const char* name, const Arguments&... arguments) {
    reply_to(caller, AfterLoss::fail, name, arguments...);
}

/// Whether a job of the queue was made from the request. Its request may be resolved by now.
bool is_same_work(const VideoRequest& queued, const VideoRequest& request) {
    return queued.output.file == request.output.file && queued.prompt == request.prompt &&
           queued.model == request.model && (!request.seed || queued.seed == request.seed);
}

}  // namespace

/// An engine that ends before it answers may have queued the job. If not, the next engine gets the request.
JobId RemoteJobQueue::submit_despite_loss(const VideoRequest& request) {
    try {
        return remote::change<JobId>(caller_, "jobs.submit", request);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::engine_lost || request.output.file.empty()) throw;
    }
    for (const Job& job : list()) {
        if (is_over(job.state) || !is_same_work(job.request, request)) continue;
        if (job_start_ == JobStart::by_itself) resume(job.id);  // the next engine lets it wait
        return job.id;
    }
    return remote::change<JobId>(caller_, "jobs.submit", request);
}

JobId RemoteJobQueue::submit(VideoRequest request) {
    const JobId job = submit_despite_loss(request);
    if (job_start_ == JobStart::by_itself) intents_.note(job, JobIntent::run);
    return job;
}

std::vector<Job> RemoteJobQueue::list() {
    return ask<std::vector<Job>>(caller_, "jobs.list");
}

std::optional<Job> RemoteJobQueue::find(JobId job) {
    return ask<std::optional<Job>>(caller_, "jobs.find", job);
}

/// The intent is noted first: if the engine ends during the call, the next one is told.
template <class... Arguments>
void RemoteJobQueue::change(JobIntent intent, const char* name, JobId job, const Arguments&... arguments) {
    const auto earlier = intents_.note(job, intent);
    try {
        order(caller_, name, job, arguments...);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::engine_lost) intents_.take_back(job, intent, earlier);
        throw;
    }
}

/// A job that waits for start() does not start in the next engine by itself.
void RemoteJobQueue::queue_again(JobIntent intent, const char* name, JobId job) {
    if (job_start_ == JobStart::by_itself)
        change(intent, name, job);
    else
        order(caller_, name, job);
}

void RemoteJobQueue::cancel(JobId job) {
    change(JobIntent::cancel, "jobs.cancel", job);
}

void RemoteJobQueue::pause(JobId job, PausePoint point) {
    change(JobIntent::pause, "jobs.pause", job, point);
}

void RemoteJobQueue::resume(JobId job) {
    queue_again(JobIntent::run, "jobs.resume", job);
}

void RemoteJobQueue::decode_now(JobId job) {
    queue_again(JobIntent::decode, "jobs.decode_now", job);
}

void RemoteJobQueue::start(JobId job, RemainingSteps steps) {
    change(steps == RemainingSteps::skipped ? JobIntent::decode : JobIntent::run, "jobs.start", job, steps);
}

void RemoteJobQueue::hand_over(JobId job) {
    order(caller_, "jobs.hand_over", job);
}

void RemoteJobQueue::retry(JobId job) {
    queue_again(JobIntent::run, "jobs.retry", job);
}

void RemoteJobQueue::move(JobId job, int position) {
    order(caller_, "jobs.move", job, position);
}

void RemoteJobQueue::edit(JobId job, VideoRequest request) {
    order(caller_, "jobs.edit", job, request);
}

void RemoteJobQueue::remove(JobId job) {
    change(JobIntent::remove, "jobs.remove", job);
}

void RemoteJobQueue::hold() {
    intents_.hold();
    order(caller_, "jobs.hold");
}

void RemoteJobQueue::release() {
    intents_.release();
    order(caller_, "jobs.release");
}

std::vector<ModelCard> RemoteCatalog::models() {
    return ask<std::vector<ModelCard>>(caller_, "catalog.models");
}

ModelCard RemoteCatalog::card(const std::string& model) {
    return ask<ModelCard>(caller_, "catalog.card", model);
}

ModelCard RemoteCatalog::card(const VideoRequest& request) {
    return ask<ModelCard>(caller_, "catalog.card_of_request", request);
}

CheckpointDescription RemoteCatalog::describe_checkpoint(const std::filesystem::path& path) {
    return ask<CheckpointDescription>(caller_, "catalog.describe_checkpoint", path);
}

FileCheck RemoteCatalog::check_file(const std::filesystem::path& file, CheckId id) {
    return change<FileCheck>(caller_, "catalog.check_file", file, id);
}

void RemoteCatalog::cancel_check(CheckId id) {
    order(caller_, "catalog.cancel_check", id);
}

std::vector<PresetInfo> RemoteCatalog::presets(const VideoRequest& request) {
    return ask<std::vector<PresetInfo>>(caller_, "catalog.presets", request);
}

Plan RemoteCatalog::plan(const VideoRequest& request) {
    return ask<Plan>(caller_, "catalog.plan", request);
}

int RemoteCatalog::count_tokens(const std::string& model, const std::string& prompt) {
    return ask<int>(caller_, "catalog.count_tokens", model, prompt);
}

std::vector<DeviceInfo> RemoteDiagnostics::devices() {
    return ask<std::vector<DeviceInfo>>(caller_, "diagnostics.devices");
}

DoctorReport RemoteDiagnostics::doctor(CanaryMode mode) {
    return change<DoctorReport>(caller_, "diagnostics.doctor", mode);
}

int RemoteDiagnostics::forget_overrides() {
    return change<int>(caller_, "diagnostics.forget_overrides");
}

VerifyReport RemoteDiagnostics::verify(const std::filesystem::path& case_dir, const VerifyOptions& options,
                                       DiagnosticId id) {
    return change<VerifyReport>(caller_, "diagnostics.verify", case_dir, options, id);
}

std::vector<BenchRow> RemoteDiagnostics::bench(const VideoRequest& request, int repeats, DiagnosticId id) {
    return change<std::vector<BenchRow>>(caller_, "diagnostics.bench", request, repeats, id);
}

CompareReport RemoteDiagnostics::compare(const std::filesystem::path& a, const std::filesystem::path& b,
                                         const CompareTolerance& tolerance, DiagnosticId id) {
    return ask<CompareReport>(caller_, "diagnostics.compare", a, b, tolerance, id);
}

GuardDemoResult RemoteDiagnostics::guard_demo(GuardDemoRun run, DiagnosticId id) {
    return change<GuardDemoResult>(caller_, "diagnostics.guard_demo", run, id);
}

void RemoteDiagnostics::cancel_diagnostic(DiagnosticId id) {
    order(caller_, "diagnostics.cancel_diagnostic", id);
}

VideoRequest RemoteVideoFiles::read_settings(const std::filesystem::path& video) {
    return ask<VideoRequest>(caller_, "videos.read_settings", video);
}

VideoDescription RemoteVideoFiles::describe_video(const std::filesystem::path& video) {
    return ask<VideoDescription>(caller_, "videos.describe_video", video);
}

std::vector<FramePtr> RemoteVideoFiles::read_frames(const std::filesystem::path& video, const FrameSelection& selection,
                                                    ReadId id) {
    return reply_to(caller_, AfterLoss::ask_again, "videos.read_frames", video, selection, id).frames;
}

void RemoteVideoFiles::cancel_read(ReadId id) {
    order(caller_, "videos.cancel_read", id);
}

ExportResult RemoteVideoFiles::export_video(const ExportRequest& request, ExportId id) {
    return change<ExportResult>(caller_, "videos.export_video", request, id);
}

void RemoteVideoFiles::cancel_export(ExportId id) {
    order(caller_, "videos.cancel_export", id);
}

FinishResult RemoteVideoFiles::finish_video(const FinishRequest& request, FinishId id) {
    return change<FinishResult>(caller_, "videos.finish_video", request, id);
}

void RemoteVideoFiles::cancel_finish(FinishId id) {
    order(caller_, "videos.cancel_finish", id);
}

void RemoteVideoFiles::pause_finish(FinishId id) {
    order(caller_, "videos.pause_finish", id);
}

ExportEstimate RemoteVideoFiles::estimate_export(const ExportRequest& request) {
    return ask<ExportEstimate>(caller_, "videos.estimate_export", request);
}

GpuSetup RemoteGpuInstaller::setup() {
    return ask<GpuSetup>(caller_, "gpu_installer.setup");
}

void RemoteGpuInstaller::install(InstallId id) {
    order(caller_, "gpu_installer.install", id);
}

void RemoteGpuInstaller::stop(InstallId id) {
    order(caller_, "gpu_installer.stop", id);
}

}  // namespace kinescope::remote
