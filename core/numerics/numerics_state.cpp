#include "core/numerics/numerics_state.h"

#include <cmath>
#include <limits>

namespace kinescope {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

/// Reads a number. NaN and infinity are stored as strings, because JSON has no numbers for them.
double number_from(const Json& json) {
    if (json == "nan") return kNan;
    if (json == "inf") return kInf;
    if (json == "-inf") return -kInf;
    return json.get<double>();
}

/// Parses a string. Throws JsonError if `parse` returns nullopt.
template <class Parse>
auto parsed(const Json& json, const Parse& parse) {
    const auto text = json.get<std::string>();
    const auto value = parse(text);
    if (!value) throw JsonError("'" + text + "' is not a valid value");
    return *value;
}

Phase read_phase(const Json& json) {
    return parsed(json, phase_from);
}

/// Reads a count of NaN or infinity. null stands for values that were found but not counted and becomes 1.
std::int64_t count_from(const Json& json) {
    return json.is_null() ? 1 : json.get<std::int64_t>();
}

/// Reads a sample. The kind of its site is not saved, because detectors use only the kind of the newer sample of a
/// pair.
NumericSample sample_from(const Json& json) {
    return {.phase = read_phase(json.at("phase")),
            .step = json.at("step"),
            .attempt = json.at("attempt"),
            .branch = json.at("branch"),
            .component = json.at("component"),
            .site = json.at("site"),
            .precision = parsed(json.at("dtype"), compute_precision_from),
            .stats = {.count = json.at("count"),
                      .min = number_from(json.at("min")),
                      .max = number_from(json.at("max")),
                      .max_abs = number_from(json.at("max_abs")),
                      .mean = number_from(json.at("mean")),
                      .std = number_from(json.at("std")),
                      .nan = count_from(json.at("nan")),
                      .inf = count_from(json.at("inf"))},
            .headroom_stops = number_from(json.at("headroom_stops"))};
}

Json to_json(const PrecisionOverride& override) {
    return {{"component", override.component}, {"site", override.site}, {"level", static_cast<int>(override.level)}};
}

PrecisionOverride override_from(const Json& json) {
    const int level = json.at("level");
    if (level < static_cast<int>(PrecisionLevel::planned) || level > static_cast<int>(PrecisionLevel::float32))
        throw JsonError("there is no level " + std::to_string(level));
    return {json.at("component"), json.at("site"), static_cast<PrecisionLevel>(level)};
}

Json warning_json(const GuardActed& record) {
    return {{"phase", to_string(record.phase)},
            {"step", record.step},
            {"site", record.site},
            {"detector", to_string(record.detector)},
            {"code", record.found.code},
            {"values", record.found.values},
            {"text", record.found.text},
            {"action", record.action},
            {"dtype", to_string(record.before)}};
}

/// Reads the mode of a warning: a precision, or none if the site does not compute.
ComputeMode mode_from(const Json& json) {
    if (json == "") return {};
    return parsed(json, compute_precision_from);
}

GuardActed warning_from(const Json& json) {
    return {.phase = read_phase(json.at("phase")),
            .step = json.at("step"),
            .site = json.at("site"),
            .detector = parsed(json.at("detector"), detector_from),
            .found = {.code = json.at("code"), .values = json.at("values"), .text = json.at("text")},
            .action = json.at("action"),
            .before = mode_from(json.at("dtype")),
            .after = mode_from(json.at("dtype")),
            .attempt = 0,
            .seconds = 0};
}

template <class Values, class Write>
Json list_of(const Values& values, Write write) {
    Json list = Json::array();
    for (const auto& value : values) list.push_back(write(value));
    return list;
}

Json noted_json(const Noted::value_type& noted) {
    const auto& [detector, component, site, code] = noted;
    return Json::array({to_string(detector), component, site, code});
}

GuardState read_guard(const Json& json) {
    GuardState state;
    for (const Json& override : json.at("overrides")) state.overrides.push_back(override_from(override));
    if (json.at("half_accumulation").get<bool>()) state.half_accumulation = HalfAccumulation::allowed;
    for (const Json& sample : json.at("previous")) state.previous.push_back(sample_from(sample));
    state.trusted = json.value("trusted", std::set<std::string>());
    return state;
}

JournalState read_journal(const Json& json) {
    JournalState state{.guard_actions = json.at("guard_actions"),
                       .known_overrides = json.value("known_overrides", 0),
                       .has_healed = json.at("has_healed"),
                       .has_open_alarms = json.at("has_open_alarms")};
    for (const Json& noted : json.at("noted"))
        state.noted.emplace(parsed(noted.at(0), detector_from), noted.at(1), noted.at(2), noted.at(3));
    for (const Json& warning : json.value("warnings", Json::array())) state.warnings.push_back(warning_from(warning));
    return state;
}

Json head_json(const LogHead& head) {
    return Json::array({head.bytes, head.hash});
}

/// Checkpoints of earlier versions have no heads.
LogHead read_head(const Json& json, const char* name) {
    if (!json.contains(name)) return {};
    return {.bytes = json.at(name).at(0), .hash = json.at(name).at(1)};
}

/// Checkpoints of earlier versions do not name the components, but their blocks: "<component> <path>".
std::set<std::string, std::less<>> read_components(const Json& json) {
    if (json.contains("components")) return json.at("components");
    std::set<std::string, std::less<>> components;
    for (const auto& [blocks, last] : json.at("last_block").items())
        components.insert(blocks.substr(0, blocks.find(' ')));
    return components;
}

NumericsState read(const Json& json) {
    NumericsState state{.phase = read_phase(json.at("phase")),
                        .last_block = {},
                        .components = read_components(json),
                        .guard = read_guard(json),
                        .journal = read_journal(json),
                        .log = {.json_lines = json.at("log_bytes"),
                                .csv = json.at("csv_bytes"),
                                .json_lines_head = read_head(json, "log_head"),
                                .csv_head = read_head(json, "csv_head")}};
    for (const auto& [blocks, last] : json.at("last_block").items()) state.last_block[blocks] = last;
    return state;
}

}  // namespace

Json to_json(const NumericsState& state) {
    const auto& [phase, last_block, components, guard, journal, log] = state;
    return {{"phase", to_string(phase)},
            {"overrides", list_of(guard.overrides, [](const auto& override) { return to_json(override); })},
            {"half_accumulation", guard.half_accumulation == HalfAccumulation::allowed},
            {"previous", list_of(guard.previous, stat_record)},
            {"trusted", guard.trusted},
            {"last_block", last_block},
            {"components", components},
            {"noted", list_of(journal.noted, noted_json)},
            {"guard_actions", journal.guard_actions},
            {"known_overrides", journal.known_overrides},
            {"has_healed", journal.has_healed},
            {"has_open_alarms", journal.has_open_alarms},
            {"warnings", list_of(journal.warnings, warning_json)},
            {"log_bytes", log.json_lines},
            {"csv_bytes", log.csv},
            {"log_head", head_json(log.json_lines_head)},
            {"csv_head", head_json(log.csv_head)}};
}

NumericsState numerics_state_from(const Json& json) {
    try {
        return read(json);
    } catch (const Json::exception& error) {
        throw JsonError(error.what());
    }
}

}  // namespace kinescope
