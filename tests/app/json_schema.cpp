#include "tests/app/json_schema.h"

#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>

namespace kinescope::testing {
namespace {

using Json = nlohmann::json;

bool has_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "null") return value.is_null();
    throw std::invalid_argument("schema type " + type);
}

class Validator {
public:
    explicit Validator(const Json& root) : root_(root) {}

    void check(const Json& schema, const Json& value, const std::string& path) {
        if (schema.is_boolean()) {
            if (!schema.get<bool>()) add(path, "is not allowed");
            return;
        }
        for (const auto& [word, rule] : schema.items()) check_word(word, rule, schema, value, path);
    }

    std::vector<std::string> faults() && { return std::move(faults_); }

private:
    void add(const std::string& path, const std::string& reason) {
        faults_.push_back((path.empty() ? "/" : path) + ": " + reason);
    }

    void check_word(const std::string& word, const Json& rule, const Json& schema, const Json& value,
                    const std::string& path) {
        static const std::vector<std::string> notes = {"$schema", "$id", "$defs", "title", "description"};
        if (std::find(notes.begin(), notes.end(), word) != notes.end()) return;
        if (word == "$ref") return check(root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), value, path);
        if (word == "type" && !has_type(value, rule))
            return add(path, "is not of type " + rule.get<std::string>() + ": " + value.dump());
        if (word == "const" && value != rule) return add(path, "is not " + rule.dump() + ": " + value.dump());
        if (word == "enum" && std::find(rule.begin(), rule.end(), value) == rule.end())
            return add(path, "is none of " + rule.dump() + ": " + value.dump());
        if (word == "minimum" && value.is_number() && value < rule) return add(path, "is below " + rule.dump());
        if (word == "minLength" && value.is_string() && value.get<std::string>().size() < rule.get<std::size_t>())
            return add(path, "is too short");
        if (word == "maxItems" && value.is_array() && value.size() > rule.get<std::size_t>())
            return add(path, "has too many items");
        if (word == "required" && value.is_object()) return check_required(rule, value, path);
        if (word == "properties" && value.is_object()) return check_properties(rule, value, path);
        if (word == "additionalProperties" && value.is_object()) return check_others(rule, schema, value, path);
        if (word == "items" && value.is_array()) return check_items(rule, value, path);
        if (word == "oneOf") return check_one_of(rule, value, path);
        static const std::vector<std::string> known = {"type",     "const",      "enum",
                                                       "minimum",  "minLength",  "maxItems",
                                                       "required", "properties", "additionalProperties",
                                                       "items"};
        if (std::find(known.begin(), known.end(), word) == known.end())
            throw std::invalid_argument("schema word " + word);
    }

    void check_required(const Json& names, const Json& value, const std::string& path) {
        for (const Json& name : names)
            if (!value.contains(name.get<std::string>())) add(path, "lacks " + name.dump());
    }

    void check_properties(const Json& properties, const Json& value, const std::string& path) {
        for (const auto& [name, schema] : properties.items())
            if (value.contains(name)) check(schema, value.at(name), path + "/" + name);
    }

    void check_others(const Json& rule, const Json& schema, const Json& value, const std::string& path) {
        const Json known = schema.value("properties", Json::object());
        for (const auto& [name, member] : value.items())
            if (!known.contains(name)) check(rule, member, path + "/" + name);
    }

    void check_items(const Json& rule, const Json& value, const std::string& path) {
        for (std::size_t i = 0; i < value.size(); ++i) check(rule, value[i], path + "/" + std::to_string(i));
    }

    /// Checks that exactly one alternative matches. If none does, reports the faults of the one with the fewest faults.
    void check_one_of(const Json& alternatives, const Json& value, const std::string& path) {
        std::vector<std::string> nearest;
        int matches = 0;
        for (const Json& alternative : alternatives) {
            Validator inner(root_);
            inner.check(alternative, value, path);
            if (inner.faults_.empty()) ++matches;
            if (nearest.empty() || inner.faults_.size() < nearest.size()) nearest = inner.faults_;
        }
        if (matches > 1) add(path, "fits more than one alternative");
        if (matches == 0) faults_.insert(faults_.end(), nearest.begin(), nearest.end());
    }

    const Json& root_;
    std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> schema_faults(const Json& schema, const Json& document) {
    Validator validator(schema);
    validator.check(schema, document, "");
    return std::move(validator).faults();
}

}  // namespace kinescope::testing
