#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>

#include "core/models/discovery/lora_base.h"
#include "core/models/discovery/model_loras.h"
#include "core/models/ltx/key_map.h"
#include "core/models/wan/key_map.h"
#include "core/weights/formats/safetensors_writer.h"
#include "core/weights/lora_patch.h"
#include "core/weights/weight_store.h"
#include "tests/support/golden.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

std::shared_ptr<const CheckpointReader> base() {
    return open_checkpoint(test_data("wan_t2v/model/transformer"));
}

/// Returns the tiny model's transformer with LoRAs merged at the given scales.
std::shared_ptr<const CheckpointReader> patched(const std::vector<std::pair<std::string, double>>& loras) {
    WeightAdditions additions;
    for (const auto& [name, scale] : loras) {
        const auto lora = read_lora(test_data("loras/" + name + ".safetensors"));
        const auto fitting = resolve_lora(lora, scale, *base(), wan::transformer_keys(), additions);
        if (fitting.size() != lora.modules.size()) return nullptr;
    }
    return std::make_shared<PatchedReader>(base(), additions);
}

/// Returns the tensors of a LoRA for one module. Their product is a matrix whose elements are `value`.
std::map<std::string, Tensor> product(const std::string& module, std::int64_t width, double value) {
    return {{module + ".lora_A.weight", at::full({1, width}, value)},
            {module + ".lora_B.weight", at::ones({width, 1})}};
}

double largest_difference(const Tensor& a, const Tensor& b) {
    return (a - b).abs().max().item<double>();
}

}  // namespace

class TestLora : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    std::filesystem::path write(const std::string& name, const std::map<std::string, Tensor>& tensors) const {
        const auto file = std::filesystem::path(folder_.path().toStdString()) / name;
        write_safetensors(file, tensors);
        return file;
    }

    static constexpr const char* kQuery = "blocks.0.attn1.to_q";

    static ModelFiles two_experts() {
        return read_model_files(test_data("wan_variants/a14b_t2v/model"), std::vector<std::filesystem::path>());
    }

    static Tensor query_of(const ModelFiles& files, const std::string& component) {
        return files.open_weights(component)->read(std::string(kQuery) + ".weight");
    }

    /// A LoRA that adds 1 to a weight of each expert.
    static std::map<std::string, Tensor> one_product() {
        return product(kQuery, query_of(two_experts(), "transformer").size(0), 1);
    }

    /// Returns what the LoRAs add to a weight of the two experts.
    static QList<double> changes_of_experts(const std::vector<LoraRequest>& loras) {
        auto files = two_experts();
        const auto before = files;
        add_loras(files, loras);
        QList<double> changes;
        for (const char* component : {"transformer", "transformer_2"}) {
            const auto change = query_of(files, component).to(at::kFloat) - query_of(before, component).to(at::kFloat);
            changes << std::round(change.mean().item<double>() * 1000) / 1000;
        }
        return changes;
    }

private Q_SLOTS:
    void loras_are_added_to_quantized_weights_at_run_time() {
        const std::string name = "blocks.0.attn1.to_q.weight";
        const auto weight = base()->read(name);
        auto stored = std::make_shared<MemoryCheckpoint>();
        stored->add(name, weight.to(at::kFloat8_e4m3fn));
        const WeightAddition addition{
            .scale = 0.5, .down = at::ones({2, weight.size(1)}), .up = at::ones({weight.size(0), 2})};
        auto reader = std::make_shared<PatchedReader>(stored, WeightAdditions{{name, {addition}}});
        QCOMPARE(storage_name(reader->entries().front()), std::string("float8_e4m3fn"));
        WeightStore store(reader);
        const auto taken = store.take_stored(name, weight.sizes().vec());
        const auto expected = weight.to(at::kFloat8_e4m3fn).to(at::kFloat) + 1;
        QVERIFY(taken.is_quantized());
        QVERIFY(at::equal(taken.dequantize(at::kFloat), expected));
        QVERIFY(at::equal(taken.rows(at::tensor({3}, at::kLong), at::kFloat), expected.narrow(0, 3, 1)));
        QVERIFY(at::equal(store.take(name, weight.sizes().vec()), expected));
    }

    void merged_weights_equal_the_reference_data() {
        QTest::addColumn<QString>("expected");
        QTest::addColumn<QList<QPair<QString, double>>>("loras");
        using Loras = QList<QPair<QString, double>>;
        for (const char* name : {"peft", "comfy", "kohya"}) QTest::newRow(name) << name << Loras{{name, 1.0}};
        QTest::newRow("several with scales") << "several" << Loras{{"peft", 0.8}, {"comfy", -0.5}};
    }
    /// The reference is the result of diffusers' load_lora_weights, set_adapters and fuse_lora.
    void merged_weights_equal_the_reference() {
        QFETCH(QString, expected);
        using Loras = QList<QPair<QString, double>>;
        QFETCH(Loras, loras);
        std::vector<std::pair<std::string, double>> uses;
        for (const auto& [name, scale] : loras) uses.emplace_back(name.toStdString(), scale);
        const auto reader = patched(uses);
        QVERIFY(reader != nullptr);
        const auto reference = open_checkpoint(test_data("loras/expected_" + expected.toStdString() + ".safetensors"));
        QVERIFY(reference->entries().size() >= 6);
        for (const auto& entry : reference->entries()) {
            const auto error = largest_difference(reader->read(entry.name), reference->read(entry.name));
            QVERIFY2(error <= 1e-5, (entry.name + " " + std::to_string(error)).c_str());
            QVERIFY(largest_difference(base()->read(entry.name), reference->read(entry.name)) > 1e-3);
        }
    }

    void loras_of_ltx_video_equal_the_reference_data() {
        QTest::addColumn<QString>("lora");
        for (const char* name : {"ltx_peft", "ltx_comfy"}) QTest::newRow(name) << name;
    }
    void loras_of_ltx_video_equal_the_reference() {
        QFETCH(QString, lora);
        const auto model = open_checkpoint(test_data("ltx/t2v/model/transformer"));
        const auto file = read_lora(test_data("loras/" + lora.toStdString() + ".safetensors"));
        WeightAdditions additions;
        QCOMPARE(resolve_lora(file, 1, *model, ltx::transformer_keys(), additions).size(), file.modules.size());
        const PatchedReader reader(model, additions);
        const auto reference = open_checkpoint(test_data("loras/expected_" + lora.toStdString() + ".safetensors"));
        QCOMPARE(reference->entries().size(), std::size_t{6});
        for (const auto& entry : reference->entries()) {
            const auto error = largest_difference(reader.read(entry.name), reference->read(entry.name));
            QVERIFY2(error <= 1e-5, (entry.name + " " + std::to_string(error)).c_str());
        }
        QCOMPARE(lora_base(file), std::string("ltx, width 32"));
    }

    void the_model_of_a_lora_follows_from_its_names() {
        for (const char* name : {"peft", "comfy", "kohya"})
            QCOMPARE(lora_base(read_lora(test_data(std::string("loras/") + name + ".safetensors"))),
                     std::string("wan, width 40"));
        const auto pair = [](const std::string& module) {
            return std::map<std::string, Tensor>{{module + ".lora_A.weight", at::ones({2, 64})},
                                                 {module + ".lora_B.weight", at::ones({64, 2})}};
        };
        const std::string block = "transformer_blocks.0.attn1.to_q";
        QCOMPARE(lora_base(read_lora(write("cog.safetensors", pair("transformer." + block)))),
                 std::string("cogvideox, width 64"));
        QCOMPARE(
            lora_base(read_lora(write("kohya_cog.safetensors", pair("lora_unet_transformer_blocks_0_attn1_to_q")))),
            std::string("cogvideox, width 64"));
        QCOMPARE(lora_base(read_lora(write("unet.safetensors", pair("unet.down_blocks.0.attentions.0." + block)))),
                 std::string());
    }

    void names_of_other_tools_match_modules_data() {
        QTest::addColumn<QString>("module");
        QTest::addColumn<QString>("down");
        QTest::addColumn<QString>("up");
        QTest::newRow("Kohya") << "lora_unet_blocks_0_self_attn_q"
                               << "lora_down"
                               << "lora_up";
        QTest::newRow("VideoX-Fun") << "lora_unet__blocks_0_self_attn_q"
                                    << "lora_down"
                                    << "lora_up";
        QTest::newRow("DiffSynth") << "pipe.dit.blocks.0.self_attn.q"
                                   << "lora_A.default"
                                   << "lora_B.default";
    }
    void names_of_other_tools_match_modules() {
        QFETCH(QString, module);
        QFETCH(QString, down);
        QFETCH(QString, up);
        const auto name_of = [&](const QString& factor) { return (module + "." + factor + ".weight").toStdString(); };
        const auto lora = read_lora(
            write("names.safetensors", {{name_of(down), at::ones({1, 40})}, {name_of(up), at::ones({40, 1})}}));
        WeightAdditions additions;
        QCOMPARE(resolve_lora(lora, 1, *base(), wan::transformer_keys(), additions).size(), std::size_t{1});
        QVERIFY(additions.contains("blocks.0.attn1.to_q.weight"));
        QCOMPARE(lora_base(lora), std::string("wan, width 40"));
    }

    void other_tensors_are_unchanged() {
        const auto reader = patched({{"comfy", 1.0}});
        QVERIFY(reader->read("blocks.0.attn1.to_v.weight").equal(base()->read("blocks.0.attn1.to_v.weight")));
        QCOMPARE(reader->entries().size(), base()->entries().size());
    }

    /// Cases that the reference does not cover: float16 .diff tensors of norms, tables and whole weights.
    void differences_are_added() {
        const auto ones = at::ones({40}, at::kHalf);
        const auto file = write("diff.safetensors", {{"diffusion_model.blocks.0.norm3.diff", ones},
                                                     {"diffusion_model.blocks.0.norm3.diff_b", ones},
                                                     {"diffusion_model.blocks.1.diff_m", at::ones({1, 6, 40})},
                                                     {"diffusion_model.head.head.diff", at::ones({64, 40})},
                                                     {"nowhere.lora_A.weight", at::ones({1, 2})},
                                                     {"nowhere.lora_B.weight", at::ones({2, 1})}});
        WeightAdditions additions;
        const auto lora = read_lora(file);
        const auto fitting = resolve_lora(lora, 0.5, *base(), wan::transformer_keys(), additions);
        QCOMPARE(fitting.size(), std::size_t{3});
        QVERIFY(!fitting.contains("nowhere"));
        const PatchedReader reader(base(), additions);
        for (const char* name :
             {"blocks.0.norm2.weight", "blocks.0.norm2.bias", "blocks.1.scale_shift_table", "proj_out.weight"})
            QVERIFY2(largest_difference(reader.read(name), base()->read(name) + 0.5) < 1e-6, name);
    }

    void kinds_other_than_lora_are_refused_by_name_data() {
        QTest::addColumn<QString>("kind");
        constexpr std::pair<const char*, const char*> kKinds[] = {{"a.dora_scale", "DoRA"},
                                                                  {"a.lora_magnitude_vector.default.weight", "DoRA"},
                                                                  {"a.hada_w1_a", "LoHa"},
                                                                  {"a.lokr_w1", "LoKr"},
                                                                  {"a.lora_mid.weight", "LoCon"},
                                                                  {"a.oft_blocks", "OFT"},
                                                                  {"a.oft_diag", "OFT"},
                                                                  {"a.oft_R.weight", "OFT"},
                                                                  {"a.boft_R", "OFT"},
                                                                  {"lycoris_blocks_0_self_attn_q.a1.weight", "GLoRA"},
                                                                  {"a.ia3_l", "IA3"},
                                                                  {"a.on_input", "IA3"},
                                                                  {"a.vera_lambda_b", "VeRA"}};
        for (const auto& [tensor, kind] : kKinds) QTest::newRow(tensor) << kind;
    }
    void kinds_other_than_lora_are_refused_by_name() {
        QFETCH(QString, kind);
        const auto file = write("foreign.safetensors", {{QTest::currentDataTag(), at::ones({2, 2})}});
        try {
            read_lora(file);
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::unsupported);
            QVERIFY2(QString::fromStdString(error.message()).contains("but a " + kind), error.what());
        }
    }

    void other_weights_are_not_called_a_lora_data() {
        QTest::addColumn<QString>("tensor");
        for (const char* tensor : {"decoder.conv_in.weight", "blocks.0.attn1.to_q.weight"})
            QTest::newRow(tensor) << tensor;
    }
    void other_weights_are_not_called_a_lora() {
        QFETCH(QString, tensor);
        const auto file = write("vae.safetensors", {{tensor.toStdString(), at::ones({2, 2})}});
        try {
            read_lora(file);
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::unsupported);
            QVERIFY2(QString::fromStdString(error.message()).contains("is not a LoRA"), error.what());
            QVERIFY2(QString::fromStdString(error.message()).contains(tensor), error.what());
        }
    }

    void damaged_files_are_refused() {
        const auto down = at::ones({2, 4});
        QCOMPARE(code_of([&] {
                     read_lora(write("half.safetensors", {{"a.lora_A.weight", down}}));
                 }),
                 ErrorCode::checkpoint_corrupt);
        QCOMPARE(code_of([&] {
                     read_lora(write("ranks.safetensors",
                                     {{"a.lora_A.weight", down}, {"a.lora_B.weight", at::ones({4, 3})}}));
                 }),
                 ErrorCode::checkpoint_corrupt);
        QCOMPARE(code_of([&] {
                     read_lora(write("alpha.safetensors", {{"a.lora_A.weight", down},
                                                           {"a.lora_B.weight", at::ones({4, 2})},
                                                           {"a.alpha", at::full({1}, NAN)}}));
                 }),
                 ErrorCode::checkpoint_corrupt);
    }

    void alphas_follow_the_patterns_in_the_header_data() {
        QTest::addColumn<QString>("patterns");
        QTest::addColumn<double>("scale");
        QTest::newRow("none") << "{}" << 2.0;
        QTest::newRow("anchor") << R"({"^blocks.0.attn1.to_q": 3})" << 3.0;
        QTest::newRow("full name") << R"({"transformer.blocks.0.attn1.to_q": 3})" << 3.0;
        QTest::newRow("end of the name") << R"({"attn1.to_q": 3})" << 3.0;
        QTest::newRow("the longest") << R"({"attn1.to_q": 4, "to_q": 3})" << 4.0;
        QTest::newRow("part of a segment") << R"({"ttn1.to_q": 3, "q": 4})" << 2.0;
        QTest::newRow("another module") << R"({"^blocks.1.attn1.to_q": 3, "": 4})" << 2.0;
    }
    void alphas_follow_the_patterns_in_the_header() {
        QFETCH(QString, patterns);
        QFETCH(double, scale);
        const std::string module = "transformer.blocks.0.attn1.to_q";
        const auto file = std::filesystem::path(folder_.path().toStdString()) / "patterns.safetensors";
        write_safetensors(file, product(module, 40, 1),
                          {{"lora_adapter_metadata", R"({"transformer.lora_alpha": 2, "transformer.alpha_pattern": )" +
                                                         patterns.toStdString() + "}"}});
        QCOMPARE(read_lora(file).modules.at(module).scale, scale);
    }

    void each_component_has_its_own_alphas_data() {
        QTest::addColumn<QString>("metadata");
        QTest::addColumn<QString>("module");
        QTest::addColumn<double>("scale");
        const QString several = R"({"transformer.lora_alpha": 2, "transformer_2.lora_alpha": 5,
            "transformer_2.alpha_pattern": {"attn1.to_k": 7}, "text_encoder.lora_alpha": 9})";
        QTest::newRow("first expert") << several << "transformer.blocks.0.attn1.to_q" << 2.0;
        QTest::newRow("first expert, pattern of the second") << several << "transformer.blocks.0.attn1.to_k" << 2.0;
        QTest::newRow("second expert") << several << "transformer_2.blocks.0.attn1.to_q" << 5.0;
        QTest::newRow("second expert, pattern") << several << "transformer_2.blocks.0.attn1.to_k" << 7.0;
        QTest::newRow("text encoder") << several << "text_encoder.layers.0.q" << 9.0;
        QTest::newRow("no component") << several << "blocks.0.attn1.to_q" << 1.0;
        QTest::newRow("a single one, other names") << R"({"transformer.lora_alpha": 2})"
                                                   << "diffusion_model.blocks.0.attn1.to_q" << 2.0;
        QTest::newRow("without a component") << R"({"lora_alpha": 4, "transformer_2.lora_alpha": 5})"
                                             << "transformer.blocks.0.attn1.to_q" << 4.0;
    }
    void each_component_has_its_own_alphas() {
        QFETCH(QString, metadata);
        QFETCH(QString, module);
        QFETCH(double, scale);
        const auto file = std::filesystem::path(folder_.path().toStdString()) / "components.safetensors";
        const std::string name = module.toStdString();
        write_safetensors(file, product(name, 40, 1), {{"lora_adapter_metadata", metadata.toStdString()}});
        QCOMPARE(read_lora(file).modules.at(name).scale, scale);
    }

    void alphas_follow_the_config_beside_a_peft_file_data() {
        QTest::addColumn<QString>("config");
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("scale");
        const QString peft = "adapter_model.safetensors";
        QTest::newRow("alpha") << R"({"r": 4, "lora_alpha": 8})" << peft << 2.0;
        QTest::newRow("rank-stabilized") << R"({"r": 4, "lora_alpha": 8, "use_rslora": true})" << peft << 4.0;
        QTest::newRow("patterns")
            << R"({"r": 8, "lora_alpha": 8, "rank_pattern": {"to_q": 4}, "alpha_pattern": {"^blocks.0.attn1.to_q": 12}})"
            << peft << 3.0;
        QTest::newRow("no alpha") << R"({"r": 4, "lora_alpha": null, "alpha_pattern": []})" << peft << 1.0;
        QTest::newRow("another file") << R"({"r": 4, "lora_alpha": 8})"
                                      << "style.safetensors" << 1.0;
    }
    void alphas_follow_the_config_beside_a_peft_file() {
        QFETCH(QString, config);
        QFETCH(QString, name);
        QFETCH(double, scale);
        const QTemporaryDir dir;
        const auto folder = std::filesystem::path(dir.path().toStdString());
        const std::string module = "base_model.model.blocks.0.attn1.to_q";
        write_safetensors(folder / name.toStdString(), {{module + ".lora_A.weight", at::ones({4, 40})},
                                                        {module + ".lora_B.weight", at::ones({40, 4})}});
        std::ofstream(folder / "adapter_config.json") << config.toStdString();
        QCOMPARE(read_lora(folder / name.toStdString()).modules.at(module).scale, scale);
    }

    void a_damaged_config_beside_a_peft_file_is_refused() {
        const QTemporaryDir dir;
        const auto folder = std::filesystem::path(dir.path().toStdString());
        write_safetensors(folder / "adapter_model.safetensors", product("blocks.0.attn1.to_q", 40, 1));
        for (const char* config : {"", "{\"r\": 4,", "[4, 8]"}) {
            std::ofstream(folder / "adapter_config.json") << config;
            QCOMPARE(code_of([&] { read_lora(folder / "adapter_model.safetensors"); }), ErrorCode::bad_config);
        }
    }

    void a_folder_with_a_lora_names_its_weights() {
        const QTemporaryDir dir;
        const auto folder = std::filesystem::path(dir.path().toStdString());
        QCOMPARE(lora_weights(folder), folder);
        QCOMPARE(lora_weights(folder / "style.safetensors"), folder / "style.safetensors");
        std::ofstream(folder / "pytorch_lora_weights.safetensors") << "x";
        QCOMPARE(lora_weights(folder), folder / "pytorch_lora_weights.safetensors");
        std::ofstream(folder / "adapter_model.safetensors") << "x";
        QCOMPARE(lora_weights(folder), folder / "adapter_model.safetensors");
    }

    /// A LoRA of rank 0 would cause a division by zero.
    void a_rank_of_zero_is_refused() {
        const auto file =
            write("rank0.safetensors", {{"transformer.blocks.0.attn1.to_q.lora_A.weight", at::empty({0, 40})},
                                        {"transformer.blocks.0.attn1.to_q.lora_B.weight", at::empty({40, 0})}});
        QCOMPARE(code_of([&] { read_lora(file); }), ErrorCode::checkpoint_corrupt);
    }

    void errors_in_values_name_the_file() {
        const auto file =
            write("nan.safetensors", {{"transformer.blocks.0.attn1.to_q.lora_A.weight", at::full({2, 40}, NAN)},
                                      {"transformer.blocks.0.attn1.to_q.lora_B.weight", at::ones({40, 2})}});
        WeightAdditions additions;
        resolve_lora(read_lora(file), 1, *base(), wan::transformer_keys(), additions);
        WeightStore store(std::make_shared<PatchedReader>(base(), additions));
        store.take("blocks.0.attn1.to_q.weight", {40, 40});
        try {
            store.finish();
            QFAIL("NaN was not found");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::not_finite);
            QCOMPARE(error.arguments().at("path"), file.string());
        }
        QCOMPARE(PatchedReader(base(), additions).source_of_damage("blocks.0.attn1.to_k.weight"),
                 base()->files().front());
    }

    void a_lora_is_named_by_its_file_or_its_folder() {
        QCOMPARE(lora_name("loras/style.v1.safetensors"), std::string("style.v1"));
        QCOMPARE(lora_name("loras/style.v1/adapter_model.safetensors"), std::string("style.v1"));
        QCOMPARE(lora_name("loras/style/pytorch_lora_weights.safetensors"), std::string("style"));
        QCOMPARE(lora_name("adapter_model.safetensors"), std::string());
    }

    void modules_of_two_experts_change_their_experts_data() {
        QTest::addColumn<QStringList>("prefixes");
        QTest::addColumn<QList<double>>("first_and_second");
        QTest::newRow("both") << QStringList{"transformer.", "transformer_2."} << QList<double>{1, 2};
        QTest::newRow("second") << QStringList{"transformer_2."} << QList<double>{0, 1};
        QTest::newRow("the model") << QStringList{"transformer."} << QList<double>{1, 1};
    }
    /// The modules of prefix i add i + 1.
    void modules_of_two_experts_change_their_experts() {
        QFETCH(QStringList, prefixes);
        QFETCH(QList<double>, first_and_second);
        const std::string module = "blocks.0.attn1.to_q";
        auto files = read_model_files(test_data("wan_variants/a14b_t2v/model"), std::vector<std::filesystem::path>());
        const auto width = files.open_weights("transformer")->read(module + ".weight").size(0);
        std::map<std::string, Tensor> tensors;
        for (const QString& prefix : prefixes)
            tensors.merge(product(prefix.toStdString() + module, width, static_cast<double>(tensors.size()) / 2 + 1));
        const auto before = files;
        add_loras(files, {{.path = write("experts.safetensors", tensors)}});
        for (const auto& [index, component] : {std::pair{0, "transformer"}, std::pair{1, "transformer_2"}}) {
            const auto expected = before.open_weights(component)->read(module + ".weight") + first_and_second[index];
            QVERIFY2(largest_difference(files.open_weights(component)->read(module + ".weight"), expected) < 1e-5,
                     component);
        }
    }

    void names_choose_the_expert_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QList<double>>("first_and_second");
        const QList<double> first{1, 0}, second{0, 1}, both{1, 1};
        QTest::newRow("file, high") << "style_high_noise.safetensors" << first;
        QTest::newRow("file, low") << "style_LOW.safetensors" << second;
        QTest::newRow("one word among small ones") << "style_high.safetensors" << both;
        QTest::newRow("one word among capitals") << "ULTRA_HIGH_QUALITY.safetensors" << both;
        QTest::newRow("folder of PEFT, high") << "style_high_noise/adapter_model.safetensors" << first;
        QTest::newRow("folder of PEFT, low") << "style_LOW/adapter_model.safetensors" << second;
        QTest::newRow("folder of diffusers, low") << "low_noise/pytorch_lora_weights.safetensors" << second;
        QTest::newRow("folder without a level") << "style/adapter_model.safetensors" << both;
        QTest::newRow("folder of several files") << "HIGH/style.safetensors" << both;
    }
    void names_choose_the_expert() {
        QFETCH(QString, file);
        QFETCH(QList<double>, first_and_second);
        const QTemporaryDir dir;
        const auto path = std::filesystem::path(dir.path().toStdString()) / file.toStdString();
        std::filesystem::create_directories(path.parent_path());
        write_safetensors(path, one_product());
        QCOMPARE(changes_of_experts({{.path = path}}), first_and_second);
    }

    void names_of_a_pair_choose_the_expert_data() {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::addColumn<QList<double>>("first_and_second");
        const QList<double> each{1, 2}, both{3, 3};
        QTest::newRow("small letters") << "style-high"
                                       << "style-low" << each;
        QTest::newRow("a capital") << "style_High"
                                   << "style_Low" << each;
        QTest::newRow("capitals") << "STYLE_HIGH"
                                  << "STYLE_LOW" << each;
        QTest::newRow("epochs") << "style-high-000030"
                                << "style-low-000040" << each;
        QTest::newRow("another word is the same") << "HIGH_detail_high"
                                                  << "HIGH_detail_low" << each;
        QTest::newRow("not a pair") << "high_quality"
                                    << "low_light" << both;
        QTest::newRow("no level") << "a"
                                  << "b" << both;
    }
    /// The LoRA of the first name adds 1, the other adds 2.
    void names_of_a_pair_choose_the_expert() {
        QFETCH(QString, first);
        QFETCH(QString, second);
        QFETCH(QList<double>, first_and_second);
        const QTemporaryDir dir;
        const auto path_of = [&](const QString& name) {
            const auto path = std::filesystem::path(dir.path().toStdString()) / (name + ".safetensors").toStdString();
            write_safetensors(path, one_product());
            return path;
        };
        const LoraRequest one{.path = path_of(first)}, two{.path = path_of(second), .scale = 2};
        QCOMPARE(changes_of_experts({one, two}), first_and_second);
        QCOMPARE(changes_of_experts({two, one}), first_and_second);
    }

    void notes_say_which_experts_change_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("note");
        QTest::newRow("high") << "style_high_noise"
                              << "changes only the high-noise expert";
        QTest::newRow("low") << "style_LOW"
                             << "changes only the low-noise expert";
        QTest::newRow("both") << "style"
                              << "changes both experts";
    }
    void notes_say_which_experts_change() {
        QFETCH(QString, name);
        QFETCH(QString, note);
        const auto path = write((name + ".safetensors").toStdString(), one_product());
        auto files = two_experts();
        const std::vector<std::string> wanted{path.string() + " " + note.toStdString()};
        QCOMPARE(add_loras(files, {{.path = path}}), wanted);
        auto one_denoiser = read_model_files(test_data("wan_t2v/model"), std::vector<std::filesystem::path>());
        const auto other = write("other.safetensors", product(kQuery, 40, 1));
        QVERIFY(add_loras(one_denoiser, {{.path = other}}).empty());
    }

    void modules_of_a_second_expert_do_not_change_a_single_denoiser() {
        const std::string module = "blocks.0.attn1.to_q";
        auto files = read_model_files(test_data("wan_t2v/model"), std::vector<std::filesystem::path>());
        auto tensors = product("transformer." + module, 40, 1);
        tensors.merge(product("transformer_2." + module, 40, 2));
        const std::vector<std::string> notes = add_loras(files, {{.path = write("experts.safetensors", tensors)}});
        QCOMPARE(notes.size(), std::size_t{1});
        QVERIFY2(notes[0].ends_with("1 module has no match in the model and is skipped: transformer_2." + module),
                 notes[0].c_str());
        const auto expected = base()->read(module + ".weight") + 1;
        QVERIFY(largest_difference(files.open_weights("transformer")->read(module + ".weight"), expected) < 1e-5);
    }

    /// A part that is left out silently would change the rest of the module in another way than it was trained.
    void a_module_with_a_part_of_another_shape_is_skipped_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("bias");
        QTest::newRow("product") << 64 << 40;
        QTest::newRow("bias") << 40 << 64;
    }
    void a_module_with_a_part_of_another_shape_is_skipped() {
        QFETCH(int, width);
        QFETCH(int, bias);
        const std::string module = "transformer.blocks.0.attn1.to_q";
        auto tensors = product(module, width, 1);
        tensors[module + ".diff_b"] = at::ones({bias});
        WeightAdditions additions;
        const auto lora = read_lora(write("part.safetensors", tensors));
        QVERIFY(resolve_lora(lora, 1, *base(), wan::transformer_keys(), additions).empty());
        QVERIFY(additions.empty());
        tensors = product(module, 40, 1);
        tensors[module + ".diff_b"] = at::ones({40});
        const auto whole = read_lora(write("whole.safetensors", tensors));
        QCOMPARE(resolve_lora(whole, 1, *base(), wan::transformer_keys(), additions).size(), std::size_t{1});
        QCOMPARE(additions.size(), std::size_t{2});
    }

    void a_product_of_another_shape_is_skipped() {
        const auto file =
            write("big.safetensors", {{"transformer.blocks.0.attn1.to_q.lora_A.weight", at::ones({2, 64})},
                                      {"transformer.blocks.0.attn1.to_q.lora_B.weight", at::ones({64, 2})}});
        WeightAdditions additions;
        QVERIFY(resolve_lora(read_lora(file), 1, *base(), wan::transformer_keys(), additions).empty());
        QVERIFY(additions.empty());
    }
};

QTEST_APPLESS_MAIN(TestLora)
#include "test_lora.moc"
