#include "core/media/track_packets.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <string_view>

#include "core/api/error.h"
#include "core/media/container.h"
#include "core/media/pcm_stream.h"

namespace kinescope {
namespace {

constexpr std::int64_t kSoundBitRate = 192'000;
constexpr int kUsualFrameSize = 1024;
/// Packets before the video's start belong to a decoder's lead-in.
constexpr double kLeadInSeconds = 0.1;

struct ParametersDeleter {
    void operator()(AVCodecParameters* parameters) const { avcodec_parameters_free(&parameters); }
};
using ParametersPtr = std::unique_ptr<AVCodecParameters, ParametersDeleter>;

bool holds(const AVOutputFormat& muxer, AVCodecID codec) {
    // libav's answer for MOV includes codecs that it writes to MP4 only.
    const bool is_of_mp4 = codec == AV_CODEC_ID_FLAC || codec == AV_CODEC_ID_OPUS;
    if (is_of_mp4 && std::string_view(muxer.name) == "mov") return false;
    return avformat_query_codec(&muxer, codec, FF_COMPLIANCE_NORMAL) == 1;
}

AVCodecID codec_id_of(const TrackFormat& format) {
    const AVCodecDescriptor* descriptor = avcodec_descriptor_get_by_name(format.codec.c_str());
    const bool is_known =
        descriptor != nullptr && (descriptor->type == AVMEDIA_TYPE_AUDIO || descriptor->type == AVMEDIA_TYPE_SUBTITLE);
    return is_known ? descriptor->id : AV_CODEC_ID_NONE;
}

ParametersPtr parameters_of(const SideTrack& track) {
    const TrackFormat& format = track.format;
    ParametersPtr parameters(av_allocated(avcodec_parameters_alloc()));
    parameters->codec_type = track.kind == TrackKind::text ? AVMEDIA_TYPE_SUBTITLE : AVMEDIA_TYPE_AUDIO;
    parameters->codec_id = codec_id_of(format);
    parameters->sample_rate = format.sample_rate;
    parameters->frame_size = format.frame_size;
    parameters->initial_padding = format.initial_padding;
    parameters->profile = format.profile;
    parameters->bit_rate = format.bit_rate;
    parameters->block_align = format.block_align;
    parameters->bits_per_coded_sample = format.bits_per_coded_sample;
    if (track.kind == TrackKind::sound) av_channel_layout_default(&parameters->ch_layout, format.num_channels);
    const std::string& extra = format.codec_parameters;
    if (extra.empty()) return parameters;
    parameters->extradata =
        static_cast<std::uint8_t*>(av_allocated(av_mallocz(extra.size() + AV_INPUT_BUFFER_PADDING_SIZE)));
    std::memcpy(parameters->extradata, extra.data(), extra.size());
    parameters->extradata_size = static_cast<int>(extra.size());
    return parameters;
}

bool holds(const AVOutputFormat& muxer, const TrackFormat& format) {
    const AVCodecID codec = codec_id_of(format);
    return codec != AV_CODEC_ID_NONE && holds(muxer, codec);
}

/// Copies the packets of a file.
class CopiedTrack final : public TrackPackets {
public:
    explicit CopiedTrack(const TrackInput& input) : input_(input), parameters_(parameters_of(input.plan().track)) {}

    const AVCodecParameters& parameters() const override { return *parameters_; }
    AVRational time_base() const override {
        const FrameRate& base = input_.plan().track.format.time_base;
        return {std::max(1, base.num), std::max(1, base.den)};
    }
    NextPacket next(AVPacket& packet) override {
        while (const TrackPacket* source = take()) {
            const double unit = av_q2d(time_base());
            const std::int64_t time = source->time - std::llround(input_.plan().offset / unit);
            const double seconds = static_cast<double>(time) * unit;
            const bool is_over =
                is_text() && source->duration > 0 ? time + source->duration <= 0 : seconds < -kLeadInSeconds;
            if (is_over) continue;
            if (seconds >= input_.plan().most_seconds()) return NextPacket::none;
            is_text() ? fill_text(packet, *source, time) : fill(packet, *source, std::max(time, last_ + 1));
            return NextPacket::found;
        }
        return part_.has_ended ? NextPacket::none : NextPacket::not_yet;
    }

private:
    bool is_text() const { return input_.plan().track.kind == TrackKind::text; }

    /// The next packet of the file; null if the part that is read now contains none.
    const TrackPacket* take() {
        if (at_ == part_.values.size() && !part_.has_ended) {
            part_ = input_.reader().read_packets(input_.plan().file, input_.plan().track.stream, num_read_);
            num_read_ += static_cast<std::int64_t>(part_.values.size());
            at_ = 0;
        }
        return at_ < part_.values.size() ? &part_.values[at_++] : nullptr;
    }

    void fill(AVPacket& packet, const TrackPacket& source, std::int64_t time) {
        if (av_new_packet(&packet, static_cast<int>(source.bytes.size())) < 0) throw std::bad_alloc();
        std::memcpy(packet.data, source.bytes.data(), source.bytes.size());
        packet.pts = packet.dts = last_ = time;
        packet.duration = source.duration;
        packet.flags |= AV_PKT_FLAG_KEY;
    }

    /// Lines that start before the video are shown from its start, because readers of MP4 misplace them, and no line
    /// lasts longer than the video. Several lines may appear at the same time.
    void fill_text(AVPacket& packet, const TrackPacket& source, std::int64_t time) {
        const std::int64_t start = std::max({time, last_, std::int64_t{0}});
        fill(packet, source, start);
        const auto end = static_cast<std::int64_t>(input_.plan().most_seconds() / av_q2d(time_base()));
        packet.duration = std::max<std::int64_t>(0, std::min(time + source.duration, end) - start);
    }

    const TrackInput& input_;
    ParametersPtr parameters_;
    TrackPart<TrackPacket> part_{.values = {}, .has_ended = false};
    std::size_t at_ = 0;
    std::int64_t num_read_ = 0;
    std::int64_t last_ = std::numeric_limits<std::int64_t>::min() / 2;
};

const AVCodec& sound_encoder(const AVOutputFormat& muxer) {
    const bool is_webm = muxer.name == std::string_view("webm");
    for (const char* name : {is_webm ? "libopus" : "aac", is_webm ? "libvorbis" : "libopus"}) {
        const AVCodec* codec = avcodec_find_encoder_by_name(name);
        if (codec && holds(muxer, codec->id)) return *codec;
    }
    throw Error(ErrorCode::codec_missing, std::string("this libav has no audio encoder for ") + muxer.name,
                "Choose .mp4 or .mkv for the output.");
}

bool takes_format(const AVCodec& codec, AVSampleFormat wanted) {
    for (const AVSampleFormat* format = codec.sample_fmts; format && *format != AV_SAMPLE_FMT_NONE; ++format)
        if (*format == wanted) return true;
    return false;
}

/// Encodes what a PcmStream returns.
class EncodedTrack final : public TrackPackets {
public:
    EncodedTrack(const TrackInput& input, const AVOutputFormat& muxer)
        : pcm_(input), codec_(opened(muxer)), parameters_(av_allocated(avcodec_parameters_alloc())) {
        if (avcodec_parameters_from_context(parameters_.get(), codec_.get()) < 0) throw std::bad_alloc();
        frame_size_ = codec_->frame_size > 0 ? codec_->frame_size : kUsualFrameSize;
    }

    const AVCodecParameters& parameters() const override { return *parameters_; }
    AVRational time_base() const override { return codec_->time_base; }
    NextPacket next(AVPacket& packet) override {
        for (;;) {
            const int result = avcodec_receive_packet(codec_.get(), &packet);
            if (result >= 0) return NextPacket::found;
            if (result == AVERROR_EOF) return NextPacket::none;
            if (result != AVERROR(EAGAIN)) fail(result);
            send();
        }
    }

private:
    static AvCodecPtr opened(const AVOutputFormat& muxer) {
        const AVCodec& encoder = sound_encoder(muxer);
        AvCodecPtr codec(av_allocated(avcodec_alloc_context3(&encoder)));
        codec->sample_rate = kPcmRate;
        codec->sample_fmt = takes_format(encoder, AV_SAMPLE_FMT_FLT) ? AV_SAMPLE_FMT_FLT : AV_SAMPLE_FMT_FLTP;
        codec->bit_rate = kSoundBitRate;
        codec->time_base = {1, kPcmRate};
        codec->flags |= AV_CODEC_FLAG_BITEXACT;
        if (muxer.flags & AVFMT_GLOBALHEADER) codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
        av_channel_layout_default(&codec->ch_layout, kPcmChannels);
        const int result = avcodec_open2(codec.get(), &encoder, nullptr);
        if (result < 0) fail(result);
        return codec;
    }

    [[noreturn]] static void fail(int result) {
        throw Error(ErrorCode::encode_failed, "encoding the sound failed: " + av_error_text(result),
                    "Choose another container, such as .mkv.");
    }

    void send() {
        if (pcm_.has_ended()) {
            avcodec_send_frame(codec_.get(), nullptr);
            return;
        }
        const std::vector<float> values = pcm_.next(frame_size_);
        AvFramePtr samples(av_allocated(av_frame_alloc()));
        samples->nb_samples = frame_size_;
        samples->format = codec_->sample_fmt;
        samples->sample_rate = kPcmRate;
        av_channel_layout_default(&samples->ch_layout, kPcmChannels);
        if (av_frame_get_buffer(samples.get(), 0) < 0) throw std::bad_alloc();
        copy(values, *samples);
        samples->pts = sent_;
        sent_ += frame_size_;
        const int result = avcodec_send_frame(codec_.get(), samples.get());
        if (result < 0) fail(result);
    }

    static void copy(const std::vector<float>& values, AVFrame& samples) {
        if (samples.format == AV_SAMPLE_FMT_FLT) {
            std::memcpy(samples.data[0], values.data(), values.size() * sizeof(float));
            return;
        }
        for (std::size_t i = 0; i < values.size(); ++i)
            reinterpret_cast<float*>(samples.data[i % kPcmChannels])[i / kPcmChannels] = values[i];
    }

    PcmStream pcm_;
    AvCodecPtr codec_;
    ParametersPtr parameters_;
    int frame_size_ = kUsualFrameSize;
    std::int64_t sent_ = 0;
};

}  // namespace

bool takes_track(const std::filesystem::path& output, const SideTrack& track) {
    const Container* container = find_container(output);
    const AVOutputFormat* muxer = container == nullptr ? nullptr : av_guess_format(container->muxer, nullptr, nullptr);
    if (muxer == nullptr || muxer->audio_codec == AV_CODEC_ID_NONE) return false;  // GIF and pictures
    if (track.kind == TrackKind::other) return false;
    const bool can_encode_again =
        track.kind == TrackKind::sound && avcodec_find_decoder(codec_id_of(track.format)) != nullptr;
    return can_encode_again || holds(*muxer, track.format);
}

std::unique_ptr<TrackPackets> open_track(const TrackInput& input, const AVOutputFormat& muxer) {
    const bool is_copy = input.plan().use == TrackUse::kept && holds(muxer, input.plan().track.format);
    if (is_copy) return std::make_unique<CopiedTrack>(input);
    return std::make_unique<EncodedTrack>(input, muxer);
}

}  // namespace kinescope
