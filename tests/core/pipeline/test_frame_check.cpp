#include <ATen/ATen.h>

#include <QTest>
#include <limits>

#include "core/api/error.h"
#include "core/models/guidance.h"
#include "core/pipeline/frame_check.h"
#include "core/pipeline/latent_preview.h"

using namespace kinescope;

class TestFrameCheck : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void good_frames_pass_and_are_numbered() {
        FrameCheck check;
        QCOMPARE(check.add(at::rand({2, 4, 4, 3})).records[1].index, 1);
        QCOMPARE(check.add(at::rand({1, 4, 4, 3})).records[0].index, 2);
        check.finish(Evidence::none);
    }

    void frames_are_rounded_to_8_bits() {
        const auto pictures = FrameCheck().add(at::full({1, 2, 2, 3}, 0.999 / 255)).pictures;
        QCOMPARE(pictures.size(), std::size_t{1});
        QCOMPARE(int(pictures[0]->pixels[0]), 1);
    }

    void a_non_finite_value_stops_the_video() {
        Tensor frames = at::rand({2, 4, 4, 3});
        frames[1][2][3][0] = std::numeric_limits<float>::quiet_NaN();
        FrameCheck check;
        try {
            check.add(frames);
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::not_finite);
            QVERIFY(error.message().find("frame 2") != std::string::npos);
        }
    }

    void frames_of_a_broken_decoder_are_an_error_data() {
        QTest::addColumn<double>("level");  // mean value, 0 to 1
        QTest::addColumn<double>("noise");  // amplitude of uniform noise, 0 to 1
        QTest::addColumn<int>("black");
        QTest::newRow("black") << 0.0 << 0.0 << 9;
        QTest::newRow("black in 8 bits") << 0.0005 << 0.0005 << 9;
        QTest::newRow("uniform gray") << 0.5 << 0.0 << 0;
        QTest::newRow("nearly uniform gray") << 0.5 << 0.001 << 0;
        QTest::newRow("flat gray with noise") << 0.5 << 0.008 << 0;
        QTest::newRow("white") << 1.0 << 0.0 << 0;
    }
    void frames_of_a_broken_decoder_are_an_error() {
        QFETCH(double, level);
        QFETCH(double, noise);
        QFETCH(int, black);
        FrameCheck check;
        check.add(level + (at::rand({9, 16, 16, 3}) * 2 - 1) * noise);
        try {
            check.finish(Evidence::none);
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::frames_black);
            QCOMPARE(error.arguments().at("black"), std::to_string(black));
        }
    }

    void the_advice_depends_on_the_precision_of_the_vae() {
        for (const auto& [dtype, has_flag] :
             {std::pair(ElementType::float16, true), std::pair(ElementType::float32, false)}) {
            FrameCheck check;
            check.set_vae_dtype(dtype);
            check.add(at::zeros({9, 8, 8, 3}));
            try {
                check.finish(Evidence::none);
                QFAIL("no error was thrown");
            } catch (const Error& error) {
                QCOMPARE(error.hint().find("--vae-dtype") != std::string::npos, has_flag);
            }
        }
    }

    static std::string warning_about(const Tensor& frames) {
        FrameCheck check;
        check.add(frames);
        const auto found = check.finish(Evidence::none);
        return found.empty() ? "" : found[0].found.code;
    }

    /// Returns a video of a small square that moves over a flat background.
    static Tensor moving_square(double background, double square) {
        Tensor frames = at::full({9, 32, 32, 3}, background);
        for (int i = 0; i < 9; ++i) frames[i].slice(0, 4, 8).slice(1, 2 * i, 2 * i + 4).fill_(square);
        return frames;
    }

    void suspicious_videos_are_kept_with_a_warning() {
        QCOMPARE(warning_about(at::rand({9, 8, 8, 3}) * 0.012), std::string("frames_dark"));
        const Tensor color = at::tensor({0.15, 0.35, 0.81});
        QCOMPARE(warning_about(color.expand({9, 32, 32, 3}) + at::rand({9, 32, 32, 3}) * 0.004),
                 std::string("frames_empty"));
        QCOMPARE(warning_about(at::rand({1, 8, 8, 3}).expand({9, 8, 8, 3})), std::string("frames_equal"));
        QCOMPARE(warning_about(at::rand({9, 8, 8, 3}).round()), std::string("frames_extreme"));
    }

    void ordinary_videos_get_no_warning() {
        QCOMPARE(warning_about(at::rand({9, 8, 8, 3})), std::string());
        QCOMPARE(warning_about(at::rand({9, 8, 8, 3}) * 0.03), std::string());  // a night scene
        QCOMPARE(warning_about(moving_square(0.0, 0.9)), std::string());
        QCOMPARE(warning_about(moving_square(1.0, 0.2)), std::string());
        QCOMPARE(warning_about(moving_square(0.5, 0.7)), std::string());
        const Tensor fade = at::linspace(1.2, -0.5, 9).clamp(0, 1).view({-1, 1, 1, 1});
        QCOMPARE(warning_about(at::rand({9, 8, 8, 3}) * fade), std::string());
        QCOMPARE(warning_about(at::full({9, 8, 8, 3}, 0.6) * fade + at::rand({9, 8, 8, 3}) * 0.02), std::string());
    }

    void guidance_combines_in_float32() {
        Conditioning conditioning;
        conditioning.prompt_embeds = at::ones({1, 2, 3});
        conditioning.negative_prompt_embeds = at::zeros({1, 2, 3});
        const Guidance guidance = constant_guidance(conditioning, 5.0);
        QCOMPARE(guidance.branches.size(), std::size_t{2});
        GuidanceState state;
        const Tensor combined = guidance.combine(3, {at::full({1}, 2.0f), at::full({1}, 1.0f)}, state);
        QCOMPARE(combined.item<float>(), 6.0f);
        QCOMPARE(constant_guidance(conditioning, 1.0).branches.size(), std::size_t{1});
    }

    void preview_projects_each_latent_frame() {
        ModelCard card;
        card.latent_rgb_factors = {{1, 0, 0}, {0, 1, 0}};
        card.latent_rgb_bias = {0, 0, 1};
        Tensor latents = at::zeros({1, 2, 3, 4, 5});
        latents.select(1, 0).fill_(1.0);
        const auto frames = latent_preview(latents, card);
        QCOMPARE(frames.size(), std::size_t{3});
        QCOMPARE(frames[0]->width, 5);
        QCOMPARE(frames[0]->height, 4);
        QCOMPARE(int(frames[0]->pixels[0]), 255);
        QCOMPARE(int(frames[0]->pixels[1]), 0);
        QCOMPARE(int(frames[0]->pixels[2]), 255);
    }
};

QTEST_GUILESS_MAIN(TestFrameCheck)
#include "test_frame_check.moc"
