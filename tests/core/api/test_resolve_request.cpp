#include <QTest>
#include <functional>

#include "core/api/component_role.h"
#include "core/api/resolved_request.h"

using namespace kinescope;

namespace {

constexpr std::uint64_t kDrawnSeed = 99;

/// Returns a card that offers all optional features, so that every field is used.
ModelCard full_card() {
    ModelCard card;
    card.default_size = {832, 480};
    card.default_negative_prompt = "blurry";
    card.default_guidance_scale = 4.0;
    card.default_guidance_scale_2 = 2.0;
    card.default_use_dynamic_cfg = false;
    card.offers_vae_tiling = true;
    card.schedulers = {"unipc", "flow_match_euler"};
    card.guidance_methods = {GuidanceMethod::standard, GuidanceMethod::cfg_zero_star, GuidanceMethod::apg,
                             GuidanceMethod::skip_layer, GuidanceMethod::nag};
    card.num_blocks = 30;
    card.default_skip_layers = {9};
    card.offers_variations = true;
    card.tiny_decoders = {"taew2_1"};
    card.extra_fields = {{"min_guidance_scale", 1.5, 0, 100}, {"max_guidance_scale", 3.5, 0, 100},
                         {"motion_bucket_id", 127, 1, 255},   {"noise_aug_strength", 0.02, 0, 10},
                         {"decode_chunk_size", 8, 1, 1024},   {"image_cond_noise_scale", 0.15, 0, 1},
                         {"decode_timestep", 0.05, 0, 1},     {"decode_noise_scale", -0.5, -1, 1}};
    return card;
}

/// Returns a card without optional features.
ModelCard plain_card() {
    ModelCard card;
    card.default_size = {512, 320};
    return card;
}

using Change = std::function<void(VideoRequest&)>;
using Check = std::function<bool(const ResolvedRequest&)>;

void row(const char* name, Change change, Check check) {
    QTest::newRow(name) << std::move(change) << std::move(check);
}

}  // namespace

class TestResolveRequest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void each_field_reaches_the_run_and_comes_back_data() {
        QTest::addColumn<Change>("change");
        QTest::addColumn<Check>("check");
        using R = VideoRequest;
        using S = const ResolvedRequest;
        row(
            "model", [](R& r) { r.model = "m"; }, [](S& s) { return s.content.model == "m"; });
        row(
            "components",
            [](R& r) {
                r.components = {{"vae", "v"}};
            },
            [](S& s) { return s.content.components.size() == 1 && s.content.components[0].second == "v"; });
        row(
            "loras",
            [](R& r) {
                r.loras = {{"l", 0.5}};
            },
            [](S& s) { return s.content.loras.size() == 1 && s.content.loras[0].scale == 0.5; });
        row(
            "prompt", [](R& r) { r.prompt = "p"; }, [](S& s) { return s.content.prompt == "p"; });
        row(
            "negative_prompt", [](R& r) { r.negative_prompt = "n"; },
            [](S& s) { return s.content.negative_prompt == "n"; });
        row(
            "image", [](R& r) { r.image = "i"; },
            [](S& s) { return s.content.image == "i" && s.content.has_image() && s.content.last_image.empty(); });
        row(
            "last_image", [](R& r) { r.last_image = "i"; },
            [](S& s) { return s.content.last_image == "i" && s.content.has_image(); });
        row(
            "conditions",
            [](R& r) {
                r.conditions = {{"i", 8, 0.5}};
            },
            [](S& s) { return s.content.conditions.size() == 1 && s.content.has_image(); });
        row(
            "image_cond_noise_scale", [](R& r) { r.image_cond_noise_scale = 0; },
            [](S& s) { return s.sampling.image_cond_noise_scale == 0; });
        row(
            "decode_timestep", [](R& r) { r.decode_timestep = 0.5; },
            [](S& s) { return s.sampling.decode_timestep == 0.5; });
        row(
            "decode_noise_scale", [](R& r) { r.decode_noise_scale = 0; },
            [](S& s) { return s.sampling.decode_noise_scale == 0; });
        row(
            "finish", [](R& r) { r.finish = {.upscaler = "u", .upscale_factor = 2}; },
            [](S& s) { return s.finish.upscaler == "u" && s.finish.upscale_factor == 2; });
        row(
            "width", [](R& r) { r.width = 64; }, [](S& s) { return s.content.width == 64; });
        row(
            "height", [](R& r) { r.height = 64; }, [](S& s) { return s.content.height == 64; });
        row(
            "num_frames", [](R& r) { r.num_frames = 9; }, [](S& s) { return s.content.num_frames == 9; });
        row(
            "fps", [](R& r) { r.fps = 9; }, [](S& s) { return s.content.fps == 9; });
        row(
            "seed", [](R& r) { r.seed = 7; }, [](S& s) { return s.sampling.seed == 7; });
        row(
            "scheduler", [](R& r) { r.scheduler = "flow_match_euler"; },
            [](S& s) { return s.sampling.scheduler == "flow_match_euler"; });
        row(
            "num_inference_steps", [](R& r) { r.num_inference_steps = 3; },
            [](S& s) { return s.sampling.num_inference_steps == 3; });
        row(
            "guidance_scale", [](R& r) { r.guidance_scale = 1.5; },
            [](S& s) { return s.sampling.guidance_scale == 1.5; });
        row(
            "guidance_scale_2", [](R& r) { r.guidance_scale_2 = 1.5; },
            [](S& s) { return s.sampling.guidance_scale_2 == 1.5 && s.sampling.guidance_scale == 4.0; });
        row(
            "use_dynamic_cfg", [](R& r) { r.use_dynamic_cfg = true; }, [](S& s) { return s.sampling.use_dynamic_cfg; });
        row(
            "guidance_start", [](R& r) { r.guidance_start = 0.25; },
            [](S& s) { return s.sampling.guidance_start == 0.25; });
        row(
            "guidance_stop", [](R& r) { r.guidance_stop = 0.75; },
            [](S& s) { return s.sampling.guidance_stop == 0.75; });
        row(
            "step_cache", [](R& r) { r.step_cache = 0.1; }, [](S& s) { return s.sampling.step_cache == 0.1; });
        row(
            "flow_shift", [](R& r) { r.flow_shift = 7; }, [](S& s) { return s.sampling.flow_shift == 7; });
        row(
            "max_sequence_length", [](R& r) { r.max_sequence_length = 64; },
            [](S& s) { return s.sampling.max_sequence_length == 64; });
        row(
            "variation_of", [](R& r) { r.variation_of = 5; },
            [](S& s) { return s.sampling.variation_of == 5 && s.sampling.variation_strength == 0.2; });
        row(
            "variation_strength", [](R& r) { r.variation_of = 5, r.variation_strength = 0.5; },
            [](S& s) { return s.sampling.variation_strength == 0.5; });
        row(
            "cfg_zero_star", [](R& r) { r.guidance_method = GuidanceMethod::cfg_zero_star; },
            [](S& s) {
                return s.sampling.guidance_method == GuidanceMethod::cfg_zero_star && s.sampling.zero_init_steps == 1;
            });
        row(
            "zero_init_steps", [](R& r) { r.guidance_method = GuidanceMethod::cfg_zero_star, r.zero_init_steps = 3; },
            [](S& s) { return s.sampling.zero_init_steps == 3; });
        row(
            "apg",
            [](R& r) {
                r.guidance_method = GuidanceMethod::apg;
                r.apg_eta = 0.5;
                r.apg_rescale = 15;
            },
            [](S& s) {
                return s.sampling.apg_momentum == -0.5 && s.sampling.apg_eta == 0.5 && s.sampling.apg_rescale == 15;
            });
        row(
            "skip_layer", [](R& r) { r.guidance_method = GuidanceMethod::skip_layer; },
            [](S& s) {
                return s.sampling.skip_layer_guidance_layers == std::vector{9} &&
                       s.sampling.skip_layer_guidance_scale == 2.8 && s.sampling.skip_layer_guidance_stop == 0.2;
            });
        row(
            "skip_layer_guidance_layers",
            [](R& r) {
                r.guidance_method = GuidanceMethod::skip_layer;
                r.skip_layer_guidance_layers = {1, 2};
            },
            [](S& s) { return s.sampling.skip_layer_guidance_layers.size() == 2; });
        row(
            "nag", [](R& r) { r.guidance_method = GuidanceMethod::nag; },
            [](S& s) {
                return s.sampling.nag_scale == 11 && s.sampling.guidance_scale == 1 &&
                       s.sampling.guidance_scale_2 == 1 && uses_negative_prompt(s.sampling);
            });
        row(
            "decode", [](R& r) { r.decode = DecodeMode::draft; },
            [](S& s) { return s.compute.decode == DecodeMode::draft; });
        row(
            "previews", [](R& r) { r.previews = PreviewMode::latent; },
            [](S& s) { return s.compute.previews == PreviewMode::latent; });
        row(
            "preview_decoder", [](R& r) { r.preview_decoder = "t.pth"; },
            [](S& s) { return s.compute.preview_decoder == "t.pth"; });
        row(
            "min_guidance_scale", [](R& r) { r.min_guidance_scale = 2; },
            [](S& s) { return s.sampling.min_guidance_scale == 2; });
        row(
            "max_guidance_scale", [](R& r) { r.max_guidance_scale = 2; },
            [](S& s) { return s.sampling.max_guidance_scale == 2; });
        row(
            "motion_bucket_id", [](R& r) { r.motion_bucket_id = 2; },
            [](S& s) { return s.sampling.motion_bucket_id == 2; });
        row(
            "noise_aug_strength", [](R& r) { r.noise_aug_strength = 0; },
            [](S& s) { return s.sampling.noise_aug_strength == 0; });
        row(
            "device", [](R& r) { r.device = "cpu"; }, [](S& s) { return s.compute.device == "cpu"; });
        row(
            "dtype", [](R& r) { r.dtype = DtypeChoice::fp16; },
            [](S& s) { return s.compute.dtype == DtypeChoice::fp16; });
        row(
            "storage", [](R& r) { r.storage = DtypeChoice::int8; },
            [](S& s) { return s.compute.storage == DtypeChoice::int8; });
        row(
            "text_encoder_dtype", [](R& r) { r.text_encoder_dtype = DtypeChoice::fp32; },
            [](S& s) { return s.compute.text_encoder_dtype == DtypeChoice::fp32; });
        row(
            "vae_dtype", [](R& r) { r.vae_dtype = DtypeChoice::fp32; },
            [](S& s) { return s.compute.vae_dtype == DtypeChoice::fp32; });
        row(
            "half_accumulation", [](R& r) { r.half_accumulation = HalfAccumulation::allowed; },
            [](S& s) { return s.compute.half_accumulation == HalfAccumulation::allowed; });
        row(
            "guard", [](R& r) { r.guard = GuardMode::observe; },
            [](S& s) { return s.compute.guard == GuardMode::observe; });
        row(
            "overrides",
            [](R& r) {
                r.overrides = {{"vae", "a", RaisedPrecision::scaled}};
            },
            [](S& s) {
                return s.compute.override_source == OverrideSource::request && s.compute.overrides.size() == 1;
            });
        row(
            "no overrides", [](R& r) { r.overrides.emplace(); },
            [](S& s) { return s.compute.override_source == OverrideSource::request && s.compute.overrides.empty(); });
        row(
            "offload", [](R& r) { r.offload = OffloadMode::blocks; },
            [](S& s) { return s.compute.offload == OffloadMode::blocks; });
        row(
            "vae_tiling", [](R& r) { r.vae_tiling = true; }, [](S& s) { return s.compute.vae_tiling; });
        row(
            "decode_chunk_size", [](R& r) { r.decode_chunk_size = 3; },
            [](S& s) { return s.compute.decode_chunk_size == 3; });
        row(
            "max_memory", [](R& r) { r.max_memory_bytes = 5; }, [](S& s) { return s.compute.max_memory_bytes == 5; });
        row(
            "threads", [](R& r) { r.threads = 5; },
            [](S& s) { return s.compute.threads == 5 && s.compute.reproducible == Reproducibility::off; });
        row(
            "reproducible", [](R& r) { r.reproducible = 0; },
            [](S& s) { return s.compute.threads == 0 && s.compute.reproducible == Reproducibility::on; });
        row(
            "output", [](R& r) { r.output.file = "o.mp4"; }, [](S& s) { return s.output.file == "o.mp4"; });
        row(
            "overwrite", [](R& r) { r.output.overwrite = OverwriteMode::overwrite; },
            [](S& s) { return s.output.overwrite == OverwriteMode::overwrite; });
        row(
            "codec", [](R& r) { r.output.codec = "c"; }, [](S& s) { return s.output.codec == "c"; });
        row(
            "crf", [](R& r) { r.output.crf = 0; }, [](S& s) { return s.output.crf == 0; });
        row(
            "settings", [](R& r) { r.output.settings = SettingsInFile::left_out; },
            [](S& s) { return s.output.settings == SettingsInFile::left_out; });
        row(
            "numeric_log", [](R& r) { r.output.numeric_log = "a"; }, [](S& s) { return s.output.numeric_log == "a"; });
        row(
            "numeric_csv", [](R& r) { r.output.numeric_csv = "a"; }, [](S& s) { return s.output.numeric_csv == "a"; });
        row(
            "originals",
            [](R& r) {
                r.originals = {{"/inputs/a", "/home/a"}};
            },
            [](S& s) { return s.content.originals.contains("/inputs/a"); });
        row(
            "latents", [](R& r) { r.output.latents = "a"; }, [](S& s) { return s.output.latents == "a"; });
        row(
            "frames", [](R& r) { r.output.frames = "a"; }, [](S& s) { return s.output.frames == "a"; });
        row(
            "preview_dir", [](R& r) { r.output.preview_dir = "a"; }, [](S& s) { return s.output.preview_dir == "a"; });
    }
    void each_field_reaches_the_run_and_comes_back() {
        QFETCH(Change, change);
        QFETCH(Check, check);
        VideoRequest request;
        change(request);
        const ResolvedRequest resolved = resolve_request(request, full_card(), kDrawnSeed);
        QVERIFY(check(resolved));
        QVERIFY(!check(resolve_request({}, full_card(), kDrawnSeed)));

        VideoRequest expected = with_defaults(request, full_card());
        if (!expected.seed) expected.seed = kDrawnSeed;
        const VideoRequest back = to_request(resolved, full_card());
        QCOMPARE(QString::fromStdString(to_json(back)), QString::fromStdString(to_json(expected)));
        QVERIFY(back == expected);
        QVERIFY(resolve_request(back, full_card(), 0) == resolved);
    }

    void unset_values_default_to_the_card() {
        const ResolvedRequest resolved = resolve_request({}, full_card(), kDrawnSeed);
        QCOMPARE(resolved.content.width, 832);
        QCOMPARE(resolved.content.height, 480);
        QCOMPARE(resolved.content.num_frames, 81);
        QCOMPARE(resolved.content.fps, 16);
        QCOMPARE(resolved.content.negative_prompt, std::string("blurry"));
        QCOMPARE(resolved.sampling.seed, kDrawnSeed);
        QCOMPARE(resolved.sampling.scheduler, std::string("unipc"));
        QCOMPARE(resolved.sampling.num_inference_steps, 50);
        QCOMPARE(resolved.sampling.guidance_scale_2, 2.0);
        QCOMPARE(resolved.sampling.motion_bucket_id, 127);
        QCOMPARE(resolved.compute.decode_chunk_size, 8);
        QVERIFY(resolved.compute.override_source == OverrideSource::learned);
        QCOMPARE(resolved.output.crf, kDefaultCrf);
    }

    void settings_that_a_card_does_not_offer_are_neutral_and_unset() {
        const ResolvedRequest resolved = resolve_request({}, plain_card(), kDrawnSeed);
        QCOMPARE(resolved.sampling.guidance_scale_2, resolved.sampling.guidance_scale);
        QCOMPARE(resolved.sampling.max_guidance_scale, 1.0);
        QVERIFY(!resolved.sampling.use_dynamic_cfg);
        QCOMPARE(resolved.compute.decode_chunk_size, 0);
        VideoRequest expected = with_defaults({}, plain_card());
        expected.seed = kDrawnSeed;
        QVERIFY(to_request(resolved, plain_card()) == expected);
    }

    void one_guidance_scale_applies_to_both_experts() {
        VideoRequest request;
        request.guidance_scale = 6.0;
        QCOMPARE(resolve_request(request, full_card(), 0).sampling.guidance_scale_2, 6.0);
        request.guidance_scale_2 = 3.0;
        QCOMPARE(resolve_request(request, full_card(), 0).sampling.guidance_scale_2, 3.0);
    }

    void a_reproducible_run_ignores_threads() {
        VideoRequest request;
        request.threads = 8;
        request.reproducible = 4;
        const ResolvedRequest resolved = resolve_request(request, full_card(), 0);
        QCOMPARE(resolved.compute.threads, 4);
        const VideoRequest back = to_request(resolved, full_card());
        QCOMPARE(*back.reproducible, 4);
        QVERIFY(!back.threads);
    }

    void class_names_of_schedulers_become_short_names() {
        VideoRequest request;
        request.scheduler = "FlowMatchEulerDiscreteScheduler";
        QCOMPARE(resolve_request(request, full_card(), 0).sampling.scheduler, std::string("flow_match_euler"));
    }

    void any_scale_above_one_enables_guidance_data() {
        QTest::addColumn<double>("scale");
        QTest::addColumn<double>("scale_2");
        QTest::addColumn<double>("max_scale");
        QTest::addColumn<bool>("guided");
        QTest::newRow("none") << 1.0 << 1.0 << 1.0 << false;
        QTest::newRow("first") << 1.01 << 1.0 << 1.0 << true;
        QTest::newRow("second expert") << 0.0 << 2.0 << 0.0 << true;
        QTest::newRow("last frame") << 1.0 << 0.5 << 3.0 << true;
    }
    void any_scale_above_one_enables_guidance() {
        QFETCH(double, scale);
        QFETCH(double, scale_2);
        QFETCH(double, max_scale);
        QFETCH(bool, guided);
        VideoRequest request;
        request.guidance_scale = scale;
        request.guidance_scale_2 = scale_2;
        request.max_guidance_scale = max_scale;
        QCOMPARE(is_guided(request), guided);
        QCOMPARE(is_guided(resolve_request(request, full_card(), 0).sampling), guided);
    }

    void component_names_determine_role_and_phase_data() {
        QTest::addColumn<QString>("component");
        QTest::addColumn<int>("role");
        QTest::addColumn<int>("phase");
        const auto add = [](const char* component, ComponentRole role, Phase phase) {
            QTest::newRow(component) << QString(component) << static_cast<int>(role) << static_cast<int>(phase);
        };
        add("text_encoder", ComponentRole::text_encoder, Phase::encode);
        add("text_encoder_2", ComponentRole::text_encoder, Phase::encode);
        add("image_encoder", ComponentRole::image_encoder, Phase::encode);
        add("transformer", ComponentRole::denoiser, Phase::denoise);
        add("transformer_2", ComponentRole::denoiser, Phase::denoise);
        add("unet", ComponentRole::denoiser, Phase::denoise);
        add("vae", ComponentRole::vae, Phase::decode);
        add("tokenizer", ComponentRole::none, Phase::denoise);
        add("scheduler", ComponentRole::none, Phase::denoise);
    }
    void component_names_determine_role_and_phase() {
        QFETCH(QString, component);
        QFETCH(int, role);
        QFETCH(int, phase);
        const ComponentRole found = role_of(component.toStdString());
        QCOMPARE(static_cast<int>(found), role);
        QCOMPARE(static_cast<int>(phase_of(found)), phase);
    }
};

QTEST_GUILESS_MAIN(TestResolveRequest)
#include "test_resolve_request.moc"
