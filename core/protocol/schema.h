#pragma once

#include <string>

namespace kinescope::protocol {

/// Describes all messages and the values in them, as Markdown: part of resources/engine_protocol.md.
std::string schema_text();

/// Identifies the format: the first 16 hexadecimal digits of the SHA-256 of schema_text().
std::string schema_hash();

}  // namespace kinescope::protocol
