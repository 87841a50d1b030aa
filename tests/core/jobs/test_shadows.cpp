#include <ATen/ATen.h>

#include <QTest>
#include <array>
#include <set>

#include "core/base/json.h"
#include "core/device/backend.h"
#include "core/device/dtype.h"
#include "core/jobs/prepare.h"
#include "core/numerics/detectors.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

/// A folder in tests/data with request.json and a complete tiny model. Each new family needs a row.
struct Case {
    const char* name;
    int width;
    int height;
    int num_frames;
};
constexpr std::array kCases = {Case{"wan_t2v", 32, 16, 9}, Case{"cogvideox/t2v", 32, 16, 17},
                               Case{"stepvideo_t2v", 32, 16, 17}, Case{"svd", 32, 24, 2}, Case{"ltx/t2v", 32, 32, 9}};

PreparedRun prepared(const Case& of, Dtype dtype) {
    const auto case_dir = test_data(of.name);
    VideoRequest request = parse_request(read_json(case_dir / "request.json").dump(), case_dir);
    request.width = of.width;
    request.height = of.height;
    request.num_frames = of.num_frames;
    request.num_inference_steps = 2;
    request.device = "cpu";
    request.output = {};
    PreparedRun job = prepare_job(request, {.resources_dir = {}, .devices = known_devices()});
    for (auto& [name, choice] : job.policy.components) choice.precision.storage = choice.precision.compute = dtype;
    return job;
}

/// Returns a gray picture for models that need one.
Tensor picture_for(const ResolvedContent& content) {
    return content.image.empty() ? Tensor() : at::full({content.height, content.width, 3}, 128, at::kByte);
}

/// Encodes, predicts once and decodes noise.
void run_once(const PreparedRun& job, Probe& probe) {
    const CancellationToken token;
    const ForwardContext context{probe, token};
    NoiseSource noise(1);
    const EncodeInput input{
        .files = job.files, .request = job.request, .policy = job.policy, .image = picture_for(job.request.content)};
    const Conditioning conditioning = job.family->encode(input, noise, context);
    const SamplingInput sampling{
        .files = job.files, .request = job.request, .noise = noise, .conditioning = conditioning};
    const auto scheduler = job.family->make_scheduler(sampling);
    const Tensor latents = job.family->initial_latents(sampling, *scheduler);
    const auto denoiser = job.family->load_denoiser(job.files, job.policy);
    denoiser->predict({.latents = scheduler->scale_model_input(0, latents),
                       .timestep = scheduler->timesteps().front(),
                       .conditioning = conditioning},
                      context.of(job.policy.denoiser_name()));
    const auto vae = job.family->load_vae(job.files, job.request, job.policy.at("vae"));
    vae->decode(at::randn(latents.sizes()), context.of("vae"), [](const Tensor&) {});
}

}  // namespace

/// Tests that the denoiser and the VAE of every family offer parts of their ops for a second computation (detector S7),
/// and that the second computation gives the same values.
class TestShadows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_family_has_a_row() {
        std::set<std::string> tested, all;
        for (const Case& each : kCases) tested.insert(prepared(each, at::kFloat).family->name());
        for (const ModelFamily* family : model_families()) all.insert(family->name());
        QCOMPARE(tested, all);
    }

    void denoiser_and_vae_offer_parts_data() {
        QTest::addColumn<int>("row");
        QTest::addColumn<int>("dtype");
        for (std::size_t i = 0; i < kCases.size(); ++i)
            for (const Dtype dtype : {at::kFloat, at::kBFloat16})
                QTest::addRow("%s %s", kCases[i].name, dtype_name(dtype).c_str())
                    << static_cast<int>(i) << static_cast<int>(dtype);
    }
    void denoiser_and_vae_offer_parts() {
        QFETCH(int, row);
        QFETCH(int, dtype);
        at::manual_seed(7);
        const PreparedRun job = prepared(kCases[static_cast<std::size_t>(row)], static_cast<Dtype>(dtype));
        ShadowingProbe probe;
        run_once(job, probe);
        // In float32, the limit is stricter than that of the detector, to find sums over other frames.
        const double limit = dtype == static_cast<int>(at::kFloat) ? 1e-4 : shadow_tolerance(ElementType::bfloat16);
        std::set<std::string> components;
        for (const auto& [site, errors] : probe.errors) {
            components.insert(site.substr(0, site.find('.')));
            for (const double error : errors) QVERIFY2(error <= limit, (site + ": " + std::to_string(error)).c_str());
        }
        QVERIFY(components.contains(job.policy.denoiser_name()));
        QVERIFY(components.contains("vae"));
    }
};

QTEST_GUILESS_MAIN(TestShadows)
#include "test_shadows.moc"
