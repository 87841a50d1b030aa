#pragma once

#include <cstdint>
#include <span>

namespace kinescope::fuzz {

using Bytes = std::span<const std::uint8_t>;

// Each target passes the bytes of a whole untrusted file to its reader. The reader must accept them or throw Error.
// Any other result (a crash, another exception, a leak, too much memory) is a fault.
void safetensors(Bytes file);
void pickle(Bytes file);
void gguf(Bytes file);
void shard_index(Bytes file);
void sentencepiece(Bytes file);
void image(Bytes file);
void request(Bytes file);
void clip_comment(Bytes file);
void engine_message(Bytes file);
void comfy_paths(Bytes file);

}  // namespace kinescope::fuzz
