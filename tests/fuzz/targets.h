#pragma once

#include <cstdint>
#include <span>

namespace kinescope::fuzz {

using Bytes = std::span<const std::uint8_t>;

// Each gives a reader of strangers' files the bytes of a whole file. It must refuse them with Error or read them;
// anything else (a crash, another exception, a leak, memory beyond the limit) is a fault.
void safetensors(Bytes file);
void pickle(Bytes file);
void gguf(Bytes file);
void shard_index(Bytes file);
void sentencepiece(Bytes file);
void image(Bytes file);
void request(Bytes file);
void clip_comment(Bytes file);

}  // namespace kinescope::fuzz
