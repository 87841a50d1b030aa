#include "core/pipeline/recorder_state.h"

#include <cmath>
#include <limits>

namespace kinescope {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

/// The log's records spell what JSON has no number for.
double number_from(const Json& json) {
    if (json == "nan") return kNan;
    if (json == "inf") return kInf;
    if (json == "-inf") return -kInf;
    return json.get<double>();
}

Phase phase_from(const Json& json) {
    const auto name = json.get<std::string>();
    for (const Phase phase : {Phase::load, Phase::encode, Phase::denoise, Phase::decode, Phase::save})
        if (to_string(phase) == name) return phase;
    throw JsonError("'" + name + "' is no phase");
}

NumericSample sample_from(const Json& json) {
    return {.phase = phase_from(json.at("phase")),
            .step = json.at("step"),
            .attempt = json.at("attempt"),
            .branch = json.at("branch"),
            .component = json.at("component"),
            .site = json.at("site"),
            .dtype = json.at("dtype"),
            .stats = {.count = json.at("count"),
                      .min = number_from(json.at("min")),
                      .max = number_from(json.at("max")),
                      .max_abs = number_from(json.at("max_abs")),
                      .mean = number_from(json.at("mean")),
                      .std = number_from(json.at("std")),
                      .nan = json.at("nan"),
                      .inf = json.at("inf")},
            .headroom_stops = number_from(json.at("headroom_stops"))};
}

Json to_json(const PrecisionOverride& override) {
    return {{"component", override.component}, {"site", override.site}, {"rung", static_cast<int>(override.rung)}};
}

PrecisionOverride override_from(const Json& json) {
    const int rung = json.at("rung");
    if (rung < static_cast<int>(Rung::planned) || rung > static_cast<int>(Rung::float32))
        throw JsonError("there is no rung " + std::to_string(rung));
    return {json.at("component"), json.at("site"), static_cast<Rung>(rung)};
}

Json warning_json(const GuardActed& record) {
    return {{"phase", to_string(record.phase)}, {"step", record.step},       {"site", record.site},
            {"detector", record.detector},      {"code", record.found.code}, {"values", record.found.values},
            {"text", record.found.text},        {"action", record.action},   {"dtype", record.before}};
}

GuardActed warning_from(const Json& json) {
    return {.phase = phase_from(json.at("phase")),
            .step = json.at("step"),
            .site = json.at("site"),
            .detector = json.at("detector"),
            .found = {.code = json.at("code"), .values = json.at("values"), .text = json.at("text")},
            .action = json.at("action"),
            .before = json.at("dtype"),
            .after = json.at("dtype"),
            .attempt = 0,
            .seconds = 0};
}

template <class Values, class Write>
Json list_of(const Values& values, Write write) {
    Json list = Json::array();
    for (const auto& value : values) list.push_back(write(value));
    return list;
}

RecorderState read(const Json& json) {
    RecorderState state{.phase = phase_from(json.at("phase")), .overrides = {}, .previous = {}, .log = {}};
    for (const Json& override : json.at("overrides")) state.overrides.push_back(override_from(override));
    if (json.at("half_accumulation").get<bool>()) state.half_accumulation = HalfAccumulation::allowed;
    for (const Json& sample : json.at("previous")) state.previous.push_back(sample_from(sample));
    for (const auto& [blocks, last] : json.at("last_block").items()) state.last_block[blocks] = last;
    for (const Json& noted : json.at("noted")) state.noted.emplace(noted.at(0), noted.at(1), noted.at(2));
    state.guard_actions = json.at("guard_actions");
    state.known_overrides = json.value("known_overrides", 0);
    state.has_healed = json.at("has_healed");
    state.has_open_alarms = json.at("has_open_alarms");
    for (const Json& warning : json.value("warnings", Json::array())) state.warnings.push_back(warning_from(warning));
    state.log = {.json_lines = json.at("log_bytes"), .csv = json.at("csv_bytes")};
    return state;
}

}  // namespace

Json to_json(const RecorderState& state) {
    const auto noted_json = [](const auto& noted) {
        return Json::array({std::get<0>(noted), std::get<1>(noted), std::get<2>(noted)});
    };
    return {{"phase", to_string(state.phase)},
            {"overrides", list_of(state.overrides, [](const auto& override) { return to_json(override); })},
            {"half_accumulation", state.half_accumulation == HalfAccumulation::allowed},
            {"previous", list_of(state.previous, stat_record)},
            {"last_block", state.last_block},
            {"noted", list_of(state.noted, noted_json)},
            {"guard_actions", state.guard_actions},
            {"known_overrides", state.known_overrides},
            {"has_healed", state.has_healed},
            {"has_open_alarms", state.has_open_alarms},
            {"warnings", list_of(state.warnings, warning_json)},
            {"log_bytes", state.log.json_lines},
            {"csv_bytes", state.log.csv}};
}

RecorderState recorder_state_from(const Json& json) {
    try {
        return read(json);
    } catch (const Json::exception& error) {
        throw JsonError(error.what());
    }
}

}  // namespace kinescope
