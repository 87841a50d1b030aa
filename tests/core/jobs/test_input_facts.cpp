#include <QtTest>

#include "core/jobs/input_facts.h"
#include "core/pipeline/input_video.h"

using namespace kinescope;

namespace {

/// Reads a video of `count` black frames.
ReadClip video_of(int count, int width = 100, int height = 60, double fps = 24) {
    return [=](const std::filesystem::path&, int first) {
        ClipPart part{.fps = fps, .num_total = count, .frames = {}};
        if (first < count)
            part.frames.push_back(std::make_shared<const Frame>(
                Frame{width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(width * height * 3))}));
        return part;
    };
}

/// Reads a video of `frames` gray frames, each with its own level, whose header says `declared`. At most 4 in a part.
ReadClip numbered_video(int frames, int declared, FrameCount count) {
    return [=](const std::filesystem::path&, int first) {
        ClipPart part{.fps = 8, .num_total = declared, .count = count, .frames = {}};
        for (int i = first; i < std::min(frames, first + 4); ++i)
            part.frames.push_back(
                std::make_shared<const Frame>(Frame{1, 1, std::vector<std::uint8_t>(3, static_cast<std::uint8_t>(i))}));
        return part;
    };
}

ModelCard start_card() {
    ModelCard card;
    card.video_use = VideoUse::start;
    card.continuation = Continuation::last_latents;
    card.default_num_frames = 33;
    card.max_num_frames = 81;
    return card;
}

ModelCard control_card() {
    ModelCard card = start_card();
    card.video_use = VideoUse::control;
    return card;
}

VideoRequest with_video() {
    VideoRequest request;
    request.video = "v.mp4";
    return request;
}

std::string message_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.message();
    }
    return {};
}

}  // namespace

class TestInputFacts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_end_of_a_video_is_its_end_data() {
        using Levels = std::vector<int>;
        QTest::addColumn<int>("frames");
        QTest::addColumn<int>("declared");
        QTest::addColumn<FrameCount>("count");
        QTest::addColumn<Levels>("levels");
        QTest::newRow("exact") << 30 << 30 << FrameCount::exact << Levels{27, 28, 29};
        QTest::newRow("damaged") << 30 << 40 << FrameCount::exact << Levels{27, 28, 29};
        QTest::newRow("estimated too low") << 30 << 20 << FrameCount::estimated << Levels{27, 28, 29};
        QTest::newRow("estimated too high") << 30 << 40 << FrameCount::estimated << Levels{27, 28, 29};
        QTest::newRow("shorter") << 2 << 2 << FrameCount::exact << Levels{0, 0, 1};
        QTest::newRow("shorter than estimated") << 1 << 9 << FrameCount::estimated << Levels{0, 0, 0};
    }
    void the_end_of_a_video_is_its_end() {
        QFETCH(int, frames);
        QFETCH(int, declared);
        QFETCH(FrameCount, count);
        QFETCH(std::vector<int>, levels);
        std::vector<int> seen;
        const ReadClip read = numbered_video(frames, declared, count);
        last_frames_of(read, "v.mkv", 3)(3,
                                         [&](const Tensor& frame) { seen.push_back(frame.flatten()[0].item<int>()); });
        QCOMPARE(seen, levels);
    }

    /// A reader in another process has a time limit.
    void large_frames_are_skipped_in_small_steps() {
        constexpr int kTotal = 1000;
        std::vector<int> reads;
        const ReadClip read = [&reads](const std::filesystem::path&, int first) {
            reads.push_back(first);
            ClipPart part{.fps = 24, .num_total = kTotal, .frames = {}};
            if (first < kTotal) part.frames.push_back(std::make_shared<const Frame>(Frame{4096, 2304, {}}));
            return part;
        };
        last_frames_of(read, "v.mp4", 3);
        QCOMPARE(reads.back(), kTotal);
        for (std::size_t i = 1; i < reads.size(); ++i) QVERIFY(reads[i] - reads[i - 1] < 250);
    }

    void the_size_has_the_orientation_of_the_input_video_data() {
        QTest::addColumn<QSize>("video");
        QTest::addColumn<QSize>("asked");
        QTest::addColumn<QSize>("result");
        QTest::newRow("upright") << QSize(60, 100) << QSize() << QSize(480, 832);
        QTest::newRow("wide") << QSize(100, 60) << QSize() << QSize();
        QTest::newRow("square") << QSize(60, 60) << QSize() << QSize();
        QTest::newRow("chosen") << QSize(60, 100) << QSize(832, 480) << QSize(832, 480);
    }
    void the_size_has_the_orientation_of_the_input_video() {
        QFETCH(QSize, video);
        QFETCH(QSize, asked);
        QFETCH(QSize, result);
        const auto side = [](int value) { return value > 0 ? std::optional(value) : std::nullopt; };
        ModelCard card = start_card();
        card.default_size = {832, 480};
        VideoRequest request = with_video();
        request.width = side(asked.width());
        request.height = side(asked.height());
        const VideoRequest found = with_video_facts(request, card, video_of(40, video.width(), video.height()));
        QVERIFY(found.width == side(result.width()) && found.height == side(result.height()));
    }

    void the_size_fits_the_first_picture_data() {
        QTest::addColumn<QSize>("picture");
        QTest::addColumn<QSize>("asked");
        QTest::addColumn<QSize>("result");
        QTest::newRow("wide") << QSize(1600, 900) << QSize() << QSize();
        QTest::newRow("upright") << QSize(900, 1600) << QSize() << QSize(480, 832);
        QTest::newRow("square") << QSize(640, 640) << QSize() << QSize(624, 624);
        QTest::newRow("chosen") << QSize(900, 1600) << QSize(832, 480) << QSize(832, 480);
    }
    void the_size_fits_the_first_picture() {
        QFETCH(QSize, picture);
        QFETCH(QSize, asked);
        QFETCH(QSize, result);
        const auto side = [](int value) { return value > 0 ? std::optional(value) : std::nullopt; };
        ModelCard card = start_card();
        card.takes_conditions = true;
        card.default_size = {832, 480};
        card.sizes = {{832, 480}, {480, 832}, {624, 624}, {720, 1280}};
        using Change = void (*)(VideoRequest&);
        for (const Change use : {Change{[](VideoRequest& request) { request.image = "p.png"; }},
                                 Change{[](VideoRequest& request) { request.last_image = "p.png"; }},
                                 Change{[](VideoRequest& request) { request.conditions = {{.file = "p.png"}}; }}}) {
            VideoRequest request;
            request.width = side(asked.width());
            request.height = side(asked.height());
            use(request);
            const VideoRequest found = with_video_facts(request, card, video_of(1, picture.width(), picture.height()));
            QVERIFY(found.width == side(result.width()) && found.height == side(result.height()));
        }
    }

    /// A preset that makes the video smaller starts with this size.
    void the_size_by_the_inputs_is_known_without_the_other_facts() {
        ModelCard card = start_card();
        card.default_size = {832, 480};
        card.sizes = {{832, 480}, {480, 832}};
        const ReadClip upright = video_of(1, 900, 1600), none = video_of(0);
        VideoRequest request;
        QCOMPARE(input_size(request, card, upright), card.default_size);
        request.image = "p.png";
        QCOMPARE(input_size(request, card, upright), (Size{480, 832}));
        QCOMPARE(input_size(request, card, none), card.default_size);
        request.width = 640;
        QCOMPARE(input_size(request, card, upright), (Size{480, 832}));
        QCOMPARE(input_size(with_video(), card, upright), (Size{480, 832}));
        request = {};
        request.continue_video = "v.mp4";
        QCOMPARE(input_size(request, card, video_of(9, 100, 60)), (Size{96, 64}));
    }

    void cropped_pictures_are_noted() {
        VideoRequest asked;
        asked.image = "p.png";
        NotingReader reader(video_of(1, 100, 60));
        reader("p.png", 0);
        ResolvedContent result{.width = 60, .height = 100, .num_frames = 9};
        QCOMPARE(reader.notes(asked, result).size(), std::size_t{1});
        QVERIFY(reader.notes(asked, result).front().starts_with("p.png is cropped from 100 x 60 px"));
        result.image_fit = ImageFit::stretch;
        QVERIFY(reader.notes(asked, result).front().starts_with("The frames of p.png are stretched"));
    }

    void stretched_frames_are_noted_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("notes");
        QTest::newRow("same shape") << 200 << 0;
        QTest::newRow("rounded to a multiple") << 208 << 0;
        QTest::newRow("stretched") << 240 << 1;
    }
    void stretched_frames_are_noted() {
        QFETCH(int, width);
        QFETCH(int, notes);
        NotingReader reader(video_of(9, 100, 60));
        reader("v.mp4", 0);
        ResolvedContent result{.width = width, .height = 120, .num_frames = 9};
        const auto found = reader.notes({}, result);
        QCOMPARE(static_cast<int>(found.size()), notes);
        if (notes > 0)
            QCOMPARE(found.front(), std::string("The frames of v.mp4 are stretched from 100 x 60 px to 240 x 120 px."));
    }

    void what_differs_from_an_input_is_noted() {
        NotingReader reader(video_of(12, 100, 60));
        reader("v.mp4", 0);
        VideoRequest asked;
        asked.video = "v.mp4";
        ResolvedContent result{.width = 100, .height = 60, .num_frames = 9, .fps = 30};
        result.fps = static_cast<int>(std::lround(video_of(12, 100, 60)("v.mp4", 0).fps));
        auto found = reader.notes(asked, result);
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY2(found[0].starts_with("The first 9 of the 12 frames of v.mp4 are used"), found[0].c_str());
        asked.num_frames = 9;
        QVERIFY(reader.notes(asked, result).empty());
        result.fps += 1;
        QVERIFY(reader.notes(asked, result).at(0).find("frame rate") != std::string::npos);
        VideoRequest continued;
        continued.continue_video = "v.mp4";
        continued.fps = result.fps;
        result.width = 102;
        QVERIFY(reader.notes(continued, result).at(0).find("the nearest size") != std::string::npos);
    }

    /// The frames of the video are copied, so another rate would change their speed.
    void another_frame_rate_than_that_of_the_continued_video_is_refused() {
        VideoRequest request;
        request.continue_video = "v.mp4";
        request.fps = 16;
        const auto message = message_of([&] { with_video_facts(request, start_card(), video_of(9)); });
        QCOMPARE(message, std::string("fps is 16, but the video to continue has 24 frames per second, which the whole "
                                      "result keeps"));
        request.fps = 24;
        QVERIFY(message_of([&] { with_video_facts(request, start_card(), video_of(9)); }).empty());
        QVERIFY(message_of([&] { with_video_facts(request, start_card(), video_of(9, 100, 60, 23.976)); }).empty());
        const auto folder_of_pictures = video_of(9, 100, 60, 0);
        QVERIFY(message_of([&] { with_video_facts(request, start_card(), folder_of_pictures); }).empty());
    }

    void a_folder_of_pictures_has_no_frame_rate() {
        NotingReader reader(video_of(9, 100, 60, 0));
        reader("pictures", 0);
        VideoRequest asked;
        asked.continue_video = "pictures";
        const auto found = reader.notes(asked, {.width = 100, .height = 60, .num_frames = 9, .fps = 8});
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0], std::string("pictures has no frame rate; that of the result is 8."));
    }

    void a_video_without_a_readable_frame_is_refused() {
        VideoRequest request;
        request.continue_video = __FILE__;  // a file that exists
        const auto message = message_of([&] { with_video_facts(request, start_card(), video_of(0)); });
        QVERIFY2(message.ends_with("none of its frames can be read"), message.c_str());
    }

    void used_frames_are_counted_grammatically() {
        NotingReader reader(video_of(3));
        reader("v.mp4", 0);
        VideoRequest asked = with_video();
        asked.fps = 24;
        const auto found = reader.notes(asked, {.width = 100, .height = 60, .num_frames = 1, .fps = 24});
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY2(found[0].starts_with("Only the first of the 3 frames of v.mp4 is used"), found[0].c_str());
    }

    void only_sound_that_would_be_missed_is_noted_data() {
        QTest::addColumn<QString>("use");
        QTest::addColumn<int>("notes");
        QTest::newRow("video") << "video" << 1;
        QTest::newRow("continued") << "continued" << 1;
        QTest::newRow("mask") << "mask" << 0;
        QTest::newRow("motion of a video") << "motion" << 0;
        QTest::newRow("control video") << "control" << 0;
        QTest::newRow("video with a mask") << "masked" << 1;
    }
    void only_sound_that_would_be_missed_is_noted() {
        QFETCH(QString, use);
        QFETCH(int, notes);
        const auto with_sound = [](const std::filesystem::path& file, int first) {
            ClipPart part = video_of(9)(file, first);
            part.traits = {ClipTrait::sound};
            return part;
        };
        NotingReader reader(with_sound);
        reader("v.mp4", 0);
        VideoRequest asked;
        asked.fps = 24;
        asked.num_frames = 9;
        if (use == "video") asked.video = "v.mp4";
        if (use == "continued") asked.continue_video = "v.mp4";
        if (use == "mask") asked.mask = "v.mp4";
        if (use == "motion" || use == "control" || use == "masked") asked.video = "v.mp4";
        if (use == "motion") asked.control = ControlSource::flow;
        if (use == "masked") asked.mask = "m.mp4";
        const bool is_control = use == "control" || use == "masked";
        const auto found = reader.notes(asked, {.width = 100, .height = 60, .num_frames = 9, .fps = 24},
                                        is_control ? VideoUse::control : VideoUse::start);
        QCOMPARE(static_cast<int>(found.size()), notes);
    }

    void an_estimate_refuses_nothing() {
        VideoRequest request = with_video();
        request.num_frames = 33;
        const ReadClip read = numbered_video(33, 9, FrameCount::estimated);
        QCOMPARE(*with_video_facts(request, start_card(), read).num_frames, 33);
        request.num_frames.reset();
        QCOMPARE(*with_video_facts(request, start_card(), read).num_frames, 33);
        request.mask = "m.mkv";
        request.num_frames = 33;
        QCOMPARE(*with_video_facts(request, control_card(), read).num_frames, 33);
    }

    void an_input_video_sets_the_number_of_frames_data() {
        QTest::addColumn<int>("frames");
        QTest::addColumn<int>("used");
        QTest::newRow("one") << 1 << 1;
        QTest::newRow("rounded down") << 16 << 13;
        QTest::newRow("fits") << 17 << 17;
        QTest::newRow("long: the model's default") << 1000 << 33;
    }
    void an_input_video_sets_the_number_of_frames() {
        QFETCH(int, frames);
        QFETCH(int, used);
        const auto request = with_video_facts(with_video(), start_card(), video_of(frames));
        QCOMPARE(request.num_frames, std::optional(used));
        QCOMPARE(request.fps, std::optional(24));
    }

    void values_of_the_request_stay() {
        VideoRequest request = with_video();
        request.num_frames = 9;
        request.fps = 10;
        QCOMPARE(with_video_facts(request, start_card(), video_of(50)), request);
    }

    void a_short_video_is_refused() {
        VideoRequest request = with_video();
        request.num_frames = 17;
        const auto message = message_of([&] { with_video_facts(request, start_card(), video_of(10)); });
        QCOMPARE(message, std::string("video: v.mp4 contains 10 frames, and num_frames is 17; use a longer video, or "
                                      "num_frames 9"));
    }

    void a_short_mask_is_refused_and_a_picture_is_not() {
        VideoRequest request = with_video();
        request.mask = "m.mp4";
        const auto read = [](int mask_frames) {
            return [=](const std::filesystem::path& file, int first) {
                return video_of(file == "m.mp4" ? mask_frames : 17)(file, first);
            };
        };
        QCOMPARE(message_of([&] { with_video_facts(request, control_card(), read(5)); }),
                 std::string("mask: m.mp4 contains 5 frames, and num_frames is 17; use a longer mask, a single picture "
                             "for all frames, or num_frames 5"));
        QCOMPARE(with_video_facts(request, control_card(), read(1)).num_frames, std::optional(17));
        QCOMPARE(with_video_facts(request, control_card(), read(17)).num_frames, std::optional(17));
    }

    void a_continued_video_sets_size_and_frame_rate() {
        VideoRequest request;
        request.continue_video = "old.mp4";
        const auto used = with_video_facts(request, start_card(), video_of(40));
        QCOMPARE(used.width, std::optional(96));
        QCOMPARE(used.height, std::optional(64));
        QCOMPARE(used.fps, std::optional(24));
        QVERIFY(!used.num_frames);
    }

    void pictures_have_no_frame_rate() {
        QVERIFY(!with_video_facts(with_video(), start_card(), video_of(20, 64, 64, 0)).fps);
    }

    void a_video_that_is_gone_changes_nothing() {
        VideoRequest request = with_video();
        request.continue_video = "old.mp4";
        const ReadClip nothing = [](const std::filesystem::path&, int) { return ClipPart{}; };
        QCOMPARE(with_video_facts(request, start_card(), nothing), request);
    }

    void a_condition_video_gets_the_frames_that_fit_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("frame");
        QTest::addColumn<int>("asked");
        QTest::addColumn<int>("frames");
        QTest::addColumn<int>("used");
        QTest::newRow("whole") << "v.mp4" << 0 << 0 << 17 << 17;
        QTest::newRow("rounded down") << "v.MOV" << 0 << 0 << 12 << 9;
        QTest::newRow("longer than the result") << "v.gif" << 0 << 0 << 100 << 33;
        QTest::newRow("later") << "v.webm" << 20 << 0 << 100 << 13;
        QTest::newRow("last frame") << "v.mkv" << 32 << 0 << 100 << 1;
        QTest::newRow("behind the end") << "v.mp4" << 50 << 0 << 100 << 1;
        QTest::newRow("negative frame") << "v.mp4" << -3 << 0 << 100 << 33;
        QTest::newRow("fewer frames asked") << "v.mp4" << 0 << 9 << 100 << 9;
        QTest::newRow("more frames asked than it has") << "v.mp4" << 0 << 25 << 17 << 17;
        QTest::newRow("image") << "v.png" << 0 << 0 << 1 << 0;
    }
    void a_condition_video_gets_the_frames_that_fit() {
        QFETCH(QString, file);
        QFETCH(int, frame);
        QFETCH(int, asked);
        QFETCH(int, frames);
        QFETCH(int, used);
        ModelCard card = start_card();
        card.takes_conditions = true;
        VideoRequest request;
        request.conditions = {{.file = file.toStdString(), .frame_index = frame, .num_frames = asked}};
        QCOMPARE(with_video_facts(request, card, video_of(frames)).conditions[0].num_frames, used);
    }

    void a_model_without_videos_reads_none() {
        const ReadClip fails = [](const std::filesystem::path&, int) -> ClipPart { throw std::runtime_error("read"); };
        VideoRequest request = with_video();
        request.mask = request.continue_video = "x";
        request.conditions = {{.file = "x.mp4"}};
        QCOMPARE(with_video_facts(request, {}, fails), request);
    }
};

QTEST_GUILESS_MAIN(TestInputFacts)
#include "test_input_facts.moc"
