#include "core/media/clip_facts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/lower_case.h"
#include "core/media/frame_sink.h"
#include "core/media/frame_times.h"
#include "core/media/media_input.h"
#include "core/media/video_reader.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxMetadataBytes = std::size_t{4} << 20;
constexpr int kMaxExtradata = 1 << 20;
/// Of a language or a title.
constexpr std::size_t kMaxNameBytes = 1000;
/// The muxer writes these itself.
constexpr std::array kOfTheMuxer = {"encoder", "major_brand", "minor_version", "compatible_brands"};

/// Matroska stores keys in upper case, other containers in lower case.
std::map<std::string, std::string> metadata_in(const AVFormatContext& input) {
    std::map<std::string, std::string> metadata;
    std::size_t bytes = 0;
    const AVDictionaryEntry* entry = nullptr;
    while ((entry = av_dict_get(input.metadata, "", entry, AV_DICT_IGNORE_SUFFIX)) != nullptr) {
        const std::string key = lower_case(entry->key);
        const std::string value = entry->value;
        bytes += key.size() + value.size();
        if (bytes > kMaxMetadataBytes) break;
        if (std::find(kOfTheMuxer.begin(), kOfTheMuxer.end(), key) == kOfTheMuxer.end()) metadata[key] = value;
    }
    return metadata;
}

std::string text_in(const AVDictionary* metadata, const char* key) {
    const AVDictionaryEntry* entry = av_dict_get(metadata, key, nullptr, 0);
    return entry == nullptr ? std::string() : std::string(entry->value).substr(0, kMaxNameBytes);
}

TrackKind kind_of(const AVStream& stream) {
    const AVCodecParameters& parameters = *stream.codecpar;
    const auto is_within = [](int value, int most) { return value > 0 && value <= most; };
    if (!is_within(stream.time_base.num, kMostRate)) return TrackKind::other;
    if (parameters.codec_type == AVMEDIA_TYPE_AUDIO && is_within(parameters.sample_rate, kMostSampleRate) &&
        is_within(parameters.ch_layout.nb_channels, kMostChannels))
        return TrackKind::sound;
    const AVCodecDescriptor* codec = avcodec_descriptor_get(parameters.codec_id);
    const bool is_text = codec != nullptr && (codec->props & AV_CODEC_PROP_TEXT_SUB) != 0;
    return parameters.codec_type == AVMEDIA_TYPE_SUBTITLE && is_text ? TrackKind::text : TrackKind::other;
}

TrackFormat format_of(const AVStream& stream) {
    const AVCodecParameters& parameters = *stream.codecpar;
    TrackFormat format{.codec = avcodec_get_name(parameters.codec_id),
                       .sample_rate = parameters.sample_rate,
                       .num_channels = parameters.ch_layout.nb_channels,
                       .frame_size = parameters.frame_size,
                       .initial_padding = parameters.initial_padding,
                       .profile = parameters.profile,
                       .bit_rate = parameters.bit_rate,
                       .block_align = parameters.block_align,
                       .bits_per_coded_sample = parameters.bits_per_coded_sample,
                       .time_base = {stream.time_base.num, stream.time_base.den},
                       .codec_parameters = {}};
    if (parameters.extradata_size > 0 && parameters.extradata_size <= kMaxExtradata)
        format.codec_parameters.assign(reinterpret_cast<const char*>(parameters.extradata),
                                       static_cast<std::size_t>(parameters.extradata_size));
    return format;
}

SideTrack track_of(const AVStream& stream) {
    SideTrack track{.kind = kind_of(stream),
                    .stream = stream.index,
                    .format = {},
                    .language = text_in(stream.metadata, "language"),
                    .title = text_in(stream.metadata, "title"),
                    .disposition = std::max(0, stream.disposition)};
    if (track.kind != TrackKind::other)
        track.format = format_of(stream);
    else if (stream.codecpar->codec_id != AV_CODEC_ID_NONE)
        track.format.codec = avcodec_get_name(stream.codecpar->codec_id);
    else if (const char* type = av_get_media_type_string(stream.codecpar->codec_type))
        track.format.codec = type;
    return track;
}

/// Demuxers of MP4 show the text track with the titles of chapters as a stream, too.
bool is_of_chapters(const AVFormatContext& input, const AVStream& stream) {
    return input.nb_chapters > 0 && stream.codecpar->codec_type == AVMEDIA_TYPE_DATA &&
           stream.codecpar->codec_id == AV_CODEC_ID_BIN_DATA;
}

/// Leaves out chapters with damaged times.
void add_chapters(const AVFormatContext& input, ClipFacts& facts) {
    constexpr std::int64_t kLatest = std::int64_t{1} << 50;
    const auto is_usable = [](std::int64_t time) { return time > -kLatest && time < kLatest; };
    const std::int64_t start = is_usable(input.start_time) ? input.start_time : 0;
    for (unsigned i = 0; i < input.nb_chapters && std::ssize(facts.chapters) < kMostChapters; ++i) {
        const AVChapter& chapter = *input.chapters[i];
        const AVRational unit = chapter.time_base;
        if (unit.num < 1 || unit.den < 1) continue;
        const std::int64_t first = av_rescale_q(chapter.start, unit, AVRational{1, AV_TIME_BASE});
        const std::int64_t last = av_rescale_q(chapter.end, unit, AVRational{1, AV_TIME_BASE});
        if (is_usable(first) && is_usable(last) && first < last)
            facts.chapters.push_back(
                {.start = first - start, .end = last - start, .title = text_in(chapter.metadata, "title")});
    }
}

/// Describes all streams except the video.
void add_tracks(AVFormatContext& input, ClipFacts& facts) {
    const int video = best_video_stream(input);
    for (unsigned i = 0; i < input.nb_streams; ++i) {
        if (static_cast<int>(i) == video || is_of_chapters(input, *input.streams[i])) continue;
        if (std::ssize(facts.tracks) < kMostTracks)
            facts.tracks.push_back(track_of(*input.streams[i]));
        else
            ++facts.num_more_tracks;
    }
}

ClipFacts picture_facts(const fs::path& video) {
    const auto source = open_frame_source(video);
    ClipFacts facts;
    facts.video.num_frames = source->count();
    facts.video.rate = frame_rate_of(source->fps());
    if (const auto first = source->next()) {
        facts.video.width = first->width;
        facts.video.height = first->height;
    }
    try {
        facts.metadata["comment"] = read_comment(video);
    } catch (const Error&) {
        return facts;  // pictures of other programs have none
    }
    return facts;
}

}  // namespace

ClipFacts read_clip_facts(const fs::path& video) {
    return open_clip(video).facts;
}

OpenClip open_clip(const fs::path& video) {
    if (names_pictures(video)) return {.facts = picture_facts(video), .frames = nullptr};
    VideoReader reader(video);
    ClipFacts facts;
    facts.video = reader.info();
    const AvInputPtr input = open_media_input(video);
    find_stream_info(*input, VideoLimits().max_pixels);
    add_tracks(*input, facts);
    add_chapters(*input, facts);
    facts.metadata = metadata_in(*input);
    return {.facts = std::move(facts), .frames = frame_source_of(std::move(reader))};
}

}  // namespace kinescope
