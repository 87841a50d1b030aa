#include <QTemporaryDir>
#include <QtTest>

#include "core/models/model_family.h"
#include "core/models/svd/antialiased_resize.h"
#include "core/models/svd/image_condition.h"
#include "tests/support/golden.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

/// Returns the test image of tests/data/svd/make_fixtures.py, uint8 [H, W, 3].
Tensor lattice(std::int64_t width, std::int64_t height) {
    const auto x = at::arange(width, at::kLong).view({1, -1, 1});
    const auto y = at::arange(height, at::kLong).view({-1, 1, 1});
    const auto c = at::arange(3, at::kLong).view({1, 1, -1});
    return ((7 * x + 13 * y + 50 * c + at::div(x * y, 5, "floor")) % 256).to(at::kByte);
}

ResolvedRequest small_request() {
    return {.content = {.width = 32, .height = 24, .num_frames = 3},
            .sampling = {.num_inference_steps = 25, .min_guidance_scale = 1.0, .max_guidance_scale = 3.0}};
}

}  // namespace

class TestSvdFamily : public QObject {
    Q_OBJECT

    const ModelFiles files_ = read_model_files(test_data("svd/model"));
    const ModelFamily& family_ = find_family(files_);
    const std::shared_ptr<const CheckpointReader> expected_ = open_checkpoint(test_data("svd/expected.safetensors"));

private Q_SLOTS:
    void the_tiny_model_is_svd() {
        QCOMPARE(family_.name(), std::string("svd"));
        const auto card = family_.card(files_);
        QCOMPARE(card.size_multiple, 8);
        QCOMPARE(card.num_frames_multiple, 1);
        QCOMPARE(card.default_num_frames, 3);
        QVERIFY(!card.takes_prompt);
        QVERIFY(card.tasks == std::vector{Task::image_to_video});
        for (const auto* field : {"min_guidance_scale", "max_guidance_scale", "motion_bucket_id", "noise_aug_strength",
                                  "decode_chunk_size"})
            QVERIFY2(card.extra_field(field) != nullptr, field);
    }

    void the_name_of_a_single_file_tells_the_number_of_frames_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("num_frames");
        QTest::newRow("svd") << "svd.safetensors" << 14;
        QTest::newRow("svd_xt") << "svd_xt.safetensors" << 25;
        QTest::newRow("svd_xt_1_1") << "SVD_XT_1_1.safetensors" << 25;
        QTest::newRow("diffusers' name") << "stable-video-diffusion-img2vid.safetensors" << 14;
        QTest::newRow("own name") << "animator.safetensors" << 25;
    }
    void the_name_of_a_single_file_tells_the_number_of_frames() {
        QFETCH(QString, name);
        QFETCH(int, num_frames);
        const QTemporaryDir dir;
        const std::filesystem::path file = dir.filePath(name).toStdString();
        std::filesystem::copy(test_data("svd/model/unet/diffusion_pytorch_model.fp16.safetensors"), file);
        const auto files = read_model_files(file);
        QCOMPARE(find_family(files).card(files).default_num_frames, num_frames);
    }

    void images_of_unusual_sizes_resize_like_the_reference() {
        const auto cases = open_checkpoint(test_data("svd/resize.safetensors"));
        for (const auto& entry : cases->entries()) {
            const auto cross = entry.name.find('x');
            const auto picture =
                lattice(std::stoll(entry.name.substr(0, cross)), std::stoll(entry.name.substr(cross + 1)));
            const auto pixels = picture.permute({2, 0, 1}).unsqueeze(0).to(at::kFloat) / 255 * 2 - 1;
            const auto shown = (svd::antialiased_resize(pixels, 224) + 1) / 2;
            const auto error = relative_error(shown.slice(2, 0, 224, 11).slice(3, 0, 224, 11), cases->read(entry.name));
            qInfo("%s: %.2e", entry.name.c_str(), error);
            QVERIFY(error <= 3e-6);
        }
        QVERIFY(cases->entries().size() >= 6);
    }

    void images_below_two_pixels_are_refused() {
        QCOMPARE(svd::clip_input(files_, lattice(2, 2)).sizes().vec(), (std::vector<std::int64_t>{1, 3, 224, 224}));
        QVERIFY(code_of([&] { svd::clip_input(files_, lattice(1, 50)); }) == ErrorCode::image_unreadable);
    }

    void latents_are_drawn_in_the_order_of_the_reference() {
        NoiseSource noise(5);
        noise.normal({1, 3, 24, 32});  // draws the noise for the image first
        const auto request = small_request();
        const SamplingInput sampling{.files = files_, .request = request, .noise = noise};
        const auto scheduler = family_.make_scheduler(sampling);
        const auto latents = family_.initial_latents(sampling, *scheduler);
        const auto drawn = expected_->read("latents_initial");  // [1, F, C, h, w]
        QVERIFY((latents / scheduler->init_noise_sigma()).transpose(1, 2).allclose(drawn, 1e-6));
        QVERIFY(family_.in_reference_layout(latents).sizes() == drawn.sizes());
    }

    void guidance_rises_from_the_first_frame_to_the_last() {
        NoiseSource noise(1);
        auto request = small_request();
        const auto guidance = [&] {
            const SamplingInput sampling{.files = files_, .request = request, .noise = noise};
            return family_.guidance(sampling, {}, *family_.make_scheduler(sampling));
        };
        const auto rising = guidance();
        QCOMPARE(rising.branches.size(), std::size_t{2});
        QVERIFY(rising.scales.at(0).equal(at::tensor({1.0f, 2.0f, 3.0f}).view({1, 1, 3, 1, 1})));
        request.content.num_frames = 1;
        QCOMPARE(guidance().scales.at(0).item<float>(), 1.0f);
        request.sampling.min_guidance_scale = 5.0, request.sampling.max_guidance_scale = 1.0;
        QCOMPARE(guidance().branches, std::vector{Branch::cond});
    }

    void invalid_sizes_are_refused() {
        auto request = small_request();
        QCOMPARE(family_.latents_shape(files_, request), (std::vector<std::int64_t>{1, 4, 3, 12, 16}));
        request.content.width = 31;
        QVERIFY(code_of([&] { family_.latents_shape(files_, request); }) == ErrorCode::bad_request);
    }

    void parts_of_different_models_are_refused() {
        auto files = files_;
        files.components["vae"].config["latent_channels"] = 16;
        QVERIFY(code_of([&] { family_.card(files); }) == ErrorCode::bad_config);
        files = files_;
        files.components["scheduler"].config["prediction_type"] = "epsilon";
        QVERIFY(code_of([&] { family_.card(files); }) == ErrorCode::unsupported);
        files = files_;
        files.components.erase("vae");
        QVERIFY(code_of([&] { family_.card(files); }) == ErrorCode::component_missing);
    }

    void a_run_without_an_image_is_refused() {
        NoiseSource noise(1);
        SilentProbe silent;
        const CancellationToken never;
        const ComputePolicy policy{.components = {{"unet", {}}, {"vae", {}}, {"image_encoder", {}}}};
        const auto request = small_request();
        QVERIFY(code_of([&] {
                    family_.encode({.files = files_, .request = request, .policy = policy}, noise, {silent, never});
                }) == ErrorCode::bad_request);
    }
};

QTEST_GUILESS_MAIN(TestSvdFamily)
#include "test_svd_family.moc"
