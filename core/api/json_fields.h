#pragma once

#include <cmath>
#include <map>
#include <string>

#include "core/api/error.h"
#include "core/api/policy_summary.h"
#include "core/api/run_event.h"

// The JSON form of values that job files, numeric logs and the command line share. `Document` is nlohmann::json or, to
// keep the order of the names, nlohmann::ordered_json.
namespace kinescope {

/// Returns a number as JSON. NaN and infinity, which JSON lacks, become the strings "nan", "inf" and "-inf".
template <class Document>
Document number_json(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
}

template <class Document>
Document error_json(const Error& error) {
    return {{"code", std::string(to_string(error.code()))},
            {"message", error.message()},
            {"hint", error.hint()},
            {"arguments", error.arguments()}};
}

/// Reads what error_json() returns. Throws Document::exception for a missing member or one of another type.
template <class Document>
Error error_from_json(const Document& json) {
    return {error_code_from(json.at("code").template get<std::string>()),
            json.at("message").template get<std::string>(), json.at("hint").template get<std::string>(),
            json.at("arguments").template get<std::map<std::string, std::string>>()};
}

/// `nan` and `inf` are null if such values were found but not counted. A count replaces them by zeros, so the extremes
/// are finite. Without a count, the extremes are not, and NaN hides infinity.
template <class Document>
Document stats_json(const TensorStats& stats) {
    return {{"count", stats.count},
            {"min", number_json<Document>(stats.min)},
            {"max", number_json<Document>(stats.max)},
            {"max_abs", number_json<Document>(stats.max_abs)},
            {"mean", number_json<Document>(stats.mean)},
            {"std", number_json<Document>(stats.std)},
            {"nan", std::isnan(stats.min) ? Document() : Document(stats.nan)},
            {"inf", std::isfinite(stats.min) && std::isfinite(stats.max) ? Document(stats.inf) : Document()}};
}

template <class Document>
Document policy_json(const ComponentPolicy& policy) {
    return {{"component", policy.component},
            {"stored", policy.stored},
            {"storage", policy.storage},
            {"compute", policy.compute},
            {"accumulation", policy.accumulation},
            {"attention_backend", policy.attention},
            {"device", policy.device},
            {"requested", policy.requested},
            {"reason", policy.reason}};
}

template <class Document>
Document guard_json(const GuardActed& guard) {
    return {{"phase", to_string(guard.phase)},
            {"step", guard.step},
            {"site", guard.site},
            {"detector", to_string(guard.detector)},
            {"found", guard.found.text},
            {"action", to_string(guard.action)},
            {"before", to_string(guard.before)},
            {"after", to_string(guard.after)},
            {"attempt", guard.attempt},
            {"seconds", number_json<Document>(guard.seconds)}};
}

template <class Document>
Document rounding_json(const RoundingMeasured& rounding) {
    return {{"phase", to_string(rounding.phase)},
            {"step", rounding.step},
            {"attempt", rounding.attempt},
            {"component", rounding.component},
            {"site", rounding.site},
            {"dtype", to_string(rounding.precision)},
            {"decibels", number_json<Document>(rounding.decibels)}};
}

}  // namespace kinescope
