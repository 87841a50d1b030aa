#include "core/jobs/plan.h"

#include <algorithm>
#include <iterator>

#include "core/api/described_device.h"
#include "core/base/peak_memory.h"
#include "core/device/device_capability.h"
#include "core/jobs/memory_plan.h"
#include "core/jobs/prepare.h"

namespace kinescope {

namespace {

std::int64_t free_memory_bytes(const VideoJob& job) {
    if (const auto described = parse_described_device(job.request.device)) return described->memory_bytes;
    const std::string device = job.policy.device().str();
    for (const DeviceCapability& capability : query_devices()) {
        if (device_id(capability) == device) return capability.memory_free_bytes;
    }
    return 0;
}

void add_notes(Plan& plan) {
    const bool has_image = plan.request.image || plan.request.last_image;
    if (plan.card.takes_prompt && plan.request.prompt.empty() && !has_image)
        plan.notes.emplace_back("There is no prompt yet: the longest one is assumed.");
    if (plan.request.step_cache.value_or(0) > 0)
        plan.notes.emplace_back(
            "How many steps the step cache will save is not known before the run: the time is that of all steps.");
}

void add_times(const std::map<Phase, double>& seconds, Plan& plan) {
    for (PhasePlan& phase : plan.phases) {
        const auto known = seconds.find(phase.phase);
        if (known != seconds.end()) phase.seconds = known->second;
    }
    for (const auto& [phase, value] : seconds) plan.seconds += value;
    if (seconds.empty())
        plan.notes.emplace_back("The time is known after a first run of about this size on this device.");
}

}  // namespace

Plan make_plan(const VideoJob& job, const Timings& timings) {
    Plan plan{.request = job.request, .card = job.card, .policy = job.policy_summary, .notes = job.notes};
    const bool is_cpu = job.policy.device().is_cpu();
    const auto program_bytes = is_cpu ? resident_memory_bytes() : 0;
    auto memory =
        plan_memory({.files = job.files, .family = *job.family, .request = job.request}, program_bytes, job.policy);
    plan.peak_memory_bytes = memory.peak_bytes();
    plan.phases = std::move(memory.phases);
    std::ranges::move(memory.notes, std::back_inserter(plan.notes));
    plan.free_memory_bytes = free_memory_bytes(job);
    add_times(timings.estimate(job.request, job.policy.device().str()), plan);
    add_notes(plan);
    if (plan.peak_memory_bytes > plan.free_memory_bytes + program_bytes)
        plan.notes.emplace_back("This needs more memory than is free now.");
    return plan;
}

}  // namespace kinescope
