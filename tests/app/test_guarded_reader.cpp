#include <QTest>
#include <csignal>
#include <fstream>
#include <future>

#include "core/api/killed_reader.h"
#include "core/media/frame_sink.h"
#include "core/media/guarded_reader.h"
#include "core/media/image_io.h"
#include "core/media/read_frames.h"
#include "tests/app/cli_process.h"
#include "tests/core/media/media_fixtures.h"
#include "tests/support/children.h"

using namespace kinescope;
using namespace kinescope::test;

/// Compares reading in a separate process with reading in this one.
class TestGuardedReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void frames_are_returned_unchanged_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"clip.mp4", "clip.gif", "frames"}) QTest::newRow(name) << name;
    }
    void frames_are_returned_unchanged() {
        QFETCH(QString, name);
        const auto video = write_video(options_for(folder_ / name.toStdString()));
        for (const FrameSelection& selection :
             {FrameSelection{}, FrameSelection{.max_frames = 2, .max_width_px = 16}}) {
            const auto expected = kinescope::read_frames(video, selection);
            const auto frames = reader_.read_frames(video, selection);
            QCOMPARE(frames.size(), expected.size());
            for (std::size_t i = 0; i < frames.size(); ++i) {
                QCOMPARE(frames[i]->width, expected[i]->width);
                QCOMPARE(frames[i]->pixels, expected[i]->pixels);
            }
        }
    }

    void parts_and_comments_are_returned() {
        SinkOptions options = options_for(folder_ / "parts.mp4");
        options.metadata = {{"comment", long_comment()}};
        const auto video = write_video(options);
        QCOMPARE(reader_.read_comment(video), long_comment());
        const auto expected = kinescope::read_frames(video, {});
        for (const int first : {0, 3, 1, kNumFrames}) {
            const ClipPart part = reader_.read_part(video, first);
            QCOMPARE(part.fps, double(kFps));
            QCOMPARE(part.num_total, kNumFrames);
            QCOMPARE(part.frames.size(), static_cast<std::size_t>(kNumFrames - first));
            if (!part.frames.empty())
                QCOMPARE(part.frames.front()->pixels, expected[static_cast<std::size_t>(first)]->pixels);
        }
        QCOMPARE(thrown_by([&] { reader_.read_part(folder_ / "none.mp4", 0); }).code(), ErrorCode::file_not_found);
    }

    /// A terminal sends its signals to the reader, too. Its parent decides what they mean.
    void signals_to_the_program_do_not_end_the_reader() {
        const auto video = write_video(options_for(folder_ / "signals.mp4"));
        const pid_t before = testing::newest_child();
        GuardedReader reader(testing::cli_program().toStdString());
        auto first = std::async(std::launch::async, [&] { return reader.read_part(video, 0).frames.size(); });
        pid_t started = 0;
        QTRY_VERIFY((started = testing::newest_child()) > before);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1})
            ::kill(started, signal);  // while it loads its libraries
        QCOMPARE(first.get(), static_cast<std::size_t>(kNumFrames));
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) ::kill(started, signal);
        QCOMPARE(reader.read_part(video, 1).frames.size(), static_cast<std::size_t>(kNumFrames - 1));
        QCOMPARE(testing::newest_child(), started);
    }

    void a_reader_that_is_killed_from_outside_does_not_make_its_file_damaged() {
        const auto program = folder_ / "killed.sh";
        std::ofstream(program) << "#!/bin/sh\nkill -KILL $$\n";
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        const auto picture = folder_ / "any.png";
        GuardedReader reader(program);
        const Error error = thrown_by([&] { reader.check_image(picture); });
        QVERIFY2(is_of_killed_reader(error), error.what());
        QCOMPARE(error.code(), ErrorCode::file_unreadable);
        QCOMPARE(error.argument("signal"), std::string("SIGKILL"));
        QVERIFY2(error.message().find(picture.string()) != std::string::npos, error.what());
        QVERIFY2(error.hint().find("damaged") == std::string::npos, error.hint().c_str());
    }

    void facts_and_sound_are_returned() {
        const std::filesystem::path phone = KINESCOPE_TEST_DATA "/finish/phone.mp4";
        const ClipFacts facts = reader_.read_facts(phone);
        const ClipFacts expected = read_clip_facts(phone);
        QCOMPARE(facts.metadata, expected.metadata);
        QCOMPARE(facts.video.quarter_turns, 3);
        QCOMPARE(facts.video.width, 64);
        QVERIFY(facts.video.rate == expected.video.rate);
        QCOMPARE(facts.tracks.front().format.codec, std::string("aac"));
        QCOMPARE(facts.tracks.front().format.codec_parameters, expected.tracks.front().format.codec_parameters);
        TrackCursor here;
        const auto packets = reader_.read_packets(phone, -1, 0).values;
        QCOMPARE(packets.size(), here.read_packets(phone, -1, 0).values.size());
        QVERIFY(reader_.read_packets(phone, -1, static_cast<std::int64_t>(packets.size())).values.empty());
        const auto pcm = reader_.read_pcm(phone, -1, 1000).values;
        QVERIFY(pcm == here.read_pcm(phone, -1, 1000).values);
        QVERIFY(!pcm.empty());
        QCOMPARE(thrown_by([&] { reader_.read_pcm(folder_ / "none.wav", -1, 0); }).code(), ErrorCode::file_not_found);
    }

    void the_tracks_of_a_file_are_read_at_the_same_time() {
        const std::filesystem::path clip = std::filesystem::path(KINESCOPE_TEST_DATA) / "finish/tracks.mkv";
        const std::vector<SideTrack> tracks = reader_.read_facts(clip).tracks;
        QCOMPARE(tracks.size(), std::size_t{4});
        QCOMPARE(tracks[1].title, std::string("Commentary"));
        QVERIFY(tracks[2].kind == TrackKind::text && tracks[3].kind == TrackKind::other);
        GuardedReader here("");
        for (const std::int64_t first : {0, 1})
            for (const int stream : {1, 2, 3}) {
                const auto packets = reader_.read_packets(clip, stream, first).values;
                const auto wanted = here.read_packets(clip, stream, first).values;
                QVERIFY(!wanted.empty());
                QCOMPARE(packets.size(), wanted.size());
                QVERIFY(packets.front().bytes == wanted.front().bytes);
            }
        for (const int stream : {0, 4, 5})
            QCOMPARE(thrown_by([&] { reader_.read_packets(clip, stream, 0); }).code(), ErrorCode::file_unreadable);
    }

    void settings_are_returned() {
        VideoRequest request;
        request.prompt = "a red ball \xF0\x9F\x8E\xAC";
        request.seed = 7;
        SinkOptions options = options_for(folder_ / "settings.mp4");
        options.metadata = {{"comment", R"({"request":)" + to_json(request) + "}"}};
        QCOMPARE(reader_.read_settings(write_video(options, 2)), request);
    }

    void errors_keep_their_code_and_path() {
        const auto none = folder_ / "none.png";
        const Error error = thrown_by([&] { reader_.check_image(none); });
        QCOMPARE(error.code(), ErrorCode::file_not_found);
        QCOMPARE(error.arguments().at("path"), none.string());
        QVERIFY(!error.hint().empty());
        QCOMPARE(thrown_by([&] { reader_.read_settings(folder_ / "none.mp4"); }).code(), ErrorCode::file_not_found);
        const auto plain = write_video(options_for(folder_ / "plain.mkv"), 2);
        QCOMPARE(thrown_by([&] { reader_.read_settings(plain); }).code(), ErrorCode::no_settings);
        write_png(folder_ / "picture.png", moving_square(0));
        reader_.check_image(folder_ / "picture.png");
    }

    void a_process_that_fails_is_an_unreadable_file() {
        GuardedReader reader("/bin/false");
        for (int i = 0; i < 2; ++i) {
            QCOMPARE(thrown_by([&] { reader.read_settings(folder_ / "any.mp4"); }).code(), ErrorCode::file_unreadable);
            const Error error = thrown_by([&] { reader.check_image(folder_ / "any.png"); });
            QCOMPARE(error.code(), ErrorCode::image_unreadable);
            QVERIFY2(error.message().find("exit code 1") != std::string::npos, error.what());
        }
    }

private:
    Folder folder_;
    GuardedReader reader_{kinescope::testing::cli_program().toStdString()};
};

QTEST_GUILESS_MAIN(TestGuardedReader)
#include "test_guarded_reader.moc"
