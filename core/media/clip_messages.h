#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/media/clip_facts.h"
#include "core/media/sound_cursor.h"

namespace kinescope {

/// Facts and sound as messages (core/base/child_words.h), and back. The reader checks every value, because the file
/// may have compromised the process that wrote the message; nullopt: it is invalid.

std::vector<std::string> words_of(const ClipFacts& facts);
std::optional<ClipFacts> take_facts(std::string_view message);

std::string message_of(const SoundPart<SoundPacket>& part);
std::optional<SoundPart<SoundPacket>> take_packets(std::string_view message);

std::string message_of(const SoundPart<float>& part);
std::optional<SoundPart<float>> take_pcm(std::string_view message);

}  // namespace kinescope
