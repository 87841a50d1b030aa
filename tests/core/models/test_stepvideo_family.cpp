#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
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

/// Counts transactions, the units of work that the guard can repeat.
class CountingProbe final : public Probe {
public:
    void transact(const std::function<void()>& work) override {
        ++transactions;
        work();
    }
    int transactions = 0;
};

}  // namespace

class TestStepVideoFamily : public QObject {
    Q_OBJECT

    CancellationToken token_;
    const ComputePolicy policy_{
        .components = {{"text_encoder", {}}, {"text_encoder_2", {}}, {"transformer", {}}, {"vae", {}}}};
    const ModelFiles files_ = read_model_files(test_data("stepvideo_t2v/model"));
    const ModelFamily& family_ = find_family(files_);

    static fs::path copy_model(const QTemporaryDir& dir, const std::string& name) {
        const auto copy = fs::path(dir.path().toStdString()) / name;
        fs::copy(test_data("stepvideo_t2v/model"), copy, fs::copy_options::recursive);
        return copy;
    }

private Q_SLOTS:
    void the_published_folder_is_recognized_with_unlisted_parts() {
        QCOMPARE(family_.name(), std::string("stepvideo"));
        QCOMPARE(files_.layout, std::string("Step-Video's published folder"));
        for (const auto* part :
             {"transformer", "scheduler", "text_encoder", "tokenizer", "text_encoder_2", "tokenizer_2", "vae"})
            QVERIFY2(files_.has(part), part);
        QCOMPARE(files_.component("vae").weights.filename().string(), std::string("vae_v2.safetensors"));
    }

    void the_card_has_the_published_defaults() {
        const auto card = family_.card(files_);
        QCOMPARE(card.default_guidance_scale, 9.0);
        QCOMPARE(card.default_flow_shift, 13.0);
        QCOMPARE(card.default_num_inference_steps, 50);
        QCOMPARE(card.default_num_frames, 204);
        QVERIFY((card.default_size == Size{992, 544}));
        QCOMPARE(card.num_frames_offset, 0);
        QVERIFY(card.prompt_suffix.starts_with("超高清") && card.default_negative_prompt.starts_with("画面暗"));
    }

    void turbo_is_recognized_by_its_folder() {
        QTemporaryDir dir;
        const auto files = read_model_files(copy_model(dir, "stepvideo-t2v-turbo"));
        const auto card = find_family(files).card(files);
        QVERIFY(card.variant.starts_with("Step-Video-T2V Turbo"));
        QCOMPARE(card.default_num_inference_steps, 10);
        QCOMPARE(card.default_flow_shift, 17.0);
        QCOMPARE(card.default_guidance_scale, 5.0);
    }

    void prompts_equal_the_reference() {
        const auto json = read_json(test_data("stepvideo_t2v/request.json"));
        const auto expected = open_checkpoint(test_data("stepvideo_t2v/expected.safetensors"));
        const auto io = open_checkpoint(test_data("stepvideo_t2v/encoders_io.safetensors"));
        ResolvedRequest request{
            .content = {.prompt = json["prompt"], .negative_prompt = json["negative_prompt"]},
            .sampling = {.guidance_scale = 9.0, .max_sequence_length = 320},
        };
        NoiseSource noise(1);
        CountingProbe probe;
        const EncodeInput input{.files = files_, .request = request, .policy = policy_};
        const auto conditioning = family_.encode(input, noise, {probe, token_});
        QVERIFY(conditioning.input_ids.equal(expected->read("input_ids")));
        QVERIFY(conditioning.attention_mask.equal(expected->read("attention_mask")));
        QVERIFY(relative_error(conditioning.prompt_embeds, expected->read("prompt_embeds")) <= 3e-5);
        QVERIFY(relative_error(conditioning.negative_prompt_embeds, expected->read("negative_prompt_embeds")) <= 3e-5);
        QVERIFY(relative_error(conditioning.prompt_embeds_2, io->read("out.clip")) <= 3e-5);
        QCOMPARE(probe.transactions, 2);
        request.sampling.guidance_scale = 1.0;
        QVERIFY(!family_.encode(input, noise, {probe, token_}).negative_prompt_embeds.defined());
        QVERIFY(family_.count_tokens(files_, request.content.prompt) == 55);
    }

    void latents_have_the_shape_of_the_request() {
        ResolvedRequest request{.content = {.width = 48, .height = 32, .num_frames = 34}};
        QCOMPARE(family_.latents_shape(files_, request), (std::vector<std::int64_t>{1, 2, 6, 2, 3}));
        request.content.num_frames = 1;
        QCOMPARE(family_.latents_shape(files_, request), (std::vector<std::int64_t>{1, 2, 1, 2, 3}));
        for (const int frames : {0, 16, 18}) {
            request.content.num_frames = frames;
            const Error error = thrown_by([&] { family_.latents_shape(files_, request); });
            QCOMPARE(error.code(), ErrorCode::bad_request);
            QVERIFY(error.message().starts_with("num_frames is " + std::to_string(frames)));
        }
    }

    /// The file of the text tower contains all of CLIP.
    void the_rest_of_clip_takes_no_memory() {
        const std::string clip = "text_encoder_2";
        const std::vector<TensorEntry> needed = family_.expected_tensors(files_, clip);
        const ResolvedRequest request;
        const Precision precision;
        const auto memory =
            family_.memory({.files = files_, .request = request, .component = clip, .precision = precision});
        const auto is_needed = [&](const std::string& name) {
            return std::ranges::any_of(needed, [&](const TensorEntry& entry) { return "bert." + entry.name == name; });
        };
        const auto is_unused = [&](const std::string& name) {
            return std::ranges::any_of(memory.unused, [&](const auto& start) { return name.starts_with(start); });
        };
        std::size_t num_needed = 0;
        const auto weights = files_.open_weights(clip);
        for (const TensorEntry& entry : weights->entries()) {
            QVERIFY2(is_needed(entry.name) != is_unused(entry.name), entry.name.c_str());
            if (is_needed(entry.name)) ++num_needed;
        }
        QCOMPARE(num_needed, needed.size());
    }

    void frames_are_one_or_a_multiple_of_seventeen() {
        const auto card = family_.card(files_);
        VideoRequest request{.prompt = "a"};
        for (const int frames : {1, 17, 204}) {
            request.num_frames = frames;
            QVERIFY(validate(request, card).empty());
        }
        for (const auto& [frames, fix] :
             {std::pair{16, "17"}, std::pair{18, "17"}, std::pair{30, "34"}, std::pair{221, "204"}}) {
            request.num_frames = frames;
            QCOMPARE(validate(request, card).at(0).fix, std::string(fix));
        }
    }

    void a_missing_component_is_named() {
        QTemporaryDir dir;
        const auto root = copy_model(dir, "model");
        fs::remove_all(root / "vae");
        fs::remove_all(root / "hunyuan_clip");
        const auto files = read_model_files(root);
        QVERIFY(find_family(files).card(files).family == "stepvideo");
        QVERIFY(code_of([&] { find_family(files).load_vae(files, {}, {}); }) == ErrorCode::component_missing);
    }

    void parts_of_different_models_are_refused() {
        QTemporaryDir dir;
        const auto root = copy_model(dir, "model");
        write(root / "step_llm/config.json", R"({"hidden_size": 48, "num_attention_heads": 6})");
        const auto files = read_model_files(root);
        QVERIFY(code_of([&] { find_family(files).card(files); }) == ErrorCode::bad_config);
    }

    void a_tokenizer_of_another_model_is_refused() {
        QTemporaryDir dir;
        const auto root = copy_model(dir, "model");
        write(root / "step_llm/config.json",
              R"({"hidden_size": 24, "num_attention_heads": 6, "num_attention_groups": 2, "num_layers": 2,
                  "ffn_hidden_size": 100, "padded_vocab_size": 300})");
        const auto files = read_model_files(root);
        const ResolvedRequest request{.content = {.prompt = "a red panda"}, .sampling = {.max_sequence_length = 320}};
        NoiseSource noise(1);
        CountingProbe probe;
        const auto encode = [&] {
            find_family(files).encode({.files = files, .request = request, .policy = policy_}, noise, {probe, token_});
        };
        QVERIFY(code_of(encode) == ErrorCode::tokenizer_invalid);
    }
};

QTEST_GUILESS_MAIN(TestStepVideoFamily)
#include "test_stepvideo_family.moc"
