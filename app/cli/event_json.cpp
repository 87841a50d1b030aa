#include "app/cli/event_json.h"

#include "core/api/video_request_json.h"

namespace kinescope::cli {
namespace {

struct EventWriter {
    Json operator()(const RunStarted& event) const {
        return {{"event", "started"},
                {"request", request_document(event.request)},
                {"model", to_json(event.card)},
                {"policy", to_json(event.policy)},
                {"part", event.part + 1}};
    }
    Json operator()(const PhaseStarted& event) const {
        return {{"event", "phase"}, {"phase", to_string(event.phase)}, {"total", event.total}};
    }
    Json operator()(const PhaseProgress& event) const {
        return {{"event", "progress"},
                {"phase", to_string(event.phase)},
                {"done", event.done},
                {"total", event.total},
                {"seconds", number(event.seconds)}};
    }
    Json operator()(const StepCompleted& event) const {
        Json json{{"event", "step"},
                  {"step", event.step},
                  {"num_steps", event.num_steps},
                  {"timestep", number(event.timestep)},
                  {"sigma", number(event.sigma)},
                  {"seconds", number(event.seconds)},
                  {"latents", to_json(event.latents)},
                  {"noise_pred", to_json(event.noise_pred)},
                  {"prediction", event.prediction == PredictionSource::reused ? "reused" : "computed"}};
        if (!event.preview_decoder.empty())
            json["preview"] = {{"decoder", event.preview_decoder}, {"seconds", number(event.preview_seconds)}};
        return json;
    }
    Json operator()(const PreviewReady& event) const {
        return {{"event", "preview"},
                {"kind", event.kind == PreviewKind::latent ? "latent" : "decoded"},
                {"step", event.step},
                {"first_frame", event.first_frame},
                {"frames", event.frames.size()},
                {"num_frames", event.num_frames}};
    }
    Json operator()(const NumericsReady& event) const {
        Json rows = Json::array();
        for (const NumericSample& sample : event.samples) {
            Json row = {{"phase", to_string(sample.phase)},    {"step", sample.step},
                        {"attempt", sample.attempt},           {"branch", sample.branch},
                        {"component", sample.component},       {"site", sample.site},
                        {"dtype", to_string(sample.precision)}};
            row.update(to_json(sample.stats));
            row["headroom_stops"] = number(sample.headroom_stops);
            rows.push_back(std::move(row));
        }
        return {{"event", "numerics"}, {"samples", rows}};
    }
    Json operator()(const RoundingMeasured& event) const {
        Json json = {{"event", "rounding"}};
        json.update(rounding_json<Json>(event));
        return json;
    }
    Json operator()(const GuardActed& event) const {
        Json json = {{"event", "guard"}};
        json.update(guard_json<Json>(event));
        return json;
    }
    Json operator()(const LogLine& event) const {
        return {{"event", "log"}, {"level", to_string(event.level)}, {"text", event.text}};
    }
    Json operator()(const RunFinished& event) const {
        Json json = {{"event", "finished"}};
        json.update(to_json(event.result));
        return json;
    }
    Json operator()(const RunFailed& event) const { return {{"event", "failed"}, {"error", to_json(event.error)}}; }
    Json operator()(const RunCancelled& event) const {
        return {{"event", "cancelled"}, {"step", event.step}, {"output", event.output.string()}};
    }
    Json operator()(const RunPaused& event) const {
        return {{"event", "paused"}, {"step", event.step}, {"memory_bytes", event.memory_bytes}};
    }
    Json operator()(const FileCheckProgress& event) const {
        return {{"event", "file_check"}, {"done", event.done}, {"total", event.total}};
    }
    Json operator()(const ExportProgress& event) const {
        return {{"event", "export"}, {"done", event.done}, {"total", event.total}};
    }
    Json operator()(const FinishProgress& event) const {
        return {{"event", "finish"},
                {"done", event.done},
                {"total", event.total},
                {"seconds", number(event.seconds)},
                {"stage", event.stage == FinishStage::file ? "file" : "frames"}};
    }
    Json operator()(const GpuSupportProgress& event) const {
        return {{"event", "gpu_support"},
                {"file", event.file},
                {"downloaded", event.downloaded},
                {"download_bytes", event.download_bytes}};
    }
    Json operator()(const EngineEnded& event) const {
        return {{"event", "engine_ended"},
                {"cause", event.cause.text},
                {"last_lines", event.last_lines},
                {"after", to_string(event.job)},
                {"restart_failure", event.restart_failure.text}};
    }
    Json operator()(const QueueChanged& event) const {
        Json jobs = Json::array();
        for (const Job& job : event.jobs) jobs.push_back(to_json(job));
        return {{"event", "queue"}, {"jobs", jobs}};
    }
};

}  // namespace

Json event_document(JobId job, const RunEvent& event) {
    Json json = std::visit(EventWriter{}, event);
    json["job"] = job;
    return json;
}

}  // namespace kinescope::cli
