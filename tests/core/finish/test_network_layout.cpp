#include <QTest>

#include "core/finish/network_layout.h"
#include "finish_fixture.h"
#include "tests/core/media/media_fixtures.h"

using namespace kinescope;
using namespace kinescope::test;
using kinescope::testing::MemoryCheckpoint;

namespace {

using Names = std::vector<std::pair<const char*, std::vector<std::int64_t>>>;

MemoryCheckpoint checkpoint_of(const Names& names, const std::string& prefix = {}) {
    MemoryCheckpoint checkpoint;
    for (const auto& [name, shape] : names) checkpoint.add(prefix + name, at::zeros(shape));
    return checkpoint;
}

const Names kCompact = {{"body.0.weight", {8, 3, 3, 3}},
                        {"body.1.weight", {8}},
                        {"body.2.weight", {8, 8, 3, 3}},
                        {"body.3.weight", {8}},
                        {"body.4.weight", {12, 8, 3, 3}}};

const Names kBsrgan = {{"conv_first.weight", {8, 3, 3, 3}}, {"RRDB_trunk.0.RDB1.conv1.weight", {32, 8, 3, 3}},
                       {"trunk_conv.weight", {8, 8, 3, 3}}, {"upconv1.weight", {8, 8, 3, 3}},
                       {"HRconv.weight", {8, 8, 3, 3}},     {"conv_last.weight", {3, 8, 3, 3}}};

}  // namespace

class TestNetworkLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wrappers_of_training_programs_are_found_data() {
        QTest::addColumn<QString>("prefix");
        for (const char* prefix : {"", "params.", "params_ema.", "params-ema.", "module.", "netG.",
                                   "state_dict.module.", "model_state_dict."})
            QTest::newRow(*prefix ? prefix : "none") << prefix;
    }
    void wrappers_of_training_programs_are_found() {
        QFETCH(QString, prefix);
        const auto layout = recognize_network(checkpoint_of(kCompact, prefix.toStdString()), NetworkUse::upscale);
        QCOMPARE(describe(layout), std::string("SRVGGNetCompact x2, 3 convolutions"));
        QCOMPARE(std::get<CompactLayout>(layout).prefix, prefix.toStdString());
    }

    void the_averaged_weights_are_preferred() {
        MemoryCheckpoint both = checkpoint_of(kCompact, "params.");
        for (const auto& [name, shape] : kCompact) both.add(std::string("params_ema.") + name, at::zeros(shape));
        const auto layout = recognize_network(both, NetworkUse::upscale);
        QCOMPARE(std::get<CompactLayout>(layout).prefix, std::string("params_ema."));
    }

    void bsrgan_names_are_known() {
        const auto layout = std::get<RrdbLayout>(recognize_network(checkpoint_of(kBsrgan), NetworkUse::upscale));
        QVERIFY(layout.naming == RrdbNaming::bsrgan);
        QCOMPARE(layout.scale(), 2);
        QCOMPARE(layout.num_blocks, 1);
    }

    void other_networks_are_named_data() {
        QTest::addColumn<QString>("tensor");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* tensor, const char* words) { QTest::newRow(words) << tensor << words; };
        row("layers.0.residual_group.blocks.0.attn.relative_position_bias_table", "SwinIR");
        row("layers.0.residual_group.overlap_attn.qkv.weight", "HAT");
        row("layers.0.blocks.0.attn.attns.0.pos.pos1.0.weight", "DAT");
        row("block_1.c1_r.sk.weight", "SPAN");
        row("block0.conv0.0.0.weight", "RIFE 4.0 to 4.6");
        row("model.diffusion_model.blocks.0.weight", "a diffusion model");
        row("some.weight", "an unknown network");
    }
    void other_networks_are_named() {
        QFETCH(QString, tensor);
        QFETCH(QString, words);
        MemoryCheckpoint checkpoint;
        checkpoint.add(tensor.toStdString(), at::zeros({4, 4}));
        for (const NetworkUse use : {NetworkUse::upscale, NetworkUse::interpolate}) {
            const Error error = thrown_by([&] { recognize_network(checkpoint, use); });
            QCOMPARE(error.code(), ErrorCode::unsupported);
            QVERIFY2(QString::fromStdString(error.message()).contains(words), error.what());
        }
    }

    void the_other_use_is_refused() {
        const auto rife = open_checkpoint(finish_data("mean_rife.safetensors"));
        const Error error = thrown_by([&] { recognize_network(*rife, NetworkUse::upscale); });
        QCOMPARE(error.code(), ErrorCode::unsupported);
        QVERIFY2(error.message().find("an interpolator (RIFE with 5 blocks)") != std::string::npos, error.what());
        const MemoryCheckpoint compact = checkpoint_of(kCompact);
        const Error other = thrown_by([&] { recognize_network(compact, NetworkUse::interpolate); });
        QVERIFY2(other.message().find("an upscaler (SRVGGNetCompact x2") != std::string::npos, other.what());
    }

    void a_block_passes_enough_channels_data() {
        QTest::addColumn<int>("block");
        QTest::addColumn<bool>("is_refused");
        QTest::newRow("the first") << 0 << true;
        QTest::newRow("one between") << 1 << true;
        QTest::newRow("the last, which passes nothing on") << 2 << false;
    }
    void a_block_passes_enough_channels() {
        QFETCH(int, block);
        QFETCH(bool, is_refused);
        // Between blocks: two frames, 2 x 4 features, time, mask, flow, and 8 passed channels.
        MemoryCheckpoint checkpoint = checkpoint_of({{"encode.cnn0.weight", {16, 3, 3, 3}},
                                                     {"encode.cnn3.weight", {16, 4, 4, 4}},
                                                     {"block1.conv0.0.0.weight", {8, 28, 3, 3}}});
        for (int index = 0; index < 3; ++index)
            checkpoint.add("block" + std::to_string(index) + ".lastconv.0.weight",
                           at::zeros({16, index == block ? 4 * 12 : 4 * 13, 4, 4}));
        const auto error = testing::error_of([&] { recognize_network(checkpoint, NetworkUse::interpolate); });
        QVERIFY2(error.has_value() == is_refused, error ? error->what() : "");
        if (!error) return;
        QCOMPARE(error->code(), ErrorCode::wrong_shape);
        const std::string name = "block" + std::to_string(block) + ".lastconv.0.weight";
        QVERIFY2(error->message().find(name) != std::string::npos, error->what());
    }

    void hostile_shapes_are_refused_data() {
        QTest::addColumn<int>("index");
        QTest::addColumn<QList<int>>("shape");
        QTest::newRow("too many channels") << 0 << QList<int>{70000, 3, 3, 3};
        QTest::newRow("no axes") << 0 << QList<int>{};
        QTest::newRow("not a square") << 4 << QList<int>{13, 8, 3, 3};
        QTest::newRow("enlarges by 16") << 4 << QList<int>{768, 8, 3, 3};
        QTest::newRow("empty") << 4 << QList<int>{0, 8, 3, 3};
    }
    void hostile_shapes_are_refused() {
        QFETCH(int, index);
        QFETCH(QList<int>, shape);
        Names names = kCompact;
        names[static_cast<std::size_t>(index)].second.assign(shape.begin(), shape.end());
        const MemoryCheckpoint checkpoint = checkpoint_of(names);
        const Error error = thrown_by([&] { recognize_network(checkpoint, NetworkUse::upscale); });
        QCOMPARE(error.code(), ErrorCode::wrong_shape);
    }
};

QTEST_GUILESS_MAIN(TestNetworkLayout)
#include "test_network_layout.moc"
