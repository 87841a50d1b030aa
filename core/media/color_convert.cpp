#include "core/media/color_convert.h"

#include <cstring>
#include <string>

#include "core/api/error.h"

namespace kinescope {
namespace {

// Exact rounding and full chroma interpolation. With SWS_BITEXACT, the bytes are the same on every processor.
constexpr int kScalerFlags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP | SWS_BITEXACT;
constexpr int kBytesPerPixel = 3;

bool is_rgb(AVPixelFormat format) {
    const AVPixFmtDescriptor* description = av_pix_fmt_desc_get(format);
    return description && (description->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL));
}

bool has_alpha(AVPixelFormat format) {
    const AVPixFmtDescriptor* description = av_pix_fmt_desc_get(format);
    return description && (description->flags & AV_PIX_FMT_FLAG_ALPHA);
}

void set_matrix(SwsContext* scaler, int matrix, AVColorRange source, AVColorRange destination) {
    const int* coefficients = sws_getCoefficients(matrix);
    sws_setColorspaceDetails(scaler, coefficients, source == AVCOL_RANGE_JPEG, coefficients,
                             destination == AVCOL_RANGE_JPEG, 0, 1 << 16, 1 << 16);
}

/// Returns the matrix of a video that names none, by the rule of players: BT.601 up to the sizes of SD television,
/// BT.709 for larger frames.
int usual_matrix(const AVFrame& picture) {
    constexpr int kWidthOfHd = 1280;
    constexpr int kMostLinesOfSd = 576;
    const bool is_hd = picture.width >= kWidthOfHd || picture.height > kMostLinesOfSd;
    return is_hd ? SWS_CS_ITU709 : SWS_CS_ITU601;
}

/// Returns the matrix as libswscale numbers it. HDR without one is BT.2020, as BT.2100 says.
int matrix_of(const AVFrame& picture) {
    // libswscale converts what it has no matrix for as BT.601.
    if (picture.colorspace == AVCOL_SPC_YCGCO || picture.colorspace > AVCOL_SPC_BT2020_CL) {
        const char* name = av_color_space_name(picture.colorspace);
        throw Error(ErrorCode::unsupported,
                    "the video has the color space " + std::string(name == nullptr ? "unknown" : name) +
                        ", which Kinescope cannot convert to RGB",
                    "Convert the video to BT.2020 or BT.709 first.");
    }
    if (picture.colorspace != AVCOL_SPC_UNSPECIFIED) return picture.colorspace;
    return hdr_coding(picture) ? SWS_CS_BT2020 : usual_matrix(picture);
}

/// Those of SDR television are close to BT.709. HDR without primaries is BT.2020, as BT.2100 says.
HdrPrimaries hdr_primaries(AVColorPrimaries primaries) {
    if (primaries == AVCOL_PRI_BT2020 || primaries == AVCOL_PRI_UNSPECIFIED) return HdrPrimaries::bt2020;
    const bool is_p3 = primaries == AVCOL_PRI_SMPTE431 || primaries == AVCOL_PRI_SMPTE432;
    return is_p3 ? HdrPrimaries::p3 : HdrPrimaries::bt709;
}

void copy_rows(AVFrame& to, const Frame& from) {
    const std::size_t row = static_cast<std::size_t>(from.width) * kBytesPerPixel;
    for (int y = 0; y < from.height; ++y)
        std::memcpy(to.data[0] + static_cast<std::ptrdiff_t>(y) * to.linesize[0], from.pixels.data() + y * row, row);
}

Frame frame_from_rows(const AVFrame& from) {
    const std::size_t row = static_cast<std::size_t>(from.width) * kBytesPerPixel;
    Frame frame{from.width, from.height, std::vector<std::uint8_t>(row * static_cast<std::size_t>(from.height))};
    for (int y = 0; y < from.height; ++y)
        std::memcpy(frame.pixels.data() + y * row, from.data[0] + static_cast<std::ptrdiff_t>(y) * from.linesize[0],
                    row);
    return frame;
}

}  // namespace

std::optional<HdrCoding> hdr_coding(const AVFrame& picture) {
    const HdrPrimaries primaries = hdr_primaries(picture.color_primaries);
    if (picture.color_trc == AVCOL_TRC_SMPTE2084) return HdrCoding{HdrTransfer::pq, primaries};
    if (picture.color_trc == AVCOL_TRC_ARIB_STD_B67) return HdrCoding{HdrTransfer::hlg, primaries};
    return std::nullopt;
}

AVColorRange color_range_of(AVPixelFormat format) {
    const bool full = is_rgb(format) || format == AV_PIX_FMT_YUVJ420P || format == AV_PIX_FMT_YUVJ422P ||
                      format == AV_PIX_FMT_YUVJ444P;
    return full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
}

FrameToPicture::FrameToPicture(int width, int height, AVPixelFormat format, AVColorSpace matrix)
    : rgb_(make_picture(width, height, AV_PIX_FMT_RGB24)),
      picture_(make_picture(width, height, format)),
      scaler_(av_allocated(sws_getContext(width, height, AV_PIX_FMT_RGB24, width, height, format, kScalerFlags, nullptr,
                                          nullptr, nullptr))) {
    // libswscale numbers matrices as libavutil does. It uses none for RGB formats.
    set_matrix(scaler_.get(), is_rgb(format) ? SWS_CS_ITU709 : matrix, AVCOL_RANGE_JPEG, color_range_of(format));
}

AVFrame& FrameToPicture::convert(const Frame& frame) {
    // The encoder may still refer to the previous frame. libav then allocates a new buffer.
    if (av_frame_make_writable(picture_.get()) < 0) throw std::bad_alloc();
    copy_rows(*rgb_, frame);
    sws_scale(scaler_.get(), rgb_->data, rgb_->linesize, 0, rgb_->height, picture_->data, picture_->linesize);
    return *picture_;
}

PictureToFrame::PictureToFrame(int width, int height, Background background)
    : rgb_(make_picture(width, height, AV_PIX_FMT_RGB24)), background_(background) {}

Frame PictureToFrame::convert(const AVFrame& picture) {
    follow(picture);
    const bool full = picture.color_range == AVCOL_RANGE_JPEG ||
                      color_range_of(static_cast<AVPixelFormat>(picture.format)) == AVCOL_RANGE_JPEG;
    set_matrix(scaler_.get(), matrix_of(picture), full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG, AVCOL_RANGE_JPEG);
    sws_scale(scaler_.get(), picture.data, picture.linesize, 0, picture.height, rgb_->data, rgb_->linesize);
    if (const auto hdr = hdr_coding(picture)) return sdr_frame(*hdr);
    return rgb_format_ == AV_PIX_FMT_RGBA ? opaque_frame() : frame_from_rows(*rgb_);
}

Frame PictureToFrame::opaque_frame() {
    const std::size_t row = static_cast<std::size_t>(rgb_->width) * kBytesPerPixel;
    Frame frame{rgb_->width, rgb_->height, std::vector<std::uint8_t>(row * static_cast<std::size_t>(rgb_->height))};
    auto* color = frame.pixels.data();
    for (int y = 0; y < frame.height; ++y) {
        const std::uint8_t* rgba = rgb_->data[0] + static_cast<std::ptrdiff_t>(y) * rgb_->linesize[0];
        for (int x = 0; x < frame.width; ++x, rgba += 4) {
            is_transparent_ = is_transparent_ || rgba[3] != 255;
            for (int c = 0; c < kBytesPerPixel; ++c) *color++ = over(background_, rgba[c], rgba[3]);
        }
    }
    return frame;
}

/// HDR needs 16 bits, because 8 bits of its codes show bands.
Frame PictureToFrame::sdr_frame(const HdrCoding& coding) {
    if (!to_sdr_ || to_sdr_->first != coding) to_sdr_.emplace(coding, coding);
    const std::size_t row = static_cast<std::size_t>(rgb_->width) * kBytesPerPixel;
    Frame frame{rgb_->width, rgb_->height, std::vector<std::uint8_t>(row * static_cast<std::size_t>(rgb_->height))};
    for (int y = 0; y < frame.height; ++y) {
        const auto* codes =
            reinterpret_cast<const std::uint16_t*>(rgb_->data[0] + static_cast<std::ptrdiff_t>(y) * rgb_->linesize[0]);
        to_sdr_->second.convert({codes, row}, {frame.pixels.data() + static_cast<std::size_t>(y) * row, row});
    }
    return frame;
}

void PictureToFrame::follow(const AVFrame& picture) {
    const bool is_opaque = !has_alpha(static_cast<AVPixelFormat>(picture.format));
    const AVPixelFormat sdr = is_opaque ? AV_PIX_FMT_RGB24 : AV_PIX_FMT_RGBA;
    const AVPixelFormat format = hdr_coding(picture) ? AV_PIX_FMT_RGB48 : sdr;
    if (scaler_ && picture.width == source_width_ && picture.height == source_height_ &&
        picture.format == source_format_ && format == rgb_format_)
        return;
    if (format != rgb_format_) rgb_ = make_picture(rgb_->width, rgb_->height, format);
    rgb_format_ = format;
    source_width_ = picture.width;
    source_height_ = picture.height;
    source_format_ = picture.format;
    scaler_.reset(sws_getContext(picture.width, picture.height, static_cast<AVPixelFormat>(picture.format), rgb_->width,
                                 rgb_->height, format, kScalerFlags, nullptr, nullptr, nullptr));
    if (!scaler_)
        throw Error(ErrorCode::file_unreadable,
                    "cannot convert this pixel format to RGB: " + std::to_string(picture.format));
}

}  // namespace kinescope
