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
    void good_frames_pass_and_are_numbered_on() {
        FrameCheck check;
        QCOMPARE(check.add(at::rand({2, 4, 4, 3}))[1].index, 1);
        QCOMPARE(check.add(at::rand({1, 4, 4, 3}))[0].index, 2);
        check.finish(Evidence::none);
    }

    void a_value_that_is_not_finite_stops_the_video() {
        Tensor frames = at::rand({2, 4, 4, 3});
        frames[1][2][3][0] = std::numeric_limits<float>::quiet_NaN();
        FrameCheck check;
        try {
            check.add(frames);
            QFAIL("no error");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::not_finite);
            QVERIFY(error.message().find("frame 2") != std::string::npos);
        }
    }

    void exact_black_is_an_error() {
        FrameCheck check;
        QVERIFY(check.add(at::zeros({9, 8, 8, 3}))[0].black);
        QVERIFY_EXCEPTION_THROWN(check.finish(Evidence::none), Error);
    }

    void one_exact_grey_is_an_error() {
        FrameCheck check;
        check.add(at::full({9, 8, 8, 3}, 0.5));
        QVERIFY_EXCEPTION_THROWN(check.finish(Evidence::none), Error);
    }

    void a_night_scene_is_not() {
        FrameCheck check;
        check.add(at::rand({9, 8, 8, 3}) * 0.005);
        check.finish(Evidence::none);
    }

    void a_fade_to_black_is_not() {
        FrameCheck check;
        check.add(at::rand({5, 8, 8, 3}));
        check.add(at::zeros({4, 8, 8, 3}));
        check.finish(Evidence::none);
    }

    void guidance_combines_in_float32() {
        Conditioning conditioning;
        conditioning.prompt_embeds = at::ones({1, 2, 3});
        conditioning.negative_prompt_embeds = at::zeros({1, 2, 3});
        const Guidance guidance = constant_guidance(conditioning, 5.0);
        QCOMPARE(guidance.branches.size(), std::size_t{2});
        const Tensor combined = guidance.combine(3, {at::full({1}, 2.0f), at::full({1}, 1.0f)});
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
