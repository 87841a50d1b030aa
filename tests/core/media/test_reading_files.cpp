#include <sys/stat.h>

#include <QTest>
#include <algorithm>
#include <climits>
#include <fstream>
#include <numeric>
#include <opencv2/imgcodecs.hpp>

#include "core/base/child_words.h"
#include "core/media/clip_cursor.h"
#include "core/media/clip_messages.h"
#include "core/media/clip_traits.h"
#include "core/media/color_convert.h"
#include "core/media/frame_sink.h"
#include "core/media/frame_times.h"
#include "core/media/guarded_reader.h"
#include "core/media/hdr_to_sdr.h"
#include "core/media/image_header.h"
#include "core/media/image_io.h"
#include "core/media/media_input.h"
#include "core/media/read_frames.h"
#include "core/media/video_reader.h"
#include "media_fixtures.h"

using namespace kinescope;
using namespace kinescope::test;

namespace {

std::vector<std::uint8_t> bytes_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void put(const std::filesystem::path& file, std::span<const std::uint8_t> bytes) {
    std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes));
}

/// Returns an image of 40 x 20 pixels, left half red, right half blue, encoded by OpenCV.
std::vector<std::uint8_t> two_halves(const std::string& ending) {
    cv::Mat image(20, 40, CV_8UC3, cv::Scalar(0, 0, 255));
    image.colRange(20, 40).setTo(cv::Scalar(255, 0, 0));
    std::vector<std::uint8_t> bytes;
    cv::imencode(ending, image, bytes);
    return bytes;
}

bool is_near(const Frame& frame, int x, int y, const std::array<int, 3>& color) {
    const std::uint8_t* pixel = frame.pixels.data() + 3 * (y * frame.width + x);
    return std::abs(pixel[0] - color[0]) < 12 && std::abs(pixel[1] - color[1]) < 12 &&
           std::abs(pixel[2] - color[2]) < 12;
}

constexpr std::array kRed = {255, 0, 0};
constexpr std::array kBlue = {0, 0, 255};

/// Inserts an APP1 segment that contains only the EXIF orientation.
std::vector<std::uint8_t> with_orientation(std::vector<std::uint8_t> jpeg, std::uint8_t orientation) {
    const std::vector<std::uint8_t> segment = {0xFF, 0xE1, 0, 34, 'E', 'x',         'i', 'f', 0, 0,    'M', 'M',
                                               0,    42,   0, 0,  0,   8,           0,   1,   1, 0x12, 0,   3,
                                               0,    0,    0, 1,  0,   orientation, 0,   0,   0, 0,    0,   0};
    jpeg.insert(jpeg.begin() + 2, segment.begin(), segment.end());
    return jpeg;
}

/// Returns a saturated PQ frame of 10 bits as SDR.
Frame frame_of_hdr(AVColorSpace matrix, AVColorPrimaries primaries) {
    constexpr int kSide = 16;
    const AvFramePtr picture = make_picture(kSide, kSide, AV_PIX_FMT_YUV420P10LE);
    picture->color_trc = AVCOL_TRC_SMPTE2084;
    picture->colorspace = matrix;
    picture->color_primaries = primaries;
    constexpr std::array<std::uint16_t, 3> kLevels = {420, 470, 560};
    for (std::size_t plane = 0; plane < kLevels.size(); ++plane) {
        auto* codes = reinterpret_cast<std::uint16_t*>(picture->data[plane]);
        const int rows = plane == 0 ? kSide : kSide / 2;
        std::fill_n(codes, rows * picture->linesize[plane] / 2, kLevels[plane]);
    }
    return PictureToFrame(kSide, kSide).convert(*picture);
}

/// Returns a green frame of 8 bits with this size and matrix as RGB.
Frame frame_of_green(QSize size, AVColorSpace matrix) {
    const AvFramePtr picture = make_picture(size.width(), size.height(), AV_PIX_FMT_YUV420P);
    picture->colorspace = matrix;
    constexpr std::array<std::uint8_t, 3> kLevels = {145, 54, 34};
    for (std::size_t plane = 0; plane < kLevels.size(); ++plane) {
        const int rows = plane == 0 ? size.height() : size.height() / 2;
        std::fill_n(picture->data[plane], rows * picture->linesize[plane], kLevels[plane]);
    }
    return PictureToFrame(size.width(), size.height()).convert(*picture);
}

constexpr int kLongFrames = 120;

/// Writes a video of several groups of pictures, in which all frames differ. The square jumps back after
/// `num_positions` frames, where an encoder may put a picture without references that is not a key frame.
std::filesystem::path write_long(const SinkOptions& options, int num_positions = kNumFrames) {
    const std::unique_ptr<FrameSink> sink = open_frame_sink(options);
    for (int i = 0; i < kLongFrames; ++i) {
        Frame frame = moving_square(i % num_positions);
        for (std::uint8_t& value : frame.pixels) value = static_cast<std::uint8_t>(value * (200 - i) / 200);
        sink->write(frame);
    }
    return sink->finish();
}

/// Copies a video without decoding it, and marks every frame as a key frame.
std::filesystem::path with_false_keys(const std::filesystem::path& video, const std::filesystem::path& copy) {
    const AvInputPtr input = open_media_input(video);
    const AVStream& source = *input->streams[0];
    AVFormatContext* muxer = nullptr;
    avformat_alloc_output_context2(&muxer, nullptr, nullptr, copy.c_str());
    AVStream* stream = avformat_new_stream(muxer, nullptr);
    avcodec_parameters_copy(stream->codecpar, source.codecpar);
    stream->time_base = source.time_base;
    avio_open(&muxer->pb, copy.c_str(), AVIO_FLAG_WRITE);
    if (avformat_write_header(muxer, nullptr) < 0) return {};
    const AvPacketPtr packet(av_allocated(av_packet_alloc()));
    while (av_read_frame(input.get(), packet.get()) >= 0) {
        packet->flags |= AV_PKT_FLAG_KEY;
        av_packet_rescale_ts(packet.get(), source.time_base, stream->time_base);
        av_interleaved_write_frame(muxer, packet.get());
    }
    av_write_trailer(muxer);
    avio_closep(&muxer->pb);
    avformat_free_context(muxer);
    return copy;
}

constexpr FrameSelection kThree{.max_frames = 3};

struct SelectionRead {
    std::vector<FramePtr> frames;
    int num_steps = 0;  ///< frames that were read or skipped
};

SelectionRead read_in_steps(const std::filesystem::path& video) {
    SelectionCursor cursor(video, kThree);
    SelectionRead read;
    for (bool has_ended = false; !has_ended; ++read.num_steps) {
        const FramePortion portion = cursor.read(0);
        std::ranges::copy(portion.frames, std::back_inserter(read.frames));
        has_ended = portion.has_ended;
    }
    return read;
}

/// Compares frames of a selection with those that are decoded one after the other.
void expect_selected(const std::vector<FramePtr>& frames, const std::filesystem::path& video) {
    VideoReader all(video);
    const auto indices = selected_indices(kLongFrames, kThree.max_frames);
    QCOMPARE(frames.size(), indices.size());
    for (int i = 0, found = 0; i < kLongFrames; ++i) {
        const auto frame = all.read();
        QVERIFY(frame);
        if (i != indices[static_cast<std::size_t>(found)]) continue;
        QVERIFY2(frames[static_cast<std::size_t>(found)]->pixels == frame->pixels, qPrintable(QString::number(i)));
        ++found;
    }
}

}  // namespace

class TestReadingFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void images_data() {
        QTest::addColumn<QString>("ending");
        for (const char* ending : {".png", ".jpg", ".webp", ".tiff", ".bmp"}) QTest::newRow(ending) << ending;
    }
    void images() {
        QFETCH(QString, ending);
        const Folder folder;
        const auto bytes = two_halves(ending.toStdString());
        const auto file = folder / ("image" + ending.toStdString());
        put(file, bytes);
        const Frame frame = read_image(file);
        QCOMPARE(frame.width, 40);
        QCOMPARE(frame.height, 20);
        QVERIFY(is_near(frame, 5, 10, kRed));
        QVERIFY(is_near(frame, 35, 10, kBlue));
        QCOMPARE(parse_image_header(bytes)->width, 40);
        QCOMPARE(parse_image_header(bytes)->height, 20);

        const Error too_large = error_of([&] { read_image(file, {.max_pixels = 799}); });
        QCOMPARE(too_large.code(), ErrorCode::image_unreadable);
        QCOMPARE(too_large.arguments().at("size"), std::string("40 x 20"));
        QCOMPARE(too_large.arguments().at("limit_pixels"), std::string("799"));
        QCOMPARE(error_of([&] { read_image(file, {.max_file_bytes = 20}); }).code(), ErrorCode::image_unreadable);
    }

    void truncated_headers_are_read_within_bounds_data() { images_data(); }
    void truncated_headers_are_read_within_bounds() {
        QFETCH(QString, ending);
        const auto bytes = two_halves(ending.toStdString());
        for (std::size_t length = 0; length < bytes.size(); ++length) {
            // Copy the part, so that a sanitizer detects reads beyond its end.
            const std::vector<std::uint8_t> part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
            const auto header = parse_image_header(part);
            QVERIFY(!header || (header->width == 40 && header->height == 20));
        }
        QVERIFY(!parse_image_header(std::vector<std::uint8_t>(bytes.begin(), bytes.begin() + 8)));
    }

    void jpeg_orientation_is_applied() {
        const Folder folder;
        put(folder / "turned.jpg",
            with_orientation(two_halves(".jpg"), 6));  // displayed rotated by 90 degrees clockwise
        const Frame frame = read_image(folder / "turned.jpg");
        QCOMPARE(frame.width, 20);
        QCOMPARE(frame.height, 40);
        QVERIFY(is_near(frame, 10, 5, kRed));
        QVERIFY(is_near(frame, 10, 35, kBlue));
    }

    void transparent_parts_show_the_background_data() {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<int>("type");
        QTest::newRow("PNG") << ".png" << CV_8UC4;
        QTest::newRow("PNG with 16 bits") << ".png" << CV_16UC4;
        QTest::newRow("WebP") << ".webp" << CV_8UC4;
    }
    void transparent_parts_show_the_background() {
        QFETCH(QString, ending);
        QFETCH(int, type);
        const Folder folder;
        const double most = type == CV_8UC4 ? 255 : 65535;
        cv::Mat image(16, 32, type, cv::Scalar(0, most, 0, most));
        image.colRange(16, 32).setTo(cv::Scalar(0, most, 0, 0));
        std::vector<std::uint8_t> bytes;
        cv::imencode(ending.toStdString(), image, bytes);
        const auto file = folder / ("cutout" + ending.toStdString());
        put(file, bytes);
        const Picture shown = read_picture(file, Background::white);
        QVERIFY(shown.is_transparent);
        QVERIFY(is_near(shown.frame, 4, 8, {0, 255, 0}));
        QVERIFY(is_near(shown.frame, 28, 8, {255, 255, 255}));
        QVERIFY(read_image(file).pixels == shown.frame.pixels);
        QVERIFY(is_near(read_picture(file, Background::black).frame, 28, 8, {0, 0, 0}));
    }

    void opaque_pictures_are_not_called_transparent() {
        const Folder folder;
        const cv::Mat image(16, 32, CV_8UC4, cv::Scalar(0, 255, 0, 255));
        std::vector<std::uint8_t> bytes;
        cv::imencode(".png", image, bytes);
        put(folder / "opaque.png", bytes);
        QVERIFY(!read_picture(folder / "opaque.png", Background::white).is_transparent);
    }

    void transparent_parts_of_a_video_show_the_background_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"transparent.mov", "transparent_vpx.webm", "transparent_vpx-vp9.webm"})
            QTest::newRow(name) << name;
    }
    void transparent_parts_of_a_video_show_the_background() {
        QFETCH(QString, name);
        const auto file = std::filesystem::path(KINESCOPE_TEST_DATA) / "finish" / name.toStdString();
        const ClipPart shown = GuardedReader("").read_part(file, 0);
        QVERIFY(shown.traits == std::vector{ClipTrait::transparent});
        QVERIFY(is_near(*shown.frames.front(), 4, 8, {0, 255, 0}));
        QVERIFY(is_near(*shown.frames.front(), 28, 8, {255, 255, 255}));
        const ClipPart mask = GuardedReader("").read_part(file, 0, Background::black);
        QVERIFY(is_near(*mask.frames.front(), 28, 8, {0, 0, 0}));
    }

    void a_header_that_lies_about_the_size() {
        const Folder folder;
        auto png = two_halves(".png");
        png[16] = 0x7F;
        put(folder / "huge.png", png);
        const Error error = error_of([&] { read_image(folder / "huge.png"); });
        QCOMPARE(error.code(), ErrorCode::image_unreadable);
        QVERIFY(error.message().find("2130706472 x 20") != std::string::npos);
    }

    void not_images() {
        const Folder folder;
        QCOMPARE(error_of([&] { read_image(folder / "none.png"); }).code(), ErrorCode::file_not_found);
        QCOMPARE(error_of([&] { read_image(folder.path()); }).code(), ErrorCode::image_unreadable);
        put(folder / "empty.png", {});
        QCOMPARE(error_of([&] { read_image(folder / "empty.png"); }).code(), ErrorCode::image_unreadable);
        auto webp = two_halves(".webp");
        webp.resize(webp.size() / 2);
        put(folder / "cut.webp", webp);
        QCOMPARE(error_of([&] { read_image(folder / "cut.webp"); }).code(), ErrorCode::image_unreadable);
    }

    void a_video_is_no_image_data() {
        QTest::addColumn<QString>("video");
        for (const char* video : {"one.mp4", "late.mkv"}) QTest::newRow(video) << video;
    }
    void a_video_is_no_image() {
        QFETCH(QString, video);
        const auto file = std::filesystem::path(KINESCOPE_TEST_DATA) / "finish" / video.toStdString();
        const Error error = error_of([&] { read_image(file); });
        QCOMPARE(error.code(), ErrorCode::image_unreadable);
        QVERIFY2(error.message().ends_with("is not a readable image: it is a video"), error.what());
        QVERIFY2(error.hint().find("a frame of the video") != std::string::npos, error.hint().c_str());
    }

    // libjpeg fills the missing part with gray and reports success, so the reader must detect it.
    void truncated_files_are_refused_data() { images_data(); }
    void truncated_files_are_refused() {
        QFETCH(QString, ending);
        const Folder folder;
        cv::Mat noise(64, 64, CV_8UC3);  // incompressible, so its data is longer than any header
        cv::randu(noise, 0, 255);
        std::vector<std::uint8_t> bytes;
        cv::imencode(ending.toStdString(), noise, bytes);
        bytes.resize(bytes.size() / 2);
        put(folder / "cut", bytes);
        QCOMPARE(error_of([&] { read_image(folder / "cut"); }).code(), ErrorCode::image_unreadable);
    }

    void a_jpeg_with_many_scans_is_complete() {
        cv::Mat image(64, 64, CV_8UC3);
        cv::randu(image, 0, 255);
        std::vector<std::uint8_t> bytes;
        cv::imencode(".jpg", image, bytes, {cv::IMWRITE_JPEG_PROGRESSIVE, 1, cv::IMWRITE_JPEG_RST_INTERVAL, 2});
        QVERIFY(!is_cut_off_jpeg(bytes));
        bytes.insert(bytes.end(), 100, 0);  // some cameras append their own data
        QVERIFY(!is_cut_off_jpeg(bytes));
        bytes.resize(bytes.size() - 102);
        QVERIFY(is_cut_off_jpeg(bytes));
        QVERIFY(!is_cut_off_jpeg(two_halves(".png")));
    }

    // libpng allocates the stated length of a chunk before it reads the chunk.
    void a_chunk_of_a_png_is_not_longer_than_the_file() {
        const Folder folder;
        auto bytes = two_halves(".png");
        QVERIFY(!is_cut_off_png(bytes));
        bytes.insert(bytes.end(), 100, 0xFF);  // after the end of the image
        QVERIFY(!is_cut_off_png(bytes));
        const std::vector<std::uint8_t> chunk{0x66, 0xFF, 0xFF, 0xFF, 'e', 'X', 'I', 'f'};
        bytes.insert(bytes.begin() + 33, chunk.begin(), chunk.end());
        QVERIFY(is_cut_off_png(bytes));
        QVERIFY(!is_cut_off_png(two_halves(".jpg")));
        put(folder / "long.png", bytes);
        const auto error = error_of([&] { read_image(folder / "long.png"); });
        QVERIFY2(std::string(error.what()).find("truncated") != std::string::npos, error.what());
    }

    // If a tag occurs twice, libtiff uses the first value and other decoders the last.
    void a_tiff_with_two_sizes_is_refused_data() {
        QTest::addColumn<int>("tag");
        QTest::newRow("width") << 256;
        QTest::newRow("height") << 257;
    }
    void a_tiff_with_two_sizes_is_refused() {
        QFETCH(int, tag);
        std::vector<std::uint8_t> tiff = {'I', 'I', 42, 0, 8, 0, 0, 0, 3, 0};
        const auto add = [&tiff](int value) {
            tiff.push_back(static_cast<std::uint8_t>(value));
            tiff.push_back(static_cast<std::uint8_t>(value >> 8));
        };
        for (const auto& [name, value] : {std::pair{256, 8}, std::pair{257, 8}, std::pair{tag, 50000}})
            for (const int field : {name, 3, 1, 0, value, 0}) add(field);
        QVERIFY(!parse_image_header(tiff));
        tiff[8] = 2;
        QCOMPARE(parse_image_header(tiff)->width, 8);
    }

    void pipes_and_devices_are_refused_at_once() {
        const Folder folder;
        const auto pipe = folder / "pipe.mp4";
        QCOMPARE(mkfifo(pipe.c_str(), 0600), 0);
        for (const auto& file : {pipe, std::filesystem::path("/dev/zero")}) {
            QCOMPARE(error_of([&] { read_image(file); }).code(), ErrorCode::image_unreadable);
            QCOMPARE(error_of([&] { VideoReader reader(file); }).code(), ErrorCode::file_unreadable);
            QCOMPARE(error_of([&] { read_comment(file); }).code(), ErrorCode::file_unreadable);
        }
        for (const char* ending : {".png", ".gif"}) {
            const auto named = folder / (std::string("pipe") + ending);
            QCOMPARE(mkfifo(named.c_str(), 0600), 0);
            QCOMPARE(error_of([&] { read_comment(named); }).code(), ErrorCode::file_unreadable);
        }
    }

    void broken_videos_are_rejected_safely_data() {
        QTest::addColumn<QString>("ending");
        for (const char* ending : {".mp4", ".mkv", ".webm", ".gif"}) QTest::newRow(ending) << ending;
    }
    void broken_videos_are_rejected_safely() {
        QFETCH(QString, ending);
        const Folder folder;
        const auto whole = bytes_of(write_video(options_for(folder / ("clip" + ending.toStdString())), 4));
        const auto broken = folder / ("broken" + ending.toStdString());
        const auto play = [&](std::span<const std::uint8_t> bytes) {
            put(broken, bytes);
            try {
                VideoReader reader(broken);
                for (int i = 0; i < 100 && reader.read(); ++i) continue;
            } catch (const Error& error) {
                QCOMPARE(error.code(), ErrorCode::file_unreadable);
            }
        };
        const std::size_t stride = 1 + whole.size() / 60;
        for (std::size_t at = 0; at < whole.size(); at += stride) {
            play(std::span(whole).first(at));
            auto changed = whole;
            changed[at] = static_cast<std::uint8_t>(~changed[at]);
            play(changed);
        }
    }

    void a_video_of_another_format_is_not_called_sound() {
        const auto file = std::filesystem::path(KINESCOPE_TEST_DATA) / "finish/theora.ogv";
        const Error error = error_of([&] { VideoReader reader(file); });
        QCOMPARE(error.code(), ErrorCode::file_unreadable);
        QVERIFY2(error.message().find("sound") == std::string::npos, error.what());
    }

    void a_cover_picture_is_not_a_video() {
        const auto clips = std::filesystem::path(KINESCOPE_TEST_DATA) / "finish";
        const Error error = error_of([&] { VideoReader reader(clips / "cover.m4a"); });
        QCOMPARE(error.code(), ErrorCode::file_unreadable);
        QVERIFY2(error.message().find("has no video stream") != std::string::npos, error.what());
        const VideoReader reader(clips / "covered.mkv");
        QCOMPARE(reader.info().width, 48);
        QCOMPARE(reader.info().num_frames, 3);
    }

    /// A display matrix takes the picture's (x, y) to (a x + c y, b x + d y).
    void videos_are_shown_as_their_matrix_says_data() {
        QTest::addColumn<int>("a");
        QTest::addColumn<int>("b");
        QTest::addColumn<int>("c");
        QTest::addColumn<int>("d");
        QTest::newRow("upright") << 1 << 0 << 0 << 1;
        QTest::newRow("clockwise") << 0 << 1 << -1 << 0;
        QTest::newRow("upside down") << -1 << 0 << 0 << -1;
        QTest::newRow("counterclockwise") << 0 << -1 << 1 << 0;
        QTest::newRow("left and right swapped") << -1 << 0 << 0 << 1;
        QTest::newRow("top and bottom swapped") << 1 << 0 << 0 << -1;
        QTest::newRow("transposed") << 0 << 1 << 1 << 0;
        QTest::newRow("transposed the other way") << 0 << -1 << -1 << 0;
    }
    void videos_are_shown_as_their_matrix_says() {
        QFETCH(int, a);
        QFETCH(int, b);
        QFETCH(int, c);
        QFETCH(int, d);
        constexpr int kSide = 64, kNear = 16, kFar = 48;
        Frame corner = plain_frame(kSide, kSide, 0, 0, 200);
        for (int y = 0; y < kSide / 2; ++y)
            for (int x = 0; x < kSide / 2; ++x) {
                const auto pixel = corner.pixels.begin() + 3 * (y * kSide + x);
                std::ranges::copy(kRed, pixel);
            }
        const Folder folder;
        SinkOptions options = options_for(folder / "plain.mp4");
        options.width = options.height = kSide;
        const auto sink = open_frame_sink(options);
        sink->write(corner);
        auto bytes = bytes_of(sink->finish());
        auto matrix = std::ranges::search(bytes, std::string_view("tkhd")).begin() + 4 + 40;
        for (const int value : {a, b, 0, c, d}) {
            const auto fixed = static_cast<std::uint32_t>(value) << 16U;
            for (int shift = 24; shift >= 0; shift -= 8) *matrix++ = static_cast<std::uint8_t>(fixed >> shift);
        }
        put(folder / "shown.mp4", bytes);
        const auto frame = VideoReader(folder / "shown.mp4").read();
        QVERIFY(frame);
        const int x = a + c > 0 ? kNear : kFar, y = b + d > 0 ? kNear : kFar;  // the corner is at (-1, -1)
        QVERIFY(is_near(*frame, x, y, kRed));
        QVERIFY(!is_near(*frame, kSide - x, y, kRed));
        QVERIFY(!is_near(*frame, x, kSide - y, kRed));
    }

    void frames_that_an_edit_list_leaves_out_are_not_counted() {
        const Folder folder;
        auto bytes = bytes_of(write_video(options_for(folder / "clip.mp4"), 12));
        const auto box = [&bytes](std::string_view name) { return std::ranges::search(bytes, name).begin() + 4; };
        const auto number = [](auto place) {
            return std::accumulate(place, place + 4, 0U, [](unsigned sum, unsigned byte) { return sum << 8U | byte; });
        };
        const unsigned per_second = number(box("mdhd") + 12);
        const auto begin = box("elst") + 12;  // of the part that is shown
        const unsigned changed = number(begin) + per_second / 2;
        for (int i = 0; i < 4; ++i) *(begin + i) = static_cast<std::uint8_t>(changed >> (24 - 8 * i));
        put(folder / "cut.mp4", bytes);
        for (const std::int64_t read_bytes : {std::int64_t{1} << 30, std::int64_t{1}}) {  // with and without the index
            VideoReader reader(folder / "cut.mp4", {.max_read_bytes = read_bytes});
            int shown = 0;
            while (reader.read()) ++shown;
            QVERIFY(shown < 12 && shown > 0);
            if (reader.info().count == FrameCount::exact) QCOMPARE(reader.info().num_frames, shown);
        }
    }

    void limits_of_videos() {
        const Folder folder;
        const auto file = write_video(options_for(folder / "clip.mp4"));
        const Error too_large = error_of([&] { VideoReader(file, {.max_pixels = 6000}); });
        QCOMPARE(too_large.code(), ErrorCode::file_unreadable);
        QVERIFY(too_large.message().find("have 96 x 64 px; the limit for videos is 6000 px") != std::string::npos);
        QCOMPARE(too_large.arguments().at("size"), std::string("96 x 64"));
        QCOMPARE(too_large.arguments().at("limit_pixels"), std::string("6000"));
        const Error too_long = error_of([&] { VideoReader(file, {.max_frames = 16}); });
        QCOMPARE(too_long.code(), ErrorCode::file_unreadable);
        QCOMPARE(too_long.arguments().at("limit_frames"), std::string("16"));
        QCOMPARE(error_of([&] { VideoReader(folder / "none.mp4"); }).code(), ErrorCode::file_not_found);
    }

    // Expected values: the formulas of BT.2100, BT.2390 and BT.2087, in a program of their own.
    void hdr_colors_become_sdr_data() {
        using Codes = std::vector<std::uint16_t>;
        using Levels = std::vector<std::uint8_t>;
        QTest::addColumn<HdrTransfer>("transfer");
        QTest::addColumn<HdrPrimaries>("primaries");
        QTest::addColumn<Codes>("codes");
        QTest::addColumn<Levels>("levels");
        const auto gray = [](const char* name, HdrTransfer transfer, std::uint16_t code, std::uint8_t level) {
            QTest::newRow(name) << transfer << HdrPrimaries::bt2020 << Codes{code, code, code}
                                << Levels{level, level, level};
        };
        const auto color = [](const char* name, HdrTransfer transfer, HdrPrimaries primaries, const Codes& codes,
                              const Levels& levels) {
            QTest::newRow(name) << transfer << primaries << codes << levels;
        };
        gray("PQ, black", HdrTransfer::pq, 0, 0);
        gray("PQ, 1 cd/m2", HdrTransfer::pq, 9827, 28);
        gray("PQ, 50 cd/m2", HdrTransfer::pq, 28854, 142);
        gray("PQ, white", HdrTransfer::pq, 38055, 230);
        gray("PQ, 400 cd/m2", HdrTransfer::pq, 42767, 250);
        gray("PQ, 1000 cd/m2", HdrTransfer::pq, 49271, 255);
        gray("PQ, 4000 cd/m2", HdrTransfer::pq, 59150, 255);
        const Codes skin = {33297, 31841, 29999};
        color("PQ, red of BT.2020", HdrTransfer::pq, HdrPrimaries::bt2020, {37953, 0, 0}, {246, 0, 0});
        color("PQ, skin", HdrTransfer::pq, HdrPrimaries::bt2020, skin, {199, 169, 149});
        color("PQ, skin, P3", HdrTransfer::pq, HdrPrimaries::p3, skin, {192, 171, 150});
        color("PQ, skin, BT.709", HdrTransfer::pq, HdrPrimaries::bt709, skin, {189, 173, 153});
        gray("HLG, 25 %", HdrTransfer::hlg, 16384, 72);
        gray("HLG, 50 %", HdrTransfer::hlg, 32768, 143);
        gray("HLG, white", HdrTransfer::hlg, 49151, 230);
        gray("HLG, 100 %", HdrTransfer::hlg, 65535, 255);
        const Codes orange = {40000, 30000, 20000};
        color("HLG, orange", HdrTransfer::hlg, HdrPrimaries::bt2020, orange, {196, 126, 86});
        color("HLG, orange, P3", HdrTransfer::hlg, HdrPrimaries::p3, orange, {182, 130, 88});
        color("HLG, orange, BT.709", HdrTransfer::hlg, HdrPrimaries::bt709, orange, {174, 133, 95});
    }
    void hdr_colors_become_sdr() {
        QFETCH(HdrTransfer, transfer);
        QFETCH(HdrPrimaries, primaries);
        QFETCH(std::vector<std::uint16_t>, codes);
        QFETCH(std::vector<std::uint8_t>, levels);
        std::vector<std::uint8_t> sdr(3);
        HdrToSdr({transfer, primaries}).convert(codes, sdr);
        for (std::size_t i = 0; i < 3; ++i) QVERIFY2(std::abs(sdr[i] - levels[i]) <= 1, std::to_string(sdr[i]).c_str());
    }

    void an_hdr_video_is_read_as_sdr() {
        VideoReader reader(std::filesystem::path(KINESCOPE_TEST_DATA) / "finish/hlg.mp4");
        const auto frame = reader.read();
        QVERIFY(frame);
        for (const std::uint8_t level : frame->pixels) QVERIFY(std::abs(level - 230) <= 1);
        QVERIFY(traits_of(reader.info()) == std::vector{ClipTrait::hdr});
    }

    void hdr_tags_select_matrix_and_primaries_data() {
        QTest::addColumn<AVColorSpace>("matrix");
        QTest::addColumn<AVColorPrimaries>("primaries");
        QTest::addColumn<AVColorSpace>("same_matrix");
        QTest::addColumn<AVColorPrimaries>("same_primaries");
        QTest::newRow("untagged") << AVCOL_SPC_UNSPECIFIED << AVCOL_PRI_UNSPECIFIED << AVCOL_SPC_BT2020_NCL
                                  << AVCOL_PRI_BT2020;
        QTest::newRow("theater P3") << AVCOL_SPC_BT709 << AVCOL_PRI_SMPTE431 << AVCOL_SPC_BT709 << AVCOL_PRI_SMPTE432;
        QTest::newRow("PAL") << AVCOL_SPC_BT709 << AVCOL_PRI_BT470BG << AVCOL_SPC_BT709 << AVCOL_PRI_BT709;
    }
    void hdr_tags_select_matrix_and_primaries() {
        QFETCH(AVColorSpace, matrix);
        QFETCH(AVColorPrimaries, primaries);
        QFETCH(AVColorSpace, same_matrix);
        QFETCH(AVColorPrimaries, same_primaries);
        const Frame frame = frame_of_hdr(matrix, primaries);
        QVERIFY(frame.pixels == frame_of_hdr(same_matrix, same_primaries).pixels);
        for (const AVColorPrimaries other : {AVCOL_PRI_BT2020, AVCOL_PRI_SMPTE432, AVCOL_PRI_BT709})
            QCOMPARE(frame_of_hdr(same_matrix, other).pixels == frame.pixels, other == same_primaries);
    }

    void an_untagged_video_follows_its_size_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<AVColorSpace>("matrix");
        QTest::newRow("small") << QSize(96, 64) << AVCOL_SPC_SMPTE170M;
        QTest::newRow("PAL") << QSize(720, 576) << AVCOL_SPC_SMPTE170M;
        QTest::newRow("wide PAL") << QSize(1024, 576) << AVCOL_SPC_SMPTE170M;
        QTest::newRow("720p") << QSize(1280, 720) << AVCOL_SPC_BT709;
        QTest::newRow("720p without black bars") << QSize(1280, 536) << AVCOL_SPC_BT709;
        QTest::newRow("upright") << QSize(608, 1080) << AVCOL_SPC_BT709;
    }
    void an_untagged_video_follows_its_size() {
        QFETCH(QSize, size);
        QFETCH(AVColorSpace, matrix);
        const Frame frame = frame_of_green(size, AVCOL_SPC_UNSPECIFIED);
        QVERIFY(frame.pixels == frame_of_green(size, matrix).pixels);
        const Frame tagged = frame_of_green(size, AVCOL_SPC_BT709);
        QCOMPARE(tagged.pixels == frame.pixels, matrix == AVCOL_SPC_BT709);
    }

    /// The matrix of VP8 and MJPEG is always that of BT.601.
    void written_videos_are_read_with_their_matrix_data() {
        QTest::addColumn<QString>("codec");
        QTest::addColumn<QString>("name");
        for (const char* codec : {"prores_ks", "mpeg4", "libx264", "mjpeg"})
            QTest::newRow(codec) << codec << "green.mov";
        for (const char* codec : {"libvpx", "libvpx-vp9"}) QTest::newRow(codec) << codec << "green.webm";
    }
    void written_videos_are_read_with_their_matrix() {
        QFETCH(QString, codec);
        QFETCH(QString, name);
        Folder folder;
        SinkOptions options = options_for(folder / name.toStdString());
        options.output.codec = codec.toStdString();
        const auto sink = open_frame_sink(options);
        for (int i = 0; i < 3; ++i) sink->write(plain_frame(kWidth, kHeight, 0, 200, 0));
        const auto frame = VideoReader(sink->finish()).read();
        QVERIFY(frame && is_near(*frame, 10, 10, {0, 200, 0}));
    }

    void unknown_color_spaces_are_refused() {
        for (const AVColorSpace matrix : {AVCOL_SPC_ICTCP, AVCOL_SPC_YCGCO}) {
            const Error error = error_of([matrix] { frame_of_hdr(matrix, AVCOL_PRI_BT2020); });
            QCOMPARE(error.code(), ErrorCode::unsupported);
            QVERIFY(error.message().find(av_color_space_name(matrix)) != std::string::npos);
        }
    }

    void a_missing_end_is_noticed_data() {
        QTest::addColumn<QString>("ending");
        for (const char* ending : {".mp4", ".mov", ".mkv", ".webm", ".gif"}) QTest::newRow(ending) << ending;
    }
    void a_missing_end_is_noticed() {
        QFETCH(QString, ending);
        const Folder folder;
        auto bytes = bytes_of(write_video(options_for(folder / ("clip" + ending.toStdString()))));
        const auto file = folder / ("changed" + ending.toStdString());
        const auto extent_with = [&](const std::vector<std::uint8_t>& contents) {
            put(file, contents);
            return VideoReader(file).info().extent;
        };
        const auto first_part = [&] { return std::vector(bytes.begin(), bytes.end() - std::ssize(bytes) / 4); };
        QCOMPARE(extent_with(bytes), FileExtent::whole);
        QCOMPARE(extent_with(first_part()), FileExtent::cut);
        QVERIFY(traits_of(VideoReader(file).info()) == std::vector{ClipTrait::cut});
        bytes.insert(bytes.end(), 100, 0);
        QCOMPARE(extent_with(bytes), FileExtent::whole);
    }

    // As browsers write it: the length of the segment is unknown.
    void a_live_recording_has_no_end() {
        const Folder folder;
        auto bytes = bytes_of(write_video(options_for(folder / "clip.mkv")));
        constexpr std::array<std::uint8_t, 4> kSegment = {0x18, 0x53, 0x80, 0x67};
        const auto segment = std::ranges::search(bytes, kSegment).begin();
        QVERIFY(segment != bytes.end());
        std::fill_n(segment + 4, 8, std::uint8_t{0xFF});
        *(segment + 4) = 1;
        bytes.resize(bytes.size() * 3 / 4);
        put(folder / "live.mkv", bytes);
        QCOMPARE(VideoReader(folder / "live.mkv").info().extent, FileExtent::whole);
    }

    void pixels_become_square() {
        VideoReader reader(std::filesystem::path(KINESCOPE_TEST_DATA) / "finish/wide.mkv");
        QCOMPARE(reader.info().width, 96);
        QCOMPARE(reader.info().height, 64);
        const auto frame = reader.read();
        QCOMPARE(frame->width, 96);
        QCOMPARE(frame->pixels.size(), std::size_t{3 * 96 * 64});
        QVERIFY(traits_of(reader.info()) == std::vector{ClipTrait::stretched_pixels});
    }

    void a_declared_rate_must_not_drift_data() {
        QTest::addColumn<double>("declared");
        QTest::addColumn<double>("step");
        QTest::addColumn<FrameRate>("rate");
        QTest::newRow("right") << 30.0 << 1.0 / 30 << FrameRate{30, 1};
        QTest::newRow("television") << 30000.0 / 1001 << 1001.0 / 30000 << FrameRate{30000, 1001};
        QTest::newRow("a little too fast") << 30.0 << 1001.0 / 30000 << FrameRate{30000, 1001};
        QTest::newRow("of 60 frames, one is missing") << 30.0 << 1 / 29.5 << FrameRate{29500, 1000};
    }
    void a_declared_rate_must_not_drift() {
        QFETCH(double, declared);
        QFETCH(double, step);
        QFETCH(FrameRate, rate);
        std::vector<double> times;
        for (int i = 0; i < 1800; ++i) times.push_back(std::round(1000 * step * i) / 1000);
        const FrameTimes found = frame_times(times, {.mean = declared});
        QVERIFY2(found.rate == rate, qPrintable(QString::number(found.rate.value(), 'g', 8)));
        QCOMPARE(found.timing, FrameTiming::constant);
    }

    void two_frames_in_milliseconds_have_the_declared_rate() {
        for (const int fps : {24, 60, 120})
            QVERIFY(frame_times({0, std::round(1000.0 / fps) / 1000}, {.mean = double(fps)}).rate ==
                    (FrameRate{fps, 1}));
    }

    void a_rate_keeps_the_length_of_a_video_data() {
        QTest::addColumn<FrameTiming>("timing");
        QTest::addColumn<double>("span");
        QTest::addColumn<int>("frames");
        QTest::addColumn<double>("rate");
        QTest::newRow("even") << FrameTiming::constant << 1.0 << 61 << 60.0;
        QTest::newRow("every fifth frame is late") << FrameTiming::variable << 2.0 << 60 << 29.5;
        QTest::newRow("one frame") << FrameTiming::variable << 0.0 << 1 << 60.0;
        QTest::newRow("unknown length") << FrameTiming::variable << 0.0 << 60 << 60.0;
        QTest::newRow("frames in nanoseconds") << FrameTiming::variable << 1e-7 << 60 << 0.0;
    }
    void a_rate_keeps_the_length_of_a_video() {
        QFETCH(FrameTiming, timing);
        QFETCH(double, span);
        QFETCH(int, frames);
        QFETCH(double, rate);
        VideoInfo video;
        video.rate = {60, 1};
        video.timing = timing;
        video.span = span;
        video.num_frames = frames;
        QCOMPARE(even_rate(video).value(), rate);
    }

    void unusual_facts_pass_between_processes() {
        ClipFacts facts;
        facts.video.fps = 1e9;
        const TrackFormat format{.codec = "adpcm_ima_wav",
                                 .sample_rate = 44100,
                                 .num_channels = 2,
                                 .bit_rate = -1,
                                 .block_align = 2048,
                                 .bits_per_coded_sample = 4,
                                 .time_base = {1, INT_MAX},
                                 .codec_parameters = {}};
        facts.tracks = {{.stream = 1, .format = format, .language = {}, .title = {}}};
        for (int i = 0; i < 10'001; ++i) facts.metadata["key" + std::to_string(i)] = "value";
        const auto taken = take_facts(message_of(words_of(facts)));
        QVERIFY(taken.has_value());
        QCOMPARE(taken->metadata.size(), std::size_t{10'000});
        const TrackFormat& sound = taken->tracks.at(0).format;
        QCOMPARE(sound.block_align, 2048);
        QCOMPARE(sound.bits_per_coded_sample, 4);
        QCOMPARE(sound.time_base.den, INT_MAX);
        QCOMPARE(sound.bit_rate, std::int64_t{0});
    }

    void a_packet_with_a_negative_duration_has_an_unknown_one() {
        const TrackPart<TrackPacket> part{.values = {{.bytes = "ab", .time = 5, .duration = -1}}};
        const auto taken = take_packets(message_of(part));
        QVERIFY(taken.has_value());
        QCOMPARE(taken->values.at(0).time, std::int64_t{5});
        QCOMPARE(taken->values.at(0).duration, std::int64_t{0});
    }

    /// Its times are on a grid of 10 frames per second, and 10 frames take 1.4 s.
    void uneven_frames_are_read_with_their_mean_rate() {
        const auto file = std::filesystem::path(KINESCOPE_TEST_DATA) / "finish/uneven.mp4";
        QCOMPARE(ClipCursor().read(file, 0).fps, 6.429);
    }

    void frames_after_skipped_ones_are_the_same() {
        const Folder folder;
        const auto file = write_video(options_for(folder / "clip.mp4"));
        VideoReader all(file), some(file);
        for (int i = 0; i < kNumFrames; ++i) {
            const auto frame = all.read();
            QVERIFY(frame);
            if (i % 5 != 4) {
                QVERIFY(some.skip());
                continue;
            }
            QCOMPARE(some.read().value().pixels, frame->pixels);
            QCOMPARE(some.seconds(), all.seconds());
        }
        QVERIFY(!some.skip());
        QVERIFY(!some.read());
    }

    void fields_are_noticed() {
        const VideoReader reader(std::filesystem::path(KINESCOPE_TEST_DATA) / "finish/interlaced.mp4");
        QCOMPARE(reader.info().num_frames, 5);
        QVERIFY(traits_of(reader.info()) == std::vector{ClipTrait::interlaced});
    }

    /// The header of the file does not mention the fields.
    void fields_that_only_frames_tell_of_are_noticed() {
        const auto file = std::filesystem::path(KINESCOPE_TEST_DATA) / "finish/fields.mp4";
        VideoReader reader(file);
        QVERIFY(traits_of(reader.info()).empty());
        QVERIFY(reader.read());
        QVERIFY(traits_of(reader.info()) == std::vector{ClipTrait::interlaced});
        QVERIFY(ClipCursor().read(file, 0).traits == std::vector{ClipTrait::interlaced});
    }

    /// The decoder fills the damaged part of a frame and returns the frame like others.
    void damaged_frames_are_noticed_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"damaged.mp4", "reordered.mp4"}) QTest::newRow(name) << name;
    }
    void damaged_frames_are_noticed() {
        QFETCH(QString, name);
        const auto file = std::filesystem::path(KINESCOPE_TEST_DATA) / "finish" / name.toStdString();
        VideoReader reader(file);
        QVERIFY(reader.read());
        QVERIFY(traits_of(reader.info()).empty());
        while (reader.skip()) continue;
        QVERIFY(traits_of(reader.info()) == std::vector{ClipTrait::damaged});
        QVERIFY(ClipCursor().read(file, 0).traits == std::vector{ClipTrait::damaged});
        QCOMPARE(read_frames(file, {.max_frames = 5}).size(), std::size_t{5});
        QCOMPARE(error_of([&] { read_frames(file, {}); }).code(), ErrorCode::file_unreadable);
    }

    void frames_are_read_in_portions_data() {
        QTest::addColumn<int>("max_frames");
        QTest::addColumn<int>("first");
        QTest::newRow("all") << 0 << 0;
        QTest::newRow("all, from the middle") << 0 << 9;
        QTest::newRow("some") << 4 << 0;
        QTest::newRow("some, from the third") << 4 << 2;
        QTest::newRow("none is left") << 4 << 4;
    }
    /// Without time, a portion is one step: a frame that is read or skipped.
    void frames_are_read_in_portions() {
        QFETCH(int, max_frames);
        QFETCH(int, first);
        const Folder folder;
        const auto video = write_video(options_for(folder / "clip.mp4"));
        const FrameSelection selection{.max_frames = max_frames, .max_width_px = 16};
        const auto all = read_frames(video, selection);
        SelectionCursor cursor(video, selection, first);
        auto at = static_cast<std::size_t>(first);
        for (bool has_ended = false; !has_ended;) {
            QVERIFY(cursor.can_continue(video, selection, static_cast<int>(at)));
            const FramePortion portion = cursor.read(0);
            QVERIFY(portion.frames.size() <= 1);
            for (const FramePtr& frame : portion.frames) QCOMPARE(frame->pixels, all.at(at++)->pixels);
            has_ended = portion.has_ended;
        }
        QCOMPARE(at, all.size());
        QVERIFY(cursor.read(0).has_ended);
    }

    void selected_frames_are_found_by_key_frames_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("codec");
        QTest::addColumn<bool>("has_keys");
        QTest::newRow("H.264 in MP4") << "clip.mp4"
                                      << "" << true;
        QTest::newRow("H.264 in MKV") << "clip.mkv"
                                      << "libx264" << true;
        QTest::newRow("H.265, whose key frames have leading frames") << "clip.mkv"
                                                                     << "libx265" << true;
        QTest::newRow("VP9") << "clip.webm"
                             << "" << true;
        QTest::newRow("every frame is a key frame") << "clip.mov"
                                                    << "prores_ks" << true;
        QTest::newRow("GIF") << "clip.gif"
                             << "" << false;
    }
    void selected_frames_are_found_by_key_frames() {
        QFETCH(QString, name);
        QFETCH(QString, codec);
        QFETCH(bool, has_keys);
        const Folder folder;
        SinkOptions options = options_for(folder / name.toStdString());
        options.output.codec = codec.toStdString();
        const auto video = write_long(options);
        const SelectionRead some = read_in_steps(video);
        expect_selected(some.frames, video);
        const bool is_short = some.num_steps < kLongFrames * 3 / 4;
        QVERIFY2(is_short == has_keys, qPrintable(QString::number(some.num_steps)));
    }

    /// The file calls every frame a key frame, but the decoder finds none after a seek.
    void false_key_frames_do_no_harm() {
        const Folder folder;
        const auto video = write_long(options_for(folder / "clip.mkv"), 1);
        const auto copy = with_false_keys(video, folder / "false.mkv");
        expect_selected(read_in_steps(copy).frames, video);
    }

    void selections_are_read_in_turns() {
        const Folder folder;
        const auto video = write_video(options_for(folder / "clip.mp4"));
        const auto other = write_video(options_for(folder / "other.mkv"));
        SelectionCursors cursors;
        for (int count = 1; count < 8; ++count) {  // more than are kept open
            const FramePortion portion = cursors.read(count % 2 == 0 ? video : other, {.max_frames = count}, 0);
            QCOMPARE(portion.frames.size(), static_cast<std::size_t>(count));
            QVERIFY(portion.has_ended);
        }
        QCOMPARE(cursors.read(video, {}, 3).frames.size(), std::size_t{kNumFrames - 3});
        QCOMPARE(error_of([&] { cursors.read(folder / "none.mp4", {}, 0); }).code(), ErrorCode::file_not_found);
    }

    void reading_frames_can_be_cancelled() {
        const Folder folder;
        const auto video = write_video(options_for(folder / "clip.mp4"));
        GuardedReader reader({});
        QCOMPARE(error_of([&] { reader.read_frames(video, {}, [] { return true; }); }).code(), ErrorCode::cancelled);
        QCOMPARE(reader.read_frames(video, {}, [] { return false; }).size(), std::size_t{kNumFrames});
    }

    void a_very_large_file_is_not_read_to_count_its_frames_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<FrameCount>("count");
        QTest::newRow("by its index") << "phone.mp4" << FrameCount::exact;
        QTest::newRow("uneven, by its index") << "uneven.mp4" << FrameCount::exact;
        QTest::newRow("by its duration") << "wide.mkv" << FrameCount::estimated;
    }
    void a_very_large_file_is_not_read_to_count_its_frames() {
        QFETCH(QString, name);
        QFETCH(FrameCount, count);
        const auto file = std::filesystem::path(KINESCOPE_TEST_DATA) / "finish" / name.toStdString();
        const VideoInfo all = VideoReader(file).info();
        VideoReader reader(file, {.max_read_bytes = 1});
        QCOMPARE(all.count, FrameCount::exact);
        QCOMPARE(reader.info().count, count);
        QCOMPARE(ClipCursor({.max_read_bytes = 1}).read(file, 0).count, count);
        QCOMPARE(reader.info().num_frames, all.num_frames);
        QVERIFY(reader.info().rate == all.rate);
        QCOMPARE(reader.info().timing, all.timing);
        int read = 0;
        while (reader.read()) ++read;
        QCOMPARE(read, all.num_frames);
    }

    void sound_that_starts_late_begins_with_silence() {
        const auto pcm =
            GuardedReader("").read_pcm(std::filesystem::path(KINESCOPE_TEST_DATA) / "finish/late.mkv", -1, 0).values;
        QCOMPARE(pcm.size(), std::size_t{2 * kPcmRate * 3 / 2});
        const auto quiet = static_cast<std::ptrdiff_t>(2 * kPcmRate / 2);
        QVERIFY(std::all_of(pcm.begin(), pcm.begin() + quiet, [](float value) { return value == 0; }));
        QVERIFY(std::any_of(pcm.begin() + quiet, pcm.begin() + quiet + 1000, [](float value) { return value > 0.05; }));
    }

    // Packets from 1 to 2 s are missing.
    void sound_after_a_gap_keeps_its_time() {
        const auto pcm =
            GuardedReader("").read_pcm(std::filesystem::path(KINESCOPE_TEST_DATA) / "finish/gap.mkv", -1, 0).values;
        const auto is_loud = [&](double from, double to) {
            const auto at = [&](double time) { return pcm.begin() + std::llround(2 * kPcmRate * time); };
            return std::any_of(at(from), at(to), [](float value) { return std::abs(value) > 0.05; });
        };
        QVERIFY2(std::abs(std::ssize(pcm) - 2 * kPcmRate * 3) < 2 * kPcmRate / 20, std::to_string(pcm.size()).c_str());
        QVERIFY(is_loud(0.8, 0.9));
        QVERIFY(!is_loud(1.15, 1.85));
        QVERIFY(is_loud(2.15, 2.2));
    }

    /// libav would look at 8 GiB of zeros for many minutes.
    void zeros_after_the_sound_of_a_wave_file_are_not_read() {
        const Folder folder;
        const std::filesystem::path tone = std::filesystem::path(KINESCOPE_TEST_DATA) / "finish/tone.wav";
        const std::filesystem::path padded = folder / "padded.wav";
        std::filesystem::copy_file(tone, padded);
        std::filesystem::resize_file(padded, std::uintmax_t{8} << 30);  // sparse
        GuardedReader reader("");
        const auto pcm = reader.read_pcm(padded, -1, 0).values;
        QVERIFY(!pcm.empty() && pcm == reader.read_pcm(tone, -1, 0).values);
        const auto after = reader.read_pcm(padded, -1, std::ssize(pcm));
        QVERIFY(after.values.empty() && after.has_ended);
        QVERIFY_THROWS_EXCEPTION(Error, open_media_input(padded));  // looks for sound, too
    }

    // A playlist with the name of a video must not make libav open the listed files.
    void playlists_are_not_followed() {
        const Folder folder;
        const auto file = write_video(options_for(folder / "clip.mp4"));
        std::ofstream(folder / "list.mp4") << "ffconcat version 1.0\nfile clip.mp4\n";
        QCOMPARE(error_of([&] { VideoReader(folder / "list.mp4"); }).code(), ErrorCode::file_unreadable);
    }
};

QTEST_GUILESS_MAIN(TestReadingFiles)
#include "test_reading_files.moc"
