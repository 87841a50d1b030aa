#include <QtTest>

#include "core/schedulers/scheduler_config.h"
#include "tests/core/models/wan_fixture.h"

using namespace kinescope;
using namespace kinescope::testing;

/// Runs the denoising loop of the golden cases from the reference's text states to its frames.
class TestWanSampling : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equals_the_reference_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("unipc") << "wan_t2v";
        QTest::newRow("flow-match euler") << "wan_t2v_euler";
    }

    void equals_the_reference() {
        QFETCH(QString, name);
        const auto folder = name.toStdString();
        const auto expected = open_checkpoint(test_data(folder + "/expected.safetensors"));
        const auto request = read_json(test_data(folder + "/request.json"));
        const auto scheduler_file = test_data("wan_t2v/model/scheduler/scheduler_config.json");
        const auto steps = request["num_inference_steps"].get<int>();
        const auto scheduler =
            make_scheduler(read_scheduler_config(read_json(scheduler_file), scheduler_file,
                                                 {request["scheduler"], request["flow_shift"].get<double>()}),
                           steps);
        const auto transformer = build_transformer(open_checkpoint(wan_folder("transformer")));
        const auto vae = build_vae(open_checkpoint(wan_folder("vae")));
        SilentProbe silent;
        const CancellationToken never;
        const ForwardContext context{silent, never};
        const Conditioning conditioning{.prompt_embeds = expected->read("prompt_embeds"),
                                        .negative_prompt_embeds = expected->read("negative_prompt_embeds")};
        auto latents = expected->read("latents_initial");
        QVERIFY(relative_error(at::tensor(scheduler->timesteps()), expected->read("timesteps")) < 1e-6);
        QVERIFY(relative_error(at::tensor(scheduler->sigmas()), expected->read("sigmas")) < 1e-6);
        for (int i = 0; i < steps; ++i) {
            const auto t = scheduler->timesteps()[static_cast<std::size_t>(i)];
            const auto cond = transformer->predict({latents, t, Branch::cond, conditioning}, context);
            const auto uncond = transformer->predict({latents, t, Branch::uncond, conditioning}, context);
            const auto noise_pred = uncond + (cond - uncond) * request["guidance_scale"].get<double>();
            latents = scheduler->step(i, noise_pred, latents);
            const auto number = QString("_%1").arg(i, 3, 10, QChar('0')).toStdString();
            const auto prediction_error = relative_error(noise_pred, expected->read("noise_pred" + number));
            const auto error = relative_error(latents, expected->read("latents" + number));
            qInfo("step %d: noise_pred %.2e, latents %.2e", i, prediction_error, error);
            QVERIFY(error <= 3e-5);
        }
        std::vector<Tensor> chunks;
        vae->decode(latents, context, [&](const Tensor& frames) { chunks.push_back(frames); });
        const auto mse = (at::cat(chunks) - expected->read("frames")).to(at::kDouble).square().mean().item<double>();
        qInfo("frames: %.1f dB", -10 * std::log10(mse));
        QVERIFY(mse <= 1e-10);
    }
};

QTEST_GUILESS_MAIN(TestWanSampling)
#include "test_wan_sampling.moc"
