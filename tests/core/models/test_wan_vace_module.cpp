#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

#include "core/api/error.h"
#include "core/models/discovery/model_files.h"
#include "core/models/discovery/model_scan.h"
#include "core/models/model_family.h"
#include "core/models/wan/config.h"
#include "core/models/wan/key_map.h"
#include "core/weights/formats/safetensors_writer.h"
#include "tests/support/golden.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace fs = std::filesystem;

namespace {

using Tensors = std::map<std::string, Tensor>;

const fs::path& model() {
    static const fs::path folder = test_data("wan_video/vace/model");
    return folder;
}

enum class Side { main, vace };

/// Returns the tensors of the tiny VACE model that belong to its main branch or to VACE's, with the original authors'
/// names.
Tensors branch(Side side) {
    const auto reader = open_checkpoint(model() / "transformer");
    Tensors tensors;
    for (const TensorEntry& entry : reader->entries())
        if (entry.name.starts_with("vace_") == (side == Side::vace))
            tensors[stored_name(wan::transformer_keys(), entry.name)] = reader->read(entry.name);
    return tensors;
}

void save(const fs::path& file, const Tensors& tensors) {
    fs::create_directories(file.parent_path());
    write_safetensors(file, tensors);
}

/// Writes the config of the main branch next to its file: a width of 32 does not tell the number of heads.
void write_config(const fs::path& folder) {
    Json config = read_json(model() / "transformer/config.json");
    for (const char* key : {"_class_name", "vace_in_channels", "vace_layers"}) config.erase(key);
    fs::create_directories(folder);
    std::ofstream(folder / "config.json") << config;
}

bool equals_the_whole_model(const CheckpointReader& found) {
    const auto whole = open_checkpoint(model() / "transformer");
    if (found.entries().size() != whole->entries().size()) return false;
    return std::ranges::all_of(whole->entries(), [&](const TensorEntry& entry) {
        return found.read(entry.name).equal(whole->read(entry.name));
    });
}

}  // namespace

class TestWanVaceModule : public QObject {
    Q_OBJECT

    QTemporaryDir dir_;
    const fs::path root_ = dir_.path().toStdString();
    const fs::path folder_ = root_ / "ComfyUI/models/diffusion_models";
    const fs::path module_ = folder_ / "Wan2_1-VACE_module_tiny.safetensors";

    static std::vector<fs::path> nowhere() { return {}; }

    static wan::TransformerConfig config_of(const ModelFiles& files, const char* component = "transformer") {
        return wan::read_transformer_config(files.component(component).config, files.root);
    }

private Q_SLOTS:
    void init() {
        fs::remove_all(root_);
        write_config(folder_);
        save(module_, branch(Side::vace));
    }

    void a_module_finds_the_model_that_it_is_put_over() {
        save(folder_ / "wan2.1_t2v_tiny.safetensors", branch(Side::main));
        const auto files = read_model_files(module_, nowhere());
        QVERIFY(equals_the_whole_model(*files.open_weights("transformer")));
        const wan::TransformerConfig config = config_of(files);
        QCOMPARE(config.vace_layers, (std::vector<std::int64_t>{0, 2}));
        QCOMPARE(config.vace_in_channels, 96);
        QCOMPARE(config.num_attention_heads, 2);
        const ModelCard card = find_family(files).card(files);
        QVERIFY(std::ranges::find(card.tasks, Task::first_last_frame_to_video) != card.tasks.end());
        // The model without the module stays a text-to-video model.
        const auto plain = read_model_files(folder_ / "wan2.1_t2v_tiny.safetensors", nowhere());
        QVERIFY(!config_of(plain).has_vace());
        QCOMPARE(find_family(plain).card(plain).tasks, std::vector<Task>{Task::text_to_video});
        QCOMPARE(find_models({folder_}), (std::vector<fs::path>{module_, folder_ / "wan2.1_t2v_tiny.safetensors"}));
    }

    void a_module_is_chosen_for_a_model() {
        fs::copy(model(), root_ / "model", fs::copy_options::recursive);
        write_config(root_ / "model/transformer");
        Json index = read_json(model() / "model_index.json");
        index["transformer"] = {"diffusers", "WanTransformer3DModel"};
        std::ofstream(root_ / "model/model_index.json") << index;
        const auto reader = open_checkpoint(model() / "transformer");
        Tensors main;
        for (const TensorEntry& entry : reader->entries())
            if (!entry.name.starts_with("vace_")) main[entry.name] = reader->read(entry.name);
        save(root_ / "model/transformer/diffusion_pytorch_model.safetensors", main);
        auto files = read_model_files(root_ / "model", nowhere());
        QVERIFY(!config_of(files).has_vace());
        files.replace("transformer", module_);
        QVERIFY(equals_the_whole_model(*files.open_weights("transformer")));
        QCOMPARE(config_of(files).vace_layers, (std::vector<std::int64_t>{0, 2}));
        // The module stays over another denoiser, and another module takes its place.
        save(root_ / "other/base.safetensors", branch(Side::main));
        write_config(root_ / "other");
        files.replace("transformer", root_ / "other/base.safetensors");
        QVERIFY(equals_the_whole_model(*files.open_weights("transformer")));
        files.replace("transformer", module_);
        QVERIFY(equals_the_whole_model(*files.open_weights("transformer")));
        QVERIFY(config_of(files).has_vace());
    }

    void modules_of_two_experts_belong_to_their_experts() {
        for (const char* level : {"high", "low"}) {
            Tensors main = branch(Side::main);
            Tensors vace = branch(Side::vace);
            const double factor = level[0] == 'h' ? 2 : 3;
            main["head.modulation"] = main["head.modulation"] * factor;
            vace["vace_patch_embedding.bias"] = vace["vace_patch_embedding.bias"] * factor;
            save(folder_ / ("wan2.2_t2v_" + std::string(level) + "_noise_tiny.safetensors"), main);
            save(folder_ / ("wan2.2_vace_module_" + std::string(level) + "_noise.safetensors"), vace);
        }
        save(folder_ / "wan2.1_t2v_tiny.safetensors", branch(Side::main));
        const auto original = open_checkpoint(model() / "transformer");
        for (const char* chosen : {"high", "low"}) {
            const auto files = read_model_files(
                folder_ / ("wan2.2_vace_module_" + std::string(chosen) + "_noise.safetensors"), nowhere());
            for (const auto& [component, factor] : {std::pair{"transformer", 2.0}, std::pair{"transformer_2", 3.0}}) {
                const auto weights = files.open_weights(component);
                for (const char* name : {"scale_shift_table", "vace_patch_embedding.bias"})
                    QVERIFY2(weights->read(name).equal(original->read(name) * factor), name);
                QVERIFY(config_of(files, component).has_vace());
            }
            QCOMPARE(files.component("scheduler").config.value("flow_shift", 0.0), 12.0);
        }
        fs::remove(folder_ / "wan2.2_vace_module_low_noise.safetensors");
        const Error error =
            thrown_by([&] { read_model_files(folder_ / "wan2.2_vace_module_high_noise.safetensors", nowhere()); });
        QCOMPARE(error.code(), ErrorCode::component_missing);
        QVERIFY2(error.message().find("wan2.2_vace_module_low_noise.safetensors") != std::string::npos, error.what());
    }

    void a_module_without_a_model_is_refused() {
        const Error alone = thrown_by([&] { read_model_files(module_, nowhere()); });
        QCOMPARE(alone.code(), ErrorCode::component_missing);
        QVERIFY2(alone.message().find("is only a module") != std::string::npos, alone.what());
        QVERIFY2(alone.message().find(folder_.string()) != std::string::npos, alone.what());
        // A model of another width does not count.
        save(folder_ / "wide.safetensors", [] {
            Tensors tensors = branch(Side::main);
            tensors["patch_embedding.weight"] = at::zeros({64, 16, 1, 2, 2});
            tensors["head.modulation"] = at::zeros({1, 2, 64});
            return tensors;
        }());
        QCOMPARE(thrown_by([&] { read_model_files(module_, nowhere()); }).code(), ErrorCode::component_missing);
    }

    void a_module_of_another_width_is_refused() {
        save(folder_ / "wan2.1_t2v_tiny.safetensors", branch(Side::main));
        Tensors wide = branch(Side::vace);
        wide["vace_patch_embedding.weight"] = at::zeros({64, 96, 1, 2, 2});
        const fs::path file = root_ / "wide_module.safetensors";
        save(file, wide);
        auto files = read_model_files(folder_ / "wan2.1_t2v_tiny.safetensors", nowhere());
        const Error error = thrown_by([&] { files.replace("transformer", file); });
        QCOMPARE(error.code(), ErrorCode::model_unknown);
        for (const char* words : {"wide_module.safetensors (Wan VACE module of width 64)", "dim is 32 instead of 64"})
            QVERIFY2(error.message().find(words) != std::string::npos, error.what());
    }
};

QTEST_GUILESS_MAIN(TestWanVaceModule)
#include "test_wan_vace_module.moc"
