#include "core/media/av_encoder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/api/error.h"
#include "core/media/encoder_choice.h"

namespace kinescope {
namespace {

/// The flags that say what a track is for. Flags that describe only the source, such as a cover picture, are left out.
constexpr int kKeptDisposition = AV_DISPOSITION_DEFAULT | AV_DISPOSITION_DUB | AV_DISPOSITION_ORIGINAL |
                                 AV_DISPOSITION_COMMENT | AV_DISPOSITION_LYRICS | AV_DISPOSITION_KARAOKE |
                                 AV_DISPOSITION_FORCED | AV_DISPOSITION_HEARING_IMPAIRED |
                                 AV_DISPOSITION_VISUAL_IMPAIRED | AV_DISPOSITION_CAPTIONS | AV_DISPOSITION_DESCRIPTIONS;

/// The longest reordering delay of the encoders' default settings. Not all encoders state theirs.
constexpr int kUsualDelay = 2;

constexpr int kIoBufferBytes = 64 * 1024;
/// A chunk with this many bytes is complete before its time is over. Encoders without prediction reach it.
constexpr std::size_t kLargeChunkBytes = std::size_t{64} << 20;

int write_bytes(void* file, std::uint8_t* bytes, int count) {
    const int result = static_cast<PendingFile*>(file)->write({bytes, static_cast<std::size_t>(count)});
    return result < 0 ? result : count;
}

std::int64_t seek_bytes(void* file, std::int64_t offset, int whence) {
    auto& pending = *static_cast<PendingFile*>(file);
    if (whence & AVSEEK_SIZE) return pending.size();
    return pending.seek(offset, whence & ~AVSEEK_FORCE);
}

/// Creates a context that writes to `file`. Unlike libav's file protocol, it records the errno of a failed write.
AvIoPtr make_io(PendingFile& file) {
    auto* buffer = static_cast<unsigned char*>(av_allocated(av_malloc(kIoBufferBytes)));
    AVIOContext* io = avio_alloc_context(buffer, kIoBufferBytes, 1, &file, nullptr, write_bytes, seek_bytes);
    if (!io) av_free(buffer);
    return AvIoPtr(av_allocated(io));
}

AvOutputPtr make_muxer(PendingFile& file, AVIOContext* io, const Container& container) {
    // The faststart option reopens the file by name, so libav needs the URL.
    const std::string url = "file:" + file.temporary().string();
    AVFormatContext* muxer = nullptr;
    const int result = avformat_alloc_output_context2(&muxer, nullptr, container.muxer, url.c_str());
    if (result < 0)
        throw Error(ErrorCode::codec_missing, "this libav cannot write " + std::string(container.ending) + " files",
                    "Choose another file extension, for example .mkv.");
    muxer->pb = io;
    muxer->flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT;
    // libav 5 calls FLAC in MP4 experimental, although players support it.
    muxer->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;
    return AvOutputPtr(muxer);
}

VideoPacket copy_of(const AVPacket& packet) {
    return {.bytes = std::string(reinterpret_cast<const char*>(packet.data),
                                 static_cast<std::size_t>(std::max(0, packet.size))),
            .pts = packet.pts,
            .dts = packet.dts,
            .duration = packet.duration,
            .flags = packet.flags};
}

void fill(AVPacket& packet, const VideoPacket& from) {
    if (av_new_packet(&packet, static_cast<int>(from.bytes.size())) < 0) throw std::bad_alloc();
    std::memcpy(packet.data, from.bytes.data(), from.bytes.size());
    packet.pts = from.pts;
    packet.dts = from.dts;
    packet.duration = from.duration;
    packet.flags = from.flags;
}

}  // namespace

std::int64_t usable_dts(const PacketTimes& packet, int longest_delay) {
    const bool follows = packet.index == 0 || packet.dts > packet.dts_before;
    if (follows && packet.dts >= packet.index - longest_delay && packet.dts <= packet.pts) return packet.dts;
    const std::int64_t dts = std::min(packet.index, packet.pts);
    return packet.index == 0 ? dts : std::max(dts, packet.dts_before + 1);
}

AvEncoder::AvEncoder(PendingFile& file, const SinkOptions& options, const Container& container)
    : file_(file),
      io_((route_av_log(), make_io(file))),
      muxer_(make_muxer(file, io_.get(), container)),
      open_codec_([options, &encoder = find_encoder(options.output.codec, container, *muxer_->oformat),
                   &format = *muxer_->oformat] { return open_encoder(encoder, options, format); }),
      codec_(open_codec_()),
      packet_(av_allocated(av_packet_alloc())),
      saved_(options.saved) {
    start_stream(options, container);
    if (saved_) use_saved_chunks();
}

void AvEncoder::start_stream(const SinkOptions& options, const Container& container) {
    stream_ = av_allocated(avformat_new_stream(muxer_.get(), nullptr));
    stream_->time_base = codec_->time_base;
    stream_->avg_frame_rate = codec_->framerate;
    check(avcodec_parameters_from_context(stream_->codecpar, codec_.get()), "describing the stream");
    // Apple's players recognize HEVC in MP4 only with this tag.
    if (codec_->codec_id == AV_CODEC_ID_HEVC && container.movflags)
        stream_->codecpar->codec_tag = MKTAG('h', 'v', 'c', '1');
    // GIF holds neither sound nor chapters.
    const bool holds_sound = muxer_->oformat->audio_codec != AV_CODEC_ID_NONE;
    if (holds_sound) {
        for (const auto& input : options.tracks) add_track(input);
        for (const Chapter& chapter : options.chapters) add_chapter(chapter);
    }
    for (const auto& [key, value] : options.metadata) av_dict_set(&muxer_->metadata, key.c_str(), value.c_str(), 0);

    AvOptions settings;
    if (container.movflags) settings.set("movflags", container.movflags);
    check(avformat_write_header(muxer_.get(), settings.address()), "writing the header");
}

void AvEncoder::add_track(std::shared_ptr<TrackInput> input) {
    Track track{.input = std::move(input), .packets = {}};
    track.packets = open_track(*track.input, *muxer_->oformat);
    track.stream = av_allocated(avformat_new_stream(muxer_.get(), nullptr));
    check(avcodec_parameters_copy(track.stream->codecpar, &track.packets->parameters()), "describing a track");
    track.stream->codecpar->codec_tag = 0;  // of the source's container
    track.stream->time_base = track.packets->time_base();
    const SideTrack& source = track.input->plan().track;
    for (const auto& [key, value] : {std::pair{"language", source.language}, {"title", source.title}})
        if (!value.empty()) av_dict_set(&track.stream->metadata, key, value.c_str(), 0);
    track.stream->disposition |= source.disposition & kKeptDisposition;
    tracks_.push_back(std::move(track));
}

/// The muxer frees its chapters.
void AvEncoder::add_chapter(const Chapter& chapter) {
    auto* added = static_cast<AVChapter*>(av_allocated(av_mallocz(sizeof(AVChapter))));
    auto* count = reinterpret_cast<int*>(&muxer_->nb_chapters);
    if (av_dynarray_add_nofree(&muxer_->chapters, count, added) < 0) {
        av_free(added);
        throw std::bad_alloc();
    }
    added->id = static_cast<std::int64_t>(muxer_->nb_chapters);
    added->time_base = {1, AV_TIME_BASE};
    added->start = chapter.start;
    added->end = chapter.end;
    // The muxer of MP4 leaves chapters without a title out of its text track; an empty one is enough.
    av_dict_set(&added->metadata, "title", chapter.title.c_str(), 0);
}

/// Writes sound and subtitles up to a time, so that the muxer never holds much of one stream.
void AvEncoder::mux_tracks_until(double seconds, Search search) {
    for (Track& track : tracks_) mux_until(track, seconds, search);
}

/// While frames are encoded, one part of the source is searched for each of them: so the search keeps ahead of the
/// frames, and the first frame does not wait for a line at the end of the source.
void AvEncoder::mux_until(Track& track, double seconds, Search search) {
    while (!track.has_ended && track.seconds < seconds) {
        AvPacketPtr packet(av_allocated(av_packet_alloc()));
        const NextPacket next = track.packets->next(*packet);
        track.has_ended = next == NextPacket::none;
        if (track.has_ended || (next == NextPacket::not_yet && search == Search::one_part)) return;
        if (next == NextPacket::not_yet) continue;
        track.seconds = static_cast<double>(packet->pts) * av_q2d(track.packets->time_base());
        packet->stream_index = track.stream->index;
        av_packet_rescale_ts(packet.get(), track.packets->time_base(), track.stream->time_base);
        check(av_interleaved_write_frame(muxer_.get(), packet.get()), "writing a track");
    }
}

/// Muxes the chunks that an interrupted run saved.
void AvEncoder::use_saved_chunks() {
    while (const auto chunk = saved_->read(num_chunks_)) {
        for (const VideoPacket& packet : chunk->packets) {
            fill(*packet_, packet);
            mux(*packet_);
        }
        first_ += chunk->num_frames;
        ++num_chunks_;
        mux_tracks_until(end_seconds(), Search::whole_file);
    }
    num_saved_ = first_;
}

/// A group of pictures lasts two seconds.
bool AvEncoder::is_chunk_full() const {
    std::size_t bytes = 0;
    for (const VideoPacket& packet : chunk_.packets) bytes += packet.bytes.size();
    return chunk_.num_frames >= frames_per_chunk(codec_->gop_size / 2, std::int64_t{codec_->width} * codec_->height) ||
           bytes >= kLargeChunkBytes;
}

/// The encoder of ProRes stores the colors of each frame, others those of the codec. That of MJPEG takes the quality
/// from the frame.
void AvEncoder::tag(AVFrame& picture) const {
    picture.color_range = codec_->color_range;
    picture.color_primaries = codec_->color_primaries;
    picture.color_trc = codec_->color_trc;
    picture.colorspace = codec_->colorspace;
    picture.chroma_location = codec_->chroma_sample_location;
    picture.quality = codec_->global_quality;
}

void AvEncoder::encode(AVFrame& picture) {
    if (has_ended_) codec_ = open_codec_();
    has_ended_ = false;
    mux_tracks_until(end_seconds(), Search::one_part);
    picture.pts = chunk_.num_frames;
    tag(picture);
    check(avcodec_send_frame(codec_.get(), &picture), "encoding a frame");
    ++chunk_.num_frames;
    drain();
    if (saved_ && is_chunk_full()) end_chunk();
}

/// Flushes the encoder, so that the packets up to here do not depend on later frames.
void AvEncoder::end_chunk() {
    check(avcodec_send_frame(codec_.get(), nullptr), "flushing the encoder");
    drain();
    has_ended_ = true;
    const VideoChunk chunk = std::exchange(chunk_, {});
    num_packets_ = 0;
    first_ += chunk.num_frames;
    if (saved_ && chunk.num_frames > 0) saved_->save(num_chunks_++, chunk);
}

void AvEncoder::end() {
    if (!has_ended_) end_chunk();
    mux_tracks_until(end_seconds(), Search::whole_file);
    check(av_write_trailer(muxer_.get()), "writing the end of the file");
    avio_flush(io_.get());
    check(io_->error, "writing the end of the file");
}

void AvEncoder::drain() {
    for (;;) {
        const int result = avcodec_receive_packet(codec_.get(), packet_.get());
        if (result == AVERROR(EAGAIN) || result == AVERROR_EOF) return;
        check(result, "encoding a frame");
        if (packet_->duration == 0) packet_->duration = 1;
        correct_dts(*packet_);
        if (saved_) chunk_.packets.push_back(copy_of(*packet_));
        mux(*packet_);
    }
}

/// Packets leave the encoder in decode order.
void AvEncoder::correct_dts(AVPacket& packet) {
    dts_ = usable_dts({.index = num_packets_, .pts = packet.pts, .dts = packet.dts, .dts_before = dts_},
                      std::max(kUsualDelay, codec_->has_b_frames));
    packet.dts = dts_;
    ++num_packets_;
}

/// Takes a packet whose times count from the start of its chunk.
void AvEncoder::mux(AVPacket& packet) {
    packet.pts += first_;
    packet.dts += first_;
    packet.stream_index = stream_->index;
    av_packet_rescale_ts(&packet, codec_->time_base, stream_->time_base);
    check(av_interleaved_write_frame(muxer_.get(), &packet), "writing a frame");
}

void AvEncoder::check(int result, const char* doing) const {
    file_.throw_if_failed();
    if (result >= 0) return;
    throw Error(ErrorCode::encode_failed,
                std::string(doing) + " failed at frame " + std::to_string(num_frames()) + " (" + codec_->codec->name +
                    "): " + av_error_text(result),
                "Choose another codec or container.", {{"codec", codec_->codec->name}});
}

}  // namespace kinescope
