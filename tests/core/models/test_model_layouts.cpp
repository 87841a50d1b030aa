#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "core/api/error.h"
#include "core/base/json.h"
#include "core/models/discovery/model_scan.h"
#include "core/models/model_family.h"
#include "core/models/wan/key_map.h"
#include "core/text_encoders/t5_files.h"
#include "core/weights/formats/safetensors_writer.h"
#include "tests/support/golden.h"
#include "tests/support/sd_cpp_file.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace fs = std::filesystem;

namespace {

using Tensors = std::map<std::string, Tensor>;

constexpr auto kPrompt = "A red ball rolls to the left";
constexpr auto kComfyPrefix = "model.diffusion_model.";

fs::path original(const std::string& part) {
    return test_data("wan_t2v/model/" + part);
}

/// Returns the weights of a component of the tiny model, renamed to the original authors' names with `keys`.
Tensors renamed(const std::string& part, const KeyMap& keys, const std::string& prefix = {}) {
    const auto reader = open_checkpoint(original(part));
    Tensors tensors;
    for (const auto& entry : reader->entries())
        tensors[prefix + stored_name(keys, entry.name)] = reader->read(entry.name);
    return tensors;
}

void save(const fs::path& file, const Tensors& tensors) {
    fs::create_directories(file.parent_path());
    write_safetensors(file, tensors);
}

void write_text(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

void copy_all(const fs::path& from, const fs::path& to) {
    fs::create_directories(to.parent_path());
    fs::copy(from, to, fs::copy_options::recursive);
}

/// Distributes the tensors in turn over `count` files "NAME-00001-of-00003.safetensors".
void save_shards(const fs::path& folder, const std::string& name, const Tensors& tensors, std::size_t count) {
    std::vector<Tensors> shards(count);
    std::size_t number = 0;
    for (const auto& [key, tensor] : tensors) shards[number++ % count][key] = tensor;
    for (std::size_t i = 0; i < count; ++i)
        save(folder / (name + "-0000" + std::to_string(i + 1) + "-of-0000" + std::to_string(count) + ".safetensors"),
             shards[i]);
}

/// Writes the index of the files that save_shards() writes.
void write_index(const fs::path& folder, const std::string& name, const Tensors& tensors, std::size_t count) {
    Json map = Json::object();
    std::size_t number = 0;
    for (const auto& [key, tensor] : tensors)
        map[key] =
            name + "-0000" + std::to_string(number++ % count + 1) + "-of-0000" + std::to_string(count) + ".safetensors";
    write_text(folder / (name + ".safetensors.index.json"), Json{{"weight_map", map}}.dump());
}

Tensors native_denoiser(const std::string& prefix = {}) {
    return renamed("transformer", wan::transformer_keys(), prefix);
}

/// Returns the text encoder as in ComfyUI's file, which contains the tokenizer's model as a tensor.
Tensors text_encoder_with_tokenizer() {
    Tensors tensors = renamed("text_encoder", {});
    std::ifstream stream(original("tokenizer/spiece.model"), std::ios::binary);
    const std::string model{std::istreambuf_iterator<char>(stream), {}};
    const auto length = static_cast<std::int64_t>(model.size());
    tensors["spiece_model"] = at::empty({length}, at::kByte);
    std::memcpy(tensors["spiece_model"].mutable_data_ptr(), model.data(), model.size());
    return tensors;
}

// Common layouts. Each function writes one layout and returns the path that a user would pass.

fs::path diffusers_folder(const fs::path& root) {
    copy_all(test_data("wan_t2v/model"), root / "model");
    return root / "model";
}

fs::path sharded_diffusers_folder(const fs::path& root) {
    const auto model = diffusers_folder(root);
    fs::remove(model / "transformer/diffusion_pytorch_model.safetensors");
    save_shards(model / "transformer", "diffusion_pytorch_model", renamed("transformer", {}), 3);
    return model;
}

fs::path indexed_diffusers_folder(const fs::path& root) {
    const auto model = sharded_diffusers_folder(root);
    write_index(model / "transformer", "diffusion_pytorch_model", renamed("transformer", {}), 3);
    return model;
}

fs::path companions(const fs::path& folder) {
    save(folder / "models_t5_umt5-xxl-enc-bf16.pth", renamed("text_encoder", umt5_native_keys()));
    save(folder / "Wan2.1_VAE.pth", renamed("vae", wan::vae_21_keys()));
    copy_all(original("tokenizer"), folder / "google/umt5-xxl");
    return folder;
}

fs::path original_folder(const fs::path& root) {
    save(root / "Wan2.1-T2V/diffusion_pytorch_model.safetensors", native_denoiser());
    return companions(root / "Wan2.1-T2V");
}

fs::path sharded_original_folder(const fs::path& root) {
    save_shards(root / "Wan2.1-T2V", "diffusion_pytorch_model", native_denoiser(), 2);
    return companions(root / "Wan2.1-T2V");
}

fs::path one_shard_of_several(const fs::path& root) {
    return sharded_original_folder(root) / "diffusion_pytorch_model-00002-of-00002.safetensors";
}

fs::path file_with_companions(const fs::path& root) {
    return original_folder(root) / "diffusion_pytorch_model.safetensors";
}

void comfy_companions(const fs::path& models) {
    save(models / "text_encoders/umt5_xxl_fp16.safetensors", text_encoder_with_tokenizer());
    save(models / "vae/wan_2.1_vae.safetensors", renamed("vae", wan::vae_21_keys()));
}

fs::path comfy_tree(const fs::path& root) {
    const auto file = root / "ComfyUI/models/diffusion_models/wan/wan2.1_t2v_tiny.safetensors";
    save(file, native_denoiser(kComfyPrefix));
    comfy_companions(root / "ComfyUI/models");
    return file;
}

fs::path comfy_models_folder(const fs::path& root) {
    comfy_tree(root);
    return root / "ComfyUI/models";
}

/// Writes a denoiser outside of the ComfyUI tree. The tree is a configured model folder.
fs::path file_and_configured_tree(const fs::path& root) {
    comfy_companions(root / "configured/models");
    save(root / "elsewhere/mine.safetensors", native_denoiser());
    return root / "elsewhere/mine.safetensors";
}

fs::path file_and_configured_diffusers_folder(const fs::path& root) {
    copy_all(test_data("wan_t2v/model"), root / "configured/some model");
    save(root / "elsewhere/mine.safetensors", native_denoiser());
    return root / "elsewhere/mine.safetensors";
}

/// Writes a file that stable-diffusion.cpp converted from the files of all components.
fs::path sd_cpp_file(const fs::path& root) {
    Tensors tensors = native_denoiser(kComfyPrefix);
    tensors.merge(renamed("vae", {}, "vae."));
    tensors.merge(renamed("text_encoder", {}, "text_encoders.t5xxl.transformer."));
    write_sd_cpp_file(root / "models/wan.gguf", tensors);
    copy_all(original("tokenizer"), root / "models/google/umt5-xxl");
    return root / "models/wan.gguf";
}

/// Writes files that stable-diffusion.cpp converted one by one, the VAE with its own names.
fs::path sd_cpp_files(const fs::path& root) {
    write_sd_cpp_file(root / "models/wan.gguf", native_denoiser(kComfyPrefix));
    write_sd_cpp_file(root / "models/wan_vae.gguf", renamed("vae", wan::vae_21_keys(), "first_stage_model."));
    write_sd_cpp_file(root / "models/umt5.gguf", renamed("text_encoder", {}));
    copy_all(original("tokenizer"), root / "models/google/umt5-xxl");
    return root / "models/wan.gguf";
}

struct Layout {
    const char* name;
    fs::path (*lay)(const fs::path& root);
    const char* layout;
};

constexpr Layout kLayouts[] = {
    {"diffusers folder", diffusers_folder, "diffusers folder"},
    {"diffusers folder, shards with index", indexed_diffusers_folder, "diffusers folder"},
    {"diffusers folder, shards without index", sharded_diffusers_folder, "diffusers folder"},
    {"original authors' folder", original_folder, "folder of single-file checkpoints"},
    {"original authors' folder, shards without index", sharded_original_folder, "folder of single-file checkpoints"},
    {"one shard, the others beside it", one_shard_of_several, "single file"},
    {"single file, companions beside it", file_with_companions, "single file"},
    {"file in ComfyUI's tree", comfy_tree, "single file"},
    {"ComfyUI's tree", comfy_models_folder, "folder of single-file checkpoints"},
    {"single file, ComfyUI's tree configured", file_and_configured_tree, "single file"},
    {"single file, diffusers folder configured", file_and_configured_diffusers_folder, "single file"},
    {"one file of stable-diffusion.cpp", sd_cpp_file, "single file"},
    {"files of stable-diffusion.cpp", sd_cpp_files, "single file"},
};

/// A missing component, and the expected message about possible replacements.
struct Lack {
    const char* name;
    fs::path (*lay)(const fs::path& root);
    const char* removed;  ///< path below the root of what is removed
    const char* part;
    const char* named;
};

fs::path high_noise_expert_alone(const fs::path& root) {
    const auto folder = original_folder(root);
    fs::rename(folder / "diffusion_pytorch_model.safetensors", folder / "wan2.2_t2v_high_noise_14B.safetensors");
    return folder;
}

/// Writes an expert of the tiny Wan 2.2 I2V, with the original authors' names.
fs::path save_image_expert(const fs::path& file, const std::string& part) {
    const auto reader = open_checkpoint(test_data("wan_variants/a14b_i2v/model/" + part));
    Tensors tensors;
    for (const auto& entry : reader->entries())
        tensors[stored_name(wan::transformer_keys(), entry.name)] = reader->read(entry.name);
    save(file, tensors);
    return file;
}

fs::path low_noise_image_expert_alone(const fs::path& root) {
    return save_image_expert(root / "models/Wan2.2-I2V-A14B-Low-Q8.safetensors", "transformer_2");
}

/// Writes a model whose denoiser needs an image encoder.
fs::path image_model(const fs::path& root) {
    const auto model = root / "model";
    copy_all(test_data("wan_variants/i2v/model"), model);
    Json index = read_json(model / "model_index.json");
    index["image_encoder"] = {"transformers", "CLIPVisionModel"};
    index["image_processor"] = {"transformers", "CLIPImageProcessor"};
    index["vae"] = {"diffusers", "AutoencoderKLWan"};
    write_text(model / "model_index.json", index.dump());
    for (const char* part : {"vae", "image_processor"})
        copy_all(test_data(std::string("wan_variants/common/").append(part)), model / part);
    return model;
}

constexpr Lack kLacks[] = {
    {"vae of an original folder", original_folder, "Wan2.1-T2V/Wan2.1_VAE.pth", "vae", "Wan2.1_VAE.pth"},
    {"text encoder of an original folder", original_folder, "Wan2.1-T2V/models_t5_umt5-xxl-enc-bf16.pth",
     "text_encoder", "models_t5_umt5-xxl-enc-bf16.pth"},
    {"tokenizer of an original folder", original_folder, "Wan2.1-T2V/google", "tokenizer", "google/umt5-xxl"},
    {"vae of ComfyUI's tree", comfy_tree, "ComfyUI/models/vae/wan_2.1_vae.safetensors", "vae",
     "wan_2.1_vae.safetensors"},
    {"text encoder of ComfyUI's tree", comfy_tree, "ComfyUI/models/text_encoders/umt5_xxl_fp16.safetensors",
     "text_encoder", "umt5_xxl_fp16.safetensors"},
    {"text encoder of a diffusers folder", diffusers_folder, "model/text_encoder", "text_encoder", "UMT5EncoderModel"},
    {"vae of a diffusers folder", diffusers_folder, "model/vae", "vae", "AutoencoderKLWan"},
    {"the second expert", high_noise_expert_alone, "", "transformer_2", "wan2.2_t2v_low_noise_14B.safetensors"},
    {"the first expert of an image model", low_noise_image_expert_alone, "", "transformer_2",
     "Wan2.2-I2V-A14B-High-Q8.safetensors"},
    {"the image encoder", image_model, "", "image_encoder", "CLIPVisionModel"},
};

bool equals(const CheckpointReader& found, const CheckpointReader& expected) {
    if (found.entries().size() != expected.entries().size()) return false;
    return std::ranges::all_of(expected.entries(), [&](const TensorEntry& entry) {
        return std::ranges::find(found.entries(), entry.name, &TensorEntry::name) != found.entries().end() &&
               found.read(entry.name).equal(expected.read(entry.name));
    });
}

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.message();
    }
    return {};
}

}  // namespace

class TestModelLayouts : public QObject {
    Q_OBJECT

    static fs::path path_of(const QTemporaryDir& dir) { return dir.path().toStdString(); }

    static ModelFiles read(const fs::path& named, const QTemporaryDir& dir) {
        return read_model_files(named, {path_of(dir) / "configured"});
    }

private Q_SLOTS:
    void every_layout_yields_the_same_model_data() {
        QTest::addColumn<const Layout*>("layout");
        for (const auto& layout : kLayouts) QTest::newRow(layout.name) << &layout;
    }
    void every_layout_yields_the_same_model() {
        QFETCH(const Layout*, layout);
        const QTemporaryDir dir;
        const auto files = read(layout->lay(path_of(dir)), dir);
        QVERIFY2(files.layout.starts_with(layout->layout), files.layout.c_str());
        files.require_complete();
        QCOMPARE(find_family(files).name(), std::string("wan"));
        QVERIFY(find_family(files).card(files).missing.empty());
        for (const char* part : {"transformer", "text_encoder", "vae"})
            QVERIFY2(equals(*files.open_weights(part), *open_checkpoint(original(part))), part);
        const auto ids = load_tokenizer(original("tokenizer"))->encode(kPrompt, 64);
        QVERIFY(files.open_tokenizer()->encode(kPrompt, 64) == ids);
    }

    void a_missing_component_names_possible_replacements_data() {
        QTest::addColumn<const Lack*>("lack");
        for (const auto& lack : kLacks) QTest::newRow(lack.name) << &lack;
    }
    void a_missing_component_names_possible_replacements() {
        QFETCH(const Lack*, lack);
        const QTemporaryDir dir;
        const auto named = lack->lay(path_of(dir));
        if (*lack->removed != '\0') fs::remove_all(path_of(dir) / lack->removed);
        const auto files = read(named, dir);
        QCOMPARE(find_family(files).card(files).family, std::string("wan"));
        const std::string missing = files.component(lack->part).missing.text;
        QVERIFY2(missing.find(lack->named) != missing.npos, missing.c_str());
        QVERIFY(message_of([&] { files.require_complete(); }).find(missing) != std::string::npos);
    }

    void a_component_missing_from_the_index_is_missing_on_the_card() {
        const auto files = read_model_files(test_data("wan_variants/i2v/model"));
        auto with_vae = files;
        with_vae.replace("vae", test_data("wan_variants/common/vae"));
        QCOMPARE(find_family(with_vae).card(with_vae).missing, std::vector<std::string>{"image_encoder"});
    }

    /// Folders with text encoders often hold the tokenizer of another model, under the same name.
    void the_tokenizer_in_the_encoders_file_is_used_first() {
        const QTemporaryDir dir;
        const auto file = comfy_tree(path_of(dir));
        const auto encoders = path_of(dir) / "ComfyUI/models/text_encoders";
        fs::copy_file(test_data("tokenizers/t5/spiece.model"), encoders / "spiece.model");
        const auto files = read(file, dir);
        QCOMPARE(files.component("tokenizer").weights, encoders / "umt5_xxl_fp16.safetensors");
        const auto ids = load_tokenizer(original("tokenizer"))->encode(kPrompt, 64);
        QVERIFY(files.open_tokenizer()->encode(kPrompt, 64) == ids);
    }

    void models_with_further_inputs_are_refused_by_name_data() {
        QTest::addColumn<QString>("tensor");
        QTest::addColumn<QString>("input");
        QTest::newRow("animate") << "face_adapter.fuser_blocks.0.linear2.weight"
                                 << "the motion of a person";
        QTest::newRow("speech") << "casual_audio_encoder.weights"
                                << "speech";
        QTest::newRow("camera") << "control_adapter.conv.weight"
                                << "camera movements";
        QTest::newRow("control") << "ref_conv.weight"
                                 << "a control video";
    }
    /// They have all tensors of a plain model, too.
    void models_with_further_inputs_are_refused_by_name() {
        QFETCH(QString, tensor);
        QFETCH(QString, input);
        const QTemporaryDir dir;
        const auto folder = companions(path_of(dir) / "model");
        Tensors tensors = native_denoiser();
        tensors[tensor.toStdString()] = at::zeros({1});
        save(folder / "model.safetensors", tensors);
        for (const auto& named : {folder, folder / "model.safetensors"}) {
            QCOMPARE(code_of([&] { read(named, dir); }), ErrorCode::unsupported);
            const QString message = QString::fromStdString(message_of([&] { read(named, dir); }));
            QVERIFY2(message.contains(input), qPrintable(message));
        }
        QVERIFY(find_models({folder}).empty());
    }

    void capitalized_words_tell_the_experts_of_an_image_model_apart() {
        const QTemporaryDir dir;
        const auto folder = path_of(dir) / "models";
        const auto low = save_image_expert(folder / "Wan2.2-I2V-A14B-Low-Q8.safetensors", "transformer_2");
        const auto high = save_image_expert(folder / "Wan2.2-I2V-A14B-High-Q8.safetensors", "transformer");
        for (const auto& named : {high, low, folder}) {
            const auto files = read(named, dir);
            QCOMPARE(files.component("transformer").weights, high);
            QCOMPARE(files.component("transformer_2").weights, low);
            QVERIFY(find_family(files).card(files).variant.starts_with("Wan 2.2 I2V"));
        }
        QCOMPARE(find_models({folder}), std::vector<fs::path>{high});
    }

    void an_image_expert_without_a_level_is_named_as_one() {
        const QTemporaryDir dir;
        const auto file = save_image_expert(path_of(dir) / "models/my_i2v.safetensors", "transformer");
        const auto files = read(file, dir);
        QVERIFY(!files.has("transformer_2"));
        const ModelCard card = find_family(files).card(files);
        QVERIFY(card.variant.starts_with("Wan 2.2 I2V (one expert)"));
        QCOMPARE(card.default_flow_shift, 5.0);
        QCOMPARE(card.default_guidance_scale, 3.5);
    }

    /// A folder of diffusers from which only one expert was downloaded.
    void an_expert_alone_in_a_diffusers_folder_misses_the_other_one() {
        const QTemporaryDir dir;
        const auto model = path_of(dir) / "model";
        for (const char* missing : {"transformer_2", "transformer"}) {
            fs::remove_all(model);
            copy_all(test_data("wan_variants/a14b_i2v/model"), model);
            fs::remove_all(model / missing);
            const auto files = read(model, dir);
            const auto require = [&] {
                find_family(files);
                files.require_complete();
            };
            QCOMPARE(code_of(require), ErrorCode::component_missing);
            const std::string message = message_of(require);
            QVERIFY2(message.find("the folder " + (model / missing).string() + " (WanTransformer3DModel) is missing") !=
                         message.npos,
                     message.c_str());
        }
        auto files = read(model, dir);
        files.replace("transformer", test_data("wan_variants/a14b_i2v/model/transformer"));
        QCOMPARE(find_family(files).name(), std::string("wan"));
    }

    void the_hint_names_the_options_of_all_missing_parts() {
        const QTemporaryDir dir;
        const auto model = path_of(dir) / "model";
        copy_all(test_data("ltx/t2v/model"), model);
        fs::remove_all(model / "text_encoder");
        fs::remove_all(model / "vae");
        const auto files = read(model, dir);
        try {
            files.require_complete();
            QFAIL("two components are missing");
        } catch (const Error& error) {
            QVERIFY2(error.hint().find("--text-encoder, --vae.") != std::string::npos, error.hint().c_str());
        }
    }

    void the_folders_of_two_experts_are_one_model() {
        const QTemporaryDir dir;
        const auto folder = path_of(dir) / "without_index";
        for (const char* part : {"transformer", "transformer_2"})
            copy_all(test_data("wan_variants/a14b_i2v/model") / part, folder / part);
        for (const auto& named : {folder, folder / "transformer", folder / "transformer_2"}) {
            const auto files = read(named, dir);
            QCOMPARE(files.component("transformer").folder, folder / "transformer");
            QCOMPARE(files.component("transformer_2").folder, folder / "transformer_2");
        }
        fs::remove_all(folder / "transformer");
        const std::string missing = read(folder / "transformer_2", dir).component("transformer_2").missing.text;
        QVERIFY2(missing.find("the other expert, such as transformer/") != missing.npos, missing.c_str());
    }

    void a_capitalized_word_is_no_level_of_other_models() {
        const QTemporaryDir dir;
        const auto file = path_of(dir) / "models/Wan-Low-VRAM.safetensors";
        save(file, native_denoiser());
        QVERIFY(!read(file, dir).has("transformer_2"));
        QCOMPARE(find_models({file.parent_path()}), std::vector<fs::path>{file});
    }

    void a_second_expert_brings_the_settings_of_two_experts_data() {
        QTest::addColumn<QString>("second");
        QTest::newRow("file") << "transformer/diffusion_pytorch_model.safetensors";
        QTest::newRow("folder") << "transformer";
    }
    void a_second_expert_brings_the_settings_of_two_experts() {
        QFETCH(QString, second);
        const QTemporaryDir dir;
        auto files = read(file_with_companions(path_of(dir)), dir);
        QCOMPARE(find_family(files).card(files).default_flow_shift, 3.0);
        files.replace("transformer_2", original(second.toStdString()));
        const auto card = find_family(files).card(files);
        QVERIFY(card.variant.starts_with("Wan 2.2 T2V"));
        QCOMPARE(card.default_flow_shift, 12.0);
        QCOMPARE(files.index["boundary_ratio"], Json(0.875));
    }

    void a_second_expert_keeps_the_scheduler_of_a_folder() {
        const QTemporaryDir dir;
        auto files = read(diffusers_folder(path_of(dir)), dir);
        const Json before = files.component("scheduler").config;
        files.replace("transformer_2", original("transformer/diffusion_pytorch_model.safetensors"));
        QCOMPARE(files.component("scheduler").config, before);
    }

    void components_that_the_model_cannot_use_are_refused_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("component");
        QTest::addColumn<bool>("is_used");
        const auto add = [](const char* model, const char* component, bool is_used) {
            QTest::addRow("%s %s", model, component) << model << component << is_used;
        };
        add("cogvideox/t2v/model", "transformer_2", false);
        add("cogvideox/t2v/model", "image_encoder", false);
        add("cogvideox/t2v/model", "vae", true);
        add("svd/model", "transformer", false);
        add("svd/model", "text_encoder", false);
        add("svd/model", "image_encoder", true);
        add("ltx/i2v/model", "transformer_2", false);
        add("ltx/i2v/model", "tokenizer", true);
        add("wan_t2v/model", "transformer_2", true);
        add("wan_t2v/model", "image_encoder", false);
        add("wan_t2v/model", "image_processor", false);
        add("wan_variants/i2v/model", "image_encoder", true);
        add("wan_variants/i2v/model", "image_processor", true);
        add("wan_variants/i2v/model", "text_encoder", true);
        add("wan_variants/i2v/model", "vae", true);
    }
    void components_that_the_model_cannot_use_are_refused() {
        QFETCH(QString, model);
        QFETCH(QString, component);
        QFETCH(bool, is_used);
        const QTemporaryDir dir;
        auto files = read_model_files(test_data(model.toStdString()));
        const std::string name = component.toStdString();
        const auto replace = [&] { files.replace(name, path_of(dir)); };
        if (is_used) return replace();
        QCOMPARE(code_of(replace), ErrorCode::bad_request);
        QVERIFY(message_of(replace).find("has no " + name) != std::string::npos);
        QVERIFY(!files.has(name));
    }

    void a_missing_shard_is_named() {
        const QTemporaryDir dir;
        const auto folder = sharded_original_folder(path_of(dir));
        fs::remove(folder / "diffusion_pytorch_model-00001-of-00002.safetensors");
        for (const auto& named : {folder / "diffusion_pytorch_model-00002-of-00002.safetensors", folder}) {
            const auto message = message_of([&] { read(named, dir); });
            QVERIFY2(message.find("diffusion_pytorch_model-00001-of-00002.safetensors") != message.npos,
                     message.c_str());
        }
    }

    void a_component_alone_is_not_a_model() {
        const QTemporaryDir dir;
        const auto message = message_of([&] { read(original_folder(path_of(dir)) / "Wan2.1_VAE.pth", dir); });
        QVERIFY2(message.find("is only a component of a model") != message.npos, message.c_str());
    }
};

QTEST_GUILESS_MAIN(TestModelLayouts)
#include "test_model_layouts.moc"
