#include "core/api/run_event.h"

#include <algorithm>
#include <array>

namespace kinescope {

std::string to_string(GuardAction action) {
    switch (action) {
        case GuardAction::warn:
            return "warn";
        case GuardAction::observe:
            return "observe";
        case GuardAction::repeat:
            return "repeat";
        case GuardAction::accumulate_float32:
            return "accumulate_float32";
        case GuardAction::raise:
            return "raise";
        case GuardAction::raise_ahead:
            return "raise_ahead";
        case GuardAction::raise_component:
            return "raise_component";
        case GuardAction::move_to_cpu:
            return "move_to_cpu";
        case GuardAction::stream_blocks:
            return "stream_blocks";
        case GuardAction::decode_in_parts:
            return "decode_in_parts";
        case GuardAction::learned:
            return "learned";
        case GuardAction::stop:
            return "stop";
    }
    return "warn";
}

std::string to_string(AfterEngineEnd after) {
    switch (after) {
        case AfterEngineEnd::no_job:
            return "no_job";
        case AfterEngineEnd::goes_on:
            return "goes_on";
        case AfterEngineEnd::set_aside:
            return "set_aside";
        case AfterEngineEnd::lost:
            return "lost";
    }
    return "no_job";
}

std::string to_string(LogLineLevel level) {
    constexpr std::array names = {"info", "note", "warning", "error"};
    static_assert(names.size() == static_cast<std::size_t>(LogLineLevel::error) + 1);
    return names[static_cast<std::size_t>(level)];
}

std::string to_string(LogTopic topic) {
    constexpr std::array names = {"other", "unsaved_steps"};
    static_assert(names.size() == static_cast<std::size_t>(LogTopic::unsaved_steps) + 1);
    return names[static_cast<std::size_t>(topic)];
}

namespace {

constexpr std::array kRunStatusNames = {"completed", "healed", "stopped", "cancelled", "failed"};
static_assert(kRunStatusNames.size() == static_cast<std::size_t>(RunStatus::failed) + 1);

}  // namespace

std::string to_string(RunStatus status) {
    return kRunStatusNames[static_cast<std::size_t>(status)];
}

std::optional<RunStatus> run_status_from(std::string_view name) {
    const auto found = std::ranges::find(kRunStatusNames, name);
    if (found == kRunStatusNames.end()) return std::nullopt;
    return static_cast<RunStatus>(found - kRunStatusNames.begin());
}

bool saves_memory(GuardAction action) {
    return action == GuardAction::stream_blocks || action == GuardAction::decode_in_parts;
}

bool is_repair(GuardAction action) {
    switch (action) {
        case GuardAction::accumulate_float32:
        case GuardAction::raise:
        case GuardAction::raise_ahead:
        case GuardAction::raise_component:
        case GuardAction::move_to_cpu:
            return true;
        case GuardAction::warn:
        case GuardAction::observe:
        case GuardAction::repeat:
        case GuardAction::stream_blocks:
        case GuardAction::decode_in_parts:
        case GuardAction::learned:
        case GuardAction::stop:
            return false;
    }
    return false;
}

bool is_warning(const GuardActed& record) {
    return record.action == GuardAction::warn || record.action == GuardAction::observe;
}

namespace {

/// Returns the consequence of the action, to be appended to a line; empty if the line already describes it.
std::string consequence(GuardAction action) {
    switch (action) {
        case GuardAction::observe:
            return "; the guard only observes";
        case GuardAction::stream_blocks:
            return "; from now on all of its blocks are streamed, which is slower";
        case GuardAction::move_to_cpu:
            return "; the guard runs it again on the CPU, which is slower";
        case GuardAction::decode_in_parts:
            return "; the guard decodes again in smaller parts, which can change the pixels slightly";
        default:
            return {};
    }
}

}  // namespace

std::string warning_text(const GuardActed& record) {
    const std::string when =
        record.phase == Phase::denoise ? "step " + std::to_string(record.step + 1) : to_string(record.phase);
    return when + ", " + record.site + ": " + record.found.text + " (" + to_string(record.detector) + ")" +
           consequence(record.action);
}

}  // namespace kinescope
