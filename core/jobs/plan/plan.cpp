#include "core/jobs/plan/plan.h"

#include <algorithm>
#include <iterator>

#include "core/api/byte_size.h"
#include "core/api/component_role.h"
#include "core/api/described_device.h"
#include "core/api/video_parts.h"
#include "core/base/peak_memory.h"
#include "core/device/device_capability.h"
#include "core/jobs/plan/memory_plan.h"
#include "core/jobs/plan/open_weights.h"
#include "core/jobs/prepare.h"

namespace kinescope {

namespace {

void add_free_memory(const PreparedRun& job, Plan& plan) {
    if (const auto described = parse_described_device(job.request.compute.device)) {
        plan.free_memory_bytes = described->memory_bytes;
        return;
    }
    const std::string device = job.policy.device().str();
    for (DeviceCapability& capability : query_devices()) {
        if (device_id(capability) != device) continue;
        plan.free_memory_bytes = capability.memory_free_bytes;
        plan.free_memory_limit = std::move(capability.memory_limit);
        return;
    }
}

std::string shortage(const Plan& plan) {
    const std::string& limit = plan.free_memory_limit.text;
    return "This needs more memory than is free now" + (limit.empty() ? "" : ": " + limit) + ".";
}

/// Returns the size of frames without compression.
std::int64_t raw_bytes(const ResolvedContent& content, std::int64_t num_frames) {
    return std::int64_t{3} * content.width * content.height * num_frames;
}

/// Returns the number of frames of some parts, with those of the video that the first one continues.
std::int64_t frames_of_parts(const PreparedRun& job, std::size_t num_parts) {
    return job.continued_frames + std::int64_t{job.request.content.num_frames} * static_cast<std::int64_t>(num_parts);
}

void add_notes(const PreparedRun& job, Plan& plan) {
    const ResolvedRequest& request = job.request;
    if (plan.card.takes_prompt && request.content.prompt.empty() && !request.content.has_image())
        plan.notes.emplace_back("The prompt is empty; the plan assumes the maximum length.");
    if (request.sampling.step_cache > 0)
        plan.notes.emplace_back(
            "The step cache may skip steps. How many is not known before the run, so the time assumes that none are "
            "skipped.");
    // The compression without loss saves nothing of noise.
    if (const std::size_t parts_kept = request.content.next_prompts.size(); parts_kept > 0)
        plan.notes.push_back("Until the video is complete, the parts before the last one take up to " +
                             format_byte_size(raw_bytes(request.content, frames_of_parts(job, parts_kept))) +
                             " of disk space in the folder of the job.");
}

void add_times(const std::map<Phase, double>& seconds, Plan& plan) {
    for (PhasePlan& phase : plan.phases) {
        const auto known = seconds.find(phase.phase);
        if (known != seconds.end()) phase.seconds = known->second;
    }
    for (const auto& [phase, value] : seconds) plan.seconds += value;
    if (seconds.empty())
        plan.notes.emplace_back("The time is unknown until a run of about this size has finished on this device.");
}

MemoryPlan plan_part(const PreparedRun& job, const ResolvedRequest& request, std::int64_t reading,
                     std::int64_t program) {
    return plan_memory({.files = job.files,
                        .family = *job.family,
                        .request = request,
                        .preview_bytes = job.preview_bytes,
                        .draft_bytes = job.draft_bytes,
                        .finish = finish_memory_of(job.request, job.policy.device()),
                        .reading_bytes = reading,
                        .touched_bytes = job.touched_bytes},
                       program, job.policy);
}

/// Returns the request of a part after the first one, all of which are alike; nullopt if there is none.
std::optional<ResolvedRequest> later_part(const PreparedRun& job) {
    const VideoRequest whole = to_request(job.request, job.card);
    if (num_parts(whole) == 1) return std::nullopt;
    VideoRequest next = part_of(whole, 1);
    next.continue_video = "part";
    return resolve_request(next, job.card, 0);
}

/// Plans the first part and, if there are more, one that continues a video. Returns the plan with the higher peak.
MemoryPlan plan_largest_part(const PreparedRun& job, const std::optional<ResolvedRequest>& later,
                             std::int64_t program_bytes) {
    MemoryPlan plan = plan_part(job, job.request, job.reading_bytes, program_bytes);
    if (!later) return plan;
    const ResolvedContent& content = later->content;
    MemoryPlan other =
        plan_part(job, *later, reading_bytes(content.width, content.height, content.num_frames), program_bytes);
    return other.peak_bytes() > plan.peak_bytes() ? other : plan;
}

std::map<Phase, double> seconds_of_parts(const PreparedRun& job, const std::optional<ResolvedRequest>& later,
                                         const Timings& timings) {
    const auto first = timings.estimate(timed_request(job, job.request));
    if (!later) return first;
    return sum_of_parts(first, timings.estimate(timed_request(job, *later)),
                        static_cast<int>(job.request.content.next_prompts.size()) + 1);
}

/// The last part is joined with all frames before it. The first part of several is joined with the video that it
/// continues, and keeps the result without loss.
double seconds_of_joining(const PreparedRun& job, const Timings& timings) {
    const std::size_t parts_before = job.request.content.next_prompts.size();
    const double seconds = timings.estimate_joining(job.request, frames_of_parts(job, parts_before));
    if (parts_before == 0) return seconds;
    VideoRequest first = part_of(to_request(job.request, job.card), 0);
    first.output.file = "part.mkv";
    return seconds + timings.estimate_joining(resolve_request(first, job.card, 0), job.continued_frames);
}

/// Joining happens while the first of the new frames are decoded.
std::map<Phase, double> plan_seconds(const PreparedRun& job, const std::optional<ResolvedRequest>& later,
                                     const Timings& timings) {
    std::map<Phase, double> seconds = seconds_of_parts(job, later, timings);
    if (!seconds.empty()) seconds[Phase::decode] += seconds_of_joining(job, timings);
    return seconds;
}

std::optional<Error> first_missing_weights(const PreparedRun& job) {
    for (const auto& [name, component] : job.files.components)
        if (role_of(name) != ComponentRole::none)
            if (auto missing = missing_weights(job.files, name)) return missing;
    return std::nullopt;
}

}  // namespace

TimedRequest timed_request(const PreparedRun& job, const ResolvedRequest& request) {
    return {.request = request,
            .device = job.policy.device().str(),
            .evaluation_work = job.family->evaluation_work(job.files, request)};
}

std::vector<std::string> limit_notes(const PreparedRun& job, const ProcessLimits& limits) {
    const ResolvedRequest& request = job.request;
    const std::int64_t video =
        raw_bytes(request.content, frames_of_parts(job, request.content.next_prompts.size() + 1));
    const std::int64_t frames = raw_bytes(request.content, request.content.num_frames) * std::int64_t{sizeof(float)};
    const std::int64_t largest = request.output.frames.empty() ? video : std::max(video, frames);
    std::vector<std::string> notes;
    if (limits.file_size && *limits.file_size < largest)
        notes.push_back("Files are limited to " + format_byte_size(*limits.file_size) +
                        " (ulimit -f), but the largest file of this run may take up to " + format_byte_size(largest) +
                        ".");
    if (limits.open_files && *limits.open_files < kOpenFilesOfRun)
        notes.push_back("At most " + std::to_string(*limits.open_files) +
                        " files may be open at the same time (ulimit -n), but a run needs up to " +
                        std::to_string(kOpenFilesOfRun) + ".");
    return notes;
}

Plan make_plan(const PreparedRun& job, const Timings& timings) {
    Plan plan{.request = to_request(job.request, job.card),
              .card = job.card,
              .policy = job.policy_summary,
              .notes = job.warnings};
    std::ranges::copy(job.notes, std::back_inserter(plan.notes));
    const bool is_cpu = job.policy.device().is_cpu();
    const auto program_bytes = is_cpu ? resident_memory_bytes() : 0;
    const auto later = later_part(job);
    auto memory = plan_largest_part(job, later, program_bytes);
    plan.peak_memory_bytes = memory.peak_bytes();
    plan.phases = std::move(memory.phases);
    std::ranges::move(memory.notes, std::back_inserter(plan.notes));
    add_free_memory(job, plan);
    add_times(plan_seconds(job, later, timings), plan);
    add_notes(job, plan);
    if (plan.peak_memory_bytes > plan.free_memory_bytes + program_bytes) plan.notes.push_back(shortage(plan));
    std::ranges::move(limit_notes(job, read_process_limits()), std::back_inserter(plan.notes));
    plan.missing_weights = first_missing_weights(job);
    return plan;
}

}  // namespace kinescope
