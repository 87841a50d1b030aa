#include <algorithm>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/option_names.h"
#include "app/cli/table.h"
#include "core/api/byte_size.h"
#include "core/api/extra_fields.h"
#include "core/api/joined.h"
#include "core/api/resolved_request.h"
#include "core/api/video_parts.h"
#include "core/api/video_request_json.h"

namespace kinescope::cli {
namespace {

/// The whole video: all parts, joined with the video that the first one continues, before the finish steps.
struct WholeVideo {
    int parts = 1;
    int frames = 0;
    double seconds = 0;
};

WholeVideo whole_video(const Plan& plan, Engine& engine) {
    const VideoRequest& request = plan.request;
    const auto& continued = request.continue_video;
    const int frames =
        whole_frames(request, plan.card, continued ? engine.videos().describe_video(*continued).num_frames : 0);
    return {num_parts(request), frames, static_cast<double>(frames) / std::max(1, request.fps.value_or(1))};
}

Json to_document(const Plan& plan, const WholeVideo& whole) {
    Json phases = Json::array();
    for (const PhasePlan& phase : plan.phases) {
        Json parts = Json::object();
        for (const auto& [name, bytes] : phase.parts) parts[name] = bytes;
        phases.push_back({{"phase", to_string(phase.phase)},
                          {"seconds", known_number(phase.seconds)},
                          {"memory_bytes", phase.memory_bytes},
                          {"parts", parts}});
    }
    return {{"request", request_document(plan.request)},
            {"model", to_json(plan.card)},
            {"policy", to_json(plan.policy)},
            {"video", {{"parts", whole.parts}, {"frames", whole.frames}, {"seconds", number(whole.seconds)}}},
            {"phases", phases},
            {"peak_memory_bytes", plan.peak_memory_bytes},
            {"free_memory_bytes", plan.free_memory_bytes},
            {"free_memory_limit", plan.free_memory_limit.text},
            {"seconds", known_number(plan.seconds)},
            {"notes", plan.notes}};
}

std::string counted(int number, const char* noun) {
    return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

/// Returns e.g. "6 of 12 steps": those of a video that the model changes are not all.
std::string steps_text(const VideoRequest& request) {
    const int all = request.num_inference_steps.value_or(0);
    const int run = steps_before(request, 1);
    return run == all ? counted(all, "step") : std::to_string(run) + " of " + counted(all, "step");
}

std::string guidance_text(const VideoRequest& request) {
    if (request.min_guidance_scale && request.max_guidance_scale)
        return "guidance " + format_number(*request.min_guidance_scale) + " to " +
               format_number(*request.max_guidance_scale);
    std::string text = "guidance " + format_number(request.guidance_scale.value_or(0));
    if (request.guidance_scale_2) text += " and " + format_number(*request.guidance_scale_2) + " (second expert)";
    const GuidanceMethod method = request.guidance_method.value_or(GuidanceMethod::standard);
    return method == GuidanceMethod::standard ? text : text + ", method " + to_string(method);
}

void print_sampling(std::ostream& out, const VideoRequest& request) {
    out << "sampling " << steps_text(request) << " of " << request.scheduler.value_or("-") << ", "
        << guidance_text(request);
    if (request.strength) out << ", strength " << format_number(*request.strength);
    if (request.flow_shift) out << ", flow shift " << format_number(*request.flow_shift);
    if (request.step_cache.value_or(0) > 0) out << ", step cache " << format_number(*request.step_cache);
    out << '\n';
}

void print_video(std::ostream& out, const VideoRequest& request, const WholeVideo& whole) {
    out << "video    " << request.width.value_or(0) << "x" << request.height.value_or(0) << ", "
        << counted(request.num_frames.value_or(0), "frame") << " at " << request.fps.value_or(0) << " fps"
        << (whole.parts > 1 ? " in each part" : "") << '\n';
    if (whole.parts == 1 && !request.continue_video) return;
    out << "whole    ";
    if (whole.parts > 1) out << whole.parts << " parts, ";
    out << counted(whole.frames, "frame") << (request.finish.interpolator.empty() ? "" : " before interpolation")
        << ", " << format_number(whole.seconds) << " s";
    if (request.continue_video) out << ", with those of " << request.continue_video->filename().string();
    out << '\n';
}

void print_request(std::ostream& out, const Plan& plan, const WholeVideo& whole) {
    const VideoRequest& request = plan.request;
    out << "model    " << plan.card.name << " (" << plan.card.variant << ")\n";
    print_video(out, request, whole);
    print_sampling(out, request);
    visit_extra_fields(request, [&out](const char* name, const auto& value) {
        if (value) out << "         " << name << ' ' << format_number(*value) << '\n';
    });
    out << '\n';
}

void print_policy(std::ostream& out, const PolicySummary& policy) {
    Table table({"component", "stored", "in memory", "computes in", "accumulates in", "attention", "device",
                 "requested", "reason"});
    for (const ComponentPolicy& row : policy)
        table.add({row.component, row.stored, row.storage, row.compute, row.accumulation, row.attention, row.device,
                   row.requested, row.reason});
    table.print(out);
}

void print_phases(std::ostream& out, const Plan& plan) {
    Table table({"phase", "time", "memory", "of which"});
    for (const PhasePlan& phase : plan.phases) {
        const std::string parts = joined(
            phase.parts, ", ", [](const auto& part) { return part.first + " " + format_byte_size(part.second); });
        table.add({to_string(phase.phase), format_seconds(phase.seconds), format_byte_size(phase.memory_bytes), parts});
    }
    const auto allowed = plan.request.max_memory_bytes;
    table.add({"whole", format_seconds(plan.seconds), format_byte_size(plan.peak_memory_bytes),
               format_byte_size(plan.free_memory_bytes) + " free" +
                   (plan.free_memory_limit.empty() ? "" : ": " + plan.free_memory_limit.text) +
                   (allowed ? ", --max-memory allows " + format_byte_size(*allowed) : "")});
    out << '\n';
    table.print(out);
}

void print(std::ostream& out, const Plan& plan, const WholeVideo& whole) {
    print_request(out, plan, whole);
    print_policy(out, plan.policy);
    print_phases(out, plan);
    for (const std::string& note : plan.notes) out << "note: " << note << '\n';
}

Plan plan_of(const VideoRequest& request, const RequestArguments& arguments, Engine& engine) {
    try {
        Plan plan = engine.catalog().plan(request);
        for (std::string& note : plan.notes) note = note_with_option_names(std::move(note), arguments);
        return plan;
    } catch (const Error& error) {
        throw with_option_names(error, arguments);
    }
}

}  // namespace

int plan(const Session& session, const RequestArguments& arguments) {
    const auto engine = make_quiet_engine(session);
    ReadRequest read = read_arguments(arguments, *engine);
    validate_with_card(read, *engine);
    // A plan does not need a prompt.
    if (read.request.prompt.empty())
        std::erase_if(read.faults, [](const Fault& fault) { return fault.field == "prompt"; });
    if (!read.faults.empty()) return report(session, with_option_names(read.faults, arguments));
    const Plan planned = plan_of(read.request, arguments, *engine);
    const WholeVideo whole = whole_video(planned, *engine);
    print_json(session, to_document(planned, whole));
    if (session.format == OutputFormat::human) print(session.out, planned, whole);
    return kDone;
}

}  // namespace kinescope::cli
