#include <QSize>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <filesystem>
#include <set>

#include "core/api/model_families.h"
#include "core/models/model_family.h"
#include "tests/support/family_cases.h"
#include "tests/support/golden.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using kinescope::testing::kFamilyCases;
using kinescope::testing::test_data;

/// Tests the defaults of a request without settings for each family.
class TestFamilyDefaults : public QObject {
    Q_OBJECT

    static ResolvedRequest defaults_of(const std::string& model) {
        const ModelFiles files = read_model_files(test_data(model));
        return resolve_request({}, find_family(files).card(files), 1);
    }

private Q_SLOTS:
    void defaults_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("scheduler");
        QTest::addColumn<int>("fps");
        QTest::addColumn<int>("num_inference_steps");
        QTest::addColumn<double>("guidance_scale");
        QTest::addColumn<double>("flow_shift");
        QTest::addColumn<int>("max_sequence_length");
        QTest::newRow("wan") << "wan_t2v/model"
                             << "unipc" << 16 << 50 << 5.0 << 3.0 << 512;
        QTest::newRow("cogvideox") << "cogvideox/t2v/model"
                                   << "cogvideox_ddim" << 8 << 50 << 6.0 << 1.0 << 20;
        QTest::newRow("svd") << "svd/model"
                             << "euler" << 7 << 25 << 1.0 << 1.0 << 512;
        QTest::newRow("ltx") << "ltx/t2v/model"
                             << "flow_match_euler" << 25 << 50 << 3.0 << 1.0 << 128;
        QTest::newRow("stepvideo") << "stepvideo_t2v/model"
                                   << "flow_match_discrete" << 25 << 50 << 9.0 << 13.0 << 320;
    }
    void defaults() {
        QFETCH(QString, model);
        QFETCH(QString, scheduler);
        const ResolvedRequest resolved = defaults_of(model.toStdString());
        QCOMPARE(QString::fromStdString(resolved.sampling.scheduler), scheduler);
        QTEST(resolved.content.fps, "fps");
        QTEST(resolved.sampling.num_inference_steps, "num_inference_steps");
        QTEST(resolved.sampling.guidance_scale, "guidance_scale");
        QTEST(resolved.sampling.flow_shift, "flow_shift");
        QTEST(resolved.sampling.max_sequence_length, "max_sequence_length");
        QVERIFY(resolved.content.width > 0 && resolved.content.height > 0 && resolved.content.num_frames > 0);
    }

    // Counted with torch.utils.flop_counter on the published configurations in diffusers 0.42.1. The keys and
    // values of the text count only there, because Wan keeps them for all steps. For SVD, whose count
    // lacks attention, a small size; the tiny VAE has a factor of 2.
    void the_work_of_an_evaluation_is_that_of_the_reference_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("component");
        QTest::addColumn<QString>("published");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("num_frames");
        QTest::addColumn<double>("work");
        QTest::addColumn<double>("tolerance");
        const char* wan =
            R"({"num_attention_heads": 12, "attention_head_dim": 128, "ffn_dim": 8960, "num_layers": 30})";
        QTest::newRow("wan") << "wan_t2v/model"
                             << "transformer" << wan << QSize(832, 480) << 81 << 1.415e14 << 0.01;
        QTest::newRow("wan, small") << "wan_t2v/model"
                                    << "transformer" << wan << QSize(256, 256) << 17 << 1.889e12 << 0.05;
        const char* cogvideox = R"({"num_attention_heads": 30, "attention_head_dim": 64, "num_layers": 30})";
        QTest::newRow("cogvideox") << "cogvideox/t2v/model"
                                   << "transformer" << cogvideox << QSize(720, 480) << 49 << 6.0e13 << 0.04;
        const char* ltx = R"({"num_attention_heads": 32, "attention_head_dim": 64, "cross_attention_dim": 2048,
                              "num_layers": 28})";
        QTest::newRow("ltx") << "ltx/t2v/model"
                             << "transformer" << ltx << QSize(768, 512) << 97 << 1.117e13 << 0.01;
        const char* svd = R"({"block_out_channels": [320, 640, 1280, 1280], "num_attention_heads": [5, 10, 20, 20],
                              "layers_per_block": 2,
                              "down_block_types": ["CrossAttnDownBlockSpatioTemporal",
                                                   "CrossAttnDownBlockSpatioTemporal",
                                                   "CrossAttnDownBlockSpatioTemporal", "DownBlockSpatioTemporal"],
                              "up_block_types": ["UpBlockSpatioTemporal", "CrossAttnUpBlockSpatioTemporal",
                                                 "CrossAttnUpBlockSpatioTemporal",
                                                 "CrossAttnUpBlockSpatioTemporal"]})";
        QTest::newRow("svd") << "svd/model"
                             << "unet" << svd << QSize(64, 64) << 14 << 2.008e12 << 0.15;
    }
    void the_work_of_an_evaluation_is_that_of_the_reference() {
        QFETCH(QString, model);
        QFETCH(QString, component);
        QFETCH(QString, published);
        QFETCH(QSize, size);
        QFETCH(int, num_frames);
        QFETCH(double, work);
        QFETCH(double, tolerance);
        ModelFiles files = read_model_files(test_data(qPrintable(model)));
        files.components.at(component.toStdString()).config.update(Json::parse(published.toStdString()));
        ResolvedRequest request = defaults_of(model.toStdString());
        request.content.width = size.width();
        request.content.height = size.height();
        request.content.num_frames = num_frames;
        const double found = find_family(files).evaluation_work(files, request);
        QVERIFY2(std::abs(found / work - 1) < tolerance, qPrintable(QString::number(found / work)));
    }

    void a_missing_vae_is_named_before_a_run_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : kFamilyCases) QTest::newRow(name) << name;
    }
    void a_missing_vae_is_named_before_a_run() {
        QFETCH(QString, name);
        const QTemporaryDir folder;
        const auto root = std::filesystem::path(folder.path().toStdString()) / "model";
        std::filesystem::copy(test_data(name.toStdString()) / "model", root, std::filesystem::copy_options::recursive);
        std::filesystem::remove_all(root / "vae");
        const ModelFiles files = read_model_files(root);
        QVERIFY(!find_family(files).card(files).variant.empty());
        try {
            files.require_complete();
            QFAIL("the model counts as complete");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::component_missing);
            QVERIFY2(QString(error.what()).contains("has no vae: the folder"), error.what());
        }
    }

    /// Before, the encoder ran, and the run ended with an internal error of a matrix product.
    void an_encoder_of_another_width_is_refused_before_a_run_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("component");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* model, const char* component, const char* key, const char* words) {
            QTest::addRow("%s, %s", model, component) << model << component << key << words;
        };
        row("wan_t2v/model", "text_encoder", "d_model", "the text encoder outputs 4 channels");
        row("cogvideox/t2v/model", "text_encoder", "d_model", "the text encoder outputs 4 channels");
        row("ltx/t2v/model", "text_encoder", "d_model", "the text encoder outputs 4 channels");
        row("wan_variants/i2v/model", "image_encoder", "hidden_size", "the image encoder outputs 4 channels");
        row("svd/model", "image_encoder", "projection_dim", "the image encoder outputs 4 channels");
    }
    void an_encoder_of_another_width_is_refused_before_a_run() {
        QFETCH(QString, model);
        QFETCH(QString, component);
        QFETCH(QString, key);
        QFETCH(QString, words);
        ModelFiles files = read_model_files(test_data(model.toStdString()));
        if (model.startsWith("wan_variants"))
            for (const std::string part : {"vae", "image_encoder"})
                files.replace(part, test_data("wan_variants/common/" + part));
        const ModelFamily& family = find_family(files);
        QVERIFY(!family.card(files).variant.empty());
        auto& config = files.components.at(component.toStdString()).config;
        config[key.toStdString()] = 4;
        if (component == "image_encoder") config["num_attention_heads"] = 2;
        try {
            family.card(files);
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::bad_config);
            QVERIFY2(QString(error.what()).contains(words), error.what());
        }
    }

    /// On a GPU, the lookup of a token outside the vocabulary would end all work of the process there. Tokens inside it
    /// would have another meaning.
    void a_tokenizer_of_another_model_is_refused_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("vocab_size");
        for (const char* model : {"wan_t2v/model", "cogvideox/t2v/model", "ltx/t2v/model"}) {
            QTest::addRow("%s, the encoder has fewer tokens", model) << model << 4;
            QTest::addRow("%s, the encoder has many more tokens", model) << model << 100'000;
        }
    }
    void a_tokenizer_of_another_model_is_refused() {
        QFETCH(QString, model);
        QFETCH(int, vocab_size);
        ModelFiles files = read_model_files(test_data(model.toStdString()));
        files.components.at("text_encoder").config["vocab_size"] = vocab_size;
        const ModelFamily& family = find_family(files);
        VideoRequest request;
        request.prompt = "a red panda";
        const ResolvedRequest resolved = resolve_request(request, family.card(files), 1);
        const ComputePolicy policy{.components = {{"text_encoder", {}}, {"vae", {}}}};
        NoiseSource noise(1);
        SilentProbe silent;
        const CancellationToken never;
        const auto encode = [&] {
            family.encode({.files = files, .request = resolved, .policy = policy}, noise, {silent, never});
        };
        QCOMPARE(kinescope::testing::code_of(encode), ErrorCode::tokenizer_invalid);
    }

    void every_family_has_a_case() {
        std::set<std::string> tested;
        for (const char* name : kFamilyCases)
            tested.insert(find_family(read_model_files(test_data(name) / "model")).name());
        for (const auto* family : model_families()) QVERIFY2(tested.contains(family->name()), family->name().c_str());
    }

    /// The window knows a family by its folder.
    void every_family_has_the_name_of_its_folder() {
        std::set<std::string> names;
        for (const auto* family : model_families()) names.insert(family->name());
        const auto folders = model_family_names();
        QCOMPARE(names, std::set<std::string>(folders.begin(), folders.end()));
    }

    /// Row layers are linear layers with few rows, which the canary tests under these names.
    void every_family_names_its_row_layers() {
        std::set<std::pair<std::string, RowLayerRole>> names;
        for (const auto& layer : row_layers()) {
            QVERIFY2(layer.in > 0 && layer.out > 0, layer.model.c_str());
            QVERIFY2(names.emplace(layer.model, layer.role).second, layer.model.c_str());
        }
        for (const auto* family : model_families()) QVERIFY2(!family->row_layers().empty(), family->name().c_str());
        using enum RowLayerRole;
        for (const auto& [model, role] :
             {std::pair{"Wan 14B", modulation}, std::pair{"CogVideoX 5B", modulation}, std::pair{"SVD", time_embedder},
              std::pair{"Step-Video", modulation}, std::pair{"LTX-Video 2B", modulation}})
            QVERIFY2(names.contains({model, role}), model);
    }

    void settings_of_one_family_are_neutral_in_others() {
        const ResolvedRequest svd = defaults_of("svd/model");
        QCOMPARE(svd.sampling.min_guidance_scale, 1.0);
        QCOMPARE(svd.sampling.max_guidance_scale, 3.0);
        QCOMPARE(svd.sampling.motion_bucket_id, 127);
        QCOMPARE(svd.sampling.noise_aug_strength, 0.02);
        QVERIFY(svd.compute.decode_chunk_size > 0);
        for (const std::string name : kFamilyCases) {
            if (name == "svd") continue;
            const ResolvedRequest other = defaults_of(name + "/model");
            QCOMPARE(other.sampling.max_guidance_scale, 1.0);
            QCOMPARE(other.sampling.motion_bucket_id, 0);
            QCOMPARE(other.compute.decode_chunk_size, 0);
        }
    }
};

QTEST_GUILESS_MAIN(TestFamilyDefaults)
#include "test_family_defaults.moc"
