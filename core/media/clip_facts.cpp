#include "core/media/clip_facts.h"

#include <algorithm>
#include <array>

#include "core/media/frame_sink.h"
#include "core/media/frame_source.h"
#include "core/media/media_input.h"
#include "core/media/video_reader.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxMetadataBytes = std::size_t{4} << 20;
constexpr int kMaxExtradata = 1 << 20;
/// The muxer writes these itself.
constexpr std::array kOfTheMuxer = {"encoder", "major_brand", "minor_version", "compatible_brands"};

std::map<std::string, std::string> metadata_in(const AVFormatContext& input) {
    std::map<std::string, std::string> metadata;
    std::size_t bytes = 0;
    const AVDictionaryEntry* entry = nullptr;
    while ((entry = av_dict_get(input.metadata, "", entry, AV_DICT_IGNORE_SUFFIX)) != nullptr) {
        const std::string key = entry->key;
        const std::string value = entry->value;
        bytes += key.size() + value.size();
        if (bytes > kMaxMetadataBytes) break;
        if (std::find(kOfTheMuxer.begin(), kOfTheMuxer.end(), key) == kOfTheMuxer.end()) metadata[key] = value;
    }
    return metadata;
}

SoundFormat sound_in(AVFormatContext& input) {
    const int index = av_find_best_stream(&input, AVMEDIA_TYPE_AUDIO, -1, -1, nullptr, 0);
    if (index < 0) return {};
    const AVStream& stream = *input.streams[index];
    const AVCodecParameters& parameters = *stream.codecpar;
    if (parameters.sample_rate <= 0 || parameters.ch_layout.nb_channels <= 0) return {};
    SoundFormat sound{.codec = avcodec_get_name(parameters.codec_id),
                      .sample_rate = parameters.sample_rate,
                      .num_channels = parameters.ch_layout.nb_channels,
                      .frame_size = parameters.frame_size,
                      .initial_padding = parameters.initial_padding,
                      .profile = parameters.profile,
                      .bit_rate = parameters.bit_rate,
                      .time_base = {stream.time_base.num, stream.time_base.den},
                      .codec_parameters = {}};
    if (parameters.extradata_size > 0 && parameters.extradata_size <= kMaxExtradata)
        sound.codec_parameters.assign(reinterpret_cast<const char*>(parameters.extradata),
                                      static_cast<std::size_t>(parameters.extradata_size));
    return sound;
}

ClipFacts picture_facts(const fs::path& video) {
    const auto source = open_frame_source(video);
    ClipFacts facts;
    facts.video.num_frames = source->count();
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
    if (names_pictures(video)) return picture_facts(video);
    ClipFacts facts;
    facts.video = VideoReader(video).info();
    const AvInputPtr input = open_media_input(video);
    find_stream_info(*input, VideoLimits().max_pixels);
    facts.sound = sound_in(*input);
    facts.metadata = metadata_in(*input);
    return facts;
}

}  // namespace kinescope
