#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/api/joined.h"
#include "core/protocol/cbor_reader.h"
#include "core/protocol/protocol_error.h"

// Conversion of plain values to documents and back. Reading accepts exactly what writing produces: a member that is
// missing, unknown or of another type is refused by name. Only structs with kIgnoresUnknownMembers may have more
// members.
namespace kinescope::protocol {

/// One member of a struct.
template <class Struct, class Member>
struct Field {
    const char* name;
    Member Struct::*member;
};
template <class Struct, class Member>
Field(const char*, Member Struct::*) -> Field<Struct, Member>;

/// The members of a struct: `static constexpr const char* name` and `static constexpr std::tuple all`. Specialized in
/// field_tables.h.
template <class Struct>
struct Fields;

/// True for a struct that another version of Kinescope may have written with more members.
template <class Struct>
inline constexpr bool kIgnoresUnknownMembers = false;

template <class Value>
concept Described = requires {
    Fields<Value>::all;
};

/// Converts to every type; counts the members of an aggregate.
struct AnyMember {
    template <class Member>
    operator Member() const;
};

template <class Struct, class... Members>
consteval std::size_t count_members() {
    if constexpr (requires { Struct{Members{}..., AnyMember{}}; })
        return count_members<Struct, Members..., AnyMember>();
    else
        return sizeof...(Members);
}

/// write(), read() and type(), the type's name in the documentation.
template <class Value>
struct Codec;

template <class Value>
Json write(const Value& value) {
    return Codec<Value>::write(value);
}

template <class Value>
Value read(const Json& json) {
    return Codec<Value>::read(json);
}

[[noreturn]] inline void refuse(const Json& json, const std::string& expected) {
    throw ProtocolError("expected " + expected + ", found " + json.type_name());
}

template <>
struct Codec<bool> {
    static Json write(bool value) { return value; }
    static bool read(const Json& json) {
        if (!json.is_boolean()) refuse(json, type());
        return json.get<bool>();
    }
    static std::string type() { return "boolean"; }
};

template <std::integral Value>
struct Codec<Value> {
    static Json write(Value value) { return value; }
    static Value read(const Json& json) {
        if (json.is_number_unsigned() && std::in_range<Value>(json.get<std::uint64_t>())) return json.get<Value>();
        if (json.is_number_integer() && !json.is_number_unsigned() && std::in_range<Value>(json.get<std::int64_t>()))
            return json.get<Value>();
        refuse(json, type() + " within its range");
    }
    static std::string type() { return sizeof(Value) == 8 ? "integer (64 bits)" : "integer (32 bits)"; }
};

template <>
struct Codec<double> {
    static Json write(double value) { return value; }
    static double read(const Json& json) {
        if (!json.is_number()) refuse(json, type());
        return json.get<double>();
    }
    static std::string type() { return "number"; }
};

template <>
struct Codec<std::string> {
    static Json write(const std::string& value) { return value; }
    static std::string read(const Json& json) {
        if (!json.is_string()) refuse(json, type());
        return json.get<std::string>();
    }
    static std::string type() { return "text"; }
};

template <>
struct Codec<std::filesystem::path> {
    static Json write(const std::filesystem::path& value) { return value.string(); }
    static std::filesystem::path read(const Json& json) { return Codec<std::string>::read(json); }
    static std::string type() { return "path"; }
};

/// A document that is passed on unread.
template <>
struct Codec<Json> {
    static Json write(const Json& value) { return value; }
    static Json read(const Json& json) { return json; }
    static std::string type() { return "any"; }
};

/// Enumerators are written by name. `EnumNames<Enum>::all` lists the names in the order of the enumerators.
template <class Enum>
struct EnumNames;

template <class Enum>
requires std::is_enum_v<Enum>
struct Codec<Enum> {
    static Json write(Enum value) {
        const auto index = static_cast<std::size_t>(value);
        if (index >= EnumNames<Enum>::all.size()) throw ProtocolError("an enumerator has no name");
        return std::string(EnumNames<Enum>::all[index]);
    }
    static Enum read(const Json& json) {
        if (!json.is_string()) refuse(json, type());
        const auto& name = json.get_ref<const std::string&>();
        for (std::size_t index = 0; index < EnumNames<Enum>::all.size(); ++index)
            if (EnumNames<Enum>::all[index] == name) return static_cast<Enum>(index);
        throw ProtocolError("\"" + name.substr(0, 80) + "\" is not " + type());
    }
    static std::string type() { return "one of " + joined(EnumNames<Enum>::all, ", "); }
};

template <class Value>
struct Codec<std::vector<Value>> {
    static Json write(const std::vector<Value>& values) {
        Json json = Json::array();
        json.get_ref<Json::array_t&>().reserve(values.size());
        for (const Value& value : values) json.push_back(Codec<Value>::write(value));
        return json;
    }
    static std::vector<Value> read(const Json& json) {
        if (!json.is_array()) refuse(json, type());
        std::vector<Value> values;
        values.reserve(json.size());
        for (const Json& value : json) values.push_back(Codec<Value>::read(value));
        return values;
    }
    static std::string type() { return "list of " + Codec<Value>::type(); }
};

template <class Value>
struct Codec<std::map<std::string, Value>> {
    static Json write(const std::map<std::string, Value>& values) {
        Json json = Json::object();
        for (const auto& [name, value] : values) json[name] = Codec<Value>::write(value);
        return json;
    }
    static std::map<std::string, Value> read(const Json& json) {
        if (!json.is_object()) refuse(json, type());
        std::map<std::string, Value> values;
        for (const auto& [name, value] : json.items()) values.emplace(name, Codec<Value>::read(value));
        return values;
    }
    static std::string type() { return "map from text to " + Codec<Value>::type(); }
};

/// An array of two.
template <class First, class Second>
struct Codec<std::pair<First, Second>> {
    static Json write(const std::pair<First, Second>& pair) {
        return Json::array({Codec<First>::write(pair.first), Codec<Second>::write(pair.second)});
    }
    static std::pair<First, Second> read(const Json& json) {
        if (!json.is_array() || json.size() != 2) refuse(json, type());
        return {Codec<First>::read(json[0]), Codec<Second>::read(json[1])};
    }
    static std::string type() { return "[" + Codec<First>::type() + ", " + Codec<Second>::type() + "]"; }
};

template <class Value>
struct Codec<std::optional<Value>> {
    static Json write(const std::optional<Value>& value) { return value ? Codec<Value>::write(*value) : Json(); }
    static std::optional<Value> read(const Json& json) {
        if (json.is_null()) return std::nullopt;
        return Codec<Value>::read(json);
    }
    static std::string type() { return Codec<Value>::type() + " or null"; }
};

/// A map with one member, named like the type of the alternative.
template <class... Alternatives>
struct Codec<std::variant<Alternatives...>> {
    using Variant = std::variant<Alternatives...>;

    static Json write(const Variant& value) {
        return std::visit(
            [](const auto& known) -> Json {
                using Known = std::decay_t<decltype(known)>;
                return {{Codec<Known>::type(), Codec<Known>::write(known)}};
            },
            value);
    }
    static Variant read(const Json& json) {
        if (!json.is_object() || json.size() != 1) refuse(json, "a map with one member");
        const std::string& name = json.begin().key();
        std::optional<Variant> value;
        (void)((name == Codec<Alternatives>::type() &&
                (value.emplace(Codec<Alternatives>::read(json.begin().value())), true)) ||
               ...);
        if (!value) throw ProtocolError("\"" + name.substr(0, 80) + "\" is unknown");
        return std::move(*value);
    }
    static std::string type() {
        return "a map with one of the members " + joined(std::array{Codec<Alternatives>::type()...}, ", ");
    }
};

/// A struct is a map from the names of its members to their values.
template <Described Struct>
struct Codec<Struct> {
    static constexpr std::size_t kNumFields = std::tuple_size_v<std::remove_cvref_t<decltype(Fields<Struct>::all)>>;
    static_assert(count_members<Struct>() == kNumFields, "the table in field_tables.h lacks a member of the struct");

    static Json write(const Struct& value) {
        Json json = Json::object();
        visit([&](const auto& field) { json[field.name] = protocol::write(value.*(field.member)); });
        return json;
    }
    static Struct read(const Json& json) {
        if (!json.is_object()) refuse(json, type());
        Struct value{};
        visit([&](const auto& field) { read_member(json, field, value); });
        if (json.size() != kNumFields && !kIgnoresUnknownMembers<Struct>) refuse_unknown(json);
        return value;
    }
    static std::string type() { return Fields<Struct>::name; }

    template <class Visitor>
    static void visit(Visitor&& visitor) {
        std::apply([&](const auto&... fields) { (visitor(fields), ...); }, Fields<Struct>::all);
    }

private:
    template <class Member>
    static void read_member(const Json& json, const Field<Struct, Member>& field, Struct& value) {
        const auto found = json.find(field.name);
        if (found == json.end()) throw ProtocolError(type() + "." + field.name + " is missing");
        try {
            value.*(field.member) = protocol::read<Member>(*found);
        } catch (const ProtocolError& error) {
            throw ProtocolError(type() + "." + field.name + ": " + error.what());
        }
    }
    [[noreturn]] static void refuse_unknown(const Json& json) {
        for (const auto& item : json.items()) {
            bool is_known = false;
            visit([&](const auto& field) { is_known = is_known || item.key() == field.name; });
            if (!is_known) throw ProtocolError(type() + " has no member \"" + item.key().substr(0, 80) + "\"");
        }
        throw ProtocolError(type() + " has too many members");
    }
};

}  // namespace kinescope::protocol
