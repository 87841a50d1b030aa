#include <QTemporaryDir>
#include <QTest>

#include "core/api/engine.h"
#include "core/models/wan/key_map.h"
#include "core/weights/formats/safetensors_writer.h"
#include "tests/core/jobs/event_recorder.h"
#include "tests/core/jobs/tiny_wan_request.h"
#include "tests/support/golden.h"
#include "tests/support/sd_cpp_file.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace fs = std::filesystem;

namespace {

/// Returns all components of the tiny Wan model, with the names of a file that contains all of them.
std::map<std::string, Tensor> all_components() {
    std::map<std::string, Tensor> tensors;
    const auto add = [&](const char* part, const KeyMap& keys, const std::string& prefix) {
        const auto reader = open_checkpoint(test_data(std::string("wan_t2v/model/") + part));
        for (const auto& entry : reader->entries())
            tensors[prefix + stored_name(keys, entry.name)] = reader->read(entry.name);
    };
    add("transformer", wan::transformer_keys(), "model.diffusion_model.");
    add("vae", wan::vae_21_keys(), "first_stage_model.");
    add("text_encoder", {}, "text_encoders.t5xxl.transformer.");
    return tensors;
}

}  // namespace

/// Runs a tiny Wan model from a GGUF file of stable-diffusion.cpp.
class TestSdCppRun : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    EventRecorder recorder_;
    std::unique_ptr<Engine> engine_;

    /// Returns the path of a model file in a folder with the tokenizer and the config.json of the denoiser.
    fs::path model(const char* name) const {
        const fs::path file = fs::path(folder_.path().toStdString()) / "models" / name / name;
        fs::create_directories(file.parent_path() / "google");
        fs::copy(test_data("wan_t2v/model/tokenizer"), file.parent_path() / "google/umt5-xxl");
        fs::copy(test_data("wan_t2v/model/transformer/config.json"), file.parent_path());
        return file;
    }

    /// Makes a video and returns its final latents.
    Tensor latents_of(const fs::path& model) {
        VideoRequest made = tiny_wan_request();
        made.model = model;
        made.negative_prompt = "blurry";
        made.num_inference_steps = 4;
        made.output.file = model.string() + ".mp4";
        made.output.latents = model.string() + ".latents.safetensors";
        const auto events = recorder_.wait(engine_->jobs().submit(made));
        for (const RunFailed& failed : of_type<RunFailed>(events)) qWarning("%s", failed.error.message().c_str());
        if (of_type<RunFinished>(events).empty()) return {};
        const auto saved = open_checkpoint(made.output.latents);
        return saved->read(saved->entries().at(0).name).clone();
    }

private Q_SLOTS:
    void latents_equal_those_of_a_safetensors_file() {
        qputenv("XDG_CACHE_HOME", folder_.filePath("cache").toUtf8());
        engine_ = make_engine({.resources_dir = KINESCOPE_SOURCE_DIR "/resources"}, recorder_);
        const fs::path usual = model("wan.safetensors");
        write_safetensors(usual, all_components());
        const fs::path converted = model("wan.gguf");
        write_sd_cpp_file(converted, all_components());
        const Tensor expected = latents_of(usual);
        QVERIFY(expected.defined() && all_finite(expected));
        const Tensor found = latents_of(converted);
        QVERIFY(found.defined() && at::equal(found, expected));
    }
};

QTEST_GUILESS_MAIN(TestSdCppRun)
#include "test_sd_cpp_run.moc"
