#include "core/media/track_source.h"

extern "C" {
#include <libswresample/swresample.h>
}

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/api/error.h"
#include "core/media/file_extent.h"
#include "core/media/media_input.h"

namespace kinescope {
namespace {

constexpr std::int64_t kMaxPictureInSound = 64'000'000;
/// Sound that starts this many seconds before or after the file is placed there; damaged times may be larger.
constexpr double kLongestLead = 24 * 3600;
/// Times of frames are rounded. Sound moves only if it is this much earlier or later than its time, in values (40 ms).
constexpr std::int64_t kUnheard = kPcmChannels * kPcmRate / 25;
/// libav's name of Matroska and WebM.
constexpr std::string_view kNoIndex = "matroska,webm";
constexpr std::int64_t kSilentPart = 1 << 16;
/// libav's names of formats that state the length of their sound, but no number of bytes.
constexpr std::array<std::string_view, 2> kStatedInTime = {"mp3", "flac"};
/// Larger files of these formats are not read to compare their length.
constexpr std::int64_t kMostCountedBytes = std::int64_t{32} << 20;
/// Some encoders count a few packets too many.
constexpr double kMostMissingSeconds = 0.1;
/// Samples that one decoded packet may have at most.
constexpr int kMostSamples = 1 << 22;

Error no_sound(const std::filesystem::path& file, const std::string& reason) {
    return Error(ErrorCode::file_unreadable, file.string() + " has no readable sound: " + reason,
                 "Use a file with an audio stream, such as WAV, FLAC, MP3, M4A, OGG or a video with sound.",
                 {{"path", file.string()}});
}

double stated_seconds(const AVFormatContext& input) {
    if (input.nb_streams == 0 || input.streams[0]->duration == AV_NOPTS_VALUE) return 0;
    return static_cast<double>(input.streams[0]->duration) * av_q2d(input.streams[0]->time_base);
}

/// Returns the number of a stream with sound or subtitles; negative: there is none.
int index_of(AVFormatContext& input, int stream) {
    if (stream < 0) return av_find_best_stream(&input, AVMEDIA_TYPE_AUDIO, -1, -1, nullptr, 0);
    if (static_cast<unsigned>(stream) >= input.nb_streams) return -1;
    const AVMediaType type = input.streams[stream]->codecpar->codec_type;
    return type == AVMEDIA_TYPE_AUDIO || type == AVMEDIA_TYPE_SUBTITLE ? stream : -1;
}

}  // namespace

void TrackSource::ResamplerDeleter::operator()(SwrContext* resampler) const {
    swr_free(&resampler);
}

TrackSource::TrackSource(const std::filesystem::path& file, int stream)
    : file_(file),
      input_(open_track_input(file)),
      packet_(av_allocated(av_packet_alloc())),
      samples_(av_allocated(av_frame_alloc())) {
    stated_seconds_ = stated_seconds(*input_);  // libav replaces an unknown length by an estimate
    const int result = find_stream_info(*input_, kMaxPictureInSound);
    if (result < 0) throw no_sound(file_, av_error_text(result));
    const int index = index_of(*input_, stream);
    if (index < 0)
        throw no_sound(
            file_, stream < 0 ? "it contains no audio stream" : "it does not contain stream " + std::to_string(stream));
    stream_ = input_->streams[index];
    if (input_->start_time != AV_NOPTS_VALUE) file_start_ = static_cast<double>(input_->start_time) / AV_TIME_BASE;
    // A file without an index is searched for the next line. With the packets of the video, the search can pause.
    const bool is_searched =
        stream_->codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE && std::string_view(input_->iformat->name) == kNoIndex;
    const int video = is_searched ? best_video_stream(*input_) : -1;
    for (int i = 0; i < static_cast<int>(input_->nb_streams); ++i)
        if (i != index && i != video) input_->streams[i]->discard = AVDISCARD_ALL;
}

TrackSource::~TrackSource() = default;

/// Reads the next packet of the stream. Returns false at the end of the file, also of a truncated one, and after
/// `last_byte`.
bool TrackSource::read_packet(std::int64_t last_byte) {
    while (position() <= last_byte) {
        av_packet_unref(packet_.get());
        has_ended_ = av_read_frame(input_.get(), packet_.get()) < 0;
        if (has_ended_) return false;
        if (packet_->stream_index == stream_->index) return true;
    }
    return false;
}

FileExtent TrackSource::extent() {
    const bool is_in_time = std::ranges::find(kStatedInTime, input_->iformat->name) != kStatedInTime.end();
    return is_in_time ? extent_of_packets() : file_extent(*input_->pb);
}

FileExtent TrackSource::extent_of_packets() {
    if (stated_seconds_ <= 0 || avio_size(input_->pb) > kMostCountedBytes) return FileExtent::whole;
    double seconds = 0;
    while (read_packet())
        seconds += static_cast<double>(std::max<std::int64_t>(0, packet_->duration)) * av_q2d(stream_->time_base);
    return seconds < stated_seconds_ - kMostMissingSeconds ? FileExtent::cut : FileExtent::whole;
}

std::int64_t TrackSource::position() const {
    return std::max<std::int64_t>(0, avio_tell(input_->pb));
}

std::optional<TrackPacket> TrackSource::next_packet(std::int64_t last_byte) {
    if (!read_packet(last_byte)) return std::nullopt;
    const std::int64_t time = packet_->pts != AV_NOPTS_VALUE ? packet_->pts : packet_->dts;
    return TrackPacket{
        .bytes = std::string(reinterpret_cast<const char*>(packet_->data),
                             static_cast<std::size_t>(std::max(0, packet_->size))),
        .time = time == AV_NOPTS_VALUE ? 0 : time - std::llround(file_start_ / av_q2d(stream_->time_base)),
        .duration = packet_->duration};
}

void TrackSource::open_decoder() {
    const AVCodecParameters& parameters = *stream_->codecpar;
    const AVCodec* codec = avcodec_find_decoder(parameters.codec_id);
    if (!codec || codec->type != AVMEDIA_TYPE_AUDIO)
        throw no_sound(file_, std::string("this libav cannot decode ") + avcodec_get_name(parameters.codec_id));
    decoder_.reset(av_allocated(avcodec_alloc_context3(codec)));
    if (avcodec_parameters_to_context(decoder_.get(), &parameters) < 0) throw std::bad_alloc();
    decoder_->pkt_timebase = stream_->time_base;
    const int result = avcodec_open2(decoder_.get(), codec, nullptr);
    if (result < 0) throw no_sound(file_, av_error_text(result));
}

/// Streams of one file may start at different times, and packets may be missing or damaged.
void TrackSource::place(const AVFrame& frame) {
    const bool is_first = !std::exchange(is_start_placed_, true);
    if (frame.best_effort_timestamp == AV_NOPTS_VALUE) return;
    const double seconds = static_cast<double>(frame.best_effort_timestamp) * av_q2d(stream_->time_base) - file_start_;
    if (!is_first && std::abs(seconds) > kLongestLead) return;
    const auto time = kPcmChannels * std::llround(std::clamp(seconds, -kLongestLead, kLongestLead) * kPcmRate);
    const std::int64_t late = time - placed_;
    if (!is_first && std::abs(late) <= kUnheard) return;
    placed_ = time;
    const std::int64_t change = silence_ - left_out_ + late;
    silence_ = std::max<std::int64_t>(0, change);
    left_out_ = std::max<std::int64_t>(0, -change);
}

std::vector<float> TrackSource::next_pcm() {
    for (;;) {
        if (held_.empty()) held_ = next_decoded();
        if (silence_ > 0) {
            const std::int64_t count = std::min(silence_, kSilentPart);
            silence_ -= count;
            return std::vector<float>(static_cast<std::size_t>(count));
        }
        std::vector<float> pcm = std::exchange(held_, {});
        const auto left_out = std::min(left_out_, static_cast<std::int64_t>(pcm.size()));
        left_out_ -= left_out;
        pcm.erase(pcm.begin(), pcm.begin() + left_out);
        if (!pcm.empty() || is_drained_) return pcm;
    }
}

std::vector<float> TrackSource::next_decoded() {
    if (!decoder_) open_decoder();
    while (!is_drained_) {
        const int result = avcodec_receive_frame(decoder_.get(), samples_.get());
        if (result >= 0) {
            place(*samples_);
            std::vector<float> pcm = resampled(samples_.get());
            placed_ += std::ssize(pcm);
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
void TrackSource::follow(const AVFrame& from) {
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
std::vector<float> TrackSource::resampled(const AVFrame* from) {
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
