#pragma once

#include <memory>
#include <new>
#include <string>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

namespace kinescope {

/// Frees each libav object with its own function, so that unique_ptr can own it.
struct AvDeleter {
    void operator()(AVCodecContext* codec) const { avcodec_free_context(&codec); }
    void operator()(AVFrame* picture) const { av_frame_free(&picture); }
    void operator()(AVPacket* packet) const { av_packet_free(&packet); }
    void operator()(SwsContext* scaler) const { sws_freeContext(scaler); }
    void operator()(AVIOContext* io) const {
        av_freep(&io->buffer);
        avio_context_free(&io);
    }
};

/// Closes and frees a context from avformat_open_input.
struct AvInputDeleter {
    void operator()(AVFormatContext* input) const { avformat_close_input(&input); }
};

struct AvOutputDeleter {
    void operator()(AVFormatContext* output) const { avformat_free_context(output); }
};

using AvCodecPtr = std::unique_ptr<AVCodecContext, AvDeleter>;
using AvFramePtr = std::unique_ptr<AVFrame, AvDeleter>;
using AvPacketPtr = std::unique_ptr<AVPacket, AvDeleter>;
using AvIoPtr = std::unique_ptr<AVIOContext, AvDeleter>;
using AvInputPtr = std::unique_ptr<AVFormatContext, AvInputDeleter>;
using AvOutputPtr = std::unique_ptr<AVFormatContext, AvOutputDeleter>;
using SwsPtr = std::unique_ptr<SwsContext, AvDeleter>;

/// Owns an AVDictionary.
class AvOptions {
public:
    AvOptions() = default;
    ~AvOptions() { av_dict_free(&entries_); }
    AvOptions(const AvOptions&) = delete;
    AvOptions& operator=(const AvOptions&) = delete;

    void set(const char* key, const char* value) { av_dict_set(&entries_, key, value, 0); }
    AVDictionary** address() { return &entries_; }

private:
    AVDictionary* entries_ = nullptr;
};

/// Returns the message for a negative libav return value.
std::string av_error_text(int code);

/// Returns `pointer`, or throws std::bad_alloc if it is null.
template <typename T>
T* av_allocated(T* pointer) {
    if (!pointer) throw std::bad_alloc();
    return pointer;
}

/// Allocates a frame with a padded buffer, because swscale accesses memory beyond the end of unpadded rows.
AvFramePtr make_picture(int width, int height, AVPixelFormat format);

/// Redirects messages of libav and its encoders from stderr to the log, at debug level. May be called repeatedly.
void route_av_log();

}  // namespace kinescope
