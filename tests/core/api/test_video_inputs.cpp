#include <QTest>
#include <functional>
#include <limits>

#include "core/api/resolved_request.h"
#include "core/api/video_parts.h"

using namespace kinescope;

namespace {

using Change = std::function<void(VideoRequest&)>;

ModelCard text_card() {
    ModelCard card;
    card.name = "Text model";
    card.tasks = {Task::text_to_video};
    return card;
}

ModelCard start_card() {
    ModelCard card = text_card();
    card.name = "Start model";
    card.video_use = VideoUse::start;
    card.continuation = Continuation::last_latents;
    card.offers_variations = true;
    return card;
}

ModelCard control_card() {
    ModelCard card = text_card();
    card.name = "Control model";
    card.video_use = VideoUse::control;
    card.continuation = Continuation::control;
    card.num_control_blocks = 3;
    return card;
}

VideoRequest plain_request() {
    VideoRequest request;
    request.prompt = "A red ball";
    return request;
}

void use_everything(VideoRequest& request) {
    request.video = "/in/video.mp4";
    request.strength = 0.6;
    request.mask = "/in/mask.png";
    request.reference_images = {"/in/one.png", "/in/two.png"};
    request.conditioning_scale = {0.5, 1.0, 0.25};
    request.control = ControlSource::flow;
    request.image_fit = ImageFit::stretch;
    request.control_fit = ControlFit::reference;
    request.continue_video = "/in/old.mp4";
}

}  // namespace

/// The videos, masks and reference pictures of a request.
class TestVideoInputs : public QObject {
    Q_OBJECT

    static void row(const char* name, const ModelCard& card, Change change, const char* field, const char* part) {
        QTest::newRow(name) << card << change << QString(field) << QString(part);
    }

private Q_SLOTS:
    void the_frames_of_all_parts_are_counted_data() {
        QTest::addColumn<int>("parts");
        QTest::addColumn<int>("continued");
        QTest::addColumn<Continuation>("continuation");
        QTest::addColumn<int>("frames");
        QTest::newRow("one part") << 1 << 0 << Continuation::last_latents << 17;
        QTest::newRow("three parts") << 3 << 0 << Continuation::last_latents << 17 + 2 * 12;
        QTest::newRow("from the last frame") << 3 << 0 << Continuation::last_frame << 17 + 2 * 16;
        QTest::newRow("continued") << 1 << 30 << Continuation::last_latents << 30 + 12;
        QTest::newRow("continued in two parts") << 2 << 30 << Continuation::last_latents << 30 + 2 * 12;
    }
    void the_frames_of_all_parts_are_counted() {
        QFETCH(int, parts);
        QFETCH(int, continued);
        QFETCH(Continuation, continuation);
        ModelCard card;
        card.continuation = continuation;
        card.num_frames_multiple = 4;
        VideoRequest request;
        request.num_frames = 17;
        request.next_prompts.resize(static_cast<std::size_t>(parts - 1));
        QTEST(whole_frames(request, card, continued), "frames");
    }

    void json_keeps_every_field() {
        VideoRequest request = plain_request();
        use_everything(request);
        QCOMPARE(parse_request(to_json(request)), request);
        request.conditioning_scale = {0.8};
        QVERIFY(QByteArray::fromStdString(to_json(request)).contains("\"conditioning_scale\":0.8"));
        QCOMPARE(parse_request(to_json(request)), request);
    }

    void relative_paths_belong_to_the_file() {
        const auto request =
            parse_request(R"({"video": "a.mp4", "mask": "m", "reference_images": ["p.png"]})", "/folder");
        QCOMPARE(request.video->string(), std::string("/folder/a.mp4"));
        QCOMPARE(request.mask->string(), std::string("/folder/m"));
        QCOMPARE(request.reference_images.front().string(), std::string("/folder/p.png"));
    }

    void wrong_types_are_refused_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("part");
        QTest::newRow("scale text") << QByteArray(R"({"conditioning_scale": "x"})") << QByteArray("a number or a list");
        QTest::newRow("scale list of texts")
            << QByteArray(R"({"conditioning_scale": ["x"]})") << QByteArray("a number or a list");
        QTest::newRow("pictures as text")
            << QByteArray(R"({"reference_images": "p.png"})") << QByteArray("a list of up to 16 paths");
        QTest::newRow("empty picture") << QByteArray(R"({"reference_images": [""]})")
                                       << QByteArray("a list of up to 16 paths");
        QTest::newRow("unknown control") << QByteArray(R"({"control": "depth"})")
                                         << QByteArray("ready or edges or gray");
        QTest::newRow("unknown fit") << QByteArray(R"({"control_fit": "crop"})") << QByteArray("stretch or reference");
        QTest::newRow("strength text") << QByteArray(R"({"strength": "much"})") << QByteArray("a number");
    }
    void wrong_types_are_refused() {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, part);
        try {
            parse_request(json.toStdString());
            QFAIL("no error");
        } catch (const Error& error) {
            QVERIFY2(QByteArray::fromStdString(error.message()).contains(part), error.message().c_str());
        }
    }

    void faults_name_the_model_data() {
        QTest::addColumn<ModelCard>("card");
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("part");
        const ModelCard text = text_card(), start = start_card(), control = control_card();
        const Change video = [](auto& r) { r.video = "v.mp4"; };
        const Change mask = [](auto& r) { r.video = r.mask = "v.mp4"; };
        row("video", text, video, "video", "Text model does not take a video");
        row("start", start, video, "", "");
        row("control", control, mask, "", "");
        row("mask of a start model", start, mask, "mask", "Start model does not take a mask");
        row(
            "mask without video", control, [](auto& r) { r.mask = "m.png"; }, "mask", "without video");
        row(
            "control of a start model", start, [](auto& r) { r.control = ControlSource::edges; }, "control",
            "Start model does not take a control video");
        row(
            "control without video", control, [](auto& r) { r.control = ControlSource::gray; }, "control",
            "without video");
        row(
            "picture", start, [](auto& r) { r.reference_images = {"p.png"}; }, "reference_images",
            "Start model does not take reference images");
        row(
            "pictures", control,
            [](auto& r) {
                r.reference_images = {"p.png", "q.png"};
            },
            "", "");
        row(
            "scale", start, [](auto& r) { r.conditioning_scale = {1}; }, "conditioning_scale", "no effect");
        row(
            "scales", control,
            [](auto& r) {
                r.conditioning_scale = {1, 0.5, 0};
            },
            "", "");
        row(
            "two of three scales", control,
            [](auto& r) {
                r.conditioning_scale = {1, 0.5};
            },
            "conditioning_scale", "each of the 3 control blocks; it has 2");
        row(
            "large scale", control, [](auto& r) { r.conditioning_scale = {11}; }, "conditioning_scale", "0 to 10");
        row(
            "strength without video", start, [](auto& r) { r.strength = 0.5; }, "strength", "applies only to a video");
        row(
            "strength of a control video", control, [](auto& r) { r.video = "v", r.strength = 0.5; }, "strength",
            "applies only to a video");
        row(
            "large strength", start, [](auto& r) { r.video = "v", r.strength = 1.5; }, "strength", "0 to 1");
        row(
            "no step", start, [](auto& r) { r.video = "v", r.strength = 0.1, r.num_inference_steps = 9; }, "strength",
            "runs none of the 9 steps");
        row(
            "one step", start, [](auto& r) { r.video = "v", r.strength = 0.1, r.num_inference_steps = 10; }, "", "");
        row(
            "video and image", control, [](auto& r) { r.video = r.image = "v"; }, "video", "excludes");
        row(
            "continue", text, [](auto& r) { r.continue_video = "v"; }, "continue_video",
            "Text model cannot continue a video");
        row(
            "continue with latents", start, [](auto& r) { r.continue_video = "v"; }, "", "");
        row(
            "continue and change", start, [](auto& r) { r.continue_video = r.video = "v"; }, "continue_video",
            "excludes");
        row(
            "variation of a video", start, [](auto& r) { r.video = "v", r.variation_of = 7, r.seed = 8; },
            "variation_of", "start from noise");
        row(
            "continue by one frame", start, [](auto& r) { r.continue_video = "v", r.num_frames = 1; }, "num_frames",
            "more than 1 frame");
        row(
            "parts", start,
            [](auto& r) {
                r.next_prompts = {"b", "c"}, r.video = "v";
            },
            "", "");
        row(
            "parts of a text model", text, [](auto& r) { r.next_prompts = {"b"}; }, "next_prompts",
            "part 2: Text model cannot continue a video");
        row(
            "a part without a prompt", start,
            [](auto& r) {
                r.next_prompts = {"b", " "};
            },
            "next_prompts", "part 3: prompt is empty");
        row(
            "parts to a file in latin-1", start, [](auto& r) { r.next_prompts = {"b"}, r.output.file = "caf\xe9.mp4"; },
            "output", "not valid UTF-8");
        row(
            "parts with one frame", start, [](auto& r) { r.next_prompts = {"b"}, r.num_frames = 1; }, "next_prompts",
            "more than 1 frame");
        row(
            "too many parts", start, [](auto& r) { r.next_prompts.assign(101, "b"); }, "next_prompts",
            "101 prompts; the limit is 100");
        row(
            "parts with sound", start, [](auto& r) { r.next_prompts = {"b"}, r.finish.audio.file = "a.wav"; }, "audio",
            "audio: the sound of a.wav cannot be added to a video of several parts");
    }
    void faults_name_the_model() {
        QFETCH(ModelCard, card);
        QFETCH(Change, change);
        QFETCH(QString, field);
        QFETCH(QString, part);
        if (QByteArrayView(QTest::currentDataTag()) == "video and image") card.tasks.push_back(Task::image_to_video);
        VideoRequest request = plain_request();
        change(request);
        const auto faults = validate(request, card);
        if (field.isEmpty()) {
            QVERIFY2(faults.empty(), faults.empty() ? "" : faults.front().message.c_str());
            return;
        }
        QVERIFY(!faults.empty());
        QCOMPARE(QString::fromStdString(faults.front().field), field);
        QVERIFY2(QString::fromStdString(faults.front().message).contains(part), faults.front().message.c_str());
    }

    void only_the_first_part_has_the_pictures_and_only_the_last_one_the_files() {
        VideoRequest whole = plain_request();
        whole.next_prompts = {"two", "three"};
        whole.image = "first.png";
        whole.seed = 5;
        whole.finish.upscaler = "2x.pth";
        whole.output.file = "long.mp4";
        const VideoRequest first = part_of(whole, 0);
        QCOMPARE(first.prompt, whole.prompt);
        QVERIFY(first.image == whole.image && first.finish.is_empty() && first.output.file.empty());
        QCOMPARE(first.output.codec, std::string("ffv1"));
        const VideoRequest last = part_of(whole, 2);
        QCOMPARE(last.prompt, std::string("three"));
        QCOMPARE(*last.seed, std::uint64_t{7});
        QVERIFY(!last.image && last.finish == whole.finish && last.output == whole.output);
        VideoRequest large = whole;
        large.seed = std::numeric_limits<std::uint64_t>::max();
        QCOMPARE(*part_of(large, 1).seed, std::uint64_t{0});
        QCOMPARE(*whole_of(part_of(large, 1), large, 1).seed, *large.seed);
        for (const int part : {0, 1, 2}) {
            VideoRequest resolved = part_of(whole, part);
            resolved.width = 64;
            const VideoRequest restored = whole_of(resolved, whole, part);
            VideoRequest expected = whole;
            expected.width = 64;
            QVERIFY(restored == expected);
        }
    }

    void a_fault_of_all_parts_is_reported_once() {
        VideoRequest whole = plain_request();
        whole.next_prompts = {"two", "three", "four"};
        QCOMPARE(validate(whole, text_card()).size(), std::size_t{1});
        ModelCard card = start_card();
        card.continuation = Continuation::last_frame;
        whole.next_prompts = {"two", "", "four"};
        const auto faults = validate(whole, card);
        QCOMPARE(faults.size(), std::size_t{1});
        QVERIFY(faults[0].message.find("part 3: prompt is empty") != std::string::npos);
    }

    void the_steps_of_a_long_video_are_those_of_all_parts() {
        VideoRequest whole = with_defaults(plain_request(), start_card());
        whole.num_inference_steps = 10;
        whole.video = "v";
        whole.strength = 0.5;
        whole.next_prompts = {"two", "three"};
        QCOMPARE(steps_before(whole, 0), 0);
        QCOMPARE(steps_before(whole, 2), 15);
        QCOMPARE(steps_to_run(whole), 25);
    }

    void a_video_to_continue_replaces_the_image() {
        ModelCard card = text_card();
        card.tasks = {Task::image_to_video};
        card.continuation = Continuation::last_frame;
        VideoRequest request = plain_request();
        QCOMPARE(validate(request, card).size(), std::size_t{1});
        request.continue_video = "v.mp4";
        QVERIFY(validate(request, card).empty());
    }

    void strength_has_a_default_only_with_a_video() {
        QVERIFY(!with_defaults(plain_request(), start_card()).strength);
        VideoRequest request = plain_request();
        request.video = "v.mp4";
        QCOMPARE(with_defaults(request, start_card()).strength, std::optional(0.8));
        QVERIFY(!with_defaults(request, control_card()).strength);
    }

    void the_number_of_steps_is_rounded_down_data() {
        QTest::addColumn<int>("steps");
        QTest::addColumn<double>("strength");
        QTest::addColumn<int>("runs");
        QTest::newRow("all") << 50 << 1.0 << 50;
        QTest::newRow("golden case") << 6 << 0.6 << 3;
        QTest::newRow("double precision") << 100 << 0.29 << 28;
    }
    void the_number_of_steps_is_rounded_down() {
        QFETCH(int, steps);
        QFETCH(double, strength);
        QFETCH(int, runs);
        ResolvedSampling sampling;
        sampling.num_inference_steps = steps;
        sampling.strength = strength;
        QCOMPARE(steps_to_run(sampling), runs);
    }

    void resolving_and_converting_back_keeps_the_inputs() {
        for (const ModelCard& card : {start_card(), control_card()}) {
            VideoRequest request = plain_request();
            request.video = "/in/video.mp4";
            if (card.video_use == VideoUse::start)
                request.strength = 0.6;
            else
                use_everything(request), request.strength.reset();
            const auto resolved = resolve_request(request, card, 7);
            QCOMPARE(resolve_request(to_request(resolved, card), card, 8), resolved);
            QCOMPARE(to_request(resolved, card).video, request.video);
            QCOMPARE(to_request(resolved, card).strength, request.strength);
            QCOMPARE(to_request(resolved, card).conditioning_scale, request.conditioning_scale);
        }
    }
};

QTEST_GUILESS_MAIN(TestVideoInputs)
#include "test_video_inputs.moc"
