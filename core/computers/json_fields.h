#pragma once

#include <cstdint>
#include <string>

#include "core/protocol/cbor_reader.h"
#include "core/protocol/protocol_error.h"

// Members of documents from another program. Each function throws ProtocolError that names a member that is missing or
// of another type.
namespace kinescope::computers {

inline const protocol::Json& member_of(const protocol::Json& json, const char* name) {
    if (!json.is_object() || !json.contains(name)) throw protocol::ProtocolError(std::string(name) + " is missing");
    return json.at(name);
}

inline std::string as_text(const protocol::Json& json, const char* name) {
    if (!json.is_string()) throw protocol::ProtocolError(std::string(name) + " must be text");
    return json.get<std::string>();
}

inline std::int64_t as_number(const protocol::Json& json, const char* name) {
    const bool fits = json.is_number_integer() &&
                      (!json.is_number_unsigned() || json.get<std::uint64_t>() <= std::uint64_t{INT64_MAX});
    if (!fits) throw protocol::ProtocolError(std::string(name) + " must be an integer");
    return json.get<std::int64_t>();
}

inline std::string text_in(const protocol::Json& json, const char* name) {
    return as_text(member_of(json, name), name);
}

inline std::int64_t number_in(const protocol::Json& json, const char* name) {
    return as_number(member_of(json, name), name);
}

inline const protocol::Json& list_in(const protocol::Json& json, const char* name, std::size_t most) {
    const protocol::Json& list = member_of(json, name);
    if (!list.is_array() || list.size() > most)
        throw protocol::ProtocolError(std::string(name) + " must be a list of up to " + std::to_string(most));
    return list;
}

}  // namespace kinescope::computers
