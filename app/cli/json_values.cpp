#include "app/cli/json_values.h"

#include "core/api/video_request_json.h"
#include "core/base/printable.h"

namespace kinescope::cli {

Json to_json(const Error& error) {
    return error_json<Json>(error);
}

Json to_json(const Fault& fault) {
    return {{"field", fault.field}, {"message", fault.message}, {"fix", fault.fix}};
}

Json to_json(const DeviceInfo& device) {
    return {{"id", device.id},
            {"name", device.name},
            {"capability", device.capability},
            {"memory_total_bytes", device.memory_total_bytes},
            {"memory_free_bytes", device.memory_free_bytes},
            {"memory_limit", device.memory_limit.text},
            {"dtypes", device.dtypes},
            {"compute_dtype", device.compute_dtype},
            {"reason", device.reason},
            {"driver", device.driver},
            {"unusable", device.unusable.text}};
}

namespace {

const char* name_of(VideoUse use) {
    switch (use) {
        case VideoUse::none:
            return "none";
        case VideoUse::start:
            return "start";
        case VideoUse::control:
            return "control";
    }
    return "none";
}

const char* name_of(Continuation continuation) {
    switch (continuation) {
        case Continuation::none:
            return "none";
        case Continuation::last_frame:
            return "last_frame";
        case Continuation::last_latents:
            return "last_latents";
        case Continuation::control:
            return "control";
    }
    return "none";
}

}  // namespace

Json to_json(const ModelCard& card) {
    Json tasks = Json::array();
    for (const Task task : card.tasks) tasks.push_back(to_string(task));
    Json extra_fields = Json::object();
    for (const CardField& field : card.extra_fields)
        extra_fields[field.name] = {{"default", field.default_value}, {"min", field.min}, {"max", field.max}};
    return {{"id", card.id},
            {"name", card.name},
            {"family", card.family},
            {"variant", card.variant},
            {"tasks", tasks},
            {"video_use", name_of(card.video_use)},
            {"continuation", name_of(card.continuation)},
            {"num_control_blocks", card.num_control_blocks},
            {"recognized_by", card.recognized_by},
            {"missing", card.missing},
            {"takes_prompt", card.takes_prompt},
            {"width", card.default_size.width},
            {"height", card.default_size.height},
            {"size_multiple", card.size_multiple},
            {"max_side", card.max_side},
            {"num_frames", card.default_num_frames},
            {"num_frames_multiple", card.num_frames_multiple},
            {"num_frames_offset", card.num_frames_offset},
            {"max_num_frames", card.max_num_frames},
            {"fps", card.default_fps},
            {"num_inference_steps", card.default_num_inference_steps},
            {"guidance_scale", card.default_guidance_scale},
            {"flow_shift", card.default_flow_shift ? Json(*card.default_flow_shift) : Json()},
            {"negative_prompt", card.default_negative_prompt},
            {"prompt_suffix", card.prompt_suffix},
            {"max_sequence_length", card.max_sequence_length},
            {"extra_fields", extra_fields},
            {"schedulers", card.schedulers},
            {"example_prompts", card.example_prompts}};
}

Json to_json(const PolicySummary& policy) {
    Json rows = Json::array();
    for (const ComponentPolicy& row : policy) rows.push_back(policy_json<Json>(row));
    return rows;
}

Json to_json(const TensorStats& stats) {
    return stats_json<Json>(stats);
}

Json to_json(const RunResult& result) {
    Json json = {{"status", to_string(result.status)},
                 {"output", result.output.string()},
                 {"numeric_log", result.numeric_log.string()},
                 {"num_frames", result.num_frames},
                 {"output_bytes", result.output_bytes},
                 {"seconds", number(result.seconds)},
                 {"seconds_by_phase", result.seconds_by_phase},
                 {"peak_memory_bytes", result.peak_memory_bytes},
                 {"planned_memory_bytes", result.planned_memory_bytes},
                 {"guard_actions", result.guard_actions},
                 {"known_overrides", result.known_overrides}};
    if (result.stopped_after_step > 0) json["stopped_after_step"] = result.stopped_after_step;
    return json;
}

Json to_json(const Job& job) {
    Json json = {{"job", job.id},
                 {"state", to_string(job.state)},
                 {"step", job.step},
                 {"num_steps", job.num_steps},
                 {"created", job.created},
                 {"output", job.output.string()},
                 {"request", request_document(job.request)}};
    if (job.error) json["error"] = to_json(*job.error);
    return json;
}

std::string one_line(const Json& json) {
    return printable_json(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace kinescope::cli
