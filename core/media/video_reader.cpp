#include "core/media/video_reader.h"

#include <vector>

#include "core/media/media_input.h"

namespace kinescope {
namespace {

/// Decodes frames until the properties that are missing in the headers (pixel format, frame rate) are known. Applies
/// the same size limit as reading.
int find_stream_info(AVFormatContext& input, const std::string& max_pixels) {
    std::vector<AVDictionary*> options(input.nb_streams, nullptr);
    for (AVDictionary*& entry : options) {
        av_dict_set(&entry, "max_pixels", max_pixels.c_str(), 0);
        av_dict_set(&entry, "threads", "1", 0);
    }
    const int result = avformat_find_stream_info(&input, options.data());
    for (AVDictionary*& entry : options) av_dict_free(&entry);
    return result;
}

std::string text_or_unknown(const char* text) {
    return text ? text : "unknown";
}

}  // namespace

VideoReader::VideoReader(const std::filesystem::path& file, const VideoLimits& limits)
    : file_(file),
      input_(open_media_input(file)),
      packet_(av_allocated(av_packet_alloc())),
      picture_(av_allocated(av_frame_alloc())) {
    open_stream(limits);
    open_decoder(limits);
    describe(limits);
    to_frame_.emplace(info_.width, info_.height);
}

void VideoReader::open_stream(const VideoLimits& limits) {
    const int result = find_stream_info(*input_, std::to_string(limits.max_pixels));
    if (result < 0) throw unreadable(av_error_text(result));
    const int index = av_find_best_stream(input_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
    if (index < 0) throw unreadable("it contains no video");
    choose_stream(static_cast<unsigned>(index));
}

void VideoReader::choose_stream(unsigned index) {
    stream_ = input_->streams[index];
    for (unsigned i = 0; i < input_->nb_streams; ++i)
        if (input_->streams[i] != stream_) input_->streams[i]->discard = AVDISCARD_ALL;
}

void VideoReader::open_decoder(const VideoLimits& limits) {
    const AVCodecParameters& parameters = *stream_->codecpar;
    const AVCodec* codec = avcodec_find_decoder(parameters.codec_id);
    if (!codec) throw unreadable(std::string("this libav has no decoder for ") + avcodec_get_name(parameters.codec_id));
    decoder_.reset(av_allocated(avcodec_alloc_context3(codec)));
    if (avcodec_parameters_to_context(decoder_.get(), &parameters) < 0) throw std::bad_alloc();
    decoder_->max_pixels = limits.max_pixels;
    decoder_->thread_count = 2;
    const int result = avcodec_open2(decoder_.get(), codec, nullptr);
    if (result < 0) throw unreadable(av_error_text(result));
}

void VideoReader::describe(const VideoLimits& limits) {
    const AVCodecParameters& parameters = *stream_->codecpar;
    info_.width = parameters.width;
    info_.height = parameters.height;
    if (info_.width < 1 || info_.height < 1 || info_.width > limits.max_pixels / info_.height)
        throw unreadable("its frames are " + std::to_string(info_.width) + " x " + std::to_string(info_.height) +
                         " px");
    const AVRational rate = av_guess_frame_rate(input_.get(), stream_, nullptr);
    if (rate.num > 0 && rate.den > 0) info_.fps = av_q2d(rate);
    info_.codec = decoder_->codec->name;
    info_.pixel_format = text_or_unknown(av_get_pix_fmt_name(static_cast<AVPixelFormat>(parameters.format)));
    info_.color_space = text_or_unknown(av_color_space_name(parameters.color_space));
    info_.color_range = text_or_unknown(av_color_range_name(parameters.color_range));
    info_.num_frames = count_packets(limits.max_frames);  // must be last: reopens the file
}

// Counts packets, one per frame. Many containers do not store the number of frames, and stored numbers cannot be
// trusted.
int VideoReader::count_packets(int limit) {
    int count = 0;
    while (av_read_frame(input_.get(), packet_.get()) >= 0) {
        if (packet_->stream_index == stream_->index) ++count;
        av_packet_unref(packet_.get());
        if (count > limit) throw unreadable("it contains more than " + std::to_string(limit) + " frames");
    }
    rewind();
    return count;
}

// Reopens the file instead of seeking to the start, because a seek ends at a key frame, which is not always the first
// frame.
void VideoReader::rewind() {
    const auto index = static_cast<unsigned>(stream_->index);
    input_ = open_media_input(file_);
    if (index >= input_->nb_streams) throw unreadable("it changed while being read");
    choose_stream(index);
    avcodec_flush_buffers(decoder_.get());
}

std::optional<Frame> VideoReader::read() {
    for (;;) {
        const int result = avcodec_receive_frame(decoder_.get(), picture_.get());
        if (result == AVERROR_EOF) return std::nullopt;
        if (result == AVERROR(EAGAIN)) {
            feed_decoder();
            continue;
        }
        if (result < 0) throw unreadable(av_error_text(result));
        Frame frame = to_frame_->convert(*picture_);
        av_frame_unref(picture_.get());
        return frame;
    }
}

void VideoReader::feed_decoder() {
    int result = av_read_frame(input_.get(), packet_.get());
    if (result >= 0 && packet_->stream_index == stream_->index) {
        result = avcodec_send_packet(decoder_.get(), packet_.get());
        if (result < 0) throw unreadable(av_error_text(result));
    } else if (result == AVERROR_EOF) {
        avcodec_send_packet(decoder_.get(), nullptr);
    } else if (result < 0) {
        throw unreadable(av_error_text(result));
    }
    av_packet_unref(packet_.get());
}

Error VideoReader::unreadable(const std::string& reason) const {
    return Error(ErrorCode::file_unreadable, file_.string() + " is not a playable video: " + reason,
                 "The file may be truncated. Download or generate it again.", {{"path", file_.string()}});
}

}  // namespace kinescope
