#include <QtTest>

#include "core/api/error.h"
#include "core/base/cancellation.h"
#include "core/pipeline/joined_sink.h"

using namespace kinescope;

namespace {

Frame flat(std::uint8_t red, std::uint8_t green, std::uint8_t blue, int width = 4, int height = 2) {
    Frame frame{width, height, {}};
    for (int i = 0; i < width * height; ++i) frame.pixels.insert(frame.pixels.end(), {red, green, blue});
    return frame;
}

/// A frame whose pixels are `low` and `high` by turns in all channels.
Frame striped(std::uint8_t low, std::uint8_t high) {
    Frame frame{4, 2, {}};
    for (int i = 0; i < 8; ++i) frame.pixels.insert(frame.pixels.end(), 3, i % 2 == 0 ? low : high);
    return frame;
}

class CollectingSink final : public FrameSink {
public:
    explicit CollectingSink(std::vector<Frame>& frames) : frames_(frames) {}
    void write(const Frame& frame) override { frames_.push_back(frame); }
    std::filesystem::path finish() override { return "joined"; }
    const std::filesystem::path& temporary() const override { return name_; }

private:
    std::vector<Frame>& frames_;
    std::filesystem::path name_ = "temporary";
};

/// Is stopped by the user at its second frame.
class StoppingSink final : public FrameSink {
public:
    void write(const Frame&) override {
        if (++num_frames_ == 2) throw Cancelled();
    }
    std::filesystem::path finish() override { return "truncated"; }
    const std::filesystem::path& temporary() const override { return name_; }

private:
    int num_frames_ = 0;
    std::filesystem::path name_ = "temporary";
};

/// Reads a clip in parts of two frames.
ReadClip clip_of(std::vector<Frame> frames) {
    return [frames](const std::filesystem::path&, int first) {
        ClipPart part{.fps = 8, .num_total = static_cast<int>(frames.size()), .frames = {}};
        for (std::size_t i = static_cast<std::size_t>(first); i < frames.size() && part.frames.size() < 2; ++i)
            part.frames.push_back(std::make_shared<const Frame>(frames[i]));
        return part;
    };
}

/// Reads the clip of each name, in parts of two frames.
ReadClip clips_of(std::map<std::filesystem::path, std::vector<Frame>> clips) {
    return [clips](const std::filesystem::path& file, int first) { return clip_of(clips.at(file))(file, first); };
}

int red(const Frame& frame) {
    return frame.pixels.front();
}

}  // namespace

class TestJoinedSink : public QObject {
    Q_OBJECT

    std::vector<Frame> frames_;
    std::vector<Seam> seams_;

    JoinedSink joined(std::vector<Frame> clip, int overlap) {
        return JoinedSink(
            std::make_unique<CollectingSink>(frames_),
            {.read = clip_of(std::move(clip)), .videos = {EarlierVideo{"clip"}}, .overlap = overlap, .size = {4, 2}},
            [this](const Seam& seam) { seams_.push_back(seam); });
    }

private Q_SLOTS:
    void init() {
        frames_.clear();
        seams_.clear();
    }

    void levels_are_mean_and_deviation() {
        const auto levels = color_levels({std::make_shared<const Frame>(striped(50, 150))});
        QCOMPARE(levels.mean[1], 100.0);
        QCOMPARE(levels.deviation[2], 50.0);
    }

    void the_overlap_appears_once() {
        auto sink = joined({flat(10, 0, 0), flat(20, 0, 0), flat(30, 0, 0), flat(40, 0, 0), flat(50, 0, 0)}, 2);
        for (const std::uint8_t value : {40, 50, 60, 70}) sink.write(flat(value, 0, 0));
        QCOMPARE(sink.finish().string(), std::string("joined"));
        QCOMPARE(frames_.size(), std::size_t{7});
        for (std::size_t i = 0; i < 7; ++i) QCOMPARE(red(frames_[i]), 10 * static_cast<int>(i + 1));
    }

    void a_shift_of_colors_is_measured_and_removed() {
        auto sink = joined({striped(40, 140), striped(40, 140)}, 1);
        sink.write(striped(60, 150));  // mean 105 for 90, deviation 45 for 50
        sink.write(striped(60, 150));
        sink.finish();
        QCOMPARE(seams_.size(), std::size_t{1});
        QCOMPARE(seams_.front().before.mean[0], 90.0);
        QCOMPARE(seams_.front().after.mean[0], 105.0);
        QVERIFY(std::abs(seams_.front().corrected.mean[0] - 90.0) < 1.0);
        QCOMPARE(frames_.size(), std::size_t{3});
        QCOMPARE(frames_.back().pixels, striped(40, 140).pixels);
    }

    void a_visible_difference_that_remains_is_a_finding_data() {
        QTest::addColumn<double>("mean");
        QTest::addColumn<double>("deviation");
        QTest::addColumn<bool>("found");
        QTest::newRow("an ordinary seam") << 0.5 << 0.5 << false;
        QTest::newRow("barely visible") << 4.0 << 7.9 << false;
        QTest::newRow("mean") << 64.0 << 0.0 << true;
        QTest::newRow("contrast") << 0.0 << -20.0 << true;
    }
    void a_visible_difference_that_remains_is_a_finding() {
        QFETCH(double, mean);
        QFETCH(double, deviation);
        QFETCH(bool, found);
        Seam seam{.overlap = 1};
        seam.before = {.mean = {100, 100, 100}, .deviation = {30, 30, 30}};
        seam.corrected = seam.before;
        seam.corrected.mean[1] += mean;
        seam.corrected.deviation[2] += deviation;
        seam.after = {.mean = {200, 200, 200}, .deviation = {1, 1, 1}};
        const auto findings = find_in_seam(seam);
        QCOMPARE(!findings.empty(), found);
        if (found) QCOMPARE(findings[0].found.code, std::string("seam_colors"));
    }

    void a_flat_frame_is_only_shifted() {
        const ColorLevels from = color_levels({std::make_shared<const Frame>(flat(100, 100, 100))});
        const ColorLevels to = color_levels({std::make_shared<const Frame>(striped(0, 255))});
        QCOMPARE(with_levels(flat(100, 100, 100), from, to).pixels, flat(128, 128, 128).pixels);
    }

    void the_correction_of_contrast_is_bounded() {
        const ColorLevels from = color_levels({std::make_shared<const Frame>(striped(100, 110))});
        const ColorLevels to = color_levels({std::make_shared<const Frame>(striped(5, 205))});
        const Frame result = with_levels(striped(100, 110), from, to);
        QVERIFY(result.pixels.back() - result.pixels.front() <= 13);
    }

    void a_clip_of_another_size_is_stretched() {
        auto sink = joined({flat(10, 0, 0, 8, 8), flat(20, 0, 0, 8, 8)}, 1);
        sink.write(flat(20, 0, 0));
        sink.finish();
        QCOMPARE(frames_.size(), std::size_t{2});
        QCOMPARE(frames_.front().width, 4);
        QCOMPARE(frames_.front().pixels, flat(10, 0, 0).pixels);
    }

    void a_clip_shorter_than_the_overlap_is_kept() {
        auto sink = joined({flat(10, 0, 0)}, 3);
        for (const std::uint8_t value : {10, 10, 10, 40}) sink.write(flat(value, 0, 0));
        sink.finish();
        QCOMPARE(frames_.size(), std::size_t{2});  // the first two new frames lie before the clip
        QCOMPARE(red(frames_.front()), 10);
        QCOMPARE(red(frames_.back()), 40);
    }

    void the_beginning_of_a_part_replaces_the_end_of_the_one_before() {
        const auto read = clips_of({{"first", {flat(10, 0, 0), flat(20, 0, 0), flat(99, 0, 0)}},
                                    {"second", {flat(30, 0, 0), flat(40, 0, 0), flat(50, 0, 0)}}});
        JoinedSink sink(
            std::make_unique<CollectingSink>(frames_),
            {.read = read, .videos = {EarlierVideo{"first"}, EarlierVideo{"second"}}, .overlap = 1, .size = {4, 2}},
            {});
        for (const std::uint8_t value : {50, 60}) sink.write(flat(value, 0, 0));
        sink.finish();
        QCOMPARE(frames_.size(), std::size_t{6});
        for (std::size_t i = 0; i < 6; ++i) QCOMPARE(red(frames_[i]), 10 * static_cast<int>(i + 1));
    }

    void frames_before_the_overlap_can_be_left_out() {
        JoinedSink sink(std::make_unique<CollectingSink>(frames_),
                        {.read = clip_of({flat(10, 0, 0), flat(20, 0, 0), flat(30, 0, 0)}),
                         .videos = {EarlierVideo{"clip"}},
                         .overlap = 1,
                         .size = {4, 2},
                         .copy = ClipCopy::overlap},
                        {});
        for (const std::uint8_t value : {30, 40}) sink.write(flat(value, 0, 0));
        sink.finish();
        QCOMPARE(frames_.size(), std::size_t{2});
        QCOMPARE(red(frames_.front()), 30);
        QCOMPARE(red(frames_.back()), 40);
    }

    void a_missing_clip_is_an_error() {
        auto sink = joined({}, 1);
        QVERIFY_THROWS_EXCEPTION(Error, sink.write(flat(20, 0, 0)));
    }

    void a_video_with_fewer_frames_than_it_must_have_is_an_error() {
        const auto made = [this](int num_frames) {
            return JoinedSink(std::make_unique<CollectingSink>(frames_),
                              {.read = clip_of({flat(10, 0, 0), flat(20, 0, 0), flat(30, 0, 0)}),
                               .videos = {EarlierVideo{"clip", num_frames}},
                               .overlap = 1,
                               .size = {4, 2}},
                              {});
        };
        auto complete = made(3);
        complete.write(flat(30, 0, 0));
        QCOMPARE(frames_.size(), std::size_t{3});
        auto shortened = made(4);
        QVERIFY_THROWS_EXCEPTION(Error, shortened.write(flat(30, 0, 0)));
    }

    void a_stop_inside_of_the_clip_saves_no_part_of_it() {
        auto sink = JoinedSink(std::make_unique<StoppingSink>(),
                               {.read = clip_of({flat(10, 0, 0), flat(20, 0, 0), flat(30, 0, 0), flat(40, 0, 0)}),
                                .videos = {EarlierVideo{"clip"}},
                                .overlap = 1,
                                .size = {4, 2}},
                               {});
        QVERIFY_THROWS_EXCEPTION(Cancelled, sink.write(flat(40, 0, 0)));
        QVERIFY_THROWS_EXCEPTION(Cancelled, sink.finish());
        QVERIFY_THROWS_EXCEPTION(Cancelled, sink.write(flat(50, 0, 0)));
    }

    void a_run_that_stops_early_keeps_the_clip() {
        auto sink = joined({flat(10, 0, 0), flat(20, 0, 0), flat(30, 0, 0)}, 2);
        sink.write(flat(20, 0, 0));
        sink.finish();
        QCOMPARE(frames_.size(), std::size_t{3});
    }
};

QTEST_GUILESS_MAIN(TestJoinedSink)
#include "test_joined_sink.moc"
