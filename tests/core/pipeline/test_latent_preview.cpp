#include <QtTest>

#include "core/models/cogvideox/preview.h"
#include "core/models/ltx/preview.h"
#include "core/models/model_family.h"
#include "core/models/preview_colors.h"
#include "core/pipeline/latent_preview.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

class TestLatentPreview : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_family_has_a_color_preview_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("vae");
        QTest::addColumn<int>("channels");
        QTest::newRow("Wan 2.1") << "wan_t2v/model"
                                 << "" << 16;
        QTest::newRow("Wan 2.2 5B") << "wan_variants/ti2v_t2v/model"
                                    << "wan_variants/common/vae_16x" << 48;
        QTest::newRow("Stable Video Diffusion") << "svd/model"
                                                << "" << 4;
    }
    void every_family_has_a_color_preview() {
        QFETCH(QString, model);
        QFETCH(QString, vae);
        QFETCH(int, channels);
        auto files = read_model_files(test_data(model.toStdString()));
        if (!vae.isEmpty()) files.replace("vae", test_data(vae.toStdString()));
        const auto card = find_family(files).card(files);
        QCOMPARE(static_cast<int>(card.latent_rgb_factors.size()), channels);
        at::manual_seed(1);
        const auto frame = latent_preview(at::randn({1, channels, 1, 1, 1}), card).at(0);
        QVERIFY(frame->pixels[0] != frame->pixels[1] || frame->pixels[1] != frame->pixels[2]);
    }

    // The tiny VAE has 4 channels; the card's projection is for the 16 channels of the published VAE.
    void cogvideox_has_a_color_preview() {
        ModelCard card;
        cogvideox::VaeConfig vae;
        vae.latent_channels = 16;
        cogvideox::describe_preview(vae, card);
        QCOMPARE(card.latent_rgb_factors.size(), std::size_t{16});
    }

    // The tiny VAEs have 8 channels; the published ones 128.
    void ltx_shows_colors() {
        ModelCard card;
        ltx::VaeConfig vae;
        vae.latent_channels = 8;
        ltx::describe_preview(vae, card);
        QVERIFY(card.latent_rgb_factors.empty());
        vae.latent_channels = 128;
        ltx::describe_preview(vae, card);
        QCOMPARE(card.latent_rgb_factors.size(), std::size_t{128});
        const auto frame = latent_preview(at::zeros({1, 128, 1, 1, 1}), card).at(0);
        QVERIFY((frame->pixels == std::vector<std::uint8_t>{120, 106, 95}));
    }

    void colors_from_minus_one_to_one_become_bytes() {
        ModelCard card;
        const std::array<Color, 2> factors{{{1, 0, 0}, {0, -0.5, 0}}};
        set_preview_colors({.factors = factors, .bias = {0, 0.5, -1}}, card);
        const auto frame = latent_preview(at::tensor({1.0F, 1.0F}).view({1, 2, 1, 1, 1}), card).at(0);
        QVERIFY((frame->pixels == std::vector<std::uint8_t>{255, 128, 0}));
    }

    void without_a_projection_the_preview_is_gray() {
        const auto frame = latent_preview(at::ones({1, 5, 1, 1, 1}), {}).at(0);
        QVERIFY((frame->pixels == std::vector<std::uint8_t>{191, 191, 191}));
    }
};

QTEST_APPLESS_MAIN(TestLatentPreview)
#include "test_latent_preview.moc"
