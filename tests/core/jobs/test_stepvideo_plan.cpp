#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

#include "core/jobs/plan/plan.h"
#include "core/jobs/prepare.h"
#include "tests/support/devices.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace fs = std::filesystem;

namespace {

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

constexpr std::int64_t kGiB = std::int64_t{1} << 30;
constexpr std::int64_t kTransformer = 29'342'478'400, kStepLlm = 19'579'600'896;

/// Writes the folder of the published model with full-size configs and without weights.
fs::path write_model(const QTemporaryDir& dir) {
    const auto root = fs::path(dir.path().toStdString()) / "stepvideo-t2v";
    write(root / "model_index.json", R"({"_class_name": "StepVideoPipeline",
        "scheduler": ["stepvideo", "FlowMatchDiscreteScheduler"], "transformer": ["stepvideo", "StepVideoModel"]})");
    write(root / "transformer/config.json", "{}");
    write(root / "step_llm/config.json", "{}");
    write(root / "hunyuan_clip/clip_text_encoder/config.json", "{}");
    for (const char* part : {"vae", "hunyuan_clip/tokenizer"}) fs::create_directories(root / part);
    return root;
}

}  // namespace

/// Plans the published model (30 billion parameters, text encoder of 39 GB) from its configs only, for devices that
/// need not be present.
class TestStepVideoPlan : public QObject {
    Q_OBJECT

    QTemporaryDir dir_;
    const fs::path model_ = write_model(dir_);

    PreparedRun job(const std::string& device) const {
        VideoRequest request{.model = model_.string(), .prompt = "a red panda"};
        request.device = device;
        return prepare_job(request, {.resources_dir = {}, .devices = {cpu_device()}, .purpose = Purpose::plan});
    }
    Plan plan(const std::string& device) const {
        return make_plan(job(device), Timings(dir_.filePath("timings.json").toStdString()));
    }

    static std::int64_t part(const PhasePlan& phase, const std::string& name) {
        for (const auto& [part, bytes] : phase.parts)
            if (part == name) return bytes;
        return -1;
    }

private Q_SLOTS:
    void a_large_device_holds_each_part_as_published() {
        const auto made = plan("sm90:192GiB");
        QCOMPARE(made.card.variant, std::string("Step-Video-T2V 30B"));
        QCOMPARE(made.request.num_frames, 204);
        QCOMPARE(made.phases.size(), std::size_t{3});
        // The tolerance covers norms and tables, which are float32.
        QVERIFY(qAbs(part(made.phases[0], "text_encoder") - 2 * kStepLlm) < kStepLlm / 500);
        QVERIFY(qAbs(part(made.phases[1], "transformer") - 2 * kTransformer) < kTransformer / 500);
        QCOMPARE(part(made.phases[1], "latents"), std::int64_t{6} * 4 * 64 * 36 * 34 * 62);
        QCOMPARE(part(made.phases[2], "frames"), std::int64_t{18} * 3 * 4 * 992 * 544);
    }

    void each_phase_fits_its_device_data() {
        QTest::addColumn<QString>("device");
        QTest::addColumn<qint64>("bytes");
        for (const auto& [device, gib] : {std::pair("sm89:24GiB", 24), {"sm86:48GiB", 48}, {"sm90:80GiB", 80}})
            QTest::newRow(device) << device << static_cast<qint64>(gib * kGiB);
    }
    void each_phase_fits_its_device() {
        QFETCH(QString, device);
        QFETCH(qint64, bytes);
        const auto made = plan(device.toStdString());
        QVERIFY2(made.phases[0].memory_bytes <= bytes, std::to_string(made.phases[0].memory_bytes).c_str());
        QVERIFY2(made.phases[1].memory_bytes <= bytes, std::to_string(made.phases[1].memory_bytes).c_str());
    }

    void notes_name_streamed_components() {
        const auto has = [](const Plan& made, const std::string& text) {
            return std::ranges::any_of(made.notes, [&](const auto& note) { return note.find(text) != note.npos; });
        };
        const auto small = plan("sm89:24GiB");
        QVERIFY(has(small, "The text_encoder streams"));
        QVERIFY(has(small, "The transformer streams"));
        QVERIFY(has(small, "The weights of the vae are missing"));
        QVERIFY(!has(plan("sm90:192GiB"), " streams "));
    }

    void a_larger_device_streams_less() {
        QVERIFY(job("sm89:24GiB").policy.denoiser().resident_blocks <
                job("sm86:48GiB").policy.denoiser().resident_blocks);
    }

    void a_run_needs_weights() {
        const VideoRequest request{.model = model_.string(), .prompt = "a red panda"};
        QVERIFY_EXCEPTION_THROWN(prepare_job(request, {.resources_dir = {}, .devices = {cpu_device()}}), Error);
    }
};

QTEST_GUILESS_MAIN(TestStepVideoPlan)
#include "test_stepvideo_plan.moc"
