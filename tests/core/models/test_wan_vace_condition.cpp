#include <ATen/ATen.h>

#include <QtTest>

#include "core/models/wan/config.h"
#include "core/models/wan/key_map.h"
#include "core/models/wan/vace_condition.h"

using namespace kinescope;
using namespace kinescope::wan;

class TestWanVaceCondition : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_size_of_a_control_video_is_that_of_the_reference_data() {
        QTest::addColumn<QSize>("video");
        QTest::addColumn<QSize>("asked");
        QTest::addColumn<QSize>("size");
        QTest::newRow("golden case") << QSize(60, 40) << QSize(48, 32) << QSize(32, 32);
        QTest::newRow("same") << QSize(48, 32) << QSize(48, 32) << QSize(48, 32);
        QTest::newRow("smaller stays") << QSize(100, 60) << QSize(832, 480) << QSize(96, 48);
        QTest::newRow("full HD") << QSize(1920, 1080) << QSize(832, 480) << QSize(832, 464);
        QTest::newRow("upright") << QSize(1080, 1920) << QSize(832, 480) << QSize(256, 480);
    }
    void the_size_of_a_control_video_is_that_of_the_reference() {
        QFETCH(QSize, video);
        QFETCH(QSize, asked);
        QFETCH(QSize, size);
        const Size result =
            reference_control_size({video.width(), video.height()}, {asked.width(), asked.height()}, 8, 16);
        QCOMPARE(QSize(result.width, result.height), size);
    }

    void a_tiny_control_video_is_refused() {
        QVERIFY_THROWS_EXCEPTION(Error, reference_control_size({15, 40}, {48, 32}, 8, 16));
    }

    void mask_blocks_become_channels() {
        Tensor mask = at::zeros({9, 16, 8});
        mask[4][8 + 3][5] = 1;  // frame 4, second block row, row 3 and column 5 in the block
        mask[0].fill_(1);       // not chosen: latent frames take the frames 1, 4 and 7
        const Tensor channels = mask_channels(mask, 8, 3);
        QCOMPARE(channels.sizes().vec(), (std::vector<std::int64_t>{1, 64, 3, 2, 1}));
        QCOMPARE(channels.sum().item<float>(), 1.0f);
        QCOMPARE(channels[0][3 * 8 + 5][1][1][0].item<float>(), 1.0f);
    }

    void a_reference_picture_stands_in_the_middle_of_white() {
        const Tensor picture = at::zeros({52, 70, 3}, at::kByte);
        const Tensor canvas = reference_canvas(picture, {48, 32}, 8);
        QCOMPARE(canvas.sizes().vec(), (std::vector<std::int64_t>{32, 48, 3}));
        QCOMPARE(canvas[10][2][0].item<float>(), 1.0f);  // 42 x 32 in 48 x 32: 3 columns on each side
        QCOMPARE(canvas[10][3][0].item<float>(), -1.0f);
        QCOMPARE(canvas[10][44][0].item<float>(), -1.0f);
        QCOMPARE(canvas[10][45][0].item<float>(), 1.0f);
    }

    void the_original_names_are_mapped_data() {
        QTest::addColumn<QByteArray>("stored");
        QTest::addColumn<QByteArray>("canonical");
        QTest::newRow("query") << QByteArray("vace_blocks.7.self_attn.q.weight")
                               << QByteArray("vace_blocks.7.attn1.to_q.weight");
        QTest::newRow("text norm") << QByteArray("vace_blocks.0.cross_attn.norm_k.weight")
                                   << QByteArray("vace_blocks.0.attn2.norm_k.weight");
        QTest::newRow("norm") << QByteArray("vace_blocks.0.norm3.bias") << QByteArray("vace_blocks.0.norm2.bias");
        QTest::newRow("modulation") << QByteArray("vace_blocks.1.modulation")
                                    << QByteArray("vace_blocks.1.scale_shift_table");
        QTest::newRow("in") << QByteArray("vace_blocks.0.before_proj.bias") << QByteArray("vace_blocks.0.proj_in.bias");
        QTest::newRow("out") << QByteArray("vace_blocks.2.after_proj.weight")
                             << QByteArray("vace_blocks.2.proj_out.weight");
        QTest::newRow("main block") << QByteArray("blocks.2.ffn.0.weight")
                                    << QByteArray("blocks.2.ffn.net.0.proj.weight");
        QTest::newRow("embedding") << QByteArray("vace_patch_embedding.weight")
                                   << QByteArray("vace_patch_embedding.weight");
    }
    void the_original_names_are_mapped() {
        QFETCH(QByteArray, stored);
        QFETCH(QByteArray, canonical);
        const auto mapped = map_name(transformer_keys(), stored.toStdString());
        QCOMPARE(mapped.size(), std::size_t{1});
        QCOMPARE(QByteArray::fromStdString(mapped.front().name), canonical);
    }

    void invalid_vace_layers_are_refused_data() {
        QTest::addColumn<QByteArray>("layers");
        QTest::newRow("without 0") << QByteArray("[1, 2]");
        QTest::newRow("descending") << QByteArray("[0, 2, 1]");
        QTest::newRow("twice") << QByteArray("[0, 0]");
        QTest::newRow("too large") << QByteArray("[0, 4]");
        QTest::newRow("text") << QByteArray("\"all\"");
    }
    void invalid_vace_layers_are_refused() {
        QFETCH(QByteArray, layers);
        const Json config = parse_json("{\"num_layers\": 4, \"vace_layers\": " + layers.toStdString() + "}");
        QVERIFY_THROWS_EXCEPTION(Error, read_transformer_config(config, "config.json"));
    }
};

QTEST_GUILESS_MAIN(TestWanVaceCondition)
#include "test_wan_vace_condition.moc"
