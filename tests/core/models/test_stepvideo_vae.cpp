#include <QtTest>

#include <cmath>

#include "core/api/error.h"
#include "tests/core/models/stepvideo_fixture.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

/// Watches every op, records the first site that is not finite, and raises the precision of one given site.
class LookingProbe final : public Probe {
public:
    explicit LookingProbe(std::string raised = {}) : raised_(std::move(raised)) {}
    void observe(const Observation& seen) override {
        if (first_not_finite.empty() && !testing::all_finite(seen.value)) first_not_finite = seen.site;
    }
    Watch watch() const override { return Watch::ops; }
    PrecisionLevel level(std::string_view, std::string_view site) const override {
        return site == raised_ ? PrecisionLevel::scaled : PrecisionLevel::planned;
    }
    std::string first_not_finite;

private:
    std::string raised_;
};

/// Returns the weights with those of one convolution enlarged, so that float16 overflows. The next norm removes the
/// factor in float32.
std::shared_ptr<const CheckpointReader> with_large(const std::filesystem::path& file, const std::string& conv) {
    const auto original = open_checkpoint(file);
    auto result = std::make_shared<MemoryCheckpoint>();
    for (const auto& entry : original->entries()) {
        const auto tensor = original->read(entry.name);
        result->add(entry.name, entry.name.starts_with(conv) ? tensor * 131072 : tensor);
    }
    return result;
}

}  // namespace

class TestStepVideoVae : public QObject {
    Q_OBJECT

    SilentProbe silent_;
    CancellationToken token_;
    std::filesystem::path file_ = step_folder("vae") / "vae_v2.safetensors";
    std::shared_ptr<const CheckpointReader> golden_ = open_checkpoint(test_data("stepvideo_t2v/expected.safetensors"));

    std::vector<Tensor> decode(stepvideo::Vae& vae, const Tensor& latents, Probe& probe) const {
        std::vector<Tensor> chunks;
        vae.decode(latents, {probe, token_}, [&](const Tensor& frames) { chunks.push_back(frames); });
        return chunks;
    }

    double psnr_db(const Tensor& frames) const {
        return -10 * std::log10((frames - golden_->read("frames")).to(at::kDouble).square().mean().item<double>());
    }

private Q_SLOTS:
    void chunks_are_blended_like_the_reference() {
        const auto vae = build_step_vae(open_checkpoint(file_));
        const auto latents = golden_->read("latents_final");
        RecordingProbe probe;
        const auto chunks = decode(*vae, latents, probe);
        QCOMPARE(static_cast<int>(chunks.size()), vae->num_chunks(latents));
        QCOMPARE(chunks[0].size(0), std::int64_t{16});  // the last frame is blended with the next chunk
        QCOMPARE(chunks[1].size(0), std::int64_t{18});
        qInfo("frames: %.1f dB", psnr_db(at::cat(chunks)));
        QVERIFY(psnr_db(at::cat(chunks)) >= 100);
        QCOMPARE(probe.seen["decoder.mid_block"].size(), std::size_t{2});
        for (const auto* site : {"decoder.up_blocks.0", "decoder.up_blocks.3", "decoder.conv_out"})
            QCOMPARE(probe.seen[site].size(), std::size_t{10});  // 2 chunks, each in 5 latent frames
    }

    void a_single_image_is_one_frame() {
        const auto vae = build_step_vae(open_checkpoint(file_));
        const auto chunks = decode(*vae, golden_->read("latents_final").narrow(2, 0, 1), silent_);
        QCOMPARE(chunks.size(), std::size_t{1});
        QCOMPARE(chunks[0].sizes(), (at::IntArrayRef{1, 32, 48, 3}));
    }

    void non_finite_values_stay_visible() {
        const auto vae = build_step_vae(open_checkpoint(file_));
        auto latents = golden_->read("latents_final").clone();
        latents[0][0][5].fill_(INFINITY);
        const auto chunks = decode(*vae, latents, silent_);
        QVERIFY(testing::all_finite(chunks[0]) && !testing::all_finite(chunks[1]));
    }

    void raising_the_overflowing_op_is_enough_data() {
        QTest::addColumn<QString>("conv");
        QTest::addColumn<QString>("op");
        QTest::addColumn<QString>("inner");
        const auto row = [](const char* conv, const char* op, const char* inner) {
            QTest::newRow(conv) << conv << op << inner;
        };
        row("decoder.mid.block_2.conv1", "decoder.mid_block.block_2", "conv1");
        row("decoder.up.2.block.0.conv1", "decoder.up_blocks.1.block.0", "conv1");
        row("decoder.up.3.upsample.conv3d.conv1", "decoder.up_blocks.0.upsample", "conv1");
    }
    void raising_the_overflowing_op_is_enough() {
        QFETCH(QString, conv);
        QFETCH(QString, op);
        QFETCH(QString, inner);
        const auto vae =
            build_step_vae(with_large(file_, conv.toStdString()), {.storage = at::kHalf, .compute = at::kHalf});
        const auto latents = golden_->read("latents_final");
        LookingProbe planned;
        decode(*vae, latents, planned);
        QCOMPARE(QString::fromStdString(planned.first_not_finite), op + "." + inner);
        LookingProbe raising(op.toStdString());
        const auto frames = at::cat(decode(*vae, latents, raising));
        QCOMPARE(raising.first_not_finite, std::string());
        qInfo("frames: %.1f dB", psnr_db(frames));
        QVERIFY(psnr_db(frames) >= 70);
    }

    void any_stored_dtype_works_with_any_compute_dtype() {
        const auto latents = golden_->read("latents_final").narrow(2, 0, 1);
        const auto expected = at::cat(decode(*build_step_vae(open_checkpoint(file_)), latents, silent_));
        for (const auto& row : dtype_cases()) {
            const auto vae =
                build_step_vae(stored_as(file_, row.stored), {.storage = row.storage, .compute = row.compute});
            const auto error = relative_error(at::cat(decode(*vae, latents, silent_)), expected);
            QVERIFY2(error < 0.1, (row.name + ": " + std::to_string(error)).c_str());
        }
    }

    void folding_and_unfolding_are_inverse() {
        const auto frames = at::arange(3 * 4 * 6 * 2, at::kFloat).view({3, 4, 6, 2});
        const auto folded = stepvideo::fold(frames);
        QCOMPARE(folded.sizes(), (at::IntArrayRef{2, 2, 3, 16}));
        QVERIFY(stepvideo::unfold(folded).equal(frames));
        // (channel, time, row, column), the column varies fastest. The first block begins with a frame of zeros.
        QCOMPARE(folded[0][0][0][5].item<float>(), frames[0][0][1][0].item<float>());
        QCOMPARE(folded[0][0][0][8 + 6].item<float>(), frames[0][1][0][1].item<float>());
    }

    void hostile_configs_are_refused() {
        for (const auto* text :
             {R"({"version": 1})", R"({"ch_mult": [1, 2]})", R"({"z_channels": 0})", R"({"ch": 100000})",
              R"({"ch": 33})", R"({"z_channels": 48})", R"({"num_res_blocks": -1})", R"({"norm_num_groups": 0})"})
            QVERIFY_EXCEPTION_THROWN(stepvideo::read_vae_config(Json::parse(text), "config.json"), Error);
    }
};

QTEST_GUILESS_MAIN(TestStepVideoVae)
#include "test_stepvideo_vae.moc"
