#include <QTest>
#include <random>

#include "core/media/av_encoder.h"
#include "core/media/av_handles.h"
#include "core/media/guarded_reader.h"
#include "core/media/media_input.h"
#include "core/media/saved_chunks.h"
#include "core/media/track_input.h"
#include "core/media/video_reader.h"
#include "media_fixtures.h"

using namespace kinescope;
using namespace kinescope::test;

namespace {

/// Returns the first frame as libav decodes it.
AvFramePtr first_picture(const std::filesystem::path& file) {
    const AvInputPtr input = open_media_input(file);
    find_stream_info(*input, VideoLimits().max_pixels);
    const AVCodecParameters& parameters = *input->streams[0]->codecpar;
    const AVCodec* codec = avcodec_find_decoder(parameters.codec_id);
    const AvCodecPtr decoder(av_allocated(avcodec_alloc_context3(codec)));
    const AvPacketPtr packet(av_allocated(av_packet_alloc()));
    AvFramePtr picture(av_allocated(av_frame_alloc()));
    const bool is_read =
        avcodec_parameters_to_context(decoder.get(), &parameters) >= 0 &&
        avcodec_open2(decoder.get(), codec, nullptr) >= 0 && av_read_frame(input.get(), packet.get()) >= 0 &&
        avcodec_send_packet(decoder.get(), packet.get()) >= 0 && avcodec_send_packet(decoder.get(), nullptr) >= 0 &&
        avcodec_receive_frame(decoder.get(), picture.get()) >= 0;
    return is_read ? std::move(picture) : AvFramePtr();
}

SinkOptions described(const std::filesystem::path& file) {
    SinkOptions options = options_for(file);
    options.metadata = {{"title", "a red ball"}, {"comment", long_comment()}};
    return options;
}

}  // namespace

class TestVideoFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void videos_round_trip_data() {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QString>("codec");
        QTest::addColumn<double>("least_psnr");
        QTest::newRow("mp4") << ".mp4"
                             << "h264" << 38.0;
        QTest::newRow("mov") << ".mov"
                             << "h264" << 38.0;
        QTest::newRow("mkv") << ".mkv"
                             << "h264" << 38.0;
        QTest::newRow("webm") << ".webm"
                              << "vp9" << 36.0;
    }
    void videos_round_trip() {
        QFETCH(QString, ending);
        QFETCH(QString, codec);
        QFETCH(double, least_psnr);
        const Folder folder;
        const auto file = folder / ("clip" + ending.toStdString());
        QCOMPARE(write_video(described(file)), file);
        QCOMPARE(folder.names().size(), std::size_t{1});

        VideoReader reader(file);
        const VideoInfo& info = reader.info();
        QCOMPARE(info.width, kWidth);
        QCOMPARE(info.height, kHeight);
        QCOMPARE(info.fps, double(kFps));
        QCOMPARE(info.num_frames, kNumFrames);
        QVERIFY(info.codec.find(codec.toStdString()) != std::string::npos);
        QCOMPARE(info.pixel_format, std::string("yuv420p"));
        QCOMPARE(info.color_space, std::string("bt709"));
        QCOMPARE(info.color_range, std::string("tv"));
        for (int i = 0; i < kNumFrames; ++i) {
            const std::optional<Frame> frame = reader.read();
            QVERIFY(frame);
            const double found = psnr(*frame, moving_square(i));
            QVERIFY2(found > least_psnr, qPrintable(QString("frame %1: %2 dB").arg(i).arg(found)));
        }
        QVERIFY(!reader.read());
        reader.rewind();
        QVERIFY(psnr(reader.read().value(), moving_square(0)) > least_psnr);
        QCOMPARE(read_comment(file), long_comment());
    }

    // A scene cut creates a key frame in the middle, which a seek to the start may find.
    void rewinding_loses_no_frames() {
        const Folder folder;
        const auto file = folder / "cut.mp4";
        const std::unique_ptr<FrameSink> sink = open_frame_sink(options_for(file));
        for (int i = 0; i < kNumFrames; ++i)
            sink->write(i < 12 ? moving_square(i) : plain_frame(kWidth, kHeight, 250, static_cast<std::uint8_t>(i), 0));
        sink->finish();
        VideoReader reader(file);
        for (int round = 0; round < 2; ++round, reader.rewind()) {
            int count = 0;
            while (const auto frame = reader.read()) {
                QVERIFY(psnr(*frame, moving_square(count)) > 30 || count >= 12);
                ++count;
            }
            QCOMPARE(count, kNumFrames);
        }
    }

    void mp4_has_faststart() {
        const Folder folder;
        const std::string bytes = contents_of(write_video(options_for(folder / "clip.mp4")));
        QVERIFY(bytes.find("moov") < bytes.find("mdat"));
    }

    void the_same_frames_give_the_same_bytes_data() {
        QTest::addColumn<QString>("ending");
        for (const char* ending : {".mp4", ".mov", ".mkv", ".webm", ".gif"}) QTest::newRow(ending) << ending;
    }
    void the_same_frames_give_the_same_bytes() {
        QFETCH(QString, ending);
        const Folder folder;
        const std::string first = contents_of(write_video(described(folder / ("a" + ending.toStdString()))));
        const std::string second = contents_of(write_video(described(folder / ("b" + ending.toStdString()))));
        QVERIFY(!first.empty());
        QVERIFY(first == second);
    }

    // Compares with the numbers of ITU-R BT.709-6, table 4, because the inverse conversion could have the same error.
    void colors_follow_bt709_data() {
        QTest::addColumn<QList<int>>("rgb");
        QTest::addColumn<QList<int>>("yuv");
        QTest::newRow("red") << QList<int>{255, 0, 0} << QList<int>{63, 102, 240};
        QTest::newRow("green") << QList<int>{0, 255, 0} << QList<int>{173, 42, 26};
        QTest::newRow("blue") << QList<int>{0, 0, 255} << QList<int>{32, 240, 118};
        QTest::newRow("white") << QList<int>{255, 255, 255} << QList<int>{235, 128, 128};
        QTest::newRow("black") << QList<int>{0, 0, 0} << QList<int>{16, 128, 128};
    }
    void colors_follow_bt709() {
        QFETCH(QList<int>, rgb);
        QFETCH(QList<int>, yuv);
        FrameToPicture to_picture(32, 32, AV_PIX_FMT_YUV420P);
        const auto channel = [&](int i) { return static_cast<std::uint8_t>(rgb[i]); };
        const AVFrame& picture = to_picture.convert(plain_frame(32, 32, channel(0), channel(1), channel(2)));
        for (int plane = 0; plane < 3; ++plane)
            QVERIFY2(std::abs(picture.data[plane][5] - yuv[plane]) <= 1,
                     qPrintable(QString::number(picture.data[plane][5])));
    }

    void the_codec_can_be_chosen_data() {
        QTest::addColumn<QString>("codec");
        QTest::addColumn<QString>("read_as");
        QTest::newRow("ProRes") << "prores_ks"
                                << "prores";
        QTest::newRow("MJPEG") << "mjpeg"
                               << "mjpeg";
    }
    void the_codec_can_be_chosen() {
        QFETCH(QString, codec);
        QFETCH(QString, read_as);
        const Folder folder;
        SinkOptions options = options_for(folder / "clip.mov");
        options.output.codec = codec.toStdString();
        VideoReader reader(write_video(options));
        QVERIFY(reader.info().codec.find(read_as.toStdString()) != std::string::npos);
        QVERIFY(psnr(reader.read().value(), moving_square(0)) > 38);
    }

    void ffv1_keeps_every_value() {
        const Folder folder;
        SinkOptions options = options_for(folder / "clip.mkv");
        options.width = 33;
        options.height = 17;
        options.output.codec = "ffv1";
        std::minstd_rand random(1);
        std::vector<Frame> frames(5, plain_frame(options.width, options.height, 0, 0, 0));
        const auto sink = open_frame_sink(options);
        for (Frame& frame : frames) {
            std::ranges::generate(frame.pixels, [&] { return static_cast<std::uint8_t>(random() >> 8); });
            sink->write(frame);
        }
        VideoReader reader(sink->finish());
        for (const Frame& frame : frames) {
            const auto read = reader.read();
            QVERIFY(read);
            QVERIFY(read->pixels == frame.pixels);
        }
    }

    /// Programs that use libav take the colors of ProRes from its frames and not from the container.
    void frames_of_prores_name_their_colors() {
        const Folder folder;
        SinkOptions options = options_for(folder / "clip.mov");
        options.output.codec = "prores_ks";
        const AvFramePtr picture = first_picture(write_video(options, 1));
        QVERIFY(picture);
        QCOMPARE(picture->colorspace, AVCOL_SPC_BT709);
        QCOMPARE(picture->color_primaries, AVCOL_PRI_BT709);
        QCOMPARE(picture->color_trc, AVCOL_TRC_BT709);
    }

    void crf_changes_the_size() {
        const Folder folder;
        SinkOptions options = options_for(folder / "fine.mp4");
        options.output.crf = 5;
        const auto fine = std::filesystem::file_size(write_video(options));
        options.output.file = folder / "coarse.mp4";
        options.output.crf = 45;
        QVERIFY(std::filesystem::file_size(write_video(options)) < fine / 2);
    }

    void decode_times_are_usable_data() {
        using Times = std::vector<std::int64_t>;
        QTest::addColumn<Times>("pts");
        QTest::addColumn<Times>("dts");
        QTest::addColumn<Times>("usable");
        constexpr std::int64_t kAny = -1049426941563;
        QTest::newRow("no delay") << Times{0, 1, 2} << Times{0, 1, 2} << Times{0, 1, 2};
        QTest::newRow("reordered") << Times{0, 1, 5, 3} << Times{-2, -1, 0, 1} << Times{-2, -1, 0, 1};
        QTest::newRow("one frame, far too early") << Times{0} << Times{kAny} << Times{0};
        QTest::newRow("two frames, far too early") << Times{0, 1} << Times{kAny, kAny + 1} << Times{0, 1};
        QTest::newRow("too late") << Times{0, 1} << Times{-kAny, 1 - kAny} << Times{0, 1};
        QTest::newRow("a little too early") << Times{0, 1} << Times{-3, -2} << Times{0, 1};
        QTest::newRow("none") << Times{0, 1} << Times{INT64_MIN, INT64_MIN} << Times{0, 1};
        QTest::newRow("repeated") << Times{0, 1, 2} << Times{0, 0, 0} << Times{0, 1, 2};
        QTest::newRow("only the first is wrong") << Times{0, 1, 2} << Times{kAny, -1, 0} << Times{0, 1, 2};
    }
    void decode_times_are_usable() {
        QFETCH(std::vector<std::int64_t>, pts);
        QFETCH(std::vector<std::int64_t>, dts);
        QFETCH(std::vector<std::int64_t>, usable);
        std::vector<std::int64_t> found;
        for (std::size_t i = 0; i < pts.size(); ++i)
            found.push_back(usable_dts({.index = static_cast<std::int64_t>(i),
                                        .pts = pts[i],
                                        .dts = dts[i],
                                        .dts_before = found.empty() ? 0 : found.back()},
                                       2));
        QCOMPARE(found, usable);
    }

    /// Every saved part comes from an encoder of its own, and the last part may have one frame.
    void a_video_may_end_after_a_short_part_data() {
        QTest::addColumn<QString>("codec");
        for (const char* codec : {"libx264", "libx265"}) QTest::newRow(codec) << codec;
    }
    void a_video_may_end_after_a_short_part() {
        QFETCH(QString, codec);
        const Folder folder;
        SinkOptions options = options_for(folder / "clip.mp4");
        options.output.codec = codec.toStdString();
        std::filesystem::create_directory(folder / "parts");
        options.saved = std::make_shared<SavedChunks>(folder / "parts");
        const int frames = frames_per_chunk(kFps, kWidth * kHeight) + 1;
        VideoReader reader(write_video(options, frames));
        QCOMPARE(reader.info().num_frames, frames);
        for (int i = 0; i < frames; ++i) QVERIFY(psnr(reader.read().value(), moving_square(i)) > 32);
    }

    /// Subtitles are found on the way, so that work on a long video starts at once.
    void a_file_is_searched_for_subtitles_in_parts() {
        const Folder folder;
        const auto lines = std::filesystem::path(KINESCOPE_TEST_DATA) / "finish/tracks.mkv";
        const auto reader = std::make_shared<GuardedReader>("");
        const auto tracks = reader->read_facts(lines).tracks;
        const auto text = std::ranges::find(tracks, TrackKind::text, &SideTrack::kind);
        QVERIFY(text != tracks.end());
        SinkOptions options = options_for(folder / "noise.mkv");
        options.width = options.height = 512;
        options.output.codec = "ffv1";
        options.tracks = {std::make_shared<TrackInput>(
            TrackPlan{.use = TrackUse::kept, .file = lines, .track = *text, .settings = {}, .seconds = 5}, reader)};
        const auto sink = open_frame_sink(options);
        std::mt19937 random;
        Frame frame{512, 512, std::vector<std::uint8_t>(512 * 512 * 3)};
        for (std::uint8_t& value : frame.pixels) value = static_cast<std::uint8_t>(random());
        for (int i = 0; i < 120; ++i) sink->write(frame);  // noise cannot be compressed
        const auto file = sink->finish();
        QVERIFY(std::filesystem::file_size(file) > 40'000'000);
        const int stream = reader->read_facts(file).tracks.front().stream;
        const auto all = reader->read_packets(lines, text->stream, 0).values;
        std::size_t found = 0;
        int num_parts = 1;
        for (auto part = reader->read_packets(file, stream, 0);; ++num_parts) {
            found += part.values.size();
            if (part.has_ended) break;
            part = reader->read_packets(file, stream, static_cast<std::int64_t>(found));
        }
        QVERIFY2(num_parts >= 3, qPrintable(QString::number(num_parts)));
        QCOMPARE(found, all.size());
    }
};

QTEST_GUILESS_MAIN(TestVideoFiles)
#include "test_video_files.moc"
