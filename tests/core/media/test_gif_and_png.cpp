#include <QTest>
#include <fstream>

#include "core/media/gif_comment.h"
#include "core/media/image_io.h"
#include "core/media/palette.h"
#include "core/media/png_text.h"
#include "core/media/video_reader.h"
#include "media_fixtures.h"
#include "reading_fixtures.h"

using namespace kinescope;
using namespace kinescope::test;

namespace {

SinkOptions described(const std::filesystem::path& file) {
    SinkOptions options = options_for(file);
    options.metadata = {{"title", "a red ball"}, {"comment", long_comment()}};
    return options;
}

}  // namespace

class TestGifAndPng : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void gif_round_trips() {
        const Folder folder;
        const auto file = write_video(described(folder / "clip.gif"));
        VideoReader reader(file);
        QCOMPARE(reader.info().num_frames, kNumFrames);
        for (int i = 0; i < kNumFrames; ++i) QVERIFY(psnr(reader.read().value(), moving_square(i)) > 30);
        QCOMPARE(read_comment(file), long_comment());
    }

    void the_comment_of_a_large_gif_is_read() {
        const Folder folder;
        const auto file = folder / "large.gif";
        std::string block(256, '\xFF');  // the size and the bytes of a sub-block
        std::string part = "\x21\x01";   // a plain text extension
        for (int i = 0; i < 4096; ++i) part += block;
        part += '\0';
        std::ofstream stream(file, std::ios::binary);
        stream << std::string("GIF89a\x01\0\x01\0\0\0\0", 13);
        for (int i = 0; i < 257; ++i) stream << part;
        const auto end = gif_comment_and_trailer("settings");
        stream.write(reinterpret_cast<const char*>(end.data()), std::ssize(end));
        stream.close();
        QCOMPARE(read_comment(file), std::string("settings"));
    }

    void few_colors_are_exact() {
        const Folder folder;
        SinkOptions options = options_for(folder / "clip.gif");
        const auto sink = open_frame_sink(options);
        sink->write(plain_frame(kWidth, kHeight, 201, 33, 7));
        sink->write(plain_frame(kWidth, kHeight, 12, 34, 200));
        VideoReader reader(sink->finish());
        QCOMPARE(reader.read().value().pixels, plain_frame(kWidth, kHeight, 201, 33, 7).pixels);
        QCOMPARE(reader.read().value().pixels, plain_frame(kWidth, kHeight, 12, 34, 200).pixels);
    }

    void palette_has_at_most_the_requested_colors() {
        ColorHistogram histogram;
        QCOMPARE(histogram.palette(256).size(), std::size_t{1});
        for (int i = 0; i < kNumFrames; ++i) histogram.add(moving_square(i));
        QCOMPARE(histogram.palette(16).size(), std::size_t{16});
    }

    void png_folder_round_trips_exactly() {
        const Folder folder;
        const auto frames = write_video(described(folder / "frames"));
        for (int i = 0; i < kNumFrames; ++i) {
            const auto file = frames / QString("%1.png").arg(i, 5, 10, QChar('0')).toStdString();
            QCOMPARE(read_image(file).pixels, moving_square(i).pixels);
        }
        QCOMPARE(read_comment(frames), long_comment());
        QCOMPARE(read_comment(frames / "00000.png"), long_comment());
        QCOMPARE(thrown_by([&] { read_comment(frames / "00001.png"); }).code(), ErrorCode::no_settings);
    }

    // Truncates at every byte, including the chunk header in the first 64 bytes after the file header.
    void endings_of_any_case_are_known_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"frame.Png", "frame.PNG", "clip.Gif", "clip.GIF"}) QTest::newRow(name) << name;
    }
    void endings_of_any_case_are_known() {
        QFETCH(QString, name);
        const Folder folder;
        const auto file = write_video(described(folder / name.toStdString()), 1);
        QVERIFY(std::filesystem::is_regular_file(file));
        QCOMPARE(read_comment(file), long_comment());
    }

    void broken_comments_are_rejected_safely_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"00000.png", "clip.gif", "clip.mp4", "clip.mkv"}) QTest::newRow(name) << name;
    }
    void broken_comments_are_rejected_safely() {
        QFETCH(QString, name);
        const Folder folder;
        const bool is_png = name.endsWith(".png");
        const auto made = write_video(described(folder / (is_png ? "frames" : name.toStdString())), 2);
        const auto whole = bytes_of(is_png ? made / "00000.png" : made);
        const auto broken = folder / ("broken-" + name.toStdString());
        int num_refused = 0;
        const auto try_reading = [&](std::span<const std::uint8_t> bytes) {
            put(broken, bytes);
            try {
                read_comment(broken);
            } catch (const Error& error) {
                QVERIFY(error.code() == ErrorCode::no_settings || error.code() == ErrorCode::file_unreadable);
                ++num_refused;
            }
        };
        for (std::size_t length = 0; length < whole.size(); length += 1 + length / 8)
            try_reading(std::span(whole).first(length));
        for (std::size_t at = 0; at < std::min<std::size_t>(whole.size(), 160); ++at) {
            auto changed = whole;
            changed[at] = 0xFF;
            try_reading(changed);
        }
        QVERIFY(num_refused > 0);
    }

    void plain_png_text_is_read() {
        const Folder folder;
        write_png(folder / "a.png", moving_square(0));
        std::vector<std::uint8_t> png = bytes_of(folder / "a.png");
        const std::string chunk = std::string("\0\0\0\x0AtEXtcomment\0hi....", 22);
        png.insert(png.begin() + 33, chunk.begin(), chunk.end());
        QCOMPARE(find_png_text(png, "Comment").value(), std::string("hi"));
    }

    void missing_files_and_comments_are_errors() {
        const Folder folder;
        QCOMPARE(thrown_by([&] { read_comment(folder / "none.mp4"); }).code(), ErrorCode::file_not_found);
        QCOMPARE(thrown_by([&] { read_comment(folder / "none.png"); }).code(), ErrorCode::file_not_found);
        for (const char* name : {"clip.mp4", "clip.gif", "frames"})
            QCOMPARE(thrown_by([&] { read_comment(write_video(options_for(folder / name), 2)); }).code(),
                     ErrorCode::no_settings);
    }
};

QTEST_GUILESS_MAIN(TestGifAndPng)
#include "test_gif_and_png.moc"
