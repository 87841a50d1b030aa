#include <QTest>
#include <opencv2/imgcodecs.hpp>

#include "core/media/image_header.h"
#include "core/media/image_io.h"
#include "media_fixtures.h"
#include "reading_fixtures.h"

using namespace kinescope;
using namespace kinescope::test;

namespace {

/// Returns an image of 40 x 20 pixels, left half red, right half blue, encoded by OpenCV.
std::vector<std::uint8_t> two_halves(const std::string& ending) {
    cv::Mat image(20, 40, CV_8UC3, cv::Scalar(0, 0, 255));
    image.colRange(20, 40).setTo(cv::Scalar(255, 0, 0));
    std::vector<std::uint8_t> bytes;
    cv::imencode(ending, image, bytes);
    return bytes;
}

/// Inserts an APP1 segment that contains only the EXIF orientation.
std::vector<std::uint8_t> with_orientation(std::vector<std::uint8_t> jpeg, std::uint8_t orientation) {
    const std::vector<std::uint8_t> segment = {0xFF, 0xE1, 0, 34, 'E', 'x',         'i', 'f', 0, 0,    'M', 'M',
                                               0,    42,   0, 0,  0,   8,           0,   1,   1, 0x12, 0,   3,
                                               0,    0,    0, 1,  0,   orientation, 0,   0,   0, 0,    0,   0};
    jpeg.insert(jpeg.begin() + 2, segment.begin(), segment.end());
    return jpeg;
}

}  // namespace

class TestImageFiles : public QObject {
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

        const Error too_large = thrown_by([&] { read_image(file, {.max_pixels = 799}); });
        QCOMPARE(too_large.code(), ErrorCode::image_unreadable);
        QCOMPARE(too_large.arguments().at("size"), std::string("40 x 20"));
        QCOMPARE(too_large.arguments().at("limit_pixels"), std::string("799"));
        const auto num_bytes = std::ssize(bytes);
        QCOMPARE(read_image(file, {.max_pixels = 800, .max_file_bytes = num_bytes}).width, 40);
        QCOMPARE(thrown_by([&] { read_image(file, {.max_file_bytes = num_bytes - 1}); }).code(),
                 ErrorCode::image_unreadable);
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

    void a_header_that_lies_about_the_size() {
        const Folder folder;
        auto png = two_halves(".png");
        png[16] = 0x7F;
        put(folder / "huge.png", png);
        const Error error = thrown_by([&] { read_image(folder / "huge.png"); });
        QCOMPARE(error.code(), ErrorCode::image_unreadable);
        QVERIFY(error.message().find("2130706472 x 20") != std::string::npos);
    }

    void not_images() {
        const Folder folder;
        QCOMPARE(thrown_by([&] { read_image(folder / "none.png"); }).code(), ErrorCode::file_not_found);
        QCOMPARE(thrown_by([&] { read_image(folder.path()); }).code(), ErrorCode::image_unreadable);
        put(folder / "empty.png", {});
        QCOMPARE(thrown_by([&] { read_image(folder / "empty.png"); }).code(), ErrorCode::image_unreadable);
        auto webp = two_halves(".webp");
        webp.resize(webp.size() / 2);
        put(folder / "cut.webp", webp);
        QCOMPARE(thrown_by([&] { read_image(folder / "cut.webp"); }).code(), ErrorCode::image_unreadable);
    }

    void a_video_is_no_image_data() {
        QTest::addColumn<QString>("video");
        for (const char* video : {"one.mp4", "late.mkv"}) QTest::newRow(video) << video;
    }
    void a_video_is_no_image() {
        QFETCH(QString, video);
        const auto file = std::filesystem::path(KINESCOPE_TEST_DATA) / "finish" / video.toStdString();
        const Error error = thrown_by([&] { read_image(file); });
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
        QCOMPARE(thrown_by([&] { read_image(folder / "cut"); }).code(), ErrorCode::image_unreadable);
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
        const auto error = thrown_by([&] { read_image(folder / "long.png"); });
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
};

QTEST_GUILESS_MAIN(TestImageFiles)
#include "test_image_files.moc"
