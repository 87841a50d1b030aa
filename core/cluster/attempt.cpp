#include "core/cluster/attempt.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/api/json_fields.h"

namespace kinescope::cluster {

namespace {

constexpr std::array<std::string_view, 6> kStates = {"starting", "running", "finished",
                                                     "failed",   "stopped", "superseded"};
constexpr std::array<std::string_view, 4> kCauses = {"none", "signal", "time_limit", "cancelled"};

template <class Enum, std::size_t size>
Enum named(const std::array<std::string_view, size>& names, const std::string& name) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) throw JsonError("'" + name + "' is unknown");
    return static_cast<Enum>(found - names.begin());
}

std::optional<int> whole_number(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
    return number;
}

}  // namespace

std::string AttemptKey::name() const {
    return std::to_string(submission) + "." + std::to_string(restart);
}

std::optional<AttemptKey> attempt_key_from(std::string_view name) {
    const auto dot = name.find('.');
    if (dot == std::string_view::npos) return std::nullopt;
    const auto submission = whole_number(name.substr(0, dot));
    const auto restart = whole_number(name.substr(dot + 1));
    if (!submission || !restart) return std::nullopt;
    const AttemptKey key{*submission, *restart};
    return key.name() == name ? std::optional(key) : std::nullopt;  // without leading zeros
}

Json to_json(const AttemptStatus& status) {
    Json json = {{"sequence", status.sequence},
                 {"state", to_string(status.state)},
                 {"cause", kCauses.at(static_cast<std::size_t>(status.cause))},
                 {"node", status.node},
                 {"phase", status.phase},
                 {"step", status.step},
                 {"num_steps", status.num_steps},
                 {"step_seconds", status.step_seconds},
                 {"seconds_left", status.seconds_left},
                 {"exit_code", status.exit_code},
                 {"warnings", status.warnings}};
    if (status.error) json["error"] = error_json<Json>(*status.error);
    return json;
}

AttemptStatus attempt_status_from(const Json& json) {
    try {
        AttemptStatus status{.sequence = json.at("sequence"),
                             .state = named<AttemptState>(kStates, json.at("state")),
                             .cause = named<StopCause>(kCauses, json.at("cause")),
                             .node = json.at("node"),
                             .phase = json.at("phase"),
                             .step = json.at("step"),
                             .num_steps = json.at("num_steps"),
                             .step_seconds = json.at("step_seconds"),
                             .seconds_left = json.at("seconds_left"),
                             .exit_code = json.at("exit_code")};
        status.warnings = json.at("warnings").get<std::vector<std::string>>();
        if (json.contains("error")) status.error = error_from_json(json["error"]);
        return status;
    } catch (const Json::exception& error) {
        throw JsonError(error.what());
    }
}

std::string_view to_string(AttemptState state) {
    return kStates.at(static_cast<std::size_t>(state));
}

}  // namespace kinescope::cluster
