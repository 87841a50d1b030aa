#include <ATen/Parallel.h>

#include <QTest>
#include <chrono>
#include <fstream>
#include <iterator>

#include "core/base/cancellation.h"
#include "core/finish/finish_folder.h"
#include "core/finish/finishing_sink.h"
#include "core/media/read_frames.h"
#include "finish_video_fixture.h"

using namespace kinescope;
using namespace kinescope::test;

/// Work that is stopped: what is saved of it, and how it continues.
class TestInterruptedFinish : public FinishVideoFixture {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }  // more threads only wait in pictures of this size

    void init() { folder_ = std::make_unique<Folder>(); }

    /// The file is completed by copying it, which takes long for large files.
    void a_stop_while_the_file_is_completed_is_followed() {
        FinishRequest request = finish(clip(17), "out.mp4");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        FinishServices services = services_with([&](int done, int total, FinishStage stage) {
            return done == total && stage == FinishStage::file ? FinishCommand::cancel : FinishCommand::go_on;
        });
        QCOMPARE(thrown_by([&] { finish_video(request, services); }).code(), ErrorCode::cancelled);
        QCOMPARE(folder_->names(), std::vector<std::string>{"clip.mp4"});
    }

    /// Opening an encoder and syncing a file for every second or two frames would take most of the time.
    void slow_videos_are_saved_by_frames_and_not_by_seconds() {
        SinkOptions options = options_for(*folder_ / "clip.mp4");
        options.fps = 1;
        FinishRequest request = finish(write_video(options, 40), "out.mp4");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        FinishServices services = services_with(until(39, FinishCommand::pause));
        services.saved_dir = *folder_ / "saved";
        QCOMPARE(thrown_by([&] { finish_video(request, services); }).code(), ErrorCode::cancelled);
        QCOMPARE(saved_parts(), std::size_t{2});
    }

    void a_call_without_saved_frames_leaves_no_folder_data() {
        QTest::addColumn<QString>("network");
        QTest::newRow("fails") << "black_x2.safetensors";
        QTest::newRow("is paused") << "nearest_x2.safetensors";
    }

    void a_call_without_saved_frames_leaves_no_folder() {
        QFETCH(QString, network);
        FinishRequest request = finish(clip(3), "out.mp4");
        request.steps.upscaler = finish_data(network.toStdString());
        FinishServices services = services_with(until(1, FinishCommand::pause));
        services.saved_dir = *folder_ / "saved";
        QVERIFY_THROWS_EXCEPTION(Error, finish_video(request, services));
        for (const auto& entry : std::filesystem::directory_iterator(*folder_ / "saved"))
            QVERIFY2(!entry.is_directory(), entry.path().c_str());
    }

    void a_cancelled_call_leaves_nothing() {
        FinishRequest request = finish(clip(40), "out.mp4");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        FinishServices services = services_with(until(18, FinishCommand::cancel));
        services.saved_dir = *folder_ / "saved";
        QCOMPARE(thrown_by([&] { finish_video(request, services); }).code(), ErrorCode::cancelled);
        QCOMPARE(saved_parts(), std::size_t{0});
        QCOMPARE(folder_->names().size(), std::size_t{2});  // the source and the folder of saved parts
    }

    void an_interrupted_copy_continues_with_the_same_bytes_data() {
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("codec");
        QTest::addColumn<bool>("enlarges");
        QTest::newRow("enlarged, H.264") << "out.mp4"
                                         << "" << true;
        QTest::newRow("interpolated, H.264") << "out.mkv"
                                             << "" << false;
        QTest::newRow("VP9") << "out.webm"
                             << "" << true;
        QTest::newRow("HEVC") << "out.mov"
                              << "libx265" << false;
        QTest::newRow("MPEG-4") << "out.mp4"
                                << "mpeg4" << true;
        QTest::newRow("FFV1") << "out.mkv"
                              << "ffv1" << true;
    }

    void an_interrupted_copy_continues_with_the_same_bytes() {
        QFETCH(QString, output);
        QFETCH(QString, codec);
        QFETCH(bool, enlarges);
        FinishRequest request = finish(clip(45), output.toStdString());
        request.output.codec = codec.toStdString();
        request.steps.audio = {.file = finish_data("tone.wav"), .length = AudioLength::loop};
        (enlarges ? request.steps.upscaler : request.steps.interpolator) =
            finish_data(enlarges ? "nearest_x2.safetensors" : "mean_rife.safetensors");
        FinishServices services = services_with();
        services.saved_dir = *folder_ / "saved";
        const FinishResult unbroken = finish_video(request, services);
        const std::string expected = contents_of(unbroken.file);
        std::filesystem::remove(unbroken.file);

        const int second = static_cast<int>(unbroken.fps);
        services.step = until(second + 5, FinishCommand::pause);
        QCOMPARE(thrown_by([&] { finish_video(request, services); }).code(), ErrorCode::cancelled);
        QCOMPARE(saved_parts(), std::size_t{1});
        QVERIFY(!std::filesystem::exists(request.output.file));
        services.step = {[&](int done, int, FinishStage) {
            return done >= second ? FinishCommand::go_on : FinishCommand::cancel;  // nothing is computed again
        }};
        const FinishResult result = finish_video(request, services);
        QCOMPARE(result.num_frames, unbroken.num_frames);
        QVERIFY(result.notes.front().find("Continued after frame " + std::to_string(second)) != std::string::npos);
        QVERIFY(contents_of(result.file) == expected);
        QCOMPARE(saved_parts(), std::size_t{0});
        QCOMPARE(read_frames(result.file, {}).size(), static_cast<std::size_t>(result.num_frames));
    }

    void an_interrupted_copy_has_the_tracks_of_its_source() {
        FinishRequest request = finish(finish_data("tracks.mkv"), "out.mkv");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        FinishServices services = services_with();
        services.saved_dir = *folder_ / "saved";
        const auto unbroken = finish_video(request, services).file;
        const std::string expected = contents_of(unbroken);
        std::filesystem::remove(unbroken);
        services.step = until(18, FinishCommand::pause);
        QCOMPARE(thrown_by([&] { finish_video(request, services); }).code(), ErrorCode::cancelled);
        QCOMPARE(saved_parts(), std::size_t{1});
        services.step = until(1000, FinishCommand::pause);
        QVERIFY(contents_of(finish_video(request, services).file) == expected);
    }

    void damaged_and_other_parts_are_not_used() {
        FinishRequest request = finish(clip(60), "out.mp4");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        FinishServices services = services_with();
        const std::string expected = [&] {
            services.saved_dir = *folder_ / "unbroken";
            const FinishResult result = finish_video(request, services);
            const std::string bytes = contents_of(result.file);
            std::filesystem::remove(result.file);
            return bytes;
        }();
        services.saved_dir = *folder_ / "saved";
        services.step = until(50, FinishCommand::pause);
        QCOMPARE(thrown_by([&] { finish_video(request, services); }).code(), ErrorCode::cancelled);
        QCOMPARE(saved_parts(), std::size_t{3});
        change_a_byte(part_named("chunk-1"));
        services.step = until(1000, FinishCommand::cancel);
        const FinishResult result = finish_video(request, services);
        QVERIFY(result.notes.front().find("Continued after frame 16 ") != std::string::npos);
        QVERIFY(contents_of(result.file) == expected);

        // Another source, or other settings, start from the beginning.
        std::filesystem::remove(result.file);
        services.step = until(50, FinishCommand::pause);
        QCOMPARE(thrown_by([&] { finish_video(request, services); }).code(), ErrorCode::cancelled);
        request.output.crf = 30;
        services.step = until(1, FinishCommand::cancel);
        QCOMPARE(thrown_by([&] { finish_video(request, services); }).code(), ErrorCode::cancelled);
        request.output.crf.reset();
        at::set_num_threads(2);
        QCOMPARE(thrown_by([&] { finish_video(request, services); }).code(), ErrorCode::cancelled);
        at::set_num_threads(1);
        request.video = clip(59);
        int first_done = -1;
        services.step = [&](int done, int, FinishStage) {
            if (first_done < 0) first_done = done;
            return FinishCommand::go_on;
        };
        finish_video(request, services);
        QCOMPARE(first_done, 0);
    }

    void a_continued_copy_keeps_its_warnings() {
        FinishRequest request = finish(clip(24), "out.mp4");
        request.steps.upscaler = finish_data("nearest_x2.safetensors");
        FinishServices services = services_with(until(20, FinishCommand::pause));
        services.saved_dir = *folder_ / "saved";
        QCOMPARE(thrown_by([&] { finish_video(request, services); }).code(), ErrorCode::cancelled);
        const std::string key = part_named("chunk-0").parent_path().filename();
        FinishFolder::open(services.saved_dir, key, request.output.file)
            ->save_state({.tiles = {.tile = 64, .overlap = 16}, .tile_difference = 9.0 / 255});
        services.step = until(1000, FinishCommand::cancel);
        const FinishResult result = finish_video(request, services);
        QCOMPARE(result.notes.size(), std::size_t{2});
        QVERIFY(result.notes.back().find("differ by up to 9 of 255 levels") != std::string::npos);
    }

    void states_are_read_back_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("tile");
        QTest::newRow("saved") << "" << 128;
        QTest::newRow("none") << "{}" << 0;
        QTest::newRow("no JSON") << "tile" << 0;
        QTest::newRow("an overlap like the tile") << R"({"tile": 64, "overlap": 64, "tile_difference": 0})" << 0;
        QTest::newRow("a tile of text") << R"({"tile": "64", "overlap": 8, "tile_difference": 0})" << 0;
    }

    void states_are_read_back() {
        QFETCH(QString, text);
        QFETCH(int, tile);
        const auto folder = FinishFolder::open(*folder_ / "saved", std::string(64, 'a'), "out.mp4");
        folder->save_state({.tiles = {.tile = 128, .overlap = 16}});
        if (!text.isEmpty()) std::ofstream(folder->path() / "state.json") << text.toStdString();
        const auto state = folder->state();
        QCOMPARE(state ? state->tiles.tile : 0, tile);
    }

    void unused_parts_are_deleted() {
        const auto root = *folder_ / "saved";
        const auto used = FinishFolder::open(root, std::string(64, 'a'), *folder_ / "a.mp4");
        const auto path_of = [&](char digit, const char* output) {
            return FinishFolder::open(root, std::string(64, digit), *folder_ / output)->path();
        };
        const auto same = path_of('b', "a.mp4");
        const auto other = path_of('c', "c.mp4");
        const auto old = path_of('d', "d.mp4");
        std::filesystem::last_write_time(old,
                                         std::filesystem::file_time_type::clock::now() - std::chrono::hours(15 * 24));
        remove_saved_frames(root, *folder_ / "a.mp4");
        QVERIFY(!std::filesystem::exists(same));
        QVERIFY(std::filesystem::exists(used->path()));
        QVERIFY(std::filesystem::exists(old));
        remove_old_saved_frames(root);
        QVERIFY(!std::filesystem::exists(old));
        QVERIFY(std::filesystem::exists(other));
    }

    void a_run_that_is_stopped_keeps_its_frames() {
        const FinishSteps steps{.upscaler = finish_data("nearest_x2.safetensors")};
        const FinishPlan plan =
            plan_finish({.width = kWidth, .height = kHeight, .num_frames = 9, .rate = {16, 1}}, steps, 2);
        SinkOptions options = options_for(*folder_ / "run.mp4");
        options.width = plan.width;
        options.height = plan.height;
        CancellationToken token;
        FinishingSink sink(plan, load_networks(steps, at::kCPU), open_frame_sink(options), token,
                           [](int, int, FinishStage) {});
        for (int i = 0; i < 4; ++i) sink.write(moving_square(i));
        token.request();
        QVERIFY_THROWS_EXCEPTION(Cancelled, sink.write(moving_square(4)));
        QCOMPARE(read_frames(sink.finish(), {}).size(), std::size_t{3});  // the fourth waits for the fifth
    }

private:
    static void change_a_byte(const std::filesystem::path& file) {
        std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
        stream.seekg(-1, std::ios::end);
        const int last = stream.get();
        stream.seekp(-1, std::ios::end);
        stream.put(static_cast<char>(last ^ 1));
    }

    std::size_t saved_parts() const {
        std::size_t count = 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder_ / "saved"))
            count += entry.path().filename().string().starts_with("chunk-") ? 1 : 0;
        return count;
    }

    std::filesystem::path part_named(const std::string& name) const {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder_ / "saved"))
            if (entry.path().filename() == name) return entry.path();
        return {};
    }
};

QTEST_GUILESS_MAIN(TestInterruptedFinish)
#include "test_interrupted_finish.moc"
