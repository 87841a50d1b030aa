#include "core/api/bounded_json.h"

#include <cstdint>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/api/json_members.h"

namespace kinescope {
namespace {

constexpr std::size_t kLongestMessage = 200;
constexpr const char* kNoObject = "not a JSON object";

/// Removes the library's prefix, for example "[json.exception.parse_error.101] ", and limits the length: the library
/// quotes the last token, which can be as long as the text.
std::string short_message(std::string message) {
    const auto end = message.find("] ");
    if (message.starts_with('[') && end != std::string::npos) message.erase(0, end + 2);
    if (message.size() > kLongestMessage) message.replace(kLongestMessage, std::string::npos, " ...");
    return message;
}

/// Adds a member with the value null. Returns nullptr if the object already has a member of this name.
nlohmann::json* add_member(nlohmann::json& object, std::string& name, std::set<std::string>& /*names*/) {
    auto& members = object.get_ref<nlohmann::json::object_t&>();
    const auto [member, is_new] = members.try_emplace(std::move(name), nullptr);
    return is_new ? &member->second : nullptr;
}

/// Adds a member to an ordered object. Looks for duplicates in `names`, because the object itself can only be searched
/// in linear time.
nlohmann::ordered_json* add_member(nlohmann::ordered_json& object, std::string& name, std::set<std::string>& names) {
    if (!names.insert(name).second) return nullptr;
    auto& members = object.get_ref<nlohmann::ordered_json::object_t&>();
    members.emplace_back(std::move(name), nullptr);
    return &members.back().second;
}

/// Receives the values from the library's parser and builds the document within the limits. Unlike the library's own
/// builder with a callback, it does not walk through all members of an object whenever one of them is complete.
template <class Document>
class BoundedBuilder final : public nlohmann::json_sax<Document> {
public:
    explicit BoundedBuilder(const JsonLimits& limits) : limits_(limits) {}
    /// Passes the members of the outermost object to `visit` instead of keeping them.
    BoundedBuilder(const JsonLimits& limits, const MemberVisitor& visit) : limits_(limits), visit_(&visit) {}

    Document take() { return std::move(root_); }

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(std::int64_t value) override { return put(value); }
    bool number_unsigned(std::uint64_t value) override { return put(value); }
    bool number_float(double value, const std::string& /*text*/) override { return put(value); }
    bool string(std::string& value) override { return put(std::move(value)); }
    bool binary(typename Document::binary_t& /*value*/) override { return false; }

    bool start_object(std::size_t /*size*/) override { return open(Document::object()); }
    bool start_array(std::size_t /*size*/) override { return open(Document::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(std::string& name) override {
        if (is_visiting()) {
            name_ = std::move(name);
            member_ = &visited_;
            return true;
        }
        member_ = add_member(*open_.back().value, name, open_.back().names);
        if (!member_) throw JsonError(short_message("the name \"" + name + "\" occurs twice"));
        return true;
    }

    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const nlohmann::detail::exception& error) override {
        throw JsonError(short_message(error.what()));
    }

private:
    struct Level {
        Document* value;
        std::set<std::string> names;
    };

    bool is_visiting() const { return visit_ != nullptr && open_.size() == 1; }

    /// Passes a completed member of the outermost object to the visitor. Always returns true, so that the parser
    /// continues.
    bool pass_on() {
        if constexpr (std::is_same_v<Document, nlohmann::json>)
            if (is_visiting()) (*visit_)(name_, visited_);
        return true;
    }

    template <class Value>
    bool put(Value&& value) {
        if (visit_ != nullptr && open_.empty()) throw JsonError(kNoObject);
        add(std::forward<Value>(value));
        return pass_on();
    }

    /// Inserts a value at the current position: as the root, at the end of an array, or as the last named member.
    template <class Value>
    Document* add(Value&& value) {
        if (++num_values_ > limits_.values) throw JsonError("more than " + std::to_string(limits_.values) + " values");
        if (open_.empty()) {
            root_ = std::forward<Value>(value);
            return &root_;
        }
        Document& parent = *open_.back().value;
        if (parent.is_array()) {
            return &parent.emplace_back(std::forward<Value>(value));
        }
        *member_ = std::forward<Value>(value);
        return member_;
    }

    bool open(Document&& container) {
        if (visit_ != nullptr && open_.empty() && !container.is_object()) throw JsonError(kNoObject);
        if (open_.size() == limits_.depth)
            throw JsonError("nested deeper than " + std::to_string(limits_.depth) + " levels");
        open_.push_back({add(std::move(container)), {}});
        return true;
    }

    bool close() {
        open_.pop_back();
        return pass_on();
    }

    const JsonLimits& limits_;
    Document root_;
    std::vector<Level> open_;  ///< arrays and objects that are still open, the innermost last
    Document* member_ = nullptr;
    std::size_t num_values_ = 0;
    const MemberVisitor* visit_ = nullptr;
    std::string name_;  ///< of the member in visited_
    Document visited_;
};

template <class Document>
Document parse_with(BoundedBuilder<Document> builder, std::string_view text, const JsonLimits& limits) {
    if (text.size() > limits.bytes)
        throw JsonError(std::to_string(text.size()) + " bytes of JSON exceed the limit of " +
                        std::to_string(limits.bytes) + " bytes");
    Document::sax_parse(text.begin(), text.end(), &builder);
    return builder.take();
}

}  // namespace

nlohmann::json parse_json(std::string_view text, const JsonLimits& limits) {
    return parse_with(BoundedBuilder<nlohmann::json>(limits), text, limits);
}

void visit_members(std::string_view text, const JsonLimits& limits, const MemberVisitor& visit) {
    parse_with(BoundedBuilder<nlohmann::json>(limits, visit), text, limits);
}

nlohmann::json try_parse_json(std::string_view text, const JsonLimits& limits) {
    try {
        return parse_json(text, limits);
    } catch (const JsonError&) {
        return nlohmann::json(nlohmann::json::value_t::discarded);
    }
}

nlohmann::ordered_json parse_ordered_json(std::string_view text) {
    const JsonLimits limits{.bytes = std::size_t{4} << 20};
    return parse_with(BoundedBuilder<nlohmann::ordered_json>(limits), text, limits);
}

}  // namespace kinescope
