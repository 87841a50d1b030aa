#include <QTemporaryDir>
#include <QtTest>

#include <cstring>
#include <fstream>

#include "core/base/json.h"
#include "core/jobs/plan.h"
#include "core/jobs/prepare.h"
#include "tests/support/devices.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace fs = std::filesystem;

namespace {

/// A file of weights with one tensor of the published number of parameters, without its bytes on the disk.
void write_weights(const fs::path& file, std::int64_t count, const char* dtype, std::int64_t item_bytes) {
    auto header =
        Json{{"all", {{"dtype", dtype}, {"shape", {count}}, {"data_offsets", {0, count * item_bytes}}}}}.dump();
    header.resize((header.size() + 7) / 8 * 8, ' ');
    const std::uint64_t header_bytes = header.size();
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << std::string(reinterpret_cast<const char*>(&header_bytes), 8) << header;
    fs::resize_file(file, 8 + header_bytes + static_cast<std::uint64_t>(count * item_bytes));
}

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

constexpr std::int64_t kTransformer = 29'342'478'400, kStepLlm = 19'579'600'896, kClip = 350'986'240,
                       kVae = 498'818'819;

/// The published folder in full size: configs, and headers of weights.
fs::path write_model(const QTemporaryDir& dir) {
    const auto root = fs::path(dir.path().toStdString()) / "stepvideo-t2v";
    write(root / "model_index.json", R"({"_class_name": "StepVideoPipeline",
        "scheduler": ["stepvideo", "FlowMatchDiscreteScheduler"], "transformer": ["stepvideo", "StepVideoModel"]})");
    write(root / "transformer/config.json", "{}");
    write(root / "step_llm/config.json", "{}");
    write(root / "hunyuan_clip/clip_text_encoder/config.json", "{}");
    write_weights(root / "transformer/diffusion_pytorch_model.safetensors", kTransformer, "BF16", 2);
    write_weights(root / "step_llm/model.safetensors", kStepLlm, "BF16", 2);
    write_weights(root / "hunyuan_clip/clip_text_encoder/model.safetensors", kClip, "F32", 4);
    write_weights(root / "vae/vae_v2.safetensors", kVae, "F32", 4);
    return root;
}

}  // namespace

/// The plan of the published model, 30 billion parameters and 39 GB of text encoder: from headers alone.
class TestStepVideoPlan : public QObject {
    Q_OBJECT

    QTemporaryDir dir_;
    const fs::path model_ = write_model(dir_);

    Plan plan(const std::string& dtype) const {
        VideoRequest request{.model = model_.string(), .prompt = "a red panda"};
        request.device = "cpu";
        request.dtype = request.text_encoder_dtype = dtype;
        return make_plan(prepare_job(request, {.resources_dir = {}, .devices = {cpu_device()}}),
                         Timings(dir_.filePath("timings.json").toStdString()));
    }

private Q_SLOTS:
    void the_parts_come_one_after_the_other() {
        const auto made = plan("bf16");
        QCOMPARE(made.card.variant, std::string("Step-Video-T2V 30B"));
        QCOMPARE(made.request.num_frames, 204);
        QCOMPARE(made.phases.size(), std::size_t{3});
        const auto& encode = made.phases[0];
        QCOMPARE(encode.parts.size(), std::size_t{2});
        QCOMPARE(encode.parts[0].second, 2 * kStepLlm / 48);  // one layer
        QCOMPARE(encode.memory_bytes, std::max(encode.parts[0].second, encode.parts[1].second));
        const auto latents = std::int64_t{6} * 4 * 64 * 36 * 34 * 62;
        QCOMPARE(made.phases[1].memory_bytes, 2 * kTransformer + latents);
        QCOMPARE(made.peak_memory_bytes, made.phases[1].memory_bytes);
        const auto frames = std::int64_t{18} * 3 * 4 * 992 * 544;
        QCOMPARE(made.phases[2].memory_bytes, 4 * kVae + latents + frames);
    }

    void the_notes_say_what_is_never_whole_in_memory() {
        const auto notes = plan("bf16").notes;
        QVERIFY(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
            return note.find("text_encoder runs layer by layer") != std::string::npos;
        }));
    }

    void float32_takes_twice_as_much() { QVERIFY(plan("fp32").phases[1].memory_bytes > 4 * kTransformer); }
};

QTEST_GUILESS_MAIN(TestStepVideoPlan)
#include "test_stepvideo_plan.moc"
