#include <QTest>

#include "core/finish/finish_memory.h"
#include "core/finish/finish_plan.h"
#include "core/finish/result_check.h"
#include "core/finish/scene_cut.h"
#include "core/finish/tiles.h"
#include "core/finish/timeline.h"
#include "tests/core/media/media_fixtures.h"

using namespace kinescope;
using namespace kinescope::test;

namespace {

FinishSource source_of(int frames, FrameRate rate = {16, 1}) {
    return {.width = 96, .height = 64, .num_frames = frames, .rate = rate};
}

FinishSteps interpolation(std::optional<int> factor, std::optional<int> fps = {}) {
    return {.interpolator = "rife.pth", .interpolation_factor = factor, .interpolation_fps = fps};
}

/// All frames of a result, as positions in the source.
std::vector<double> positions_of(double frames_per_unit, const std::vector<double>& source) {
    Timeline timeline(frames_per_unit);
    std::vector<double> positions;
    for (std::size_t i = 0; i + 1 < source.size(); ++i)
        for (const double way : timeline.between(source[i], source[i + 1]))
            positions.push_back(source[i] + way * (source[i + 1] - source[i]));
    if (timeline.is_due(source.back())) positions.push_back(source.back());
    return positions;
}

}  // namespace

class TestFinishPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void frames_and_rates_data() {
        QTest::addColumn<int>("frames");
        QTest::addColumn<int>("factor");
        QTest::addColumn<int>("fps");
        QTest::addColumn<int>("made");
        QTest::addColumn<double>("rate");
        const auto row = [](const char* title, int frames, int factor, int fps, int made, double rate) {
            QTest::newRow(title) << frames << factor << fps << made << rate;
        };
        row("x2", 17, 2, 0, 33, 32);
        row("x4 keeps 4k + 1", 17, 4, 0, 65, 64);
        row("the factor is 2 if none is given", 9, 0, 0, 17, 32);
        row("to 24 fps", 17, 0, 24, 25, 24);
        row("to 60 fps", 17, 0, 60, 61, 60);
        row("to a lower rate", 17, 0, 8, 9, 8);
        row("one frame keeps its time", 1, 2, 0, 1, 16);
        row("one frame to 24 fps", 1, 0, 24, 1, 16);
    }
    void frames_and_rates() {
        QFETCH(int, frames);
        QFETCH(int, factor);
        QFETCH(int, fps);
        QFETCH(int, made);
        QFETCH(double, rate);
        const auto wanted = [](int value) { return value > 0 ? std::optional(value) : std::nullopt; };
        const FinishPlan plan = plan_finish(source_of(frames), interpolation(wanted(factor), wanted(fps)), 1);
        QCOMPARE(plan.num_frames, made);
        QCOMPARE(plan.rate.value(), rate);
        std::vector<double> source;
        for (int i = 0; i < frames; ++i) source.push_back(i);
        QCOMPARE(positions_of(plan.frames_per_unit, source).size(), static_cast<std::size_t>(made));
    }

    void television_rates_stay_exact() {
        const FinishPlan plan = plan_finish(source_of(9, {30000, 1001}), interpolation(2), 1);
        QVERIFY(plan.rate == (FrameRate{60000, 1001}));
    }

    void positions_are_evenly_spaced() {
        QCOMPARE(positions_of(2, {0, 1, 2}), (std::vector<double>{0, 0.5, 1, 1.5, 2}));
        const std::vector<double> uneven = positions_of(10, {0, 0.1, 0.4, 0.5});
        QCOMPARE(uneven.size(), std::size_t{6});
        for (std::size_t i = 0; i < uneven.size(); ++i) QVERIFY(std::abs(uneven[i] - 0.1 * double(i)) < 1e-3);
    }

    void equal_times_do_not_divide_by_zero() {
        const std::vector<double> positions = positions_of(10, {0, 0, 0, 0.1, 0.1});
        QVERIFY(!positions.empty());
        for (const double position : positions) QVERIFY(std::isfinite(position));
    }

    void large_results_interpolate_first() {
        FinishSteps steps = interpolation(2);
        steps.upscaler = "4x.pth";
        QVERIFY(plan_finish({.width = 832, .height = 480, .num_frames = 81, .rate = {16, 1}}, steps, 4).order ==
                FinishOrder::upscale_first);
        QVERIFY(plan_finish({.width = 1920, .height = 1080, .num_frames = 81, .rate = {16, 1}}, steps, 4).order ==
                FinishOrder::interpolate_first);
    }

    void impossible_results_are_refused() {
        FinishSteps steps{.upscaler = "2x.pth", .upscale_factor = 4};
        const Error error = thrown_by([&] { plan_finish(source_of(9), steps, 2); });
        QCOMPARE(error.code(), ErrorCode::bad_request);
        QCOMPARE(error.arguments().at("upscale_factor"), std::string("2"));
        FinishSource wide = source_of(9);
        wide.width = 8000;
        QCOMPARE(thrown_by([&] { plan_finish(wide, {.upscaler = "4x.pth"}, 4); }).code(), ErrorCode::bad_request);
        QCOMPARE(thrown_by([] {
                     plan_finish(source_of(9, {60, 1}), interpolation(8), 1);
                 }).code(),
                 ErrorCode::bad_request);
    }

    void large_numbers_are_refused_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("frames");
        QTest::addColumn<int>("fps");
        QTest::addColumn<double>("span");
        QTest::addColumn<QString>("words");
        QTest::newRow("shrunk again") << 4097 << 9 << 16 << 0.0 << "enlarges by 4, to 16388 x 256 px";
        QTest::newRow("just small enough") << 4096 << 9 << 16 << 0.0 << "";
        QTest::newRow("frames") << 96 << 1'000'000 << 1 << 0.0 << "59999941 frames";
        QTest::newRow("a long span") << 96 << 9 << 1 << 1e9 << "60000000001 frames";
    }
    void large_numbers_are_refused() {
        QFETCH(int, width);
        QFETCH(int, frames);
        QFETCH(int, fps);
        QFETCH(double, span);
        QFETCH(QString, words);
        FinishSource source = source_of(frames, {fps, 1});
        source.width = width;
        source.span = span;
        if (span > 0) source.timing = FrameTiming::variable;
        FinishSteps steps = interpolation({}, 60);
        steps.upscaler = "4x.pth";
        steps.upscale_factor = 1;
        const auto error = testing::error_of([&] { plan_finish(source, steps, 4); });
        QVERIFY2(error.has_value() != words.isEmpty(), error ? error->what() : "");
        if (!error) return;
        QCOMPARE(error->code(), ErrorCode::bad_request);
        QVERIFY2(QString::fromStdString(error->message()).contains(words), error->what());
    }

    void uneven_frames_last_as_long_as_their_span() {
        const FinishPlan plan = plan_finish({.width = 96,
                                             .height = 64,
                                             .num_frames = 5,
                                             .rate = {10, 1},
                                             .timing = FrameTiming::variable,
                                             .span = 1.45},
                                            {.upscaler = "2x.pth"}, 2);
        QCOMPARE(plan.num_frames, 16);
        QCOMPARE(plan.seconds(), 1.6);
    }

    void gif_holds_50_frames_per_second() {
        const FinishPlan fast = plan_finish(source_of(9, {30, 1}), interpolation(2), 1);
        QCOMPARE(thrown_by([&] { check_format(fast, "a.gif"); }).code(), ErrorCode::bad_request);
        check_format(fast, "a.mp4");
        check_format(plan_finish(source_of(9, {25, 1}), interpolation(2), 1), "a.gif");
    }

    void a_long_gap_is_refused_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<bool>("is_refused");
        QTest::newRow("a minute") << 60.0 << false;
        QTest::newRow("the limit") << 1e5 << false;
        QTest::newRow("longer") << 100'001.0 << true;
        QTest::newRow("damaged") << 1e300 << true;
    }
    void a_long_gap_is_refused() {
        QFETCH(double, seconds);
        QFETCH(bool, is_refused);
        const auto code = testing::code_of([&] { Timeline(10).between(0, seconds); });
        QCOMPARE(code, is_refused ? std::optional(ErrorCode::file_unreadable) : std::nullopt);
    }

    void tiles_cover_an_axis_data() {
        QTest::addColumn<int>("size");
        QTest::addColumn<int>("tiles");
        for (const auto& [size, tiles] : {std::pair{1, 1}, {16, 1}, {17, 2}, {28, 2}, {29, 3}, {30, 3}})
            QTest::addRow("%d px", size) << size << tiles;
    }
    void tiles_cover_an_axis() {
        QFETCH(int, size);
        QFETCH(int, tiles);
        const auto spans = tiles_of(size, 16, 4);
        QCOMPARE(spans.size(), static_cast<std::size_t>(tiles));
        QCOMPARE(spans.front().start, 0);
        QCOMPARE(spans.back().start + spans.back().length, size);
        QCOMPARE(tile_weights(5, 4), (std::vector<float>{0.25F, 0.5F, 0.75F, 0.5F, 0.25F}));
        QCOMPARE(tile_weights(3, 0), (std::vector<float>{1, 1, 1}));
    }

    void memory_follows_tiles_and_frames() {
        constexpr std::int64_t kTile = 256 * 256;
        const NetworkSizes esrgan{.upscaler = NetworkSize{RrdbLayout{}, 1000}, .interpolator = {}};
        const auto memory_of = [&](int side, const NetworkSizes& sizes, int scale, const Device& device) {
            const FinishSteps steps{.upscaler = "x.pth"};
            const FinishPlan plan =
                plan_finish({.width = side, .height = side, .num_frames = 100, .rate = {16, 1}}, steps, scale);
            return finish_memory(plan, sizes, {}, device);
        };
        const FinishMemory small = memory_of(256, esrgan, 4, at::kCPU);
        QCOMPARE(small.network_bytes, std::int64_t{1000});
        // Two of 64 channels and the colors, 16 times as many pixels.
        QCOMPARE(small.activation_bytes, 4 * 16 * (2 * 64 + 3) * kTile);
        const FinishMemory large = memory_of(1024, esrgan, 4, at::kCPU);
        QCOMPARE(large.activation_bytes, small.activation_bytes);
        QVERIFY(large.frame_bytes > 10 * small.frame_bytes);
        QCOMPARE(large.encoder_bytes, 16 * small.encoder_bytes);
        const FinishMemory on_gpu = memory_of(1024, esrgan, 4, at::kCUDA);
        QCOMPARE(on_gpu.lasting_bytes(), std::int64_t{1000});
        QCOMPARE(on_gpu.reader_bytes, std::int64_t{0});
        QCOMPARE(on_gpu.library_bytes, std::int64_t{0});
        const NetworkSizes both{.upscaler = esrgan.upscaler,
                                .interpolator = NetworkSize{RifeLayout{.blocks = {RifeBlock()}}, 0}};
        QCOMPARE(memory_of(256, both, 4, at::kCPU).library_bytes, 2 * small.library_bytes);

        RrdbLayout folded;  // RealESRGAN x2: the network sees a quarter of the pixels
        folded.fold = 2;
        const NetworkSizes x2{.upscaler = NetworkSize{folded, 0}, .interpolator = {}};
        QCOMPARE(4 * memory_of(256, x2, 2, at::kCPU).activation_bytes, small.activation_bytes);
        const NetworkSizes compact{.upscaler = NetworkSize{CompactLayout{}, 0}, .interpolator = {}};
        QCOMPARE(memory_of(256, compact, 4, at::kCPU).activation_bytes, 4 * (4 * 64 + 16) * kTile);
    }

    void scene_cuts_are_found() {
        QVERIFY(step_between(moving_square(3), moving_square(3)) == FrameStep::none);
        QVERIFY(step_between(moving_square(3), moving_square(4)) == FrameStep::motion);
        QVERIFY(step_between(moving_square(0), moving_square(16)) == FrameStep::motion);
        Frame other = moving_square(3);
        for (std::size_t i = 0; i < other.pixels.size(); ++i)  // bars that the first scene has not
            other.pixels[i] = static_cast<std::uint8_t>((i / 3 % kWidth / 12) % 2 == 0 ? 20 : 235);
        QVERIFY(step_between(moving_square(3), other) == FrameStep::scene_cut);
    }

    void frames_of_other_sizes_are_a_scene_cut() {
        QVERIFY(step_between(moving_square(0, 16, 16), moving_square(0, 8, 8)) == FrameStep::scene_cut);
        QVERIFY(step_between(moving_square(0, 8, 16), moving_square(0, 16, 8)) == FrameStep::scene_cut);
    }

    void lost_contrast_is_an_error_data() {
        QTest::addColumn<double>("source");
        QTest::addColumn<double>("result");
        QTest::addColumn<bool>("fails");
        QTest::newRow("as the source") << 40.0 << 38.0 << false;
        QTest::newRow("flat") << 40.0 << 1.0 << true;
        QTest::newRow("a flat source") << 3.0 << 0.0 << false;
        QTest::newRow("softer") << 40.0 << 10.0 << false;
    }
    void lost_contrast_is_an_error() {
        QFETCH(double, source);
        QFETCH(double, result);
        QFETCH(bool, fails);
        const FrameLevels before{.mean = 100, .std = source};
        const FrameLevels after{.mean = 0, .std = result};
        const auto code = testing::code_of([&] { check_contrast(before, after, ComputedBy::upscaler, 3); });
        QCOMPARE(code, fails ? std::optional(ErrorCode::frames_black) : std::nullopt);
    }
};

QTEST_GUILESS_MAIN(TestFinishPlan)
#include "test_finish_plan.moc"
