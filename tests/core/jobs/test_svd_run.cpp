#include <ATen/ATen.h>

#include <QtTest>

#include <set>

#include "core/device/backend.h"
#include "core/jobs/prepare.h"
#include "core/jobs/tools/verify.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

const std::string kUNetSite = "unet.down_blocks.0.attentions.0.temporal_transformer_blocks.0.attn1.to_v";
const std::string kVaeSite = "vae.decoder.up_blocks.0.resnets.1.spatial_res_block.conv1";

VideoRequest golden_request() {
    const auto folder = test_data("svd");
    auto request = parse_request(read_json(folder / "request.json").dump(), folder);
    request.device = "cpu";
    request.image_fit = ImageFit::stretch;  // as in the reference
    return request;
}

struct KeepFrames final : TensorObserver {
    void on_frames(const Tensor& frames) override { chunks.push_back(frames); }
    std::vector<Tensor> chunks;
};

struct Outcome {
    RunResult result;
    Tensor frames;
    std::set<std::string> raised;  ///< sites that the guard raised
};

Outcome run(const VideoRequest& request) {
    Outcome outcome;
    KeepFrames observer;
    const auto job = prepare_job(request, {.resources_dir = {}, .devices = known_devices()});
    outcome.result = run_video(
        job,
        [&](const RunEvent& event) {
            if (const auto* guard = std::get_if<GuardActed>(&event)) outcome.raised.insert(guard->site);
        },
        CancellationToken(), observer);
    outcome.frames = at::cat(observer.chunks);
    return outcome;
}

double psnr(const Tensor& frames) {
    const auto expected = open_checkpoint(test_data("svd/expected.safetensors"))->read("frames");
    return -10 * std::log10((frames - expected).to(at::kDouble).square().mean().item<double>());
}

}  // namespace

/// Runs the tiny model from the image to the frames.
class TestSvdRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equals_the_reference_in_every_tensor() {
        const auto report = verify_case(test_data("svd"), {}, {});
        std::set<std::string> compared;
        for (const auto& row : report.rows) {
            QVERIFY2(row.passed,
                     (row.component + " " + row.tensor + ": " + std::to_string(row.relative_error)).c_str());
            compared.insert(row.tensor);
        }
        QVERIFY(report.passed);
        for (const auto* tensor : {"image_embeds", "condition", "added_time_ids", "latents_initial", "noise_pred_000",
                                   "latents_final", "frames", "out.sample", "out.moments"})
            QVERIFY2(compared.contains(tensor), tensor);
    }

    void a_temporal_attention_that_overflows_is_healed() {
        auto request = golden_request();
        request.dtype = DtypeChoice::fp16;
        request.vae_dtype = DtypeChoice::fp32;  // "fp16" for the whole model would include the VAE
        const auto outcome = run(request);
        QCOMPARE(outcome.result.status, RunStatus::healed);
        QCOMPARE(outcome.raised, std::set{kUNetSite});
        qInfo("frames: %.1f dB", psnr(outcome.frames));
        QVERIFY(psnr(outcome.frames) >= 40);
    }

    /// The video has one chunk, so that no chunk is written whole.
    void a_run_that_is_stopped_in_its_first_chunk_keeps_the_written_frames() {
        const QTemporaryDir folder;
        auto request = golden_request();
        request.decode_chunk_size = request.num_frames;
        request.finish.upscaler = test_data("finish/nearest_x2.safetensors");
        request.output.file = folder.filePath("stopped.mp4").toStdString();
        const auto job = prepare_job(request, {.resources_dir = {}, .devices = known_devices()});
        CancellationToken stop;
        KeepFrames observer;
        std::filesystem::path output;
        try {
            run_video(
                job,
                [&](const RunEvent& event) {
                    if (std::holds_alternative<FinishProgress>(event)) stop.request();
                },
                stop, observer);
        } catch (const StoppedWhileDecoding& stopped) {
            output = stopped.output;
        }
        QCOMPARE(observer.chunks.size(), std::size_t{1});
        QCOMPARE(output, request.output.file);
        QVERIFY(std::filesystem::is_regular_file(output));
    }

    void a_decoder_that_overflows_is_healed() {
        auto request = golden_request();
        request.vae_dtype = DtypeChoice::fp16;
        const auto outcome = run(request);
        QCOMPARE(outcome.result.status, RunStatus::healed);
        QCOMPARE(outcome.raised, std::set{kVaeSite});
        qInfo("frames: %.1f dB", psnr(outcome.frames));
        QVERIFY(psnr(outcome.frames) >= 40);
    }
};

QTEST_GUILESS_MAIN(TestSvdRun)
#include "test_svd_run.moc"
