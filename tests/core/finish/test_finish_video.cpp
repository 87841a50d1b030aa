#include <ATen/Parallel.h>

#include <QTest>

#include "core/base/cancellation.h"
#include "core/finish/finish_video.h"
#include "core/finish/finishing_sink.h"
#include "core/media/read_frames.h"
#include "core/media/video_metadata.h"
#include "finish_fixture.h"
#include "tests/core/media/media_fixtures.h"

using namespace kinescope;
using namespace kinescope::test;

namespace {

FinishServices services_with(std::function<bool(int, int)> step = {}) {
    if (!step) step = [](int, int) { return true; };
    return {.reader = std::make_shared<GuardedReader>(""), .device = at::kCPU, .step = std::move(step)};
}

std::vector<SoundPacket> packets_of(const std::filesystem::path& file) {
    return GuardedReader("").read_packets(file, 0).values;
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

class TestFinishVideo : public QObject {
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
        const FinishResult result = finish_video(request, services_with([&](int frames, int total) {
                                                     if (frames > 0 && (done.empty() || done.back() != frames))
                                                         done.push_back(frames);
                                                     return total == 17;
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

    void a_container_with_other_codecs_gets_encoded_sound() {
        FinishRequest request = finish(finish_data("phone.mp4"), "out.webm");
        request.steps.interpolator = finish_data("mean_rife.safetensors");
        const FinishResult result = finish_video(request, services_with());
        const ClipFacts facts = GuardedReader("").read_facts(result.file);
        QCOMPARE(facts.sound.codec, std::string("opus"));
        QVERIFY(loudness(GuardedReader("").read_pcm(result.file, 0).values, 0.1, 0.3) > 0.02);
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

    void one_frame_stays_one_frame() {
        FinishRequest request = finish(finish_data("one.mp4"), "out.mp4");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        request.steps.interpolator = finish_data("mean_rife.safetensors");
        QCOMPARE(finish_video(request, services_with()).num_frames, 1);
    }

    void odd_sizes_need_an_even_factor() {
        FinishRequest request = finish(finish_data("odd.mkv"), "out.mp4");
        request.steps.interpolator = finish_data("mean_rife.safetensors");
        const Error error = error_of([&] { finish_video(request, services_with()); });
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
        const auto pcm = reader.read_pcm(result.file, 0).values;
        QVERIFY(std::abs(double(pcm.size()) / 2 / kPcmRate - 1.5) < 0.06);
        const double full = loudness(pcm, 0.6, 1.0);
        QVERIFY(full > 0.05);
        QVERIFY(loudness(pcm, 0, 0.05) < 0.3 * full);
        QVERIFY(loudness(pcm, 1.45, 1.5) < 0.3 * full);

        request = finish(clip(24), "once.mkv");
        request.steps.audio = {.file = finish_data("tone.wav"), .start = 0.25};
        const auto short_pcm = reader.read_pcm(finish_video(request, services_with()).file, 0).values;
        QVERIFY(std::abs(double(short_pcm.size()) / 2 / kPcmRate - 0.25) < 0.06);

        request.output.file = *folder_ / "late.mkv";
        request.steps.audio.start = 9;
        QCOMPARE(error_of([&] { finish_video(request, services_with()); }).code(), ErrorCode::bad_request);
        QVERIFY(!std::filesystem::exists(request.output.file));
    }

    void bad_sources_are_refused_data() {
        QTest::addColumn<QString>("video");
        QTest::addColumn<ErrorCode>("code");
        QTest::newRow("HDR") << "hdr.mp4" << ErrorCode::unsupported;
        QTest::newRow("no frames") << "sound_only.mp4" << ErrorCode::file_unreadable;
        QTest::newRow("not a video") << "make_fixtures.py" << ErrorCode::file_unreadable;
        QTest::newRow("missing") << "none.mp4" << ErrorCode::file_not_found;
    }
    void bad_sources_are_refused() {
        QFETCH(QString, video);
        QFETCH(ErrorCode, code);
        FinishRequest request = finish(finish_data(video.toStdString()), "out.mp4");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        QCOMPARE(error_of([&] { finish_video(request, services_with()); }).code(), code);
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
        QCOMPARE(error_of([&] { finish_video(request, services_with()); }).code(), code);
        QCOMPARE(folder_->names(), std::vector<std::string>{"clip.mp4"});
    }

    void a_cancelled_call_leaves_nothing() {
        FinishRequest request = finish(clip(9), "out.mp4");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        const auto until_three = [](int done, int) { return done < 3; };
        QCOMPARE(error_of([&] { finish_video(request, services_with(until_three)); }).code(), ErrorCode::cancelled);
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
        const Error error = error_of([&] { finish_video(request, services_with()); });
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
        const Error error = error_of([&] { push(kWidth / 2); });
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
        std::vector<std::pair<int, int>> progress;
        FinishingSink sink(plan, load_networks(steps, at::kCPU), open_frame_sink(options), CancellationToken(),
                           [&](int done, int total) { progress.emplace_back(done, total); });
        for (int i = 0; i < 3; ++i) sink.write(moving_square(i));
        sink.finish();
        QCOMPARE(progress, (std::vector<std::pair<int, int>>{{1, 2}, {2, 2}, {3, 3}}));
    }

    void a_run_that_is_stopped_keeps_its_frames() {
        const FinishSteps steps{.upscaler = finish_data("nearest_x2.safetensors")};
        const FinishPlan plan =
            plan_finish({.width = kWidth, .height = kHeight, .num_frames = 9, .rate = {16, 1}}, steps, 2);
        SinkOptions options = options_for(*folder_ / "run.mp4");
        options.width = plan.width;
        options.height = plan.height;
        CancellationToken token;
        FinishingSink sink(plan, load_networks(steps, at::kCPU), open_frame_sink(options), token, [](int, int) {});
        for (int i = 0; i < 4; ++i) sink.write(moving_square(i));
        token.request();
        QVERIFY_THROWS_EXCEPTION(Cancelled, sink.write(moving_square(4)));
        QCOMPARE(read_frames(sink.finish(), {}).size(), std::size_t{3});  // the fourth waits for the fifth
    }

private:
    std::filesystem::path clip(int frames) {
        SinkOptions options = options_for(*folder_ / "clip.mp4");
        options.output.overwrite = OverwriteMode::overwrite;
        return write_video(options, frames);
    }
    FinishRequest finish(const std::filesystem::path& video, const std::string& output) const {
        FinishRequest request;
        request.video = video;
        request.output.file = *folder_ / output;
        return request;
    }

    std::unique_ptr<Folder> folder_;
};

QTEST_GUILESS_MAIN(TestFinishVideo)
#include "test_finish_video.moc"
