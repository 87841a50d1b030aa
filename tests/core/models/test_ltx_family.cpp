#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

#include "core/models/discovery/layout_family.h"
#include "core/models/ltx/draws.h"
#include "core/models/ltx/family.h"
#include "core/models/ltx/schedule.h"
#include "core/weights/formats/safetensors_writer.h"
#include "tests/core/models/ltx_fixture.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::ltx;
using namespace kinescope::testing;

namespace fs = std::filesystem;

class TestLtxFamily : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    static ModelFiles files_of(const std::string& name) {
        auto files = read_model_files(test_data("ltx/" + name + "/model"));
        files.replace("tokenizer", ltx_part("t2v", "tokenizer"));
        return files;
    }
    static VideoRequest request_of(const std::string& name) {
        const auto folder = test_data("ltx/" + name);
        return parse_request(read_json(folder / "request.json").dump(), folder);
    }
    static ModelCard card_of(const std::string& name) {
        const auto files = files_of(name);
        return find_family(files).card(files);
    }
    static ResolvedRequest resolved(const std::string& name) {
        return resolve_request(request_of(name), card_of(name), 1);
    }
    static fs::path single_file() { return test_data("ltx/single_file/model/ltx-video-tiny-v0.9.1.safetensors"); }

    /// Writes the complete model file with another config in its header.
    fs::path with_header(const char* name, const std::string& config) const {
        const auto original = open_checkpoint(single_file());
        std::map<std::string, Tensor> tensors;
        for (const auto& entry : original->entries()) tensors[entry.name] = original->read(entry.name);
        const auto file = fs::path(folder_.path().toStdString()) / name;
        write_safetensors(file, tensors, {{"config", config}});
        return file;
    }

private Q_SLOTS:
    void cards_distinguish_the_generations() {
        const auto first = card_of("t2v");
        QCOMPARE(first.family, std::string("ltx"));
        QCOMPARE(first.size_multiple, 32);
        QCOMPARE(first.num_frames_multiple, 8);
        QCOMPARE(first.default_fps, 25);
        QVERIFY(!first.fp16_safe);
        QVERIFY(first.extra_field("decode_timestep") == nullptr);
        QVERIFY(card_of("i2v").extra_field("decode_timestep") != nullptr);
        QVERIFY(!card_of("i2v").takes_conditions);
        const auto latest = card_of("condition");
        QVERIFY(latest.takes_conditions);
        QVERIFY(latest.extra_field("image_cond_noise_scale") != nullptr);
        QCOMPARE(latest.max_sequence_length, 256);
        QVERIFY(latest.variant.starts_with("LTX-Video 0.9.5+"));
    }

    void published_sizes_have_names() {
        QTemporaryDir dir;
        const auto root = fs::path(dir.path().toStdString()) / "model";
        fs::copy(test_data("ltx/t2v/model"), root, fs::copy_options::recursive);
        auto config = read_json(root / "transformer/config.json");
        config.update({{"num_layers", 28}, {"num_attention_heads", 32}, {"attention_head_dim", 64}});
        config["cross_attention_dim"] = 2048;
        std::ofstream(root / "transformer/config.json") << config;
        const auto files = read_model_files(root);
        QCOMPARE(find_family(files).card(files).variant, std::string("LTX-Video 2B 0.9"));
    }

    void parts_of_different_models_are_refused_data() {
        QTest::addColumn<QString>("component");
        QTest::addColumn<QString>("change");
        QTest::addColumn<int>("code");
        const auto add = [](const char* component, const char* change, ErrorCode code) {
            QTest::newRow(change) << component << change << static_cast<int>(code);
        };
        add("transformer", R"({"in_channels": 16, "out_channels": 16})", ErrorCode::bad_config);
        add("vae", R"({"latent_channels": 16})", ErrorCode::bad_config);
        add("scheduler", R"({"_class_name": "UniPCMultistepScheduler"})", ErrorCode::unsupported);
    }
    void parts_of_different_models_are_refused() {
        QFETCH(QString, component);
        QFETCH(QString, change);
        QFETCH(int, code);
        auto files = files_of("t2v");
        files.components.at(component.toStdString()).config.update(Json::parse(change.toStdString()));
        QVERIFY(code_of([&] { find_family(files).card(files); }) == static_cast<ErrorCode>(code));
    }

    /// The pipeline then follows from the scheduler.
    void an_index_without_a_class_is_accepted() {
        for (const Json& index : {Json(), Json::object(), Json{{"_class_name", 3}}, Json{{"_class_name", nullptr}}}) {
            auto files = files_of("t2v");
            files.index = index;
            QVERIFY(!find_family(files).card(files).takes_conditions);
        }
    }

    void a_folder_without_a_config_is_named() {
        auto files = files_of("t2v");
        files.components.at("transformer").config = nullptr;
        try {
            find_family(files).card(files);
            QFAIL("nothing was refused");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains("transformer/config.json is missing"), error.what());
        }
    }

    void a_missing_component_is_named_data() {
        QTest::addColumn<QString>("component");
        for (const char* component : {"text_encoder", "transformer", "vae"}) QTest::newRow(component) << component;
    }
    void a_missing_component_is_named() {
        QFETCH(QString, component);
        auto files = files_of("t2v");
        const ModelFamily& family = find_family(files);
        const auto request = resolved("t2v");
        files.components.erase(component.toStdString());
        const ComputePolicy policy{.components = {{"text_encoder", {}}, {"transformer", {}}, {"vae", {}}}};
        NoiseSource noise(1);
        SilentProbe silent;
        const CancellationToken never;
        const auto use = [&] {
            family.encode({.files = files, .request = request, .policy = policy}, noise, {silent, never});
            family.load_denoiser(files, policy);
            family.load_vae(files, request, {});
        };
        try {
            use();
            QFAIL("nothing was refused");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::component_missing);
            QVERIFY2(QString(error.what()).contains(component), error.what());
        }
    }

    void a_shifted_schedule_ends_at_shift_terminal() {
        const auto schedule = make_schedule({.shift_terminal = 0.1}, 6, 4);
        QCOMPARE(schedule.timesteps.size(), std::size_t{4});
        QCOMPARE(schedule.sigmas.front(), 1.0F);
        QVERIFY(std::abs(schedule.sigmas[3] - 0.1F) < 1e-6F);
        QCOMPARE(schedule.sigmas.back(), 0.0F);
        QCOMPARE(make_schedule({.shift_terminal = 0.1}, 6, 1).sigmas, (std::vector<float>{1.0F, 0.0F}));
        QVERIFY_EXCEPTION_THROWN(make_schedule({}, 6, 0), Error);
    }

    void schedules_of_other_schedulers_are_refused() {
        for (const Json& wrong : {Json{{"_class_name", "UniPCMultistepScheduler"}}, Json{{"shift", 3.0}},
                                  Json{{"use_karras_sigmas", true}}, Json{{"num_train_timesteps", 500}}})
            QVERIFY_EXCEPTION_THROWN(read_schedule_config(wrong, "scheduler_config.json"), Error);
    }

    void later_keyframes_add_latent_frames() {
        const auto files = files_of("condition");
        const auto shape = run_shape(files, resolved("condition"));
        QCOMPARE(shape.extra_frames(), std::int64_t{1});
        QCOMPARE(shape.placements(0), (std::vector<Placement>{{.first = 0, .count = 1, .place = 1}}));
        QCOMPARE(shape.placements(1), (std::vector<Placement>{{.first = 0, .count = 1, .place = 0}}));
        QCOMPARE(LtxFamily().latents_shape(files, resolved("condition")), (std::vector<std::int64_t>{1, 8, 4, 1, 2}));
        const auto held = held_frames(shape).flatten();
        QVERIFY(held.equal(at::tensor({0.8F, 1.0F, 0.0F, 0.0F})));
    }

    void first_and_last_image_become_keyframes() {
        const ResolvedRequest request{.content = {.image = "a.png", .last_image = "b.png", .num_frames = 17}};
        const auto all = keyframes(request, 8);
        QCOMPARE(all.size(), std::size_t{2});
        QCOMPARE(all[1].frame_index, std::int64_t{16});
    }

    void videos_end_with_the_result_data() {
        QTest::addColumn<int>("frame");
        QTest::addColumn<int>("frames");
        QTest::addColumn<int>("used");
        QTest::newRow("image") << 4 << 0 << 1;
        QTest::newRow("whole latent frames") << 0 << 15 << 9;
        QTest::newRow("as long as the result") << 0 << 33 << 33;
        QTest::newRow("longer than the result") << 0 << 1000 << 33;
        QTest::newRow("later") << 4 << 33 << 25;
        QTest::newRow("last frame") << 32 << 33 << 1;
        QTest::newRow("behind the end") << 40 << 33 << 1;
    }
    void videos_end_with_the_result() {
        QFETCH(int, frame);
        QFETCH(int, frames);
        QFETCH(int, used);
        const FrameCondition condition{.file = "a.mp4", .frame_index = frame, .num_frames = frames};
        const ResolvedRequest request{.content = {.conditions = {condition}, .num_frames = 33}};
        QCOMPARE(keyframes(request, 8).at(0).num_frames, std::int64_t{used});
    }

    void a_later_video_begins_with_two_extra_latent_frames() {
        const RunShape shape{.pipeline = Pipeline::condition,
                             .channels = 8,
                             .frames = 5,
                             .rows = 1,
                             .columns = 2,
                             .keyframes = {{.num_frames = 9},
                                           {.frame_index = 4, .num_frames = 25},
                                           {.frame_index = 20},
                                           {.frame_index = 8, .num_frames = 9}}};
        QCOMPARE(shape.extra_frames(), std::int64_t{5});
        QCOMPARE(shape.placements(0), (std::vector<Placement>{{.first = 0, .count = 2, .place = 5}}));
        QCOMPARE(shape.placements(1),
                 (std::vector<Placement>{{.first = 0, .count = 2, .place = 0}, {.first = 2, .count = 2, .place = 7}}));
        QCOMPARE(shape.placements(2), (std::vector<Placement>{{.first = 0, .count = 1, .place = 2}}));
        QCOMPARE(shape.placements(3), (std::vector<Placement>{{.first = 0, .count = 2, .place = 3}}));
    }

    void videos_need_more_memory_to_encode_than_images() {
        const auto files = files_of("condition");
        auto request = resolved("condition");
        const auto bytes = [&] {
            const MemoryQuery query{
                .files = files, .request = request, .component = "vae", .precision = {}, .phase = Phase::encode};
            return LtxFamily().memory(query).activation_bytes;
        };
        const auto of_images = bytes();
        request.content.conditions[0].num_frames = 17;
        QVERIFY(bytes() > 4 * of_images);
    }

    void without_keyframes_no_noise_is_drawn_for_them() {
        const auto expected = open_checkpoint(test_data("ltx/condition_none/expected.safetensors"));
        const auto files = files_of("condition");
        const auto request = parse_request(read_json(test_data("ltx/condition_none/request.json")).dump(),
                                           test_data("ltx/condition_none"));
        const auto shape = run_shape(files, resolve_request(request, find_family(files).card(files), 1));
        QVERIFY(shape.image_cond_noise_scale > 0);
        QVERIFY(draw(shape, Wanted::steps).images.empty());
        QVERIFY(draw(shape, Wanted::after_steps).decode.equal(expected->read("decode_noise")));
    }

    void noise_is_the_same_in_every_phase() {
        const auto expected = open_checkpoint(test_data("ltx/condition/expected.safetensors"));
        const auto shape = run_shape(files_of("condition"), resolved("condition"));
        const auto start = draw(shape, Wanted::before_steps);
        QVERIFY(start.latents.equal(expected->read("latents_initial")));
        QVERIFY(start.posterior[1].equal(expected->read("posterior_noise_001")));
        QVERIFY(!start.mixing[0].defined());
        QVERIFY(draw(shape, Wanted::steps).images[4].equal(expected->read("image_noise_004")));
        QVERIFY(draw(shape, Wanted::after_steps).decode.equal(expected->read("decode_noise")));
    }

    void a_held_frame_does_not_change_before_its_noise_level() {
        auto shape = run_shape(files_of("condition"), resolved("condition"));
        shape.image_cond_noise_scale = 0;
        LtxScheduler scheduler(make_schedule({.spacing = SigmaSpacing::linear_quadratic, .shift_terminal = 0}, 6, 40),
                               shape, at::zeros(shape.all()));
        const auto sample = at::ones(shape.all());
        const auto first = scheduler.step(0, at::ones(shape.all()), sample);
        QVERIFY(first.slice(2, 0, 2).equal(sample.slice(2, 0, 2)));
        QVERIFY(!first.slice(2, 2).equal(sample.slice(2, 2)));
        const auto last = scheduler.step(39, at::ones(shape.all()), sample);
        QVERIFY(last.select(2, 1).equal(sample.select(2, 1)));  // a frame with strength 1 never changes
        QVERIFY(!last.select(2, 0).equal(sample.select(2, 0)));
        QCOMPARE(scheduler.pred_original_sample(0, sample, sample).size(2), shape.frames);
    }

    void older_models_refuse_a_later_keyframe() {
        auto request = request_of("t2v");
        request.conditions = {{.file = test_data("ltx/i2v/image.png"), .frame_index = 8}};
        const auto faults = validate(request, card_of("t2v"));
        QCOMPARE(faults.size(), std::size_t{1});
        QCOMPARE(faults[0].field, std::string("conditions"));
    }

    void the_parts_of_a_single_file_are_recognized() {
        const auto parts = recognize_parts(TensorCatalog(open_checkpoint(single_file())));
        QCOMPARE(parts.size(), std::size_t{2});
        QCOMPARE(parts[0].class_name, std::string("LTXVideoTransformer3DModel"));
        QCOMPARE(parts[0].assumed["num_attention_heads"], Json(2));  // from the header
        QCOMPARE(parts[0].config["ltx_pipeline"], Json("LTXPipeline"));
        QCOMPARE(parts[1].variant, std::string("LTX-Video 0.9.1 VAE"));
        QCOMPARE(parts[1].config["decoder_block_out_channels"], Json({8, 16, 32}));
        QCOMPARE(parts[1].config["decoder_inject_noise"], Json({true, true, true, false}));
        QCOMPARE(parts[1].config["layers_per_block"], Json({2, 1, 1, 1, 1}));
    }

    void a_distilled_file_gets_its_steps_and_no_guidance() {
        const auto files = read_model_files(
            with_header("distilled.safetensors", R"({"allowed_inference_steps": [1.0, 0.9937, 0.4219]})"),
            std::vector<fs::path>());
        const auto card = find_family(files).card(files);
        QCOMPARE(card.default_num_inference_steps, 8);
        QCOMPARE(card.default_guidance_scale, 1.0);
        QVERIFY(card.variant.ends_with(" distilled"));
        QVERIFY(resolve_request({}, card, 1).sampling.guidance_scale <= 1.0);
    }

    /// GGUF files and diffusers folders have no header that tells it.
    void the_name_of_a_distilled_model_tells_its_kind_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("is_distilled");
        QTest::newRow("distilled") << "ltxv-13b-0.9.8-distilled-Q4_K_M.safetensors" << true;
        QTest::newRow("capitals") << "LTX-Video-Distilled.safetensors" << true;
        QTest::newRow("dev") << "ltxv-13b-0.9.8-dev-Q4_K_M.safetensors" << false;
    }
    void the_name_of_a_distilled_model_tells_its_kind() {
        QFETCH(QString, name);
        QFETCH(bool, is_distilled);
        const auto files = read_model_files(with_header(name.toUtf8().constData(), "{}"), std::vector<fs::path>());
        QCOMPARE(find_family(files).card(files).default_num_inference_steps == 8, is_distilled);
    }
    void the_name_of_a_distilled_folder_tells_its_kind() {
        const QTemporaryDir dir;
        const auto root = fs::path(dir.path().toStdString()) / "LTX-Video-0.9.8-13B-distilled";
        fs::copy(test_data("ltx/t2v/model"), root, fs::copy_options::recursive);
        for (const auto& named : {root, root / ""}) {
            const auto files = read_model_files(named, std::vector<fs::path>());
            QCOMPARE(find_family(files).card(files).default_guidance_scale, 1.0);
        }
    }

    void other_headers_do_not_make_a_model_distilled_data() {
        QTest::addColumn<QString>("config");
        for (const char* config :
             {"", "{", "[]", "{}", R"({"allowed_inference_steps": null})", R"({"allowed_inference_steps": []})",
              R"({"allowed_inference_steps": "8"})", R"({"transformer": 3})",
              R"({"transformer": {"num_attention_heads": -2}})", R"({"transformer": {"num_attention_heads": 1e99}})"})
            QTest::newRow(config) << config;
    }
    void other_headers_do_not_make_a_model_distilled() {
        QFETCH(QString, config);
        const auto parts =
            recognize_parts(TensorCatalog(open_checkpoint(with_header("other.safetensors", config.toStdString()))));
        QCOMPARE(parts.size(), std::size_t{2});
        QVERIFY(!parts[0].config.contains("ltx_distilled"));
        QCOMPARE(parts[0].assumed["num_attention_heads"], Json(32));
    }

    /// The expected timesteps have four digits, as published by the authors.
    void eight_steps_are_the_timesteps_of_distilled_models() {
        const auto schedule = make_schedule({.spacing = SigmaSpacing::linear_quadratic, .shift_terminal = 0}, 6, 8);
        const std::vector<double> published{1000, 993.7, 987.5, 981.2, 975, 909.4, 725, 421.9};
        QCOMPARE(schedule.timesteps.size(), published.size());
        for (std::size_t i = 0; i < published.size(); ++i)
            QVERIFY(std::abs(schedule.timesteps[i] - published[i]) <= 0.0501);
    }

    void a_single_file_is_a_model() {
        const auto files = read_model_files(single_file(), std::vector<fs::path>());
        QCOMPARE(find_family(files).name(), std::string("ltx"));
        QCOMPARE(files.component("vae").weights, single_file());
        QVERIFY(!files.component("text_encoder").missing.empty());
        const auto card = find_family(files).card(files);
        QVERIFY(card.extra_field("decode_timestep") != nullptr);
        QVERIFY(!card.takes_conditions);
    }

    /// The denoisers of all generations with 2B have the same shapes.
    void a_denoiser_alone_belongs_to_the_generation_of_its_vae() {
        const QTemporaryDir dir;
        const auto models = fs::path(dir.path().toStdString()) / "ComfyUI/models";
        const auto denoiser = models / "diffusion_models/ltxv-2b-0.9.6.safetensors";
        for (const char* folder : {"diffusion_models", "vae"}) fs::create_directories(models / folder);
        const auto part = ltx_part("condition", "transformer");
        fs::copy_file(part / "diffusion_pytorch_model.safetensors", denoiser);
        fs::copy_file(part / "config.json", denoiser.parent_path() / "config.json");
        const auto vae_of = [](const char* name) {
            return ltx_part(name, "vae") / "diffusion_pytorch_model.safetensors";
        };
        const auto is_latest = [](const ModelFiles& files) {
            const auto pipeline = files.index.value("_class_name", std::string());
            const bool is_shifted = files.component("scheduler").config["use_dynamic_shifting"] == true;
            const bool takes_conditions = find_family(files).card(files).takes_conditions;
            return takes_conditions && !is_shifted && pipeline == "LTXConditionPipeline";
        };
        auto without = read_model_files(denoiser, std::vector<fs::path>());
        QVERIFY(!is_latest(without));
        without.replace("vae", vae_of("condition"));
        QVERIFY(is_latest(without));
        without.replace("vae", ltx_part("i2v", "vae"));
        QVERIFY(!is_latest(without));
        without.replace("vae", ltx_part("condition", "vae"));
        QVERIFY(is_latest(without));
        fs::copy_file(vae_of("condition"), models / "vae/ltx_vae.safetensors");
        QVERIFY(is_latest(read_model_files(denoiser, std::vector<fs::path>())));
        fs::copy_file(vae_of("i2v"), models / "vae/ltx_vae.safetensors", fs::copy_options::overwrite_existing);
        QVERIFY(!is_latest(read_model_files(denoiser, std::vector<fs::path>())));
    }

    void a_folder_keeps_its_pipeline_with_another_vae() {
        auto files = files_of("i2v");
        const Json scheduler = files.component("scheduler").config;
        files.replace("vae", ltx_part("condition", "vae"));
        QCOMPARE(files.index.value("_class_name", std::string()), std::string("LTXImageToVideoPipeline"));
        QCOMPARE(files.component("scheduler").config, scheduler);
    }

    void diffusers_names_are_recognized_by_shapes_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"t2v", "i2v", "condition"}) QTest::newRow(name) << name;
    }
    void diffusers_names_are_recognized_by_shapes() {
        QFETCH(QString, name);
        const auto folder = ltx_part(name.toStdString(), "vae");
        const auto file = folder / "diffusion_pytorch_model.safetensors";
        const auto parts = recognize_parts(TensorCatalog(open_checkpoint(file)));
        QCOMPARE(parts.size(), std::size_t{1});
        const auto given = read_json(folder / "config.json");
        for (const char* key : {"block_out_channels", "layers_per_block", "spatio_temporal_scaling", "down_block_types",
                                "downsample_type", "decoder_block_out_channels", "decoder_layers_per_block",
                                "decoder_spatio_temporal_scaling", "decoder_inject_noise", "upsample_factor",
                                "upsample_residual", "timestep_conditioning", "patch_size", "latent_channels"})
            QVERIFY2(parts[0].config[key] == given[key], key);
    }

    void components_equal_the_reference_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("component");
        for (const char* name : {"t2v", "i2v", "condition"})
            for (const char* component : {"transformer", "vae"})
                QTest::addRow("%s %s", name, component) << name << component;
        QTest::newRow("t2v text encoder") << "t2v"
                                          << "text_encoder";
    }
    void components_equal_the_reference() {
        QFETCH(QString, name);
        QFETCH(QString, component);
        const auto files = files_of(name.toStdString());
        const auto io =
            open_checkpoint(test_data("ltx/" + name.toStdString() + "/" + component.toStdString() + "_io.safetensors"));
        const ComputePolicy policy{.components = {{"text_encoder", {}}, {"transformer", {}}, {"vae", {}}}};
        SilentProbe silent;
        const CancellationToken never;
        const auto outputs = find_family(files).replay(
            {.files = files, .policy = policy, .component = component.toStdString(), .io = *io},
            {silent, never, component.toStdString()});
        int compared = 0;
        for (const auto& entry : io->entries()) {
            if (!entry.name.starts_with("out.")) continue;
            QVERIFY2(outputs.contains(entry.name.substr(4)), entry.name.c_str());
            const auto error = relative_error(outputs.at(entry.name.substr(4)), io->read(entry.name));
            QVERIFY2(error <= 3e-5, (entry.name + ": " + std::to_string(error)).c_str());
            ++compared;
        }
        QVERIFY(compared > 0);
    }
};

QTEST_GUILESS_MAIN(TestLtxFamily)
#include "test_ltx_family.moc"
