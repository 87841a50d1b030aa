#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/media/clip_facts.h"
#include "core/media/track_cursor.h"

namespace kinescope {

/// Facts and sound as messages (core/base/child_words.h), and back. The reader checks every value, because the file
/// may have compromised the process that wrote the message; nullopt: it is invalid.

std::vector<std::string> words_of(const ClipFacts& facts);
std::optional<ClipFacts> take_facts(std::string_view message);

std::string message_of(const TrackPart<TrackPacket>& part);
std::optional<TrackPart<TrackPacket>> take_packets(std::string_view message);

std::string message_of(const TrackPart<float>& part);
std::optional<TrackPart<float>> take_pcm(std::string_view message);

}  // namespace kinescope
