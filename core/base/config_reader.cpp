#include "core/base/config_reader.h"

#include <cmath>
#include <utility>

#include "core/api/error.h"

namespace kinescope {

namespace {

constexpr std::size_t kMaxEntries = 4096;

std::string between(double min, double max) {
    return "a number from " + Json(min).dump() + " to " + Json(max).dump();
}

std::string between(std::int64_t min, std::int64_t max) {
    return "a whole number from " + std::to_string(min) + " to " + std::to_string(max);
}

}  // namespace

ConfigReader::ConfigReader(const Json& json, std::filesystem::path file) : json_(json), file_(std::move(file)) {
    if (json_.is_null()) json_ = Json::object();
    if (!json_.is_object()) throw Error(ErrorCode::bad_config, file_.string() + " is not a JSON object");
}

const Json* ConfigReader::find(const std::string& key) const {
    const auto found = json_.find(key);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
}

void ConfigReader::refuse(const std::string& key, const std::string& expectation) const {
    const auto* value = find(key);
    auto shown = value ? value->dump(-1, ' ', false, Json::error_handler_t::replace) : "missing";
    if (shown.size() > 80) shown = shown.substr(0, 77) + "...";
    throw Error(ErrorCode::bad_config, file_.string() + ": " + key + " is " + shown + "; " + expectation,
                "The file is damaged or belongs to an unsupported model.",
                {{"file", file_.string()}, {"key", key}, {"value", shown}});
}

std::int64_t ConfigReader::integer(const std::string& key, std::optional<std::int64_t> fallback,
                                   Range<std::int64_t> range) const {
    const auto* value = find(key);
    if (!value && fallback) return *fallback;
    if (!value || !value->is_number_integer()) refuse(key, "expected " + between(range.min, range.max));
    const auto number = value->get<std::int64_t>();
    if (value->is_number_unsigned() && number < 0) refuse(key, "expected " + between(range.min, range.max));
    if (number < range.min || number > range.max) refuse(key, "expected " + between(range.min, range.max));
    return number;
}

double ConfigReader::number(const std::string& key, std::optional<double> fallback, Range<double> range) const {
    const auto* value = find(key);
    if (!value && fallback) return *fallback;
    if (!value || !value->is_number()) refuse(key, "expected " + between(range.min, range.max));
    const auto number = value->get<double>();
    if (!(number >= range.min && number <= range.max)) refuse(key, "expected " + between(range.min, range.max));
    return number;
}

bool ConfigReader::flag(const std::string& key, bool fallback) const {
    const auto* value = find(key);
    if (!value) return fallback;
    if (!value->is_boolean()) refuse(key, "expected true or false");
    return value->get<bool>();
}

std::string ConfigReader::text(const std::string& key, const std::string& fallback) const {
    const auto* value = find(key);
    if (!value) return fallback;
    if (!value->is_string()) refuse(key, "expected a string");
    return value->get<std::string>();
}

const Json& ConfigReader::require_array(const std::string& key, const Json& value) const {
    if (!value.is_array() || value.size() > kMaxEntries) refuse(key, "expected a list");
    return value;
}

std::vector<std::int64_t> ConfigReader::integers(const std::string& key, const std::vector<std::int64_t>& fallback,
                                                 Range<std::int64_t> range) const {
    const auto* value = find(key);
    if (!value) return fallback;
    std::vector<std::int64_t> result;
    for (const auto& entry : require_array(key, *value)) {
        if (!entry.is_number_integer() || entry < range.min || entry > range.max)
            refuse(key, "each entry must be " + between(range.min, range.max));
        result.push_back(entry.get<std::int64_t>());
    }
    return result;
}

std::vector<double> ConfigReader::numbers(const std::string& key) const {
    const auto* value = find(key);
    if (!value) return {};
    std::vector<double> result;
    for (const auto& entry : require_array(key, *value)) {
        if (!entry.is_number() || !std::isfinite(entry.get<double>())) refuse(key, "expected a list of numbers");
        result.push_back(entry.get<double>());
    }
    return result;
}

std::vector<bool> ConfigReader::flags(const std::string& key, const std::vector<bool>& fallback) const {
    const auto* value = find(key);
    if (!value) return fallback;
    std::vector<bool> result;
    for (const auto& entry : require_array(key, *value)) {
        if (!entry.is_boolean()) refuse(key, "expected a list of true and false");
        result.push_back(entry.get<bool>());
    }
    return result;
}

}  // namespace kinescope
