#include <sys/stat.h>

#include <QTest>
#include <algorithm>
#include <climits>
#include <numeric>

#include "core/base/child_words.h"
#include "core/media/clip_cursor.h"
#include "core/media/clip_messages.h"
#include "core/media/clip_traits.h"
#include "core/media/frame_sink.h"
#include "core/media/frame_times.h"
#include "core/media/guarded_reader.h"
#include "core/media/image_io.h"
#include "core/media/media_input.h"
#include "core/media/read_frames.h"
#include "core/media/video_reader.h"
#include "media_fixtures.h"
#include "reading_fixtures.h"

using namespace kinescope;
using namespace kinescope::test;

class TestReadingFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pipes_and_devices_are_refused_at_once() {
        const Folder folder;
        const auto pipe = folder / "pipe.mp4";
        QCOMPARE(mkfifo(pipe.c_str(), 0600), 0);
        for (const auto& file : {pipe, std::filesystem::path("/dev/zero")}) {
            QCOMPARE(thrown_by([&] { read_image(file); }).code(), ErrorCode::image_unreadable);
            QCOMPARE(thrown_by([&] { VideoReader reader(file); }).code(), ErrorCode::file_unreadable);
            QCOMPARE(thrown_by([&] { read_comment(file); }).code(), ErrorCode::file_unreadable);
        }
        for (const char* ending : {".png", ".gif"}) {
            const auto named = folder / (std::string("pipe") + ending);
            QCOMPARE(mkfifo(named.c_str(), 0600), 0);
            QCOMPARE(thrown_by([&] { read_comment(named); }).code(), ErrorCode::file_unreadable);
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
        int num_refused = 0;
        const auto play = [&](std::span<const std::uint8_t> bytes) {
            put(broken, bytes);
            try {
                VideoReader reader(broken);
                for (int i = 0; i < 100 && reader.read(); ++i) continue;
            } catch (const Error& error) {
                QCOMPARE(error.code(), ErrorCode::file_unreadable);
                ++num_refused;
            }
        };
        const std::size_t stride = 1 + whole.size() / 60;
        for (std::size_t at = 0; at < whole.size(); at += stride) {
            play(std::span(whole).first(at));
            auto changed = whole;
            changed[at] = static_cast<std::uint8_t>(~changed[at]);
            play(changed);
        }
        QVERIFY(num_refused > 0);
    }

    void a_video_of_another_format_is_not_called_sound() {
        const auto file = std::filesystem::path(KINESCOPE_TEST_DATA) / "finish/theora.ogv";
        const Error error = thrown_by([&] { VideoReader reader(file); });
        QCOMPARE(error.code(), ErrorCode::file_unreadable);
        QVERIFY2(error.message().find("sound") == std::string::npos, error.what());
    }

    void a_cover_picture_is_not_a_video() {
        const auto clips = std::filesystem::path(KINESCOPE_TEST_DATA) / "finish";
        const Error error = thrown_by([&] { VideoReader reader(clips / "cover.m4a"); });
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
            const bool is_counted = reader.info().count == FrameCount::exact;
            QVERIFY(is_counted || read_bytes == 1);  // without the index, the limit allows only an estimate
            if (is_counted) QCOMPARE(reader.info().num_frames, shown);
        }
    }

    void limits_of_videos() {
        const Folder folder;
        const auto file = write_video(options_for(folder / "clip.mp4"));
        const Error too_large = thrown_by([&] { VideoReader(file, {.max_pixels = 6000}); });
        QCOMPARE(too_large.code(), ErrorCode::file_unreadable);
        QVERIFY(too_large.message().find("have 96 x 64 px; the limit for videos is 6000 px") != std::string::npos);
        QCOMPARE(too_large.arguments().at("size"), std::string("96 x 64"));
        QCOMPARE(too_large.arguments().at("limit_pixels"), std::string("6000"));
        const Error too_long = thrown_by([&] { VideoReader(file, {.max_frames = 16}); });
        QCOMPARE(too_long.code(), ErrorCode::file_unreadable);
        QCOMPARE(too_long.arguments().at("limit_frames"), std::string("16"));
        QCOMPARE(VideoReader(file, {.max_frames = kNumFrames}).info().num_frames, kNumFrames);
        QCOMPARE(thrown_by([&] { VideoReader(folder / "none.mp4"); }).code(), ErrorCode::file_not_found);
    }

    /// Decoders count the pixels that they add to each row.
    void a_video_at_the_limit_is_read_data() {
        QTest::addColumn<QString>("ending");
        for (const char* ending : {".mp4", ".mov", ".mkv", ".webm", ".gif"}) QTest::newRow(ending) << ending;
    }
    void a_video_at_the_limit_is_read() {
        QFETCH(QString, ending);
        const Folder folder;
        const auto file = write_video(options_for(folder / ("clip" + ending.toStdString())));
        VideoReader reader(file, {.max_pixels = 96 * 64});
        int num_read = 0;
        while (reader.read()) ++num_read;
        QCOMPARE(num_read, kNumFrames);
        QCOMPARE(thrown_by([&] { VideoReader(file, {.max_pixels = 96 * 64 - 1}); }).code(), ErrorCode::file_unreadable);
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

    void a_missing_end_of_sound_is_noticed_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"tone.wav", "tone.mp3", "tone.m4a"}) QTest::newRow(name) << name;
    }
    void a_missing_end_of_sound_is_noticed() {
        QFETCH(QString, name);
        const Folder folder;
        const auto whole = std::filesystem::path(KINESCOPE_TEST_DATA) / "finish" / name.toStdString();
        const auto cut = folder / ("cut_" + name.toStdString());
        std::filesystem::copy_file(whole, cut);
        std::filesystem::resize_file(cut, std::filesystem::file_size(whole) * 3 / 5);
        GuardedReader reader("");
        QCOMPARE(reader.check_sound(whole), FileExtent::whole);
        QCOMPARE(reader.check_sound(cut), FileExtent::cut);
    }

    void sound_without_a_sample_is_refused() {
        constexpr std::uintmax_t kSampleBytes = 44100;
        const Folder folder;
        const auto cut = folder / "cut.wav";
        std::filesystem::copy_file(std::filesystem::path(KINESCOPE_TEST_DATA) / "finish/tone.wav", cut);
        std::filesystem::resize_file(cut, std::filesystem::file_size(cut) - kSampleBytes);
        const Error error = thrown_by([&] { GuardedReader("").check_sound(cut); });
        QCOMPARE(error.code(), ErrorCode::file_unreadable);
        QVERIFY2(error.message().find("empty or cut off") != std::string::npos, error.what());
    }

    // As programs write it to a pipe: the length of the sound is unknown.
    void recorded_sound_has_no_end() {
        const Folder folder;
        auto bytes = bytes_of(std::filesystem::path(KINESCOPE_TEST_DATA) / "finish/tone.wav");
        constexpr std::array<std::uint8_t, 4> kData = {'d', 'a', 't', 'a'};
        const auto data = std::ranges::search(bytes, kData).begin();
        QVERIFY(data != bytes.end());
        std::fill_n(data + 4, 4, std::uint8_t{0xFF});
        put(folder / "live.wav", bytes);
        QCOMPARE(GuardedReader("").check_sound(folder / "live.wav"), FileExtent::whole);
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

    /// Frames of a screen recording are shown for one or more pictures of its grid.
    void uneven_frames_have_the_rate_of_their_grid_data() {
        QTest::addColumn<int>("frames");
        QTest::addColumn<double>("grid");
        QTest::addColumn<FrameRate>("rate");
        QTest::newRow("none") << 11 << 0.0 << FrameRate{10, 1};
        QTest::newRow("slower than the frames") << 11 << 9.0 << FrameRate{10, 1};
        QTest::newRow("three times the frames") << 11 << 30.0 << FrameRate{30, 1};
        QTest::newRow("finer") << 11 << 31.0 << FrameRate{10, 1};
        QTest::newRow("as fast as screens") << 31 << 60.0 << FrameRate{60, 1};
        QTest::newRow("faster than screens") << 31 << 61.0 << FrameRate{30, 1};
    }
    void uneven_frames_have_the_rate_of_their_grid() {
        QFETCH(int, frames);
        QFETCH(double, grid);
        QFETCH(FrameRate, rate);
        std::vector<double> times;
        for (int i = 0; i < frames; ++i) times.push_back(double(i) / (frames - 1));
        times[5] += 0.6 / (frames - 1);  // one frame is late
        const FrameTimes found = frame_times(times, {.grid = grid});
        QCOMPARE(found.timing, FrameTiming::variable);
        QVERIFY2(found.rate == rate, qPrintable(QString::number(found.rate.value(), 'g', 8)));
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
        QCOMPARE(thrown_by([&] { read_frames(file, {}); }).code(), ErrorCode::file_unreadable);
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

    /// The same for the chunks of a CAF file, whose lengths have eight bytes.
    void zeros_after_the_sound_of_a_core_audio_file_are_not_read() {
        const Folder folder;
        const auto number = [](std::uint64_t value, int bytes) {
            std::string text;
            for (int i = bytes - 1; i >= 0; --i) text.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
            return text;
        };
        std::string samples;
        for (int i = 0; i < 4000; ++i) samples += number(static_cast<std::uint16_t>(i * 7), 2);
        const std::string caf = "caff" + number(0x10000, 4) + "desc" + number(32, 8) + number(0x40BF400000000000, 8) +
                                "lpcm" + number(0, 4) + number(2, 4) + number(1, 4) + number(1, 4) + number(16, 4) +
                                "data" + number(4 + samples.size(), 8) + number(0, 4) + samples;
        const auto tone = folder / "tone.caf", padded = folder / "padded.caf";
        for (const auto& file : {tone, padded}) std::ofstream(file, std::ios::binary) << caf;
        std::filesystem::resize_file(padded, std::uintmax_t{8} << 30);  // sparse
        GuardedReader reader("");
        const auto pcm = reader.read_pcm(padded, -1, 0).values;
        QVERIFY(!pcm.empty() && pcm == reader.read_pcm(tone, -1, 0).values);
    }

    // A playlist with the name of a video must not make libav open the listed files.
    void playlists_are_not_followed() {
        const Folder folder;
        const auto file = write_video(options_for(folder / "clip.mp4"));
        std::ofstream(folder / "list.mp4") << "ffconcat version 1.0\nfile clip.mp4\n";
        QCOMPARE(thrown_by([&] { VideoReader(folder / "list.mp4"); }).code(), ErrorCode::file_unreadable);
    }
};

QTEST_GUILESS_MAIN(TestReadingFiles)
#include "test_reading_files.moc"
