#include "core/media/video_reader.h"

extern "C" {
#include <libavutil/display.h>
}

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "core/media/file_extent.h"
#include "core/media/frame_times.h"
#include "core/media/media_input.h"

namespace kinescope {
namespace {

/// A seek takes about as long as decoding this many frames.
constexpr int kLeastJump = 16;
/// Maximum number of pictures that a decoder may return before the key frame to which a seek leads.
constexpr int kMostLeading = 64;

double time_of(const AVPacket& packet, const AVStream& stream) {
    const std::int64_t time = packet.pts != AV_NOPTS_VALUE ? packet.pts : packet.dts;
    return time == AV_NOPTS_VALUE ? std::nan("") : static_cast<double>(time) * av_q2d(stream.time_base);
}

/// How the frames of a stream are shown: rotated clockwise, then mirrored.
struct Orientation {
    int quarter_turns = 0;
    Mirror mirror = Mirror::none;
};

Orientation orientation_of(const AVStream& stream) {
    std::array<std::int32_t, 9> matrix{};
    std::size_t bytes = 0;
    const std::uint8_t* data = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &bytes);
    if (!data || bytes < sizeof(matrix)) return {};
    std::memcpy(matrix.data(), data, sizeof(matrix));
    Orientation shown;
    if (std::int64_t{matrix[0]} * matrix[4] < std::int64_t{matrix[1]} * matrix[3]) {  // negative determinant
        shown.mirror = Mirror::horizontal;
        av_display_matrix_flip(matrix.data(), 1, 0);  // what remains is a rotation
    }
    const double degrees = -av_display_rotation_get(matrix.data());
    if (std::isfinite(degrees)) shown.quarter_turns = static_cast<int>(std::lround(degrees / 90) % 4 + 4) % 4;
    return shown;
}

ScanType scan_type_of(AVFieldOrder order) {
    const bool is_progressive = order == AV_FIELD_UNKNOWN || order == AV_FIELD_PROGRESSIVE;
    return is_progressive ? ScanType::progressive : ScanType::interlaced;
}

/// Not every format says in its header that frames have fields: DV and MPEG-4 say it with each frame.
bool has_fields(const AVFrame& picture) {
#ifdef AV_FRAME_FLAG_INTERLACED
    return (picture.flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return picture.interlaced_frame != 0;
#endif
}

/// Decoders fill the damaged parts of a frame with those of its neighbors. Not every decoder says so.
bool is_damaged(const AVFrame& picture) {
    return picture.decode_error_flags != 0 || (picture.flags & AV_FRAME_FLAG_CORRUPT) != 0;
}

/// A picture that depends on others is not trusted, even if it is marked as a key frame.
bool is_key(const AVFrame& picture) {
    if (picture.pict_type != AV_PICTURE_TYPE_I) return false;
#ifdef AV_FRAME_FLAG_KEY
    return (picture.flags & AV_FRAME_FLAG_KEY) != 0;
#else
    return picture.key_frame != 0;
#endif
}

/// Returns a decoder; nullptr: there is none. The ones of libav leave out the transparency of VP8 and VP9.
const AVCodec* decoder_for(const AVStream& stream) {
    const AVCodecID codec = stream.codecpar->codec_id;
    const AVDictionaryEntry* alpha = av_dict_get(stream.metadata, "alpha_mode", nullptr, 0);
    const bool is_vpx = codec == AV_CODEC_ID_VP8 || codec == AV_CODEC_ID_VP9;
    const AVCodec* with_alpha = nullptr;
    if (is_vpx && alpha != nullptr && alpha->value == std::string_view("1"))
        with_alpha = avcodec_find_decoder_by_name(codec == AV_CODEC_ID_VP8 ? "libvpx" : "libvpx-vp9");
    return with_alpha != nullptr ? with_alpha : avcodec_find_decoder(codec);
}

std::string text_or_unknown(const char* text) {
    return text ? text : "unknown";
}

}  // namespace

VideoReader::VideoReader(const std::filesystem::path& file, const VideoLimits& limits, Background background)
    : file_(file),
      background_(background),
      input_(open_media_input(file)),
      packet_(av_allocated(av_packet_alloc())),
      picture_(av_allocated(av_frame_alloc())) {
    open_stream(limits);
    open_decoder(limits);
    describe(limits);
}

/// Returns the stream of frames; -1 if there is none. Decoders refuse large frames without naming the reason.
int VideoReader::video_stream(const VideoLimits& limits) const {
    const int index = best_video_stream(*input_);
    if (index < 0) return index;
    const AVCodecParameters& parameters = *input_->streams[index]->codecpar;
    if (parameters.height < 1 || parameters.width <= limits.max_pixels / parameters.height) return index;
    const std::string size = std::to_string(parameters.width) + " x " + std::to_string(parameters.height);
    const std::string limit = std::to_string(limits.max_pixels);
    throw Error(ErrorCode::file_unreadable,
                "the frames of " + file_.string() + " have " + size + " px; the limit for videos is " + limit + " px",
                "Scale the video down first.", {{"path", file_.string()}, {"size", size}, {"limit_pixels", limit}});
}

void VideoReader::open_stream(const VideoLimits& limits) {
    video_stream(limits);  // the size in the header, which find_stream_info may overwrite
    const int result = find_stream_info(*input_, limits.max_pixels);
    if (result < 0) throw unreadable(result);
    const int index = video_stream(limits);
    if (index < 0) throw no_video_stream(file_);
    choose_stream(static_cast<unsigned>(index));
}

void VideoReader::choose_stream(unsigned index) {
    stream_ = input_->streams[index];
    for (unsigned i = 0; i < input_->nb_streams; ++i)
        if (input_->streams[i] != stream_) input_->streams[i]->discard = AVDISCARD_ALL;
}

void VideoReader::open_decoder(const VideoLimits& limits) {
    const AVCodecParameters& parameters = *stream_->codecpar;
    const AVCodec* codec = decoder_for(*stream_);
    if (!codec) throw unreadable(std::string("this libav has no decoder for ") + avcodec_get_name(parameters.codec_id));
    decoder_.reset(av_allocated(avcodec_alloc_context3(codec)));
    if (avcodec_parameters_to_context(decoder_.get(), &parameters) < 0) throw std::bad_alloc();
    decoder_->max_pixels = decoder_limit(limits.max_pixels);
    // With more threads, libav loses the marks of damaged frames that B-frames follow, and fills the damaged parts
    // differently each time.
    decoder_->thread_count = 1;
    const int result = avcodec_open2(decoder_.get(), codec, nullptr);
    if (result < 0) throw unreadable(result);
}

void VideoReader::describe(const VideoLimits& limits) {
    const AVCodecParameters& parameters = *stream_->codecpar;
    info_.width = parameters.width;
    info_.height = parameters.height;
    if (info_.width < 1 || info_.height < 1)
        throw unreadable("the size of its frames is unknown, or above " + std::to_string(limits.max_pixels) + " px");
    const AVRational rate = av_guess_frame_rate(input_.get(), stream_, nullptr);
    if (rate.num > 0 && rate.den > 0) info_.fps = av_q2d(rate);
    info_.codec = decoder_->codec->name;
    info_.pixel_format = text_or_unknown(av_get_pix_fmt_name(static_cast<AVPixelFormat>(parameters.format)));
    info_.color_space = text_or_unknown(av_color_space_name(parameters.color_space));
    info_.color_range = text_or_unknown(av_color_range_name(parameters.color_range));
    info_.transfer = text_or_unknown(av_color_transfer_name(parameters.color_trc));
    info_.scan = scan_type_of(parameters.field_order);
    const Orientation shown = orientation_of(*stream_);
    info_.quarter_turns = shown.quarter_turns;
    mirror_ = shown.mirror;
    use_square_pixels(limits);
    to_frame_.emplace(info_.width, info_.height, background_);
    if (info_.quarter_turns % 2 != 0) std::swap(info_.width, info_.height);
    if (input_->start_time != AV_NOPTS_VALUE) start_ = static_cast<double>(input_->start_time) / AV_TIME_BASE;
    count_frames(limits);  // must be last: reopens the file
}

/// Enlarges the side on which pixels are shorter, so that no detail is lost. Ignores implausible shapes.
void VideoReader::use_square_pixels(const VideoLimits& limits) {
    constexpr double kLongest = 8;
    const double shape = av_q2d(av_guess_sample_aspect_ratio(input_.get(), stream_, nullptr));
    if (!(shape > 1 / kLongest && shape < kLongest) || shape == 1) return;
    const auto enlarged = [](int side, double factor) {
        const int step = side % 2 == 0 ? 2 : 1;
        return step * static_cast<int>(std::lround(side * factor / step));
    };
    const int width = shape > 1 ? enlarged(info_.width, shape) : info_.width;
    const int height = shape < 1 ? enlarged(info_.height, 1 / shape) : info_.height;
    if (width > limits.max_pixels / height) return;
    if (width != info_.width || height != info_.height) info_.pixels = PixelShape::stretched;
    info_.width = width;
    info_.height = height;
}

// Counts packets, one per frame. Many containers do not store the number of frames, and stored numbers cannot be
// trusted; but reading a very large file takes minutes.
void VideoReader::count_frames(const VideoLimits& limits) {
    std::vector<double> times;
    if (avio_size(input_->pb) > limits.max_read_bytes) times = indexed_times();
    if (times.empty()) info_.count = read_times(limits, times);
    info_.num_frames = static_cast<int>(times.size());
    const std::int64_t bytes_read = avio_tell(input_->pb);
    const FrameTimes found = frame_times(std::move(times), {.mean = info_.fps, .grid = av_q2d(stream_->r_frame_rate)});
    info_.rate = found.rate;
    info_.timing = found.timing;
    info_.span = found.span;
    if (info_.count == FrameCount::estimated) {
        const double known = info_.num_frames;
        info_.num_frames = estimated_frames(static_cast<std::size_t>(info_.num_frames), bytes_read);
        if (known > 1) info_.span *= (info_.num_frames - 1) / (known - 1);
    }
    if (info_.num_frames > limits.max_frames)
        throw Error(ErrorCode::file_unreadable,
                    file_.string() + " has more than " + std::to_string(limits.max_frames) + " frames",
                    "Cut the video first.",
                    {{"path", file_.string()}, {"limit_frames", std::to_string(limits.max_frames)}});
    info_.extent = file_extent(*input_->pb);
    find_key_frames();
    rewind();
}

/// Frames are found by their times, so each must have one of its own. The color of a frame with transparent parts may
/// have other key frames than its transparency, and the ones of GIF depend on others.
void VideoReader::find_key_frames() {
    const std::string_view decoder = decoder_->codec->name;
    const bool may_seek = info_.count == FrameCount::exact && decoder != "gif" && !decoder.starts_with("libvpx");
    std::ranges::sort(times_);
    const bool is_known = !times_.empty() && times_.front() != AV_NOPTS_VALUE;
    if (may_seek && is_known && std::ranges::adjacent_find(times_) == times_.end())
        for (const std::int64_t time : key_times_)
            keys_.push_back(static_cast<int>(std::ranges::lower_bound(times_, time) - times_.begin()));
    std::ranges::sort(keys_);
    key_times_ = {};
    if (keys_.empty()) times_ = {};
}

bool VideoReader::has_sound() const {
    return av_find_best_stream(input_.get(), AVMEDIA_TYPE_AUDIO, -1, -1, nullptr, 0) >= 0;
}

/// Returns the times in the index of an MP4 or MOV file; none if its index is incomplete, or if an edit list leaves out
/// some of its frames, which are not decoded.
std::vector<double> VideoReader::indexed_times() const {
    const int count = avformat_index_get_entries_count(stream_);
    if (count < 1 || count != stream_->nb_frames) return {};
    std::vector<double> times;
    times.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        const AVIndexEntry& entry = *avformat_index_get_entry(stream_, i);
        if ((entry.flags & AVINDEX_DISCARD_FRAME) != 0) return {};
        times.push_back(static_cast<double>(entry.timestamp) * av_q2d(stream_->time_base));
    }
    return times;
}

FrameCount VideoReader::read_times(const VideoLimits& limits, std::vector<double>& times) {
    while (av_read_frame(input_.get(), packet_.get()) >= 0) {
        const bool is_shown = (packet_->flags & AV_PKT_FLAG_DISCARD) == 0;  // by the edit list of an MP4 file
        if (packet_->stream_index == stream_->index && is_shown) {
            times.push_back(time_of(*packet_, *stream_));
            times_.push_back(packet_->pts);
            if ((packet_->flags & AV_PKT_FLAG_KEY) != 0) key_times_.push_back(packet_->pts);
        }
        av_packet_unref(packet_.get());
        if (times.size() > static_cast<std::size_t>(limits.max_frames)) return FrameCount::exact;
        if (avio_tell(input_->pb) > limits.max_read_bytes) return FrameCount::estimated;
    }
    throw_if_read_failed();
    return FrameCount::exact;
}

int VideoReader::estimated_frames(std::size_t num_read, std::int64_t bytes_read) const {
    const bool has_length = stream_->duration > 0 || input_->duration > 0;
    const double seconds = stream_->duration > 0 ? static_cast<double>(stream_->duration) * av_q2d(stream_->time_base)
                                                 : static_cast<double>(input_->duration) / AV_TIME_BASE;
    const double share =
        static_cast<double>(avio_size(input_->pb)) / static_cast<double>(std::max<std::int64_t>(1, bytes_read));
    const double frames =
        has_length && info_.rate.value() > 0 ? seconds * info_.rate.value() : static_cast<double>(num_read) * share;
    return static_cast<int>(std::clamp(frames, static_cast<double>(num_read), 1e9));
}

// Reopens the file instead of seeking to the start, because a seek ends at a key frame, which is not always the first
// frame.
void VideoReader::rewind() {
    const auto index = static_cast<unsigned>(stream_->index);
    input_ = open_media_input(file_);
    if (index >= input_->nb_streams) throw unreadable("it changed while being read");
    choose_stream(index);
    avcodec_flush_buffers(decoder_.get());
    info_.num_damaged = 0;
    num_read_ = 0;
    next_ = 0;
    sought_ = 0;
    has_sought_ = false;
    is_held_ = false;
}

std::optional<Frame> VideoReader::read() {
    if (!decode()) return std::nullopt;
    // The decoder of ProRes replaces the matrix of the container by that of the frames, which may name none.
    if (picture_->colorspace == AVCOL_SPC_UNSPECIFIED) picture_->colorspace = stream_->codecpar->color_space;
    Frame frame = mirrored(turned(to_frame_->convert(*picture_), info_.quarter_turns), mirror_);
    if (to_frame_->is_transparent()) info_.transparency = Transparency::parts;
    av_frame_unref(picture_.get());
    ++next_;
    return frame;
}

bool VideoReader::skip_decoded() {
    if (!decode()) return false;
    av_frame_unref(picture_.get());
    ++next_;
    return true;
}

bool VideoReader::skip() {
    if (!has_sought_) return skip_decoded();
    try {
        if (skip_decoded()) return true;
    } catch (const Error&) {
        // Decoding from the first frame tells whether the file is damaged.
    }
    give_up_seeking();
    return true;
}

int VideoReader::approach(int index) {
    const auto after = std::ranges::upper_bound(keys_, index);
    const int key = after == keys_.begin() ? 0 : *std::prev(after);
    try {
        const bool is_far = key - next_ >= kLeastJump && key != sought_;
        if (is_far && !seek(key)) give_up_seeking();
        if (has_sought_ && next_ == index && !is_next(index)) give_up_seeking();
    } catch (const Error&) {
        give_up_seeking();
    }
    return next_;
}

/// Goes to this key frame, or to an earlier one if the file has no index of all. Returns false if there is none.
bool VideoReader::seek(int key) {
    has_sought_ = true;
    sought_ = key;
    is_held_ = false;
    const std::int64_t time = times_[static_cast<std::size_t>(key)];
    if (av_seek_frame(input_.get(), stream_->index, time, AVSEEK_FLAG_BACKWARD) < 0) return false;
    avcodec_flush_buffers(decoder_.get());
    const int num_damaged = info_.num_damaged;
    bool is_found = false;
    for (int i = 0; i < kMostLeading && !is_found && decode(); ++i) is_found = is_key(*picture_);
    if (!is_found) return false;
    // Leading pictures do not count as damaged, because they lack their references.
    info_.num_damaged = num_damaged + (is_damaged(*picture_) ? 1 : 0);
    const auto found = std::ranges::lower_bound(times_, picture_->best_effort_timestamp);
    next_ = static_cast<int>(found - times_.begin());
    is_held_ = true;
    return next_ <= key && *found == picture_->best_effort_timestamp;
}

/// Decodes the next picture and returns whether it is the frame with this number.
bool VideoReader::is_next(int index) {
    if (!is_held_ && !decode()) return false;
    is_held_ = true;
    return picture_->best_effort_timestamp == times_[static_cast<std::size_t>(index)];
}

void VideoReader::give_up_seeking() {
    keys_.clear();
    rewind();
}

/// Decodes the next picture, unless it is decoded already. Returns false after the last one.
bool VideoReader::decode() {
    if (std::exchange(is_held_, false)) return true;
    for (;;) {
        const int result = avcodec_receive_frame(decoder_.get(), picture_.get());
        if (result == AVERROR_EOF) return false;
        if (result == AVERROR(EAGAIN)) {
            feed_decoder();
            continue;
        }
        if (result < 0) throw unreadable(result);
        if (has_fields(*picture_)) info_.scan = ScanType::interlaced;
        if (is_damaged(*picture_)) ++info_.num_damaged;
        take_time();
        return true;
    }
}

/// A frame without a time follows the one before by the frame rate.
void VideoReader::take_time() {
    const std::int64_t time = picture_->best_effort_timestamp;
    const double step = info_.rate.value() > 0 ? 1 / info_.rate.value() : 0;
    if (time != AV_NOPTS_VALUE)
        seconds_ = static_cast<double>(time) * av_q2d(stream_->time_base) - start_;
    else
        seconds_ = num_read_ == 0 ? 0 : seconds_ + step;
    ++num_read_;
}

void VideoReader::feed_decoder() {
    int result = av_read_frame(input_.get(), packet_.get());
    if (result >= 0 && packet_->stream_index == stream_->index) {
        const bool is_cut = (packet_->flags & AV_PKT_FLAG_CORRUPT) != 0;  // the file ends in this frame
        result = avcodec_send_packet(decoder_.get(), packet_.get());
        if (result < 0 && !is_cut) throw unreadable(result);
    } else if (result == AVERROR_EOF) {
        throw_if_read_failed();
        avcodec_send_packet(decoder_.get(), nullptr);
    } else if (result < 0) {
        throw unreadable(result);
    }
    av_packet_unref(packet_.get());
}

Error VideoReader::unreadable(const std::string& reason) const {
    return Error(ErrorCode::file_unreadable, file_.string() + " is not a playable video: " + reason,
                 "The file may be truncated. Download or generate it again.", {{"path", file_.string()}});
}

Error VideoReader::unreadable(int result) const {
    return with_reason(unreadable(""), result);
}

void VideoReader::throw_if_read_failed() const {
    const int error = input_->pb->error;
    if (error < 0 && error != AVERROR_EOF) throw unreadable(error);
}

}  // namespace kinescope
