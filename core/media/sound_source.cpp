#include "core/media/sound_source.h"

extern "C" {
#include <libswresample/swresample.h>
}

#include <algorithm>
#include <utility>

#include "core/api/error.h"
#include "core/media/media_input.h"

namespace kinescope {
namespace {

constexpr std::int64_t kMaxPictureInSound = 64'000'000;
/// Samples that one decoded packet may have at most.
constexpr int kMostSamples = 1 << 22;

Error no_sound(const std::filesystem::path& file, const std::string& reason) {
    return Error(ErrorCode::file_unreadable, file.string() + " has no readable sound: " + reason,
                 "Use a file with an audio stream, such as WAV, FLAC, MP3, M4A, OGG or a video with sound.",
                 {{"path", file.string()}});
}

}  // namespace

void SoundSource::ResamplerDeleter::operator()(SwrContext* resampler) const {
    swr_free(&resampler);
}

SoundSource::SoundSource(const std::filesystem::path& file)
    : file_(file),
      input_(open_sound_input(file)),
      packet_(av_allocated(av_packet_alloc())),
      samples_(av_allocated(av_frame_alloc())) {
    const int result = find_stream_info(*input_, kMaxPictureInSound);
    if (result < 0) throw no_sound(file_, av_error_text(result));
    const int index = av_find_best_stream(input_.get(), AVMEDIA_TYPE_AUDIO, -1, -1, nullptr, 0);
    if (index < 0) throw no_sound(file_, "it contains no audio stream");
    stream_ = input_->streams[index];
    for (unsigned i = 0; i < input_->nb_streams; ++i)
        if (static_cast<int>(i) != index) input_->streams[i]->discard = AVDISCARD_ALL;
}

SoundSource::~SoundSource() = default;

/// Reads the next packet of the stream. Returns false at the end of the file, also of a truncated one.
bool SoundSource::read_packet() {
    for (;;) {
        av_packet_unref(packet_.get());
        if (av_read_frame(input_.get(), packet_.get()) < 0) return false;
        if (packet_->stream_index == stream_->index) return true;
    }
}

std::optional<SoundPacket> SoundSource::next_packet() {
    if (!read_packet()) return std::nullopt;
    const std::int64_t time = packet_->pts != AV_NOPTS_VALUE ? packet_->pts : packet_->dts;
    return SoundPacket{.bytes = std::string(reinterpret_cast<const char*>(packet_->data),
                                            static_cast<std::size_t>(std::max(0, packet_->size))),
                       .time = time == AV_NOPTS_VALUE ? 0 : time,
                       .duration = packet_->duration};
}

void SoundSource::open_decoder() {
    const AVCodecParameters& parameters = *stream_->codecpar;
    const AVCodec* codec = avcodec_find_decoder(parameters.codec_id);
    if (!codec) throw no_sound(file_, std::string("this libav cannot decode ") + avcodec_get_name(parameters.codec_id));
    decoder_.reset(av_allocated(avcodec_alloc_context3(codec)));
    if (avcodec_parameters_to_context(decoder_.get(), &parameters) < 0) throw std::bad_alloc();
    decoder_->pkt_timebase = stream_->time_base;
    const int result = avcodec_open2(decoder_.get(), codec, nullptr);
    if (result < 0) throw no_sound(file_, av_error_text(result));
}

std::vector<float> SoundSource::next_pcm() {
    if (!decoder_) open_decoder();
    while (!is_drained_) {
        const int result = avcodec_receive_frame(decoder_.get(), samples_.get());
        if (result >= 0) {
            std::vector<float> pcm = resampled(samples_.get());
            av_frame_unref(samples_.get());
            if (!pcm.empty()) return pcm;
        } else if (result == AVERROR(EAGAIN)) {
            avcodec_send_packet(decoder_.get(), read_packet() ? packet_.get() : nullptr);
        } else if (result == AVERROR_EOF) {
            is_drained_ = true;
            return resampled(nullptr);
        }
    }
    return {};
}

/// Sets the resampler up again whenever the stream changes its format.
void SoundSource::follow(const AVFrame& from) {
    if (resampler_ && from.format == format_ && from.sample_rate == rate_ &&
        from.ch_layout.nb_channels == num_channels_)
        return;
    format_ = from.format;
    rate_ = from.sample_rate;
    num_channels_ = from.ch_layout.nb_channels;
    AVChannelLayout stereo = AV_CHANNEL_LAYOUT_STEREO;
    AVChannelLayout layout = from.ch_layout;
    if (layout.order == AV_CHANNEL_ORDER_UNSPEC) av_channel_layout_default(&layout, num_channels_);
    SwrContext* made = nullptr;
    swr_alloc_set_opts2(&made, &stereo, AV_SAMPLE_FMT_FLT, kPcmRate, &layout, static_cast<AVSampleFormat>(format_),
                        rate_, 0, nullptr);
    resampler_.reset(av_allocated(made));
    if (swr_init(resampler_.get()) < 0) throw no_sound(file_, "its channels cannot be converted to stereo");
}

/// Converts decoded samples; null: what the resampler still holds.
std::vector<float> SoundSource::resampled(const AVFrame* from) {
    if (from && (from->sample_rate <= 0 || from->ch_layout.nb_channels <= 0)) return {};
    if (from) follow(*from);
    if (!resampler_) return {};
    const int room = swr_get_out_samples(resampler_.get(), from ? from->nb_samples : 0);
    if (room <= 0 || room > kMostSamples) return {};
    std::vector<float> pcm(static_cast<std::size_t>(room) * kPcmChannels);
    auto* out = reinterpret_cast<std::uint8_t*>(pcm.data());
    const auto** in = from ? const_cast<const std::uint8_t**>(from->extended_data) : nullptr;
    const int count = swr_convert(resampler_.get(), &out, room, in, from ? from->nb_samples : 0);
    pcm.resize(static_cast<std::size_t>(std::max(count, 0)) * kPcmChannels);
    return pcm;
}

}  // namespace kinescope
