#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

#include "core/models/model_family.h"
#include "tests/support/golden.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace fs = std::filesystem;

namespace {

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

}  // namespace

class TestWanFamily : public QObject {
    Q_OBJECT

    SilentProbe silent_;
    CancellationToken token_;

    const ComputePolicy policy_{.components = {{"text_encoder", {}}, {"transformer", {}}, {"vae", {}}}};

    Conditioning encode(const ModelFiles& files, const ResolvedRequest& request) {
        NoiseSource noise(1);
        return find_family(files).encode({.files = files, .request = request, .policy = policy_}, noise,
                                         {silent_, token_});
    }

    static fs::path copy_model(const QTemporaryDir& dir) {
        const auto copy = fs::path(dir.path().toStdString()) / "model";
        fs::copy(test_data("wan_t2v/model"), copy, fs::copy_options::recursive);
        return copy;
    }

private Q_SLOTS:
    void the_golden_model_is_wan() {
        const auto files = read_model_files(test_data("wan_t2v/model"));
        QCOMPARE(files.components.size(), std::size_t{5});  // without transformer_2, which is [null, null]
        const auto& family = find_family(files);
        QCOMPARE(family.name(), std::string("wan"));
        const auto card = family.card(files);
        QCOMPARE(card.size_multiple, 16);
        QCOMPARE(card.num_frames_multiple, 4);
        QCOMPARE(card.default_flow_shift, 3.0);
        QCOMPARE(card.schedulers.front(), std::string("unipc"));
    }

    void prompts_equal_the_reference() {
        for (const std::string name : {"wan_t2v", "wan_t2v_euler"}) {
            const auto files = read_model_files(test_data("wan_t2v/model"));
            const auto json = read_json(test_data(name + "/request.json"));
            const auto expected = open_checkpoint(test_data(name + "/expected.safetensors"));
            ResolvedRequest request{.content = {.prompt = json["prompt"], .negative_prompt = json["negative_prompt"]},
                                    .sampling = {.guidance_scale = json["guidance_scale"],
                                                 .max_sequence_length = json["max_sequence_length"]}};
            const auto conditioning = encode(files, request);
            QVERIFY(conditioning.input_ids.equal(expected->read("input_ids")));
            QVERIFY(conditioning.attention_mask.equal(expected->read("attention_mask")));
            QVERIFY(relative_error(conditioning.prompt_embeds, expected->read("prompt_embeds")) <= 3e-5);
            QVERIFY(relative_error(conditioning.negative_prompt_embeds, expected->read("negative_prompt_embeds")) <=
                    3e-5);
            request.sampling.guidance_scale = 1.0;
            QVERIFY(!encode(files, request).negative_prompt_embeds.defined());
        }
    }

    void latents_have_the_shape_of_the_request() {
        const auto files = read_model_files(test_data("wan_t2v/model"));
        ResolvedRequest request{.content = {.width = 48, .height = 32, .num_frames = 9}};
        QCOMPARE(find_family(files).latents_shape(files, request), (std::vector<std::int64_t>{1, 16, 3, 4, 6}));
        request.content.width = 40;
        QVERIFY(code_of([&] { find_family(files).latents_shape(files, request); }) == ErrorCode::bad_request);
    }

    void parts_are_built_from_the_folder() {
        const auto files = read_model_files(test_data("wan_t2v/model"));
        const auto& family = find_family(files);
        QVERIFY(family.load_denoiser(files, policy_) != nullptr);
        QVERIFY(family.load_vae(files, {}, {}) != nullptr);
        const ResolvedRequest request{.sampling = {.num_inference_steps = 5}};
        NoiseSource noise(1);
        QCOMPARE(family.make_scheduler({.files = files, .request = request, .noise = noise})->timesteps().size(),
                 std::size_t{5});
    }

    void hints_override_the_card() {
        QTemporaryDir dir;
        const auto root = copy_model(dir);
        write(
            root / "kinescope.json",
            R"({"name": "Demo", "example_prompts": ["a red ball"], "vocabulary": {"colors": ["red"], "shapes": ["ball"]},
            "hint": "Colors and shapes.", "latent_rgb_factors": [[0.1, 0.2, 0.3]], "latent_rgb_bias": [0.5, 0.5, 0.5],
            "defaults": {"width": 96, "height": 64, "num_frames": 17, "fps": 8, "num_inference_steps": 16,
                         "guidance_scale": 3.5, "flow_shift": 2.5, "negative_prompt": "grey"}})");
        const auto files = read_model_files(root);
        const auto card = find_family(files).card(files);
        QCOMPARE(card.name, std::string("Demo"));
        QVERIFY((card.default_size == Size{96, 64}) && card.sizes.front() == card.default_size);
        QCOMPARE(card.sizes.size(), std::size_t{1});
        QCOMPARE(card.default_num_inference_steps, 16);
        QCOMPARE(card.default_flow_shift, 2.5);
        QCOMPARE(card.vocabulary.words.size(), std::size_t{2});
        QCOMPARE(card.latent_rgb_factors.size(), std::size_t{1});
        QCOMPARE(card.default_negative_prompt, std::string("grey"));
    }

    void damaged_hints_are_refused() {
        QTemporaryDir dir;
        const auto root = copy_model(dir);
        for (const auto* text :
             {"[]", R"({"name": 3})", R"({"vocabulary": "red"})", R"({"latent_rgb_factors": [[1, 2]]})",
              R"({"defaults": {"fps": 0}})", R"({"sizes": [[1e300, 1]]})", R"({"latent_rgb_bias": [1]})"}) {
            write(root / "kinescope.json", text);
            const auto files = read_model_files(root);
            QVERIFY2(code_of([&] { find_family(files).card(files); }) == ErrorCode::bad_config, text);
        }
    }

    void a_model_with_an_unknown_scheduler_needs_another_one() {
        QTemporaryDir dir;
        const auto root = copy_model(dir);
        write(root / "scheduler/scheduler_config.json", R"({"_class_name": "LCMScheduler"})");
        const auto files = read_model_files(root);
        const auto card = find_family(files).card(files);
        QVERIFY(card.scheduler_fault.find("LCMScheduler") != std::string::npos);
        VideoRequest request{.prompt = "a red ball"};
        const auto faults = validate(with_defaults(request, card), card);
        QCOMPARE(faults.size(), std::size_t{1});
        QCOMPARE(faults[0].field, std::string("scheduler"));
        QCOMPARE(faults[0].fix, std::string("unipc"));
        request.scheduler = "flow_match_euler";
        request.num_inference_steps = 4;
        QVERIFY(validate(request, card).empty());
        const ResolvedRequest resolved = resolve_request(request, card, 1);
        NoiseSource noise(1);
        QCOMPARE(find_family(files)
                     .make_scheduler({.files = files, .request = resolved, .noise = noise})
                     ->timesteps()
                     .size(),
                 std::size_t{4});
    }

    void a_folder_without_a_model_is_refused() {
        QTemporaryDir dir;
        const auto root = fs::path(dir.path().toStdString());
        QVERIFY(code_of([&] { read_model_files(root / "nowhere"); }) == ErrorCode::file_not_found);
        QVERIFY(code_of([&] { read_model_files(root); }) == ErrorCode::model_unknown);
        write(root / "model_index.json", "{");
        QVERIFY(code_of([&] { read_model_files(root); }) == ErrorCode::bad_config);
        write(root / "model_index.json",
              R"({"transformer": ["diffusers", "HunyuanVideoTransformer3DModel"], "vae": [null, null]})");
        write(root / "transformer/config.json", "{}");
        QVERIFY(code_of([&] { find_family(read_model_files(root)); }) == ErrorCode::model_unknown);
    }

    void component_names_cannot_leave_the_folder() {
        QTemporaryDir dir;
        const auto root = fs::path(dir.path().toStdString()) / "model";
        write(root / "model_index.json",
              R"({"../outside": ["diffusers", "X"], "..": ["diffusers", "X"], "/etc": ["a", "B"]})");
        write(root / "../outside/config.json", "{}");
        QVERIFY(read_model_files(root).components.empty());
    }

    void a_missing_component_is_named() {
        QTemporaryDir dir;
        const auto root = copy_model(dir);
        fs::remove_all(root / "vae");
        const auto files = read_model_files(root);
        QVERIFY(code_of([&] { find_family(files).load_vae(files, {}, {}); }) == ErrorCode::component_missing);
    }
};

QTEST_GUILESS_MAIN(TestWanFamily)
#include "test_wan_family.moc"
