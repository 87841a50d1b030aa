#include "core/media/encoder_choice.h"

extern "C" {
#include <libavutil/cpu.h>
}

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "core/api/error.h"
#include "core/api/joined.h"
#include "core/media/check_encoder.h"
#include "core/media/color_convert.h"

namespace kinescope {
namespace {

struct EncoderDefaults {
    std::string_view encoder;
    const char* crf;  ///< null: has none
    std::array<std::array<const char*, 2>, 3> options;
};

// Always two threads, because the number of threads affects the bytes that x264 and VP9 write.
constexpr const char* kThreads = "2";
constexpr const char* kFineQuality = "354";  // quantizer 3 in units of FF_QP2LAMBDA
constexpr std::array kDefaults = {
    EncoderDefaults{"libx264", "17", {{{"preset", "medium"}}}},
    EncoderDefaults{"libx265", "19", {{{"preset", "medium"}, {"x265-params", "log-level=error:pools=2"}}}},
    EncoderDefaults{"libvpx-vp9", "24", {{{"b", "0"}, {"deadline", "good"}, {"cpu-used", "2"}}}},
    EncoderDefaults{"libaom-av1", "24", {{{"b", "0"}, {"cpu-used", "6"}}}},
    EncoderDefaults{"libsvtav1", "24", {{{"preset", "8"}}}},
    EncoderDefaults{"mjpeg", nullptr, {{{"flags", "+qscale"}, {"global_quality", kFineQuality}}}},
};
constexpr std::array kWellKnown = {"libx264", "libx265", "libvpx-vp9", "libaom-av1", "libsvtav1", "prores_ks",
                                   "dnxhd",   "ffv1",    "mpeg4",      "mjpeg",      "gif"};

bool fits(const AVCodec& encoder, const AVOutputFormat& muxer) {
    return avformat_query_codec(&muxer, encoder.id, FF_COMPLIANCE_NORMAL) == 1;
}

std::string encoders_that_fit(const AVOutputFormat& muxer) {
    return joined(kWellKnown, ", ", [&muxer](const char* name) {
        const AVCodec* encoder = avcodec_find_encoder_by_name(name);
        return encoder && fits(*encoder, muxer) ? name : "";
    });
}

/// Returns true for encoders that never lose anything, such as FFV1. H.264 can do both.
bool is_lossless(const AVCodec& encoder) {
    const AVCodecDescriptor* codec = avcodec_descriptor_get(encoder.id);
    return codec && (codec->props & AV_CODEC_PROP_LOSSLESS) && !(codec->props & AV_CODEC_PROP_LOSSY);
}

bool is_hardware(AVPixelFormat format) {
    const AVPixFmtDescriptor* description = av_pix_fmt_desc_get(format);
    return !description || (description->flags & AV_PIX_FMT_FLAG_HWACCEL);
}

void check_size(const SinkOptions& options, AVPixelFormat format) {
    const AVPixFmtDescriptor& description = *av_pix_fmt_desc_get(format);
    const int width_multiple = 1 << description.log2_chroma_w;
    const int height_multiple = 1 << description.log2_chroma_h;
    if (options.width % width_multiple == 0 && options.height % height_multiple == 0) return;
    const std::string size = std::to_string(options.width) + " x " + std::to_string(options.height);
    throw Error(ErrorCode::bad_request,
                "cannot encode a video of " + size + " px as " + description.name +
                    ": this format stores one color per " + std::to_string(width_multiple) + " x " +
                    std::to_string(height_multiple) + " px",
                "Use an even width and height, or write PNG frames.", {{"size", size}});
}

/// The matrix of VP8 and JPEG is always that of BT.601.
AVColorSpace yuv_matrix(const AVCodecContext& codec) {
    const bool is_bt601 = codec.codec_id == AV_CODEC_ID_VP8 || codec.codec_id == AV_CODEC_ID_MJPEG;
    return is_bt601 ? AVCOL_SPC_BT470BG : AVCOL_SPC_BT709;
}

void set_colors(AVCodecContext& codec) {
    codec.color_range = color_range_of(codec.pix_fmt);
    codec.color_primaries = AVCOL_PRI_BT709;
    codec.color_trc = AVCOL_TRC_BT709;
    const AVPixFmtDescriptor& description = *av_pix_fmt_desc_get(codec.pix_fmt);
    codec.colorspace = (description.flags & AV_PIX_FMT_FLAG_RGB) ? AVCOL_SPC_RGB : yuv_matrix(codec);
    if (description.log2_chroma_w == 1) codec.chroma_sample_location = AVCHROMA_LOC_LEFT;
}

/// Selects the AVX2 code of x264. The AVX-512 code of x264 0.164 reads uninitialized memory, so the same frames produce
/// different bytes.
void set_cpu(AvOptions& settings, const AVCodec& encoder) {
    const bool is_x264 = encoder.name == std::string_view("libx264");
    if (is_x264 && (av_get_cpu_flags() & AV_CPU_FLAG_AVX512)) settings.set("x264-params", "asm=avx2");
}

int most_crf(const AVCodec& encoder) {
    return encoder.id == AV_CODEC_ID_H264 || encoder.id == AV_CODEC_ID_HEVC ? 51 : 63;
}

bool takes_crf(const AVCodec& encoder) {
    const AVClass* options = encoder.priv_class;
    return options && av_opt_find(&options, "crf", nullptr, 0, AV_OPT_SEARCH_FAKE_OBJ);
}

void check_crf(std::optional<int> crf, const AVCodec& encoder) {
    if (!crf) return;
    const std::map<std::string, std::string> arguments{{"codec", encoder.name}, {"crf", ""}};
    if (!takes_crf(encoder))
        throw Error(ErrorCode::bad_request, "the encoder " + std::string(encoder.name) + " has no crf setting",
                    "Choose libx264, libx265 or libvpx-vp9, or leave crf out.", arguments);
    if (*crf > most_crf(encoder))
        throw Error(ErrorCode::bad_request,
                    "crf is " + std::to_string(*crf) + ", but the encoder " + encoder.name + " takes 0 to " +
                        std::to_string(most_crf(encoder)),
                    "Choose a smaller value, or another encoder.", arguments);
}

void set_quality(AvOptions& settings, const AVCodec& encoder, const SinkOptions& options) {
    for (const EncoderDefaults& defaults : kDefaults) {
        if (defaults.encoder != encoder.name) continue;
        if (defaults.crf) settings.set("crf", defaults.crf);
        for (const auto& [key, value] : defaults.options)
            if (key) settings.set(key, value);
    }
    set_cpu(settings, encoder);
    check_crf(options.output.crf, encoder);
    if (options.output.crf) settings.set("crf", std::to_string(*options.output.crf).c_str());
}

}  // namespace

const AVCodec& find_encoder(const std::string& name, const Container& container, const AVOutputFormat& muxer) {
    const std::string wanted = name.empty() ? container.encoder : name;
    const AVCodec* encoder = avcodec_find_encoder_by_name(wanted.c_str());
    if (encoder && encoder->type == AVMEDIA_TYPE_VIDEO && fits(*encoder, muxer)) return *encoder;
    const std::string reason =
        encoder ? " does not support " + std::string(container.ending) : " is not available in this libav";
    throw Error(ErrorCode::codec_missing, "the encoder " + wanted + reason,
                "Encoders for " + std::string(container.ending) + ": " + encoders_that_fit(muxer) + ".",
                {{"codec", wanted}});
}

void check_encoder(const OutputRequest& output) {
    const std::filesystem::path file = output.file.empty() ? "video.mp4" : output.file;
    const bool is_default = output.codec.empty() && !output.crf;
    if (is_default || output_kind(file) == OutputKind::pictures) return;
    const Container& container = *find_container(file);
    const AVOutputFormat* muxer = av_guess_format(container.muxer, nullptr, nullptr);
    if (muxer != nullptr) check_crf(output.crf, find_encoder(output.codec, container, *muxer));
}

AVPixelFormat choose_pixel_format(const AVCodec& encoder) {
    // JPEG has the full range of levels.
    const AVPixelFormat usual = encoder.id == AV_CODEC_ID_MJPEG ? AV_PIX_FMT_YUVJ420P : AV_PIX_FMT_YUV420P;
    const bool takes_usual = !is_lossless(encoder);
    std::vector<AVPixelFormat> formats;
    for (const AVPixelFormat* format = encoder.pix_fmts; format && *format != AV_PIX_FMT_NONE; ++format) {
        if (takes_usual && *format == usual) return *format;
        if (!is_hardware(*format) && sws_isSupportedOutput(*format)) formats.push_back(*format);
    }
    if (formats.empty()) return AV_PIX_FMT_YUV420P;
    formats.push_back(AV_PIX_FMT_NONE);
    return avcodec_find_best_pix_fmt_of_list(formats.data(), AV_PIX_FMT_RGB24, 0, nullptr);
}

AvCodecPtr open_encoder(const AVCodec& encoder, const SinkOptions& options, const AVOutputFormat& muxer) {
    AvCodecPtr codec(av_allocated(avcodec_alloc_context3(&encoder)));
    codec->pix_fmt = encoder.id == AV_CODEC_ID_GIF ? AV_PIX_FMT_PAL8 : choose_pixel_format(encoder);
    check_size(options, codec->pix_fmt);
    codec->width = options.width;
    codec->height = options.height;
    codec->time_base = {options.fps_divisor, options.fps};
    codec->framerate = {options.fps, options.fps_divisor};
    codec->gop_size = std::max(1, 2 * options.fps / options.fps_divisor);
    codec->flags |= AV_CODEC_FLAG_BITEXACT;
    if (muxer.flags & AVFMT_GLOBALHEADER) codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    if (codec->pix_fmt != AV_PIX_FMT_PAL8) set_colors(*codec);

    AvOptions settings;
    settings.set("threads", kThreads);
    set_quality(settings, encoder, options);
    const int result = avcodec_open2(codec.get(), &encoder, settings.address());
    if (result < 0)
        throw Error(ErrorCode::encode_failed,
                    "the encoder " + std::string(encoder.name) + " failed to start with " +
                        std::to_string(options.width) + " x " + std::to_string(options.height) +
                        " px: " + av_error_text(result),
                    "Choose another size or another codec.", {{"codec", encoder.name}});
    return codec;
}

}  // namespace kinescope
