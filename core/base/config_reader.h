#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace kinescope {

/// Typed access to an untrusted config.json. For missing keys and null, the methods return `fallback`. Values of a
/// wrong type or out of range throw Error(bad_config), which names the file, key and value. Unknown keys are ignored.
class ConfigReader {
public:
    template <class T>
    struct Range {
        T min;
        T max;
    };

    /// `file` is only used in messages. A null `json` counts as an empty object.
    ConfigReader(const Json& json, std::filesystem::path file);

    std::int64_t integer(const std::string& key, std::optional<std::int64_t> fallback, Range<std::int64_t> range) const;
    double number(const std::string& key, std::optional<double> fallback, Range<double> range) const;
    bool flag(const std::string& key, bool fallback) const;
    std::string text(const std::string& key, const std::string& fallback) const;
    std::vector<std::int64_t> integers(const std::string& key, const std::vector<std::int64_t>& fallback,
                                       Range<std::int64_t> range) const;
    std::vector<double> numbers(const std::string& key) const;
    std::vector<bool> flags(const std::string& key, const std::vector<bool>& fallback) const;
    /// Throws Error(bad_config): "<file>: <key> is <value>; <expectation>".
    [[noreturn]] void refuse(const std::string& key, const std::string& expectation) const;

private:
    const Json* find(const std::string& key) const;
    const Json& require_array(const std::string& key, const Json& value) const;

    Json json_;
    std::filesystem::path file_;
};

}  // namespace kinescope
