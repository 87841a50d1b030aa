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

/// Gives each libav object back in its own way, so that unique_ptr can own them.
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

/// A context that avformat_open_input opened: it is closed, where one for writing is only freed.
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

/// An AVDictionary that frees itself.
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

/// The text of a negative libav return value.
std::string av_error_text(int code);

/// `pointer`, or std::bad_alloc where libav returned none.
template <typename T>
T* av_allocated(T* pointer) {
    if (!pointer) throw std::bad_alloc();
    return pointer;
}

/// A picture with its own padded buffer: swscale reads and writes past the end of tight rows.
AvFramePtr make_picture(int width, int height, AVPixelFormat format);

/// Sends what libav and its encoders say to the log at debug level, instead of stderr. Cheap to call again.
void route_av_log();

}  // namespace kinescope
