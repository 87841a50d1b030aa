#include <QTest>
#include <functional>
#include <limits>

#include "core/api/video_request.h"

using namespace kinescope;

namespace {

ModelCard wan_card() {
    ModelCard card;
    card.name = "Wan";
    card.tasks = {Task::text_to_video};
    card.default_size = {832, 480};
    card.schedulers = {"unipc", "flow_match_euler"};
    card.guidance_methods = {GuidanceMethod::standard, GuidanceMethod::apg, GuidanceMethod::skip_layer,
                             GuidanceMethod::nag};
    card.num_blocks = 30;
    card.default_skip_layers = {9};
    return card;
}

/// Returns the card of a family with extra fields.
ModelCard image_card() {
    ModelCard card;
    card.name = "SVD";
    card.tasks = {Task::image_to_video};
    card.takes_prompt = false;
    card.extra_fields = {{"motion_bucket_id", 127, 1, 255}, {"noise_aug_strength", 0.02, 0, 10}};
    return card;
}

VideoRequest good_request() {
    VideoRequest request;
    request.prompt = "A red ball";
    return request;
}

using Change = std::function<void(VideoRequest&)>;

}  // namespace

class TestValidateRequest : public QObject {
    Q_OBJECT

private:
    static void row(const char* name, Change change, const char* field, const char* part, const char* fix) {
        QTest::newRow(name) << change << QString(field) << QString(part) << QString(fix);
    }

private Q_SLOTS:
    void each_fault_is_reported_data() {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("part");
        QTest::addColumn<QString>("fix");
        const double nan = std::numeric_limits<double>::quiet_NaN();

        row(
            "no model", [](auto& r) { r.model.clear(); }, "model", "No model", "builtin");
        row(
            "empty prompt", [](auto& r) { r.prompt = " \n"; }, "prompt", "describe what the video shows", "");
        row(
            "long prompt", [](auto& r) { r.prompt.assign(100000, 'a'); }, "prompt",
            "100000 characters; the limit is 20000", "");
        row(
            "latin-1 prompt", [](auto& r) { r.prompt = "caf\xe9 noir"; }, "prompt", "position 3", "");
        row(
            "surrogate", [](auto& r) { r.prompt = "a\xed\xa0\x80"; }, "prompt", "not valid UTF-8", "");
        row(
            "overlong", [](auto& r) { r.negative_prompt = "\xc0\xaf"; }, "negative_prompt", "not valid UTF-8", "");
        row(
            "truncated character", [](auto& r) { r.prompt = "a\xe2\x82"; }, "prompt", "position 1", "");
        row(
            "NUL in the prompt", [](auto& r) { r.prompt = std::string("a\0b", 3); }, "prompt",
            "NUL character (U+0000) at position 1", "");
        row(
            "NUL in the negative prompt", [](auto& r) { r.negative_prompt = std::string("a\0", 2); }, "negative_prompt",
            "NUL character", "");
        row(
            "image", [](auto& r) { r.image = "a.png"; }, "image", "text only", "");
        row(
            "width 730", [](auto& r) { r.width = 730; }, "width", "multiple of 16; 730 is not", "736");
        row(
            "width 0", [](auto& r) { r.width = 0; }, "width", "16 to 4096 px", "16");
        row(
            "height beyond", [](auto& r) { r.height = 1 << 30; }, "height", "it is 1073741824", "4096");
        row(
            "height odd", [](auto& r) { r.height = 4095; }, "height", "multiple of 16", "4096");
        row(
            "frames 80", [](auto& r) { r.num_frames = 80; }, "num_frames", "4 n + 1; 80 is not", "81");
        row(
            "frames 0", [](auto& r) { r.num_frames = 0; }, "num_frames", "1 to 257", "1");
        row(
            "frames beyond", [](auto& r) { r.num_frames = std::numeric_limits<int>::max(); }, "num_frames", "1 to 257",
            "257");
        row(
            "fps", [](auto& r) { r.fps = 121; }, "fps", "1 to 120; it is 121", "120");
        row(
            "no steps", [](auto& r) { r.num_inference_steps = 0; }, "num_inference_steps", "1 to 1000; it is 0", "1");
        row(
            "steps", [](auto& r) { r.num_inference_steps = 1001; }, "num_inference_steps", "it is 1001", "1000");
        row(
            "guidance", [](auto& r) { r.guidance_scale = -0.5; }, "guidance_scale", "0 to 100; it is -0.5", "0");
        row(
            "guidance nan", [nan](auto& r) { r.guidance_scale = nan; }, "guidance_scale", "it is nan", "0");
        row(
            "shift", [](auto& r) { r.flow_shift = 0.0; }, "flow_shift", "0.01 to 100", "0.01");
        row(
            "guidance start", [](auto& r) { r.guidance_start = -0.1; }, "guidance_start", "0 to 1", "0");
        row(
            "guidance ends before it begins", [](auto& r) { r.guidance_start = 0.5, r.guidance_stop = 0.25; },
            "guidance_stop", "below guidance_start", "1");
        const auto method = [](GuidanceMethod wanted, auto change) {
            return [=](VideoRequest& r) {
                r.guidance_method = wanted;
                change(r);
            };
        };
        row(
            "unsupported method", [](auto& r) { r.guidance_method = GuidanceMethod::cfg_zero_star; }, "guidance_method",
            "Wan does not support guidance_method cfg_zero_star; choose one of standard, apg, skip_layer, nag",
            "standard");
        row(
            "another method's field", [](auto& r) { r.apg_eta = 0.5; }, "apg_eta",
            "apg_eta applies only to guidance_method apg", "");
        row("method's field out of range", method(GuidanceMethod::apg, [](auto& r) { r.apg_eta = 2; }), "apg_eta",
            "apg_eta must be 0 to 1; it is 2", "1");
        row("no such block",
            method(GuidanceMethod::skip_layer,
                   [](auto& r) {
                       r.skip_layer_guidance_layers = {3, 30};
                   }),
            "skip_layer_guidance_layers", "contains block 30; the model has blocks 0 to 29", "");
        row("no block at all",
            method(GuidanceMethod::skip_layer, [](auto& r) { r.skip_layer_guidance_layers.emplace(); }),
            "skip_layer_guidance_layers", "is empty", "");
        row(
            "blocks without the method", [](auto& r) { r.skip_layer_guidance_layers = {3}; },
            "skip_layer_guidance_layers", "applies only to guidance_method skip_layer", "");
        row("skipping ends before it begins",
            method(GuidanceMethod::skip_layer,
                   [](auto& r) { r.skip_layer_guidance_start = 0.5, r.skip_layer_guidance_stop = 0.25; }),
            "skip_layer_guidance_stop", "below skip_layer_guidance_start", "1");
        row("guided twice", method(GuidanceMethod::nag, [](auto& r) { r.guidance_scale = 5; }), "guidance_scale",
            "nag replaces the second evaluation", "1");
        row(
            "variation", [](auto& r) { r.variation_of = 1; }, "variation_of", "Wan does not support variations", "");
        row(
            "strength without a variation", [](auto& r) { r.variation_strength = 0.5; }, "variation_strength",
            "has no effect without variation_of", "");
        row(
            "draft", [](auto& r) { r.decode = DecodeMode::draft; }, "decode", "no tiny decoder is known", "full");
        row(
            "step cache", [](auto& r) { r.step_cache = 1.5; }, "step_cache", "0 to 1; it is 1.5", "1");
        row(
            "another family's field", [](auto& r) { r.motion_bucket_id = 127; }, "motion_bucket_id",
            "has no effect on this model", "");
        row(
            "condition images",
            [](auto& r) {
                r.conditions = {{"a.png", 8}};
            },
            "conditions", "does not support condition images", "");
        row(
            "upscale factor", [](auto& r) { r.finish = {.upscaler = "u", .upscale_factor = 9}; }, "upscale_factor",
            "1 to 8; it is 9", "8");
        row(
            "upscale factor alone", [](auto& r) { r.finish.upscale_factor = 2; }, "upscale_factor",
            "no effect without upscale", "");
        row(
            "interpolation factor alone", [](auto& r) { r.finish.interpolation_factor = 2; }, "interpolation_factor",
            "no effect without interpolate", "");
        row(
            "two frame rates",
            [](auto& r) { r.finish = {.interpolator = "i", .interpolation_factor = 2, .interpolation_fps = 60}; },
            "interpolation_fps", "exclude each other", "");
        row(
            "sound in a GIF",
            [](auto& r) {
                r.finish.audio.file = "a.wav";
                r.output.file = "a.gif";
            },
            "audio", "holds sound", "");
        row(
            "fade of NaN", [nan](auto& r) { r.finish.audio = {.file = "a.wav", .fade_in = nan}; }, "audio_fade_in",
            "it is nan", "0");
        row(
            "fade without audio", [](auto& r) { r.finish.audio.fade_in = 1; }, "audio", "no effect without audio", "");
        row(
            "scheduler", [](auto& r) { r.scheduler = "ddim"; }, "scheduler", "choose one of unipc, flow_match_euler",
            "unipc");
        row(
            "sequence", [](auto& r) { r.max_sequence_length = 513; }, "max_sequence_length", "1 to 512", "512");
        row(
            "device", [](auto& r) { r.device = "cuda:x"; }, "device", "cuda:N", "auto");
        row(
            "dtype", [](auto& r) { r.dtype = DtypeChoice::int8; }, "dtype",
            "dtype 'int8' is unknown; choose one of auto, fp32, bf16, fp16", "auto");
        row(
            "text encoder", [](auto& r) { r.text_encoder_dtype = DtypeChoice::fp8; }, "text_encoder_dtype",
            "auto, fp32, bf16, fp16", "auto");
        row(
            "VAE", [](auto& r) { r.vae_dtype = DtypeChoice::gguf; }, "vae_dtype", "auto, fp32, bf16, fp16", "auto");
        row(
            "memory", [](auto& r) { r.max_memory_bytes = -5; }, "max_memory", "more than 0", "");
        row(
            "threads", [](auto& r) { r.threads = 0; }, "threads", "1 to 1024", "1");
        row(
            "ending", [](auto& r) { r.output.file = "a.avi"; }, "output", "'.avi'", ".mp4");
        row(
            "pipe", [](auto& r) { r.output.file = "-"; }, "output", "written to a pipe", "");
        row(
            "URL", [](auto& r) { r.output.file = "https://a.example/b.mp4"; }, "output", "a URL", "");
        row(
            "crf", [](auto& r) { r.output.crf = 64; }, "crf", "0 to 63", "63");
        row(
            "output in latin-1", [](auto& r) { r.output.file = "caf\xe9.mp4"; }, "output", "not valid UTF-8", "");
        row(
            "folder in latin-1", [](auto& r) { r.output.preview_dir = std::filesystem::path("caf\xe9") / "previews"; },
            "preview_dir", "not valid UTF-8", "");
        row(
            "lora in latin-1",
            [](auto& r) {
                r.loras = {{"caf\xe9.safetensors", 1}};
            },
            "loras", "not valid UTF-8", "");
        row(
            "component in latin-1",
            [](auto& r) {
                r.components = {{"vae", "caf\xe9"}};
            },
            "vae", "not valid UTF-8", "");
        row(
            "NUL in the output", [](auto& r) { r.output.file = std::string("x\0y.mp4", 7); }, "output", "NUL character",
            "");
        row(
            "NUL in the model", [](auto& r) { r.model = std::string("m\0n", 3); }, "model", "NUL character", "");
        row(
            "NUL in a LoRA",
            [](auto& r) {
                r.loras = {{std::string("a\0b.safetensors", 15), 1}};
            },
            "loras", "NUL character", "");
        row(
            "same file", [](auto& r) { r.output.latents = r.output.frames = "a.safetensors"; }, "frames", "same file",
            "");
        row(
            "number of frames", [](auto& r) { r.output.frames = "9"; }, "frames", "num_frames is the number", "");
        row(
            "previews instead of the video",
            [](auto& r) {
                r.output.file = "d";
                r.output.preview_dir = "./d/";
            },
            "preview_dir", "same file", "");
    }

    void each_fault_is_reported() {
        QFETCH(Change, change);
        QFETCH(QString, field);
        QFETCH(QString, part);
        QFETCH(QString, fix);
        VideoRequest request = good_request();
        change(request);

        const auto faults = validate(request, wan_card());

        QCOMPARE(faults.size(), 1u);
        QCOMPARE(QString::fromStdString(faults[0].field), field);
        QVERIFY2(faults[0].message.find(part.toStdString()) != std::string::npos, faults[0].message.c_str());
        QCOMPARE(QString::fromStdString(faults[0].fix), fix);
    }

    void good_requests_have_no_fault_data() {
        QTest::addColumn<Change>("change");
        QTest::newRow("defaults") << Change([](VideoRequest&) {});
        QTest::newRow("longest prompt in characters") << Change([](VideoRequest& r) {
            r.prompt.clear();
            for (int i = 0; i < 20000; ++i) r.prompt += "é";
        });
        QTest::newRow("resolved") << Change([](VideoRequest& r) { r = with_defaults(r, wan_card()); });
        for (const auto method : wan_card().guidance_methods)
            QTest::newRow(to_string(method).c_str()) << Change([method](VideoRequest& r) {
                r.guidance_method = method;
                r = with_defaults(r, wan_card());
            });
        QTest::newRow("draft with a decoder") << Change([](VideoRequest& r) {
            r.decode = DecodeMode::draft;
            r.preview_decoder = "taew2_1.pth";
        });
        QTest::newRow("one frame") << Change([](VideoRequest& r) { r.num_frames = 1; });
        QTest::newRow("class name") << Change([](VideoRequest& r) { r.scheduler = "FlowMatchEulerDiscreteScheduler"; });
        QTest::newRow("second card") << Change([](VideoRequest& r) { r.device = "cuda:1"; });
        QTest::newRow("folder of frames") << Change([](VideoRequest& r) { r.output.file = "frames"; });
        QTest::newRow("all planes of Unicode") << Change([](VideoRequest& r) { r.prompt = "aé☂🐼"; });
    }

    void good_requests_have_no_fault() {
        QFETCH(Change, change);
        VideoRequest request = good_request();
        change(request);
        const auto faults = validate(request, wan_card());
        QVERIFY2(faults.empty(), faults.empty() ? "" : faults[0].message.c_str());
    }

    void all_faults_come_at_once_in_field_order() {
        VideoRequest request;
        request.width = 730;
        request.num_inference_steps = 0;
        request.output.crf = 99;
        std::vector<std::string> fields;
        for (const Fault& fault : validate(request, wan_card())) fields.push_back(fault.field);
        QCOMPARE(fields, (std::vector<std::string>{"prompt", "width", "num_inference_steps", "crf"}));
    }

    void every_suggested_value_is_valid() {
        for (const int width : {-7, 1, 24, 40, 4090, 9999}) {
            VideoRequest request = good_request();
            request.width = width;
            const auto faults = validate(request, wan_card());
            QCOMPARE(faults.size(), 1u);
            request.width = std::stoi(faults[0].fix);
            QVERIFY(validate(request, wan_card()).empty());
        }
    }

    void last_image_needs_a_first_image_and_a_model_for_it() {
        ModelCard card = wan_card();
        card.tasks = {Task::first_last_frame_to_video};
        VideoRequest request = good_request();
        QCOMPARE(validate(request, card).at(0).field, std::string("image"));
        request.image = "a.png";
        request.last_image = "b.png";
        QVERIFY(validate(request, card).empty());
        request.last_image.reset();
        QCOMPARE(validate(request, card).at(0).field, std::string("last_image"));
        card.tasks.push_back(Task::image_to_video);
        QVERIFY(validate(request, card).empty());
        request.image.reset();
        QCOMPARE(validate(request, card).at(0).field, std::string("image"));
    }

    void guidance_scale_2_needs_two_experts() {
        ModelCard card = wan_card();
        VideoRequest request = good_request();
        request.guidance_scale_2 = 3.0;
        QCOMPARE(validate(request, card).at(0).field, std::string("guidance_scale_2"));
        card.default_guidance_scale = 4.0;
        card.default_guidance_scale_2 = 2.0;
        QVERIFY(validate(request, card).empty());
        QCOMPARE(*with_defaults(request, card).guidance_scale_2, 3.0);
        QCOMPARE(*with_defaults(good_request(), card).guidance_scale_2, 2.0);
        request.guidance_scale_2.reset();
        request.guidance_scale = 6.0;
        QCOMPARE(*with_defaults(request, card).guidance_scale_2, 6.0);
    }

    void a_model_without_prompts_needs_only_an_image() {
        const auto faults = validate({}, image_card());
        QCOMPARE(faults.size(), 1u);
        QCOMPARE(faults[0].field, std::string("image"));
    }

    void zero_steps_leave_a_step_that_runs_data() {
        QTest::addColumn<int>("zero");
        QTest::addColumn<int>("steps");
        QTest::addColumn<double>("strength");
        QTest::addColumn<bool>("is_valid");
        QTest::newRow("one of four runs") << 3 << 4 << 1.0 << true;
        QTest::newRow("none of four") << 4 << 4 << 1.0 << false;
        QTest::newRow("none of two of twenty") << 2 << 20 << 0.1 << false;
        QTest::newRow("one of two of twenty") << 1 << 20 << 0.1 << true;
    }

    void zero_steps_leave_a_step_that_runs() {
        QFETCH(int, zero);
        QFETCH(int, steps);
        QFETCH(double, strength);
        QFETCH(bool, is_valid);
        ModelCard card = wan_card();
        card.guidance_methods.push_back(GuidanceMethod::cfg_zero_star);
        card.video_use = VideoUse::start;
        VideoRequest request{.prompt = "a"};
        request.num_inference_steps = steps;
        request.guidance_method = GuidanceMethod::cfg_zero_star;
        request.zero_init_steps = zero;
        if (strength < 1) {
            request.video = "a.mp4";
            request.strength = strength;
        }
        const auto faults = validate(request, card);
        QCOMPARE(faults.empty(), is_valid);
        if (is_valid) return;
        QCOMPARE(faults.front().field, std::string("zero_init_steps"));
        QVERIFY(faults.front().message.find("leaves out all") != std::string::npos);
    }

    void extra_fields_are_limited_by_the_card() {
        VideoRequest request{.image = "a.png", .motion_bucket_id = 0, .noise_aug_strength = 10.5};
        const auto faults = validate(request, image_card());
        QCOMPARE(faults.size(), 2u);
        QCOMPARE(faults[0].message, std::string("motion_bucket_id must be 1 to 255; it is 0"));
        QCOMPARE(faults[1].message, std::string("noise_aug_strength must be 0 to 10; it is 10.5"));
        QCOMPARE(faults[1].fix, std::string("10"));
    }

    void condition_images_need_distinct_frames() {
        ModelCard card = image_card();
        card.takes_conditions = true;
        VideoRequest request{.image = "a.png", .conditions = {{"b.png", 8}}, .num_frames = 9};
        QVERIFY(validate(request, card).empty());
        for (const int frame : {0, 9, -1}) {
            request.conditions[0].frame_index = frame;
            const auto faults = validate(request, card);
            QCOMPARE(faults.size(), 1u);
            QCOMPARE(faults[0].field, std::string("conditions"));
        }
    }

    void an_invalid_number_of_frames_is_reported_once() {
        ModelCard card = image_card();
        card.takes_conditions = true;
        const VideoRequest request{.image = "a.png", .conditions = {{"b.png", 8}}, .num_frames = 0};
        const auto faults = validate(request, card);
        QCOMPARE(faults.size(), 1u);
        QCOMPARE(faults[0].field, std::string("num_frames"));
    }

    void strengths_of_condition_images_are_0_to_1() {
        ModelCard card = image_card();
        card.takes_conditions = true;
        VideoRequest request{.image = "a.png", .conditions = {{"b.png", 8}}, .num_frames = 9};
        for (const double strength : {-0.1, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
            request.conditions[0].strength = strength;
            const auto faults = validate(request, card);
            QCOMPARE(faults.size(), 1u);
            QVERIFY(faults[0].message.find("strengths are 0 to 1") != std::string::npos);
        }
        request.conditions[0].strength = 0;
        QVERIFY(validate(request, card).empty());
    }

    void extra_fields_default_to_the_card() {
        const VideoRequest resolved = with_defaults({.noise_aug_strength = 0.0}, image_card());
        QCOMPARE(*resolved.motion_bucket_id, 127);
        QCOMPARE(*resolved.noise_aug_strength, 0.0);
        QVERIFY(!resolved.decode_chunk_size);
        QVERIFY(!with_defaults({}, wan_card()).motion_bucket_id);
    }

    void defaults_fill_only_unset_fields() {
        VideoRequest request = good_request();
        request.width = 64;
        request.scheduler = "UniPCMultistepScheduler";
        const VideoRequest resolved = with_defaults(request, wan_card());
        QCOMPARE(*resolved.width, 64);
        QCOMPARE(*resolved.height, 480);
        QCOMPARE(*resolved.num_frames, 81);
        QCOMPARE(*resolved.num_inference_steps, 50);
        QCOMPARE(*resolved.scheduler, std::string("unipc"));
        QVERIFY(!resolved.seed);
    }

    void bad_request_lists_every_fault() {
        const Error error = bad_request({{"width", "w is wrong", "64"}, {"fps", "f is wrong", ""}});
        QCOMPARE(error.code(), ErrorCode::bad_request);
        QCOMPARE(error.message(), std::string("w is wrong\nf is wrong"));
        QCOMPARE(error.arguments().at("width"), std::string("64"));
    }
};

QTEST_GUILESS_MAIN(TestValidateRequest)
#include "test_validate_request.moc"
