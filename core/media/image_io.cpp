#include "core/media/image_io.h"

#include <algorithm>
#include <array>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/error.h"
#include "core/base/regular_file.h"
#include "core/media/image_header.h"
#include "core/media/pending_file.h"
#include "core/media/png_text.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

Error unreadable(const fs::path& file, const std::string& reason) {
    return Error(ErrorCode::image_unreadable, file.string() + " is not a readable image: " + reason,
                 "Use a PNG, JPEG, WebP, TIFF or BMP file.", {{"path", file.string()}, {"reason", reason}});
}

std::vector<std::uint8_t> file_bytes(const fs::path& file, const ImageLimits& limits) {
    try {
        const std::string bytes = read_regular_file(file, static_cast<std::uintmax_t>(limits.max_file_bytes));
        return {bytes.begin(), bytes.end()};
    } catch (const Error& error) {
        if (error.code() == ErrorCode::file_not_found)
            throw Error(ErrorCode::file_not_found, "image not found: " + file.string(), "Check the path.",
                        {{"path", file.string()}});
        throw Error(ErrorCode::image_unreadable, error.message(), "Use a PNG, JPEG, WebP, TIFF or BMP file.",
                    error.arguments());
    }
}

/// Returns true for the beginning of an MP4, MOV, MKV, WebM or GIF file. HEIF pictures begin like MP4 files.
bool is_video(const std::vector<std::uint8_t>& bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 12));
    const auto has = [&](std::size_t at, std::string_view word) {
        return text.size() > at && text.substr(at).starts_with(word);
    };
    constexpr std::array<std::string_view, 6> kPictures{"heic", "heix", "mif1", "msf1", "avif", "avis"};
    const bool is_heif = std::ranges::any_of(kPictures, [&](std::string_view brand) { return has(8, brand); });
    return has(0, "\x1A\x45\xDF\xA3") || has(0, "GIF8") || (has(4, "ftyp") && !is_heif);
}

void check_header(const fs::path& file, const std::vector<std::uint8_t>& bytes, const ImageLimits& limits) {
    const std::optional<ImageHeader> header = parse_image_header(bytes);
    if (!header && is_video(bytes))
        throw Error(ErrorCode::image_unreadable, file.string() + " is not a readable image: it is a video",
                    "Use a PNG, JPEG, WebP, TIFF or BMP file, for example a frame of the video.",
                    {{"path", file.string()}, {"reason", "it is a video"}});
    if (!header) throw unreadable(file, "its header is damaged or has an unsupported format");
    if (header->width <= limits.max_pixels / header->height) return;
    const std::string size = std::to_string(header->width) + " x " + std::to_string(header->height);
    const std::string limit = std::to_string(limits.max_pixels);
    throw Error(ErrorCode::image_unreadable,
                file.string() + " has " + size + " px; the limit for images is " + limit + " px",
                "Scale the image down first.", {{"path", file.string()}, {"size", size}, {"limit_pixels", limit}});
}

/// Returns true for files with DICOM data. If libwebp rejects a file with WebP's header, OpenCV tries its DICOM
/// decoder, which aborts the program if the file is damaged.
bool is_dicom(const std::vector<std::uint8_t>& bytes) {
    constexpr std::size_t kAt = 128;
    constexpr std::string_view kMark = "DICM";
    return bytes.size() >= kAt + kMark.size() &&
           std::equal(kMark.begin(), kMark.end(), bytes.begin() + static_cast<std::ptrdiff_t>(kAt));
}

cv::Mat decode(const fs::path& file, const std::vector<std::uint8_t>& bytes, int flags = cv::IMREAD_COLOR) {
    try {
        cv::Mat image = cv::imdecode(bytes, flags);
        if (!image.empty()) return image;
    } catch (const cv::Exception& error) {
        throw unreadable(file, error.err);
    }
    throw unreadable(file, "it is truncated or damaged");
}

/// Returns the picture with the same colors as `bgr` among the eight orientations of `stored`. OpenCV applies the
/// orientation of the EXIF data only without alpha. Returns an empty picture if there is none.
cv::Mat in_orientation_of(const cv::Mat& bgr, const cv::Mat& stored) {
    constexpr int kUpright = 2;  // the others as in cv::flip()
    for (const bool is_transposed : {false, true})
        for (const int flip : {kUpright, -1, 0, 1}) {
            cv::Mat turned, shown;
            is_transposed ? cv::transpose(stored, turned) : stored.copyTo(turned);
            flip == kUpright ? turned.copyTo(shown) : cv::flip(turned, shown, flip);
            if (shown.size() != bgr.size()) continue;
            cv::Mat colors;
            cv::cvtColor(shown, colors, cv::COLOR_BGRA2BGR);
            if (cv::norm(colors, bgr, cv::NORM_INF) <= 1) return shown;
        }
    return {};
}

/// Returns the opacity of each pixel; an empty picture if all are opaque.
cv::Mat opacity(const fs::path& file, const std::vector<std::uint8_t>& bytes, const cv::Mat& bgr) {
    if (!may_be_transparent(bytes)) return {};
    cv::Mat stored;
    try {
        stored = decode(file, bytes, cv::IMREAD_UNCHANGED);
    } catch (const Error&) {
        return {};  // OpenCV reads the colors only
    }
    if (stored.channels() != 4 || (stored.depth() != CV_8U && stored.depth() != CV_16U)) return {};
    if (stored.depth() == CV_16U) {
        constexpr double kTo8Bits = 1.0 / 257;
        cv::Mat reduced;
        stored.convertTo(reduced, CV_8U, kTo8Bits);
        stored = reduced;
    }
    cv::Mat shown = in_orientation_of(bgr, stored);
    if (shown.empty() && stored.size() == bgr.size()) shown = stored;  // its colors are coded in another way
    if (shown.empty()) return {};
    cv::Mat alpha;
    cv::extractChannel(shown, alpha, 3);
    double least = 255;
    cv::minMaxLoc(alpha, &least);
    return least < 255 ? alpha : cv::Mat();
}

}  // namespace

Frame read_image(const fs::path& file, const ImageLimits& limits) {
    return read_picture(file, Background::white, limits).frame;
}

Picture read_picture(const fs::path& file, Background background, const ImageLimits& limits) {
    const std::vector<std::uint8_t> bytes = file_bytes(file, limits);
    check_header(file, bytes, limits);
    if (is_cut_off_jpeg(bytes) || is_cut_off_png(bytes))
        throw unreadable(file, "it is truncated: the end of its image data is missing");
    if (is_dicom(bytes)) throw unreadable(file, "it contains DICOM data after the header of another format");
    const cv::Mat bgr = decode(file, bytes);
    Frame frame{bgr.cols, bgr.rows, std::vector<std::uint8_t>(bgr.total() * 3)};
    cv::Mat rgb(bgr.rows, bgr.cols, CV_8UC3, frame.pixels.data());
    cv::cvtColor(bgr, rgb, cv::COLOR_BGR2RGB);
    const cv::Mat alpha = opacity(file, bytes, bgr);
    if (alpha.empty()) return {.frame = std::move(frame)};
    for (std::size_t i = 0; i < frame.pixels.size(); ++i) {
        const auto pixel = static_cast<int>(i / 3);
        frame.pixels[i] = over(background, frame.pixels[i], alpha.at<std::uint8_t>(pixel / bgr.cols, pixel % bgr.cols));
    }
    return {.frame = std::move(frame), .is_transparent = true};
}

std::vector<std::uint8_t> encode_png(const Frame& frame, const fs::path& file,
                                     const std::map<std::string, std::string>& metadata) {
    if (frame.width < 1 || frame.height < 1 ||
        frame.pixels.size() != 3 * static_cast<std::size_t>(frame.width) * static_cast<std::size_t>(frame.height))
        throw Error(ErrorCode::encode_failed,
                    "a frame of " + std::to_string(frame.width) + " x " + std::to_string(frame.height) + " px with " +
                        std::to_string(frame.pixels.size()) + " bytes is invalid for " + file.string());
    // OpenCV only reads the pixels, but Mat has no constructor for const data.
    const cv::Mat rgb(frame.height, frame.width, CV_8UC3, const_cast<std::uint8_t*>(frame.pixels.data()));
    cv::Mat bgr;
    cv::cvtColor(rgb, bgr, cv::COLOR_RGB2BGR);
    std::vector<std::uint8_t> png;
    if (!cv::imencode(".png", bgr, png))
        throw Error(ErrorCode::encode_failed, "OpenCV could not encode " + file.string());
    return with_png_text(png, metadata);
}

void write_png(const fs::path& file, const Frame& frame, const std::map<std::string, std::string>& metadata) {
    const std::vector<std::uint8_t> png = encode_png(frame, file, metadata);
    PendingFile pending(file, OverwriteMode::overwrite);
    pending.write(png);
    pending.commit();
}

}  // namespace kinescope
