#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

namespace kinescope::protocol {

using Json = nlohmann::json;
using Bytes = std::span<const std::uint8_t>;

/// Limits of one document.
struct CborLimits {
    std::size_t depth = 32;
    std::size_t values = 4'000'000;
};

/// Reads the part of CBOR (RFC 8949) that Json::to_cbor writes: integers, floating-point numbers, text, bytes, arrays,
/// maps with text as keys, true, false and null. Refuses tags, indefinite lengths, a key that occurs twice, and bytes
/// after the document. Takes linear time, does not recurse, and needs memory in proportion to the input. Text may
/// contain any bytes, because paths do. Throws ProtocolError.
Json read_cbor(Bytes bytes, const CborLimits& limits = {});

}  // namespace kinescope::protocol
