#include <ATen/Parallel.h>

#include <QTest>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <random>

#include "core/api/video_request_json.h"
#include "core/base/cancellation.h"
#include "core/finish/finishing_sink.h"
#include "core/media/read_frames.h"
#include "core/media/track_input.h"
#include "core/media/video_metadata.h"
#include "finish_video_fixture.h"

using namespace kinescope;
using namespace kinescope::test;

namespace {

std::vector<TrackPacket> packets_of(const std::filesystem::path& file) {
    return GuardedReader("").read_packets(file, -1, 0).values;
}

/// The bytes that this process has read so far, from files and pipes.
std::int64_t bytes_read() {
    std::ifstream io("/proc/self/io");
    std::string name;
    std::int64_t count = 0;
    io >> name >> count;
    return count;
}

/// The root of the mean square of decoded sound between two times.
double loudness(const std::vector<float>& pcm, double from, double to) {
    double sum = 0;
    std::size_t count = 0;
    for (auto i = static_cast<std::size_t>(from * kPcmRate) * 2;
         i < std::min(pcm.size(), static_cast<std::size_t>(to * kPcmRate) * 2); ++i, ++count)
        sum += double{pcm[i]} * double{pcm[i]};
    return count == 0 ? 0 : std::sqrt(sum / static_cast<double>(count));
}

}  // namespace

/// Finishes whole clips: their frames, sound, notes and faults.
class TestFinishVideo : public FinishVideoFixture {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }  // more threads only wait in pictures of this size

    void init() { folder_ = std::make_unique<Folder>(); }

    void frames_are_enlarged_and_interpolated() {
        const auto source = clip(5);
        FinishRequest request = finish(source, "out.mkv");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        request.steps.interpolator = finish_data("mean_rife.safetensors");
        request.steps.interpolation_factor = 4;
        request.output.crf = 1;
        std::vector<int> done;
        const FinishResult result = finish_video(request, services_with([&](int frames, int total, FinishStage) {
                                                     if (frames > 0 && (done.empty() || done.back() != frames))
                                                         done.push_back(frames);
                                                     return total == 17 ? FinishCommand::go_on : FinishCommand::cancel;
                                                 }));
        QCOMPARE(result.num_frames, 17);
        QCOMPARE(result.width, 2 * kWidth);
        QCOMPARE(result.fps, 4.0 * kFps);
        QCOMPARE(done.size(), std::size_t{17});
        const auto frames = read_frames(result.file, {});
        const auto originals = read_frames(source, {});
        QCOMPARE(frames.size(), std::size_t{17});
        for (std::size_t i = 0; i < originals.size(); ++i) {
            const Frame& frame = *frames[4 * i];
            Frame small{kWidth, kHeight, {}};
            for (int y = 0; y < kHeight; ++y)
                for (int x = 0; x < kWidth; ++x)
                    for (std::size_t c = 0; c < 3; ++c)
                        small.pixels.push_back(
                            frame.pixels[3 * static_cast<std::size_t>(2 * y * frame.width + 2 * x) + c]);
            QVERIFY(psnr(small, *originals[i]) > 30);
        }
        QCOMPARE(folder_->names().size(), std::size_t{2});  // no temporary file is left
    }

    void the_time_of_a_video_is_kept_by_a_target_rate() {
        FinishRequest request = finish(clip(17), "out.mp4");
        request.steps.interpolator = finish_data("mean_rife.safetensors");
        request.steps.interpolation_fps = 24;
        const FinishResult result = finish_video(request, services_with());
        QCOMPARE(result.num_frames, 25);
        QCOMPARE(result.fps, 24.0);
    }

    void sound_and_metadata_are_kept() {
        const auto source = finish_data("phone.mp4");
        FinishRequest request = finish(source, "out.mp4");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        const FinishResult result = finish_video(request, services_with());
        // Stored with 96 x 64 px and shown rotated.
        QCOMPARE(result.width, 128);
        QCOMPARE(result.height, 192);
        const ClipFacts facts = GuardedReader("").read_facts(result.file);
        QVERIFY(facts.video.rate == (FrameRate{30000, 1001}));
        QCOMPARE(facts.metadata.at("title"), std::string("A phone video"));
        QCOMPARE(facts.metadata.at("artist"), std::string("Nobody"));
        const auto before = packets_of(source);
        const auto after = packets_of(result.file);
        QVERIFY(before.size() > 10);
        QCOMPARE(after.size(), before.size());
        for (std::size_t i = 0; i < before.size(); ++i) QVERIFY(after[i].bytes == before[i].bytes);
    }

    void the_settings_contain_the_steps_data() {
        QTest::addColumn<QString>("source");
        for (const char* source : {"made.mp4", "made.mov", "made.mkv", "made.webm"}) QTest::newRow(source) << source;
    }

    void the_settings_contain_the_steps() {
        QFETCH(QString, source);
        VideoRequest made;
        made.prompt = "a red ball";
        made.seed = 7;
        made.finish.audio.file = "/sounds/a.wav";
        std::vector<FramePtr> frames(4, std::make_shared<const Frame>(Frame{16, 16, std::vector<std::uint8_t>(768)}));
        const auto sink =
            open_frame_sink({.output = {.file = *folder_ / source.toStdString()},
                             .width = 16,
                             .height = 16,
                             .fps = 8,
                             .metadata = {{"comment", "{\"format\":1,\"request\":" + to_json(made) + "}"}}});
        for (const FramePtr& frame : frames) sink->write(*frame);
        FinishRequest request = finish(sink->finish(), "out.mp4");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        const VideoRequest kept = GuardedReader("").read_settings(finish_video(request, services_with()).file);
        QCOMPARE(kept.seed, made.seed);
        QCOMPARE(kept.finish.upscaler, request.steps.upscaler);
        QCOMPARE(kept.finish.audio.file, made.finish.audio.file);
    }

    void a_container_with_other_codecs_gets_encoded_sound() {
        FinishRequest request = finish(finish_data("phone.mp4"), "out.webm");
        request.steps.interpolator = finish_data("mean_rife.safetensors");
        const FinishResult result = finish_video(request, services_with());
        const ClipFacts facts = GuardedReader("").read_facts(result.file);
        QCOMPARE(facts.tracks.front().format.codec, std::string("opus"));
        QVERIFY(loudness(GuardedReader("").read_pcm(result.file, -1, 0).values, 0.1, 0.3) > 0.02);
    }

    void all_tracks_are_kept_where_the_container_takes_them() {
        FinishRequest request = finish(finish_data("tracks.mkv"), "out.mkv");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        const FinishResult result = finish_video(request, services_with());
        QCOMPARE(result.notes,
                 std::vector<std::string>{"The result does not contain these streams of the source: 4 (attachment)."});
        GuardedReader reader("");
        const auto before = reader.read_facts(request.video).tracks;
        const auto after = reader.read_facts(result.file).tracks;
        QCOMPARE(after.size(), std::size_t{3});
        for (std::size_t i = 0; i < after.size(); ++i) {
            QCOMPARE(after[i].format.codec, before[i].format.codec);
            QCOMPARE(after[i].language, before[i].language);
            QCOMPARE(after[i].title, before[i].title);
            const auto packets = reader.read_packets(result.file, after[i].stream, 0).values;
            const auto wanted = reader.read_packets(request.video, before[i].stream, 0).values;
            QVERIFY(!packets.empty());
            QCOMPARE(packets.size(), wanted.size());
            for (std::size_t k = 0; k < packets.size(); ++k) {
                QVERIFY(packets[k].bytes == wanted[k].bytes);
                QVERIFY(std::abs(packets[k].time - wanted[k].time) <= 1);
            }
        }
    }

    /// All packets are read once to count the frames. Besides, the first frames and a part of the tracks are read.
    void the_source_is_read_once_before_the_first_frame() {
        FinishRequest request = finish(noisy_source("source.mkv"), "out.mkv");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        const std::int64_t before = bytes_read();
        std::int64_t read = 0;
        const auto step = [&](int done, int, FinishStage) {
            if (done == 0) return FinishCommand::go_on;
            read = bytes_read() - before;
            return FinishCommand::cancel;
        };
        QVERIFY_THROWS_EXCEPTION(Error, finish_video(request, services_with(step)));
        const auto size = static_cast<std::int64_t>(std::filesystem::file_size(request.video));
        QVERIFY2(size > 50'000'000, qPrintable(QString::number(size)));
        // The first frames are 32 MiB of pixels, and noise does not get smaller.
        QVERIFY2(read < size + 40'000'000, qPrintable(QString("%1 of %2").arg(read).arg(size)));
    }

    void chapters_are_kept_data() {
        QTest::addColumn<QString>("output");
        for (const char* output : {"out.mkv", "out.mp4", "out.mov", "out.webm"}) QTest::newRow(output) << output;
    }
    void chapters_are_kept() {
        QFETCH(QString, output);
        FinishRequest request = finish(finish_data("chapters.mkv"), output.toStdString());
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        const FinishResult result = finish_video(request, services_with());
        QVERIFY(result.notes.empty());
        const ClipFacts facts = GuardedReader("").read_facts(result.file);
        const std::vector<Chapter> expected{{.start = 0, .end = 1'000'000, .title = "Start"},
                                            {.start = 1'000'000, .end = 2'000'000, .title = {}},
                                            {.start = 2'000'000, .end = 3'000'000, .title = "Ende – 3"}};
        QVERIFY(facts.chapters == expected);
        QVERIFY(facts.tracks.empty());
    }

    void a_format_without_chapters_is_noted() {
        FinishRequest request = finish(finish_data("chapters.mkv"), "out.gif");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        const FinishResult result = finish_video(request, services_with());
        QCOMPARE(result.notes, std::vector<std::string>{"The result has no chapters, because its format holds none."});
    }

    /// Readers of MP4 misplace subtitles that start before the video.
    void lines_that_start_before_the_video_are_shown_from_its_start() {
        FinishRequest request = finish(finish_data("early_lines.mp4"), "out.mp4");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        const FinishResult result = finish_video(request, services_with());
        GuardedReader reader("");
        const auto tracks = reader.read_facts(result.file).tracks;
        QCOMPARE(tracks.size(), std::size_t{1});
        const FrameRate unit = tracks[0].format.time_base;
        const auto seconds = [&](std::int64_t units) { return double(units) * unit.num / unit.den; };
        std::vector<std::string> lines;
        for (const TrackPacket& packet : reader.read_packets(result.file, tracks[0].stream, 0).values) {
            constexpr std::size_t kLengthBytes = 2;  // before the text of a mov_text packet
            if (packet.bytes.size() <= kLengthBytes) continue;
            lines.push_back(packet.bytes.substr(kLengthBytes));
            QVERIFY(std::abs(seconds(packet.time) - (lines.size() == 1 ? 0.0 : 1.1)) < 0.01);
            QVERIFY(std::abs(seconds(packet.duration) - (lines.size() == 1 ? 1.0 : 0.3)) < 0.01);
        }
        QCOMPARE(lines, (std::vector<std::string>{"Early", "Later"}));
    }

    void tracks_that_the_container_does_not_take_are_named() {
        FinishRequest request = finish(finish_data("tracks.mkv"), "out.webm");
        request.steps.interpolator = finish_data("mean_rife.safetensors");
        const FinishResult result = finish_video(request, services_with());
        QCOMPARE(result.notes, std::vector<std::string>{"The result does not contain these streams of the source: "
                                                        "3 (subrip, fra), 4 (attachment)."});
        const auto tracks = GuardedReader("").read_facts(result.file).tracks;
        QCOMPARE(tracks.size(), std::size_t{2});
        for (const SideTrack& track : tracks) QCOMPARE(track.format.codec, std::string("opus"));
        QCOMPARE(tracks[1].language, std::string("deu"));
    }

    void other_sound_replaces_all_tracks_of_the_source() {
        FinishRequest request = finish(finish_data("tracks.mkv"), "out.mkv");
        request.steps.audio.file = finish_data("tone.wav");
        const auto tracks = GuardedReader("").read_facts(finish_video(request, services_with()).file).tracks;
        QCOMPARE(tracks.size(), std::size_t{2});
        QCOMPARE(tracks[1].format.codec, std::string("subrip"));
    }

    void the_number_of_tracks_is_limited() {
        FinishRequest request = finish(finish_data("many.mkv"), "out.mkv");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        const FinishResult result = finish_video(request, services_with());
        QCOMPARE(result.notes,
                 std::vector<std::string>{"The result does not contain these streams of the source: 6 more."});
        QCOMPARE(GuardedReader("").read_facts(result.file).tracks.size(), std::size_t{kMostTracks});
    }

    void an_uneven_video_becomes_even() {
        FinishRequest request = finish(finish_data("uneven.mp4"), "out.mp4");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        const FinishResult result = finish_video(request, services_with());
        QCOMPARE(result.fps, 10.0);
        QCOMPARE(result.num_frames, 15);  // 0 to 1.4 s
        QCOMPARE(result.notes.size(), std::size_t{1});
        const auto frames = read_frames(result.file, {});
        const auto change = [&](std::size_t i) { return psnr(*frames[i], *frames[i + 1]); };
        QVERIFY(change(2) > 45);  // the frame at 0.2 s is shown until 0.5 s
        QVERIFY(change(4) < 40);
    }

    void fields_are_noted_data() {
        QTest::addColumn<QString>("source");
        QTest::newRow("header") << "interlaced.mp4";
        QTest::newRow("frames") << "fields.mp4";
    }

    void fields_are_noted() {
        QFETCH(QString, source);
        FinishRequest request = finish(finish_data(source.toStdString()), "out.mp4");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        const FinishResult result = finish_video(request, services_with());
        QCOMPARE(result.notes.size(), std::size_t{1});
        QVERIFY2(result.notes[0].find("is interlaced") != std::string::npos, result.notes[0].c_str());
    }

    void a_picture_is_enlarged_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"picture.png", "picture.jpg", "picture.WEBP"}) QTest::newRow(name) << name;
    }

    void a_picture_is_enlarged() {
        QFETCH(QString, name);
        cv::imwrite(*folder_ / name.toStdString(), cv::Mat(20, 30, CV_8UC3, cv::Scalar(0, 90, 250)));
        FinishRequest request = finish(*folder_ / name.toStdString(), "out.png");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        const FinishResult result = finish_video(request, services_with());
        QCOMPARE(result.width, 60);
        QCOMPARE(result.num_frames, 1);
        QVERIFY(std::filesystem::is_regular_file(result.file));
    }

    void a_picture_holds_no_video() {
        FinishRequest request = finish(clip(4), "picture.png");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        const Error error = thrown_by([&] { finish_video(request, services_with()); });
        QCOMPARE(error.code(), ErrorCode::bad_request);
        QVERIFY2(error.message().find("only one image") != std::string::npos, error.what());
        QVERIFY(!std::filesystem::exists(*folder_ / "picture.png"));
    }

    void png_frames_take_no_quality() {
        FinishRequest request = finish(clip(2), "out");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        request.output.crf = 20;
        QCOMPARE(thrown_by([&] { finish_video(request, services_with()); }).code(), ErrorCode::bad_request);
    }

    void scene_cuts_are_not_blended() {
        FinishRequest request = finish(finish_data("scenes.mp4"), "out");
        request.steps.interpolator = finish_data("mean_rife.safetensors");
        const FinishResult result = finish_video(request, services_with());
        QCOMPARE(result.num_scene_cuts, 1);
        QCOMPARE(result.num_frames, 15);
        const auto frames = read_frames(result.file, {});
        QVERIFY(frames[7]->pixels == frames[6]->pixels);
        QVERIFY(frames[5]->pixels != frames[4]->pixels);
    }

    void odd_sources_give_a_result_and_a_note_data() {
        QTest::addColumn<QString>("video");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("frames");
        QTest::addColumn<QString>("note");
        QTest::newRow("PQ") << "hdr.mp4" << 2 * 96 << 3 << "is an HDR video";
        QTest::newRow("HLG, 10 bits") << "hlg.mp4" << 2 * 96 << 9 << "is an HDR video";
        QTest::newRow("pixels that are not square") << "wide.mkv" << 2 * 96 << 9 << "not square";
        QTest::newRow("rotated") << "phone.mp4" << 2 * 64 << 12 << "";
        QTest::newRow("variable frame rate") << "uneven.mp4" << 2 * 96 << 15 << "frame rate of the source varies";
        QTest::newRow("one frame, no sound") << "one.mp4" << 2 * 96 << 1 << "";
        QTest::newRow("sound that starts late") << "late.mkv" << 2 * 96 << 15 << "";
    }

    void odd_sources_give_a_result_and_a_note() {
        QFETCH(QString, video);
        QFETCH(int, width);
        QFETCH(int, frames);
        QFETCH(QString, note);
        FinishRequest request = finish(finish_data(video.toStdString()), "out.mp4");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        const FinishResult result = finish_video(request, services_with());
        QCOMPARE(result.width, width);
        QCOMPARE(result.num_frames, frames);
        QCOMPARE(read_frames(result.file, {}).size(), static_cast<std::size_t>(frames));
        QCOMPARE(result.notes.size(), note.isEmpty() ? std::size_t{0} : std::size_t{1});
        if (!note.isEmpty()) QVERIFY(result.notes.front().find(note.toStdString()) != std::string::npos);
    }

    void encoded_sound_starts_when_that_of_the_source_does() {
        for (const char* output : {"out.webm", "out.mov", "out.mp4"}) {  // Opus, AAC; MP4 gets a copy of the FLAC
            FinishRequest request = finish(finish_data("late.mkv"), output);
            request.steps.upscaler = finish_data("nearest_x2.safetensors");
            const auto pcm = GuardedReader("").read_pcm(finish_video(request, services_with()).file, -1, 0).values;
            QVERIFY(loudness(pcm, 0.0, 0.45) < 0.001);
            QVERIFY(loudness(pcm, 0.55, 1.4) > 0.05);
        }
    }

    void a_source_without_a_rate_gets_a_note() {
        std::filesystem::create_directory(*folder_ / "pictures");
        for (const char* name : {"1.png", "2.png"})
            cv::imwrite(*folder_ / "pictures" / name, cv::Mat(20, 30, CV_8UC3, cv::Scalar(0, 90, 250)));
        FinishRequest request = finish(*folder_ / "pictures", "out.mp4");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        const FinishResult result = finish_video(request, services_with());
        QCOMPARE(result.fps, 8.0);
        QCOMPARE(result.notes,
                 std::vector<std::string>{"The source does not state a frame rate; 8 frames per second are "
                                          "assumed."});
    }

    void one_frame_stays_one_frame() {
        FinishRequest request = finish(finish_data("one.mp4"), "out.mp4");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        request.steps.interpolator = finish_data("mean_rife.safetensors");
        const FinishResult result = finish_video(request, services_with());
        QCOMPARE(result.num_frames, 1);
        QCOMPARE(result.fps, GuardedReader("").read_facts(request.video).video.fps);
        QCOMPARE(result.notes,
                 std::vector<std::string>{"The source has one frame, so there is nothing to interpolate; the frame "
                                          "rate stays as it is."});
    }

    void odd_sizes_need_an_even_factor() {
        FinishRequest request = finish(finish_data("odd.mkv"), "out.mp4");
        request.steps.interpolator = finish_data("mean_rife.safetensors");
        const Error error = thrown_by([&] { finish_video(request, services_with()); });
        QCOMPARE(error.code(), ErrorCode::bad_request);
        QVERIFY(error.hint().find("even") != std::string::npos);
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        QCOMPARE(finish_video(request, services_with()).width, 190);
    }

    void a_smaller_factor_shrinks_the_result() {
        FinishRequest request = finish(clip(2), "out");
        request.steps.upscaler = finish_data("compact_x4/model/realesr_compact_x4_tiny.safetensors");
        request.steps.upscale_factor = 2;
        const FinishResult result = finish_video(request, services_with());
        QCOMPARE(result.width, 2 * kWidth);
        QCOMPARE(read_frames(result.file, {}).front()->height, 2 * kHeight);
    }

    void audio_is_cut_faded_and_repeated() {
        FinishRequest request = finish(clip(24), "out.mkv");  // 1.5 s
        request.steps.audio = {
            .file = finish_data("tone.wav"), .fade_in = 0.3, .fade_out = 0.3, .length = AudioLength::loop};
        const FinishResult result = finish_video(request, services_with());
        GuardedReader reader("");
        const auto pcm = reader.read_pcm(result.file, -1, 0).values;
        QVERIFY(std::abs(double(pcm.size()) / 2 / kPcmRate - 1.5) < 0.06);
        const double full = loudness(pcm, 0.6, 1.0);
        QVERIFY(full > 0.05);
        QVERIFY(loudness(pcm, 0, 0.05) < 0.3 * full);
        QVERIFY(loudness(pcm, 1.45, 1.5) < 0.3 * full);

        request = finish(clip(24), "once.mkv");
        request.steps.audio = {.file = finish_data("tone.wav"), .start = 0.25};
        const auto short_pcm = reader.read_pcm(finish_video(request, services_with()).file, -1, 0).values;
        QVERIFY(std::abs(double(short_pcm.size()) / 2 / kPcmRate - 0.25) < 0.06);

        request.output.file = *folder_ / "late.mkv";
        request.steps.audio.start = 9;
        const Error late = thrown_by([&] { finish_video(request, services_with()); });
        QCOMPARE(late.code(), ErrorCode::bad_request);
        QVERIFY2(late.message().ends_with("ends before its start at 9 s"), late.what());
        QVERIFY(!std::filesystem::exists(request.output.file));
    }

    void bad_sources_are_refused_data() {
        QTest::addColumn<QString>("video");
        QTest::addColumn<ErrorCode>("code");
        QTest::newRow("no frames") << "sound_only.mp4" << ErrorCode::file_unreadable;
        QTest::newRow("not a video") << "make_fixtures.py" << ErrorCode::file_unreadable;
        QTest::newRow("missing") << "none.mp4" << ErrorCode::file_not_found;
    }

    void bad_sources_are_refused() {
        QFETCH(QString, video);
        QFETCH(ErrorCode, code);
        FinishRequest request = finish(finish_data(video.toStdString()), "out.mp4");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        QCOMPARE(thrown_by([&] { finish_video(request, services_with()); }).code(), code);
        QVERIFY(folder_->names().empty());
    }

    void bad_results_stop_the_work_data() {
        QTest::addColumn<QString>("network");
        QTest::addColumn<ErrorCode>("code");
        QTest::newRow("NaN in a weight") << "nan_x2.safetensors" << ErrorCode::not_finite;
        QTest::newRow("infinite results") << "overflow_x2.safetensors" << ErrorCode::not_finite;
        QTest::newRow("black") << "black_x2.safetensors" << ErrorCode::frames_black;
        QTest::newRow("an interpolator") << "mean_rife.safetensors" << ErrorCode::unsupported;
    }

    void bad_results_stop_the_work() {
        QFETCH(QString, network);
        QFETCH(ErrorCode, code);
        FinishRequest request = finish(clip(3), "out.mp4");
        request.steps.upscaler = finish_data(network.toStdString());
        QCOMPARE(thrown_by([&] { finish_video(request, services_with()); }).code(), code);
        QCOMPARE(folder_->names(), std::vector<std::string>{"clip.mp4"});
    }

    void the_files_of_a_request_are_never_the_result_data() {
        QTest::addColumn<QString>("output");
        for (const char* output : {"clip.mp4", "sound.mp4", "upscaler.mp4", "interpolator.mp4"})
            QTest::newRow(output) << output;
    }

    void the_files_of_a_request_are_never_the_result() {
        QFETCH(QString, output);
        FinishRequest request = finish(clip(3), output.toStdString());
        // The names are those of videos, because the container of the result is chosen by its ending.
        request.steps.audio.file = *folder_ / "sound.mp4";
        request.steps.upscaler = *folder_ / "upscaler.mp4";
        request.steps.interpolator = *folder_ / "interpolator.mp4";
        std::filesystem::copy_file(finish_data("phone.mp4"), request.steps.audio.file);
        std::filesystem::copy_file(finish_data("nearest_x2.safetensors"), request.steps.upscaler);
        std::filesystem::copy_file(finish_data("mean_rife.safetensors"), request.steps.interpolator);
        request.output.overwrite = OverwriteMode::overwrite;
        const auto size = std::filesystem::file_size(request.output.file);
        const Error error = thrown_by([&] { finish_video(request, services_with()); });
        QCOMPARE(error.code(), ErrorCode::bad_request);
        QCOMPARE(error.arguments().at("path"), request.output.file.string());
        QCOMPARE(std::filesystem::file_size(request.output.file), size);
    }

    void frames_of_one_size_are_needed() {
        const FinishSteps steps{.upscaler = finish_data("nearest_x2.safetensors")};
        const FinishPlan plan =
            plan_finish({.width = kWidth, .height = kHeight, .num_frames = 3, .rate = {16, 1}}, steps, 2);
        FrameFinisher finisher(plan, load_networks(steps, at::kCPU), {},
                               {.write = [](const FramePtr&) {}, .between_parts = [] {}});
        const auto push = [&](int width) {
            finisher.push(std::make_shared<const Frame>(moving_square(0, width, kHeight)), 0);
        };
        push(kWidth);
        const Error error = thrown_by([&] { push(kWidth / 2); });
        QCOMPARE(error.code(), ErrorCode::file_unreadable);
        QVERIFY2(error.message().find("frame 2 has 48 x 64 px") != std::string::npos, error.what());
        QVERIFY2(error.message().find("96 x 64 px") != std::string::npos, error.what());
    }

    void the_total_is_never_below_the_number_of_frames() {
        const FinishSteps steps{.upscaler = finish_data("nearest_x2.safetensors")};
        const FinishPlan plan =
            plan_finish({.width = kWidth, .height = kHeight, .num_frames = 2, .rate = {16, 1}}, steps, 2);
        SinkOptions options = options_for(*folder_ / "run.mp4");
        options.width = plan.width;
        options.height = plan.height;
        std::vector<std::tuple<int, int, FinishStage>> progress;
        FinishingSink sink(plan, load_networks(steps, at::kCPU), open_frame_sink(options), CancellationToken(),
                           [&](int done, int total, FinishStage stage) { progress.emplace_back(done, total, stage); });
        for (int i = 0; i < 3; ++i) sink.write(moving_square(i));
        sink.finish();
        const FinishStage frames = FinishStage::frames;
        QVERIFY((progress == std::vector<std::tuple<int, int, FinishStage>>{
                                 {1, 2, frames}, {2, 2, frames}, {3, 3, frames}, {3, 3, FinishStage::file}}));
    }

private:
    /// A video of 55 MB with subtitles.
    std::filesystem::path noisy_source(const std::string& name) const {
        const auto reader = std::make_shared<GuardedReader>("");
        SinkOptions options = options_for(*folder_ / name);
        options.output.codec = "ffv1";
        options.width = 640;
        options.height = 120;
        for (const SideTrack& track : reader->read_facts(finish_data("tracks.mkv")).tracks)
            if (track.kind == TrackKind::text)
                options.tracks.push_back(std::make_shared<TrackInput>(
                    TrackPlan{.use = TrackUse::kept, .file = finish_data("tracks.mkv"), .track = track, .seconds = 15},
                    reader));
        std::minstd_rand random(1);
        const auto sink = open_frame_sink(options);
        for (int i = 0; i < 240; ++i) {
            Frame frame{options.width, options.height, std::vector<std::uint8_t>(3 * 640 * 120)};
            std::ranges::generate(frame.pixels, [&] { return static_cast<std::uint8_t>(random() >> 8); });
            sink->write(frame);
        }
        return sink->finish();
    }
};

QTEST_GUILESS_MAIN(TestFinishVideo)
#include "test_finish_video.moc"
