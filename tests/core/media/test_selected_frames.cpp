#include <QSize>
#include <QTest>
#include <algorithm>

#include "core/media/frame_sink.h"
#include "core/media/guarded_reader.h"
#include "core/media/media_input.h"
#include "core/media/read_frames.h"
#include "core/media/video_reader.h"
#include "media_fixtures.h"

using namespace kinescope;
using namespace kinescope::test;

namespace {

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

class TestSelectedFrames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void selected_frames_are_evenly_spaced_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("max_frames");
        QTest::addColumn<QList<int>>("indices");
        QTest::newRow("all") << 3 << 0 << QList<int>{0, 1, 2};
        QTest::newRow("fewer than asked for") << 3 << 7 << QList<int>{0, 1, 2};
        QTest::newRow("first, middle and last") << 10 << 3 << QList<int>{0, 4, 9};
        QTest::newRow("one") << 10 << 1 << QList<int>{0};
        QTest::newRow("none") << 0 << 3 << QList<int>{};
        QTest::newRow("a very long video") << 2'000'000'000 << 4 << QList<int>{0, 666666666, 1333333332, 1999999999};
    }
    void selected_frames_are_evenly_spaced() {
        QFETCH(int, count);
        QFETCH(int, max_frames);
        QFETCH(QList<int>, indices);
        const auto found = selected_indices(count, max_frames);
        QCOMPARE(QList<int>(found.begin(), found.end()), indices);
    }

    void selected_frames_keep_their_shape_data() {
        QTest::addColumn<int>("max_width");
        QTest::addColumn<QSize>("size");
        QTest::newRow("any width") << 0 << QSize(96, 64);
        QTest::newRow("as wide") << 96 << QSize(96, 64);
        QTest::newRow("narrower") << 48 << QSize(48, 32);
        QTest::newRow("rounded down") << 16 << QSize(16, 10);
        QTest::newRow("one pixel") << 1 << QSize(1, 1);
    }
    void selected_frames_keep_their_shape() {
        QFETCH(int, max_width);
        QFETCH(QSize, size);
        const Folder folder;
        const auto video = write_video(options_for(folder / "clip.mp4"), 2);
        const auto frames = read_frames(video, {.max_frames = 1, .max_width_px = max_width});
        QCOMPARE(frames.size(), std::size_t{1});
        QCOMPARE(QSize(frames[0]->width, frames[0]->height), size);
        QCOMPARE(frames[0]->pixels.size(), static_cast<std::size_t>(3 * size.width() * size.height()));
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
        QCOMPARE(thrown_by([&] { cursors.read(folder / "none.mp4", {}, 0); }).code(), ErrorCode::file_not_found);
    }

    void reading_frames_can_be_cancelled() {
        const Folder folder;
        const auto video = write_video(options_for(folder / "clip.mp4"));
        GuardedReader reader({});
        QCOMPARE(thrown_by([&] { reader.read_frames(video, {}, [] { return true; }); }).code(), ErrorCode::cancelled);
        QCOMPARE(reader.read_frames(video, {}, [] { return false; }).size(), std::size_t{kNumFrames});
    }
};

QTEST_GUILESS_MAIN(TestSelectedFrames)
#include "test_selected_frames.moc"
