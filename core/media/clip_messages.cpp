#include "core/media/clip_messages.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/media/message_words.h"

namespace kinescope {
namespace {

constexpr int kLongestFrameSide = 65536;
constexpr int kMostEntries = 10'000;
constexpr int kMostStreams = 1 << 20;
/// Of a video's span, s.
constexpr double kLongestSpan = 1e9;
constexpr double kMostDeclaredFps = 1e6;  ///< frames per second that a file may declare
constexpr int kMostOfSound = 1 << 24;
constexpr std::pair kProfiles(-1000, 1 << 24);
constexpr std::int64_t kMostBitRate = std::int64_t{1} << 40;
constexpr std::int64_t kLatestPacket = std::int64_t{1} << 62;

template <class Number>
std::string digits(Number number) {
    return std::to_string(number);
}

/// Takes words into fields and remembers whether all of them were valid.
class WordReader {
public:
    explicit WordReader(std::string_view message) : message_(message) {}

    template <class Number>
    void take(Number& field, Number low, Number high) {
        const auto number = take_whole<Number>(message_);
        is_valid_ = is_valid_ && number && *number >= low && *number <= high;
        if (is_valid_) field = *number;
    }
    void take(std::string& field) {
        auto word = take_word(message_);
        is_valid_ = is_valid_ && word;
        if (is_valid_) field = std::move(*word);
    }
    void take_hex(std::string& field) {
        std::string hex;
        take(hex);
        auto bytes = bytes_of_hex(hex);
        is_valid_ = is_valid_ && bytes;
        if (is_valid_) field = std::move(*bytes);
    }
    void take_bytes(std::string& field, std::size_t count) {
        is_valid_ = is_valid_ && message_.size() >= count;
        if (!is_valid_) return;
        field.assign(message_.substr(0, count));
        message_.remove_prefix(count);
    }
    bool is_valid() const { return is_valid_; }
    std::string_view rest() const { return message_; }

private:
    std::string_view message_;
    bool is_valid_ = true;
};

void append(std::vector<std::string>& words, const FrameRate& rate) {
    words.push_back(digits(rate.num));
    words.push_back(digits(rate.den));
}

void take_rate(WordReader& reader, FrameRate& rate) {
    reader.take(rate.num, 0, kMostRate);
    reader.take(rate.den, 1, INT_MAX);
}

void take_video(WordReader& reader, VideoInfo& video) {
    int timing = 0;
    int count = 0;
    int pixels = 0;
    int extent = 0;
    int scan = 0;
    std::int64_t micro_fps = 0;
    std::int64_t micro_seconds = 0;
    reader.take(video.width, 0, kLongestFrameSide);
    reader.take(video.height, 0, kLongestFrameSide);
    reader.take<std::int64_t>(micro_fps, 0, std::llround(kMostDeclaredFps * 1e6));
    take_rate(reader, video.rate);
    reader.take(timing, 0, 1);
    reader.take<std::int64_t>(micro_seconds, 0, std::llround(kLongestSpan * 1e6));
    reader.take(video.quarter_turns, 0, 3);
    reader.take(video.num_frames, 0, VideoLimits().max_frames);
    reader.take(count, 0, 1);
    reader.take(pixels, 0, 1);
    reader.take(extent, 0, 1);
    reader.take(scan, 0, 1);
    for (std::string* text :
         {&video.codec, &video.pixel_format, &video.color_space, &video.color_range, &video.transfer})
        reader.take(*text);
    video.fps = static_cast<double>(micro_fps) / 1e6;
    video.span = static_cast<double>(micro_seconds) / 1e6;
    video.timing = timing == 0 ? FrameTiming::constant : FrameTiming::variable;
    video.count = count == 0 ? FrameCount::exact : FrameCount::estimated;
    video.pixels = pixels == 0 ? PixelShape::square : PixelShape::stretched;
    video.extent = extent == 0 ? FileExtent::whole : FileExtent::cut;
    video.scan = scan == 0 ? ScanType::progressive : ScanType::interlaced;
}

void take_sound(WordReader& reader, TrackFormat& sound) {
    reader.take(sound.codec);
    reader.take(sound.sample_rate, 0, kMostSampleRate);
    reader.take(sound.num_channels, 0, kMostChannels);
    reader.take(sound.frame_size, 0, kMostOfSound);
    reader.take(sound.initial_padding, 0, kMostOfSound);
    reader.take(sound.profile, kProfiles.first, kProfiles.second);
    reader.take<std::int64_t>(sound.bit_rate, 0, kMostBitRate);
    reader.take(sound.block_align, 0, kMostOfSound);
    reader.take(sound.bits_per_coded_sample, 0, kMostOfSound);
    take_rate(reader, sound.time_base);
    reader.take_hex(sound.codec_parameters);
}

void append(std::vector<std::string>& words, const SideTrack& track) {
    const TrackFormat& format = track.format;
    const auto samples = [](int number) { return digits(std::clamp(number, 0, kMostOfSound)); };
    words.insert(words.end(), {digits(static_cast<int>(track.kind)), digits(track.stream), track.language, track.title,
                               digits(track.disposition), format.codec, digits(format.sample_rate),
                               digits(format.num_channels), samples(format.frame_size), samples(format.initial_padding),
                               digits(std::clamp(format.profile, kProfiles.first, kProfiles.second)),
                               digits(std::clamp<std::int64_t>(format.bit_rate, 0, kMostBitRate)),
                               samples(format.block_align), samples(format.bits_per_coded_sample)});
    append(words, format.time_base);
    words.push_back(hex_of(format.codec_parameters));
}

void take_tracks(WordReader& reader, ClipFacts& facts) {
    int count = 0;
    reader.take(count, 0, kMostTracks);
    reader.take(facts.num_more_tracks, 0, kMostStreams);
    for (int i = 0; i < count && reader.is_valid(); ++i) {
        int kind = 0;
        SideTrack track;
        reader.take(kind, 0, static_cast<int>(TrackKind::other));
        reader.take(track.stream, 0, kMostStreams);
        reader.take(track.language);
        reader.take(track.title);
        reader.take(track.disposition, 0, INT_MAX);
        take_sound(reader, track.format);
        track.kind = static_cast<TrackKind>(kind);
        facts.tracks.push_back(std::move(track));
    }
}

void take_chapters(WordReader& reader, ClipFacts& facts) {
    constexpr std::int64_t kLatest = std::int64_t{1} << 52;
    int count = 0;
    reader.take(count, 0, kMostChapters);
    for (int i = 0; i < count && reader.is_valid(); ++i) {
        Chapter chapter;
        reader.take<std::int64_t>(chapter.start, -kLatest, kLatest);
        reader.take<std::int64_t>(chapter.end, chapter.start, kLatest);
        reader.take(chapter.title);
        facts.chapters.push_back(std::move(chapter));
    }
}

}  // namespace

std::vector<std::string> words_of(const ClipFacts& facts) {
    const VideoInfo& video = facts.video;
    std::vector<std::string> words{digits(video.width), digits(video.height),
                                   digits(std::llround(std::min(video.fps, kMostDeclaredFps) * 1e6))};
    append(words, video.rate);
    words.insert(words.end(),
                 {digits(video.timing == FrameTiming::constant ? 0 : 1),
                  digits(std::llround(std::min(video.span, kLongestSpan) * 1e6)), digits(video.quarter_turns),
                  digits(video.num_frames), digits(video.count == FrameCount::exact ? 0 : 1),
                  digits(video.pixels == PixelShape::square ? 0 : 1), digits(video.extent == FileExtent::whole ? 0 : 1),
                  digits(video.scan == ScanType::progressive ? 0 : 1), video.codec, video.pixel_format,
                  video.color_space, video.color_range, video.transfer});
    words.insert(words.end(), {digits(facts.tracks.size()), digits(facts.num_more_tracks)});
    for (const SideTrack& track : facts.tracks) append(words, track);
    words.push_back(digits(facts.chapters.size()));
    for (const Chapter& chapter : facts.chapters)
        words.insert(words.end(), {digits(chapter.start), digits(chapter.end), chapter.title});
    int entries = std::min(static_cast<int>(facts.metadata.size()), kMostEntries);
    words.push_back(digits(entries));
    for (auto entry = facts.metadata.begin(); entries > 0; ++entry, --entries)
        words.insert(words.end(), {entry->first, entry->second});
    return words;
}

std::optional<ClipFacts> take_facts(std::string_view message) {
    WordReader reader(message);
    ClipFacts facts;
    take_video(reader, facts.video);
    take_tracks(reader, facts);
    take_chapters(reader, facts);
    int entries = 0;
    reader.take(entries, 0, kMostEntries);
    for (int i = 0; i < entries && reader.is_valid(); ++i) {
        std::string key;
        std::string value;
        reader.take(key);
        reader.take(value);
        facts.metadata[key] = std::move(value);
    }
    return reader.is_valid() ? std::optional(std::move(facts)) : std::nullopt;
}

std::string message_of(const TrackPart<TrackPacket>& part) {
    std::vector<std::string> words{digits(part.values.size()), digits(part.has_ended ? 1 : 0)};
    for (const TrackPacket& packet : part.values)
        words.insert(words.end(),
                     {digits(packet.bytes.size()), digits(std::clamp(packet.time, -kLatestPacket, kLatestPacket)),
                      digits(std::clamp<std::int64_t>(packet.duration, 0, kLatestPacket))});
    std::string message = message_of(words);
    for (const TrackPacket& packet : part.values) message.append(packet.bytes);
    return message;
}

std::optional<TrackPart<TrackPacket>> take_packets(std::string_view message) {
    WordReader reader(message);
    int count = 0;
    int has_ended = 0;
    reader.take(count, 0, 1 << 24);
    reader.take(has_ended, 0, 1);
    TrackPart<TrackPacket> part;
    part.has_ended = has_ended == 1;
    std::vector<std::size_t> sizes;
    for (int i = 0; i < count && reader.is_valid(); ++i) {
        TrackPacket packet;
        int size = 0;
        reader.take(size, 0, 1 << 30);
        reader.take<std::int64_t>(packet.time, -kLatestPacket, kLatestPacket);
        reader.take<std::int64_t>(packet.duration, 0, kLatestPacket);
        sizes.push_back(static_cast<std::size_t>(size));
        part.values.push_back(std::move(packet));
    }
    for (std::size_t i = 0; i < part.values.size() && reader.is_valid(); ++i)
        reader.take_bytes(part.values[i].bytes, sizes[i]);
    return reader.is_valid() ? std::optional(std::move(part)) : std::nullopt;
}

std::string message_of(const TrackPart<float>& part) {
    std::string message;
    message.resize(part.values.size() * sizeof(float));
    if (!part.values.empty()) std::memcpy(message.data(), part.values.data(), message.size());
    return message;
}

std::optional<TrackPart<float>> take_pcm(std::string_view message) {
    if (message.size() % sizeof(float) != 0) return std::nullopt;
    TrackPart<float> part;
    part.values.resize(message.size() / sizeof(float));
    if (!message.empty()) std::memcpy(part.values.data(), message.data(), message.size());
    for (float& value : part.values) value = std::isfinite(value) ? value : 0.0F;
    part.has_ended = part.values.empty();
    return part;
}

}  // namespace kinescope
