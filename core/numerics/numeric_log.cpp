#include "core/numerics/numeric_log.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/api/joined.h"
#include "core/api/json_fields.h"

namespace kinescope {

namespace {

constexpr int kSchema = 1;

constexpr std::array kCsvColumns = {"phase", "step",  "attempt", "branch",        "component", "site",
                                    "dtype", "count", "min",     "max",           "max_abs",   "mean",
                                    "std",   "nan",   "inf",     "headroom_stops"};

std::string csv_cell(const Json& value) {
    if (value.is_null()) return {};
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Returns the requested and the actual device, and the requested and the actual dtype and accumulation of each
/// component.
Json requested_against_actual(const NumericLogHeader& header) {
    Json rows = Json::array();
    const auto add = [&](const std::string& what, const std::string& requested, const std::string& actual) {
        rows.push_back({{"what", what}, {"requested", requested}, {"actual", actual}});
    };
    const bool may_be_half = header.request.half_accumulation == HalfAccumulation::allowed;
    add("device", header.request.device, header.device);
    for (const ComponentPolicy& row : header.policy) {
        add(row.component + " dtype", row.requested, row.compute);
        add(row.component + " accumulation", may_be_half ? "half precision allowed" : "float32", row.accumulation);
    }
    return rows;
}

}  // namespace

Json header_record(const NumericLogHeader& header) {
    Json files = Json::array();
    for (const auto& [file, bytes, header_sha256] : header.model_files)
        files.push_back({{"file", file.string()}, {"bytes", bytes}, {"header_sha256", header_sha256}});
    Json policy = Json::array();
    for (const auto& component : header.policy) policy.push_back(policy_json<Json>(component));
    return {{"record", "header"},
            {"schema", kSchema},
            {"version", header.version},
            {"started", header.started},
            {"request", parse_json(to_json(header.request))},
            {"device", header.device},
            {"requested_against_actual", requested_against_actual(header)},
            {"libraries", header.libraries},
            {"settings", header.settings},
            {"model",
             {{"family", header.card.family},
              {"variant", header.card.variant},
              {"name", header.card.name},
              {"files", files}}},
            {"policy", policy}};
}

Json stat_record(const NumericSample& sample) {
    Json record = stats_json<Json>(sample.stats);
    record.update({{"record", "stat"},
                   {"phase", to_string(sample.phase)},
                   {"step", sample.step},
                   {"attempt", sample.attempt},
                   {"branch", sample.branch},
                   {"component", sample.component},
                   {"site", sample.site},
                   {"dtype", to_string(sample.precision)},
                   {"headroom_stops", number_json<Json>(sample.headroom_stops)}});
    return record;
}

Json encode_record(const std::string& component, double seconds) {
    return {{"record", "encode"}, {"component", component}, {"seconds", seconds}};
}

Json step_record(const StepCompleted& step) {
    Json record{{"record", "step"},
                {"step", step.step},
                {"prediction", step.prediction == PredictionSource::reused ? "reused" : "computed"},
                {"timestep", step.timestep},
                {"sigma", step.sigma},
                {"seconds", step.seconds},
                {"latents", stats_json<Json>(step.latents)},
                {"latents_histogram",
                 {{"min", step.histogram_min}, {"max", step.histogram_max}, {"counts", step.latents_histogram}}},
                {"noise_pred", stats_json<Json>(step.noise_pred)}};
    if (!step.preview_decoder.empty())
        record["preview"] = {{"decoder", step.preview_decoder}, {"seconds", step.preview_seconds}};
    return record;
}

Json rounding_record(const RoundingMeasured& rounding) {
    Json record = rounding_json<Json>(rounding);
    record["record"] = "rounding";
    return record;
}

Json guard_record(const GuardActed& guard) {
    Json record = guard_json<Json>(guard);
    record["record"] = "guard";
    return record;
}

Json frame_record(const FrameRecord& frame) {
    return {{"record", "frame"},
            {"index", frame.index},
            {"mean", number_json<Json>(frame.mean)},
            {"std", number_json<Json>(frame.std)},
            {"nonfinite", frame.nonfinite},
            {"black", frame.black}};
}

namespace {

/// Limits the summary's length, because the video library searches only the last 16 KiB of a log for it.
constexpr std::size_t kMostWarnings = 20;

Json warnings_json(const std::vector<GuardActed>& warnings) {
    Json list = Json::array();
    for (std::size_t i = 0; i < std::min(warnings.size(), kMostWarnings); ++i)
        list.push_back(warning_text(warnings[i]));
    return list;
}

}  // namespace

Json summary_record(const RunResult& result, const std::string& reason) {
    return {{"record", "summary"},
            {"status", to_string(result.status)},
            {"output", result.output.string()},
            {"seconds", result.seconds_by_phase},
            {"peak_memory_bytes", result.peak_memory_bytes},
            {"planned_memory_bytes", result.planned_memory_bytes},
            {"guard_actions", result.guard_actions},
            {"known_overrides", result.known_overrides},
            {"warnings", warnings_json(result.warnings)},
            {"num_warnings", result.warnings.size()},
            {"reason", reason}};
}

namespace {

std::string csv_header() {
    return joined(kCsvColumns, ",") + '\n';
}

std::string csv_row(const Json& record) {
    std::string line;
    for (const char* column : kCsvColumns) line.append(line.empty() ? "" : ",").append(csv_cell(record.at(column)));
    return line + '\n';
}

}  // namespace

NumericLog::NumericLog(const std::filesystem::path& json_lines, const std::filesystem::path& csv,
                       const LogLengths& kept, OnEarlyEnd on_early_end, OverwriteMode overwrite)
    : json_lines_(json_lines, {kept.json_lines, kept.json_lines_head, overwrite}, LogIdentity::first_record),
      csv_(csv, {kept.csv, kept.csv_head, overwrite}, LogIdentity::all_records),
      on_early_end_(std::move(on_early_end)) {
    if (csv_.length() == 0) append(csv_, csv_header());
}

void NumericLog::append(LogFile& file, const std::string& records) {
    const std::string fault = file.append(records);
    if (!fault.empty()) on_early_end_(fault);
}

void NumericLog::write(const Json& record) {
    if (!json_lines_.is_open()) return;
    // Paths may contain invalid UTF-8. With `replace`, dump() does not throw.
    append(json_lines_, record.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n');
}

void NumericLog::write(const std::vector<NumericSample>& samples) {
    std::string lines;
    std::string rows;
    for (const NumericSample& sample : samples) {
        const Json record = stat_record(sample);
        if (json_lines_.is_open()) lines.append(record.dump()).push_back('\n');
        if (csv_.is_open()) rows += csv_row(record);
    }
    append(json_lines_, lines);
    append(csv_, rows);
}

}  // namespace kinescope
