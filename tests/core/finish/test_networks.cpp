#include <ATen/Parallel.h>

#include <QTemporaryDir>
#include <QTest>

#include "core/finish/interpolator.h"
#include "core/finish/tiled_upscaler.h"
#include "core/weights/formats/safetensors_writer.h"
#include "finish_fixture.h"
#include "tests/core/media/media_fixtures.h"

using namespace kinescope;
using namespace kinescope::test;
using kinescope::testing::relative_error;

namespace {

constexpr double kFramesDb = 100;
constexpr double kFlowError = 3e-5;

void nothing() {}

/// Fields of the cases that the tests use.
struct UpscaleCase {
    const char* name;
    const char* model;
    const char* kind;
    int scale;
};

/// Writes the weights of a RIFE file with the names of ComfyUI's files: "blocks.0" instead of "block0".
void write_with_comfy_names(const std::filesystem::path& from, const std::filesystem::path& to) {
    const auto source = open_checkpoint(from);
    std::map<std::string, Tensor> tensors;
    for (const TensorEntry& entry : source->entries()) {
        std::string name = entry.name;
        if (name.starts_with("block")) name.insert(5, "s.");
        tensors[name] = source->read(entry.name);
    }
    write_safetensors(to, tensors);
}

std::shared_ptr<const CheckpointReader> expected(const QString& name) {
    return open_checkpoint(finish_data(name.toStdString() + "/expected.safetensors"));
}

}  // namespace

class TestNetworks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }  // more threads only wait in pictures of this size

    void an_upscaler_equals_the_reference_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("scale");
        for (const UpscaleCase& one : {UpscaleCase{"esrgan_x4", "4x_tiny.pth", "ESRGAN x4, 2 blocks", 4},
                                       UpscaleCase{"realesrgan_x2", "RealESRGAN_x2_tiny.pth", "ESRGAN x2, 1 blocks", 2},
                                       UpscaleCase{"compact_x4", "realesr_compact_x4_tiny.safetensors",
                                                   "SRVGGNetCompact x4, 6 convolutions", 4}})
            QTest::newRow(one.name) << one.name << one.model << one.kind << one.scale;
    }
    void an_upscaler_equals_the_reference() {
        QFETCH(QString, name);
        QFETCH(QString, model);
        QFETCH(QString, kind);
        QFETCH(int, scale);
        const auto loaded = load_upscaler(finish_data((name + "/model/" + model).toStdString()), {});
        QCOMPARE(QString::fromStdString(describe(loaded.layout)), kind);
        QCOMPARE(loaded.network->scale(), scale);
        const auto reference = expected(name);
        TiledUpscaler upscaler(loaded.network, at::kCPU, {.tile = 512, .overlap = 32});
        const Tensor output = upscaler.enlarge(nhwc(reference->read("image")), nothing);
        const double db = psnr_db(nchw(output), reference->read("output"));
        QVERIFY2(db >= kFramesDb, qPrintable(QString("%1 dB").arg(db)));
    }

    void tiles_equal_the_reference() {
        const auto loaded = load_upscaler(finish_data("compact_x4/model/realesr_compact_x4_tiny.safetensors"), {});
        const auto reference = expected("compact_x4");
        TiledUpscaler upscaler(loaded.network, at::kCPU, {.tile = 16, .overlap = 4});
        int tiles = 0;
        const Tensor output = upscaler.enlarge(nhwc(reference->read("image")), [&] { ++tiles; });
        QCOMPARE(tiles, 6);  // 3 x 2 tiles of 30 x 21 px
        const double db = psnr_db(nchw(output), reference->read("output_tiled"));
        QVERIFY2(db >= kFramesDb, qPrintable(QString("%1 dB").arg(db)));
        QVERIFY(upscaler.tile_difference() > 0);
    }

    void the_tiles_of_a_network_that_sees_one_pixel_have_no_seams() {
        const auto loaded = load_upscaler(finish_data("nearest_x2.safetensors"), {});
        TiledUpscaler upscaler(loaded.network, at::kCPU, {.tile = 64, .overlap = 16});
        const Tensor picture = at::rand({1, 131, 90, 3});
        const Tensor output = upscaler.enlarge(picture, nothing);
        QVERIFY(at::allclose(output, picture.repeat_interleave(2, 1).repeat_interleave(2, 2), 1e-6, 1e-6));
        QVERIFY(upscaler.tile_difference() < 1e-6);
    }

    void pictures_of_any_size_are_enlarged_data() {
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("width");
        for (const auto& [height, width] : {std::pair{1, 1}, {1, 7}, {2, 2}, {3, 5}, {5, 130}})
            QTest::addRow("%dx%d", width, height) << height << width;
    }
    void pictures_of_any_size_are_enlarged() {
        QFETCH(int, height);
        QFETCH(int, width);
        for (const char* file : {"realesrgan_x2/model/RealESRGAN_x2_tiny.pth", "nearest_x2.safetensors"}) {
            TiledUpscaler upscaler(load_upscaler(finish_data(file), {}).network, at::kCPU, {});
            const Tensor output = upscaler.enlarge(at::rand({1, height, width, 3}), nothing);
            QCOMPARE(output.sizes().vec(), (std::vector<std::int64_t>{1, 2 * height, 2 * width, 3}));
            QVERIFY(at::isfinite(output).all().item<bool>());
        }
    }

    void infinity_is_not_hidden_by_the_clamp() {
        TiledUpscaler upscaler(load_upscaler(finish_data("overflow_x2.safetensors"), {}).network, at::kCPU, {});
        QVERIFY(!at::isfinite(upscaler.enlarge(at::ones({1, 8, 8, 3}), nothing)).any().item<bool>());
    }

    void an_interpolator_equals_the_reference_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QList<double>>("times");
        QTest::newRow("4.25") << "rife425"
                              << "RIFE with 5 blocks" << QList<double>{0.5, 0.25};
        QTest::newRow("4.9") << "rife49"
                             << "RIFE with 4 blocks" << QList<double>{0.5};
    }
    void an_interpolator_equals_the_reference() {
        QFETCH(QString, name);
        QFETCH(QString, kind);
        QFETCH(QList<double>, times);
        const std::string folder = name.toStdString();
        const auto loaded = load_interpolator(finish_data(folder + "/model/" + folder + ".pth"), {});
        QCOMPARE(QString::fromStdString(describe(loaded.layout)), kind);
        Interpolator interpolator(loaded.network, at::kCPU);
        for (const char* frame : {"/0.png", "/1.png"})
            interpolator.push(nchw(picture_of(read_image(finish_data(folder + frame)))));
        const auto reference = expected(name);
        const Tensor frames = reference->read("frames");
        for (int i = 0; i < times.size(); ++i) {
            FlowState last;
            const Tensor made = interpolator.at(times[i], [&](int, const FlowState& state) { last = state; });
            const double db = psnr_db(nhwc(made).squeeze(0), frames[i]);
            QVERIFY2(db >= kFramesDb, qPrintable(QString("%1 dB at %2").arg(db).arg(times[i])));
            if (i > 0) continue;
            const std::string block = std::to_string(std::get<RifeLayout>(loaded.layout).blocks.size() - 1);
            QVERIFY(relative_error(last.flow, reference->read("flow_" + block)) <= kFlowError);
            QVERIFY(relative_error(last.mask, reference->read("mask_" + block)) <= kFlowError);
        }
    }

    void comfyui_names_of_blocks_are_known() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("rife_v4.26.safetensors").toStdString();
        const std::filesystem::path original = finish_data("rife425/model/rife425.pth");
        write_with_comfy_names(original, file);
        std::vector<Tensor> frames;
        for (const auto& each : {original, file}) {
            Interpolator interpolator(load_interpolator(each, {}).network, at::kCPU);
            for (const char* frame : {"rife425/0.png", "rife425/1.png"})
                interpolator.push(nchw(picture_of(read_image(finish_data(frame)))));
            frames.push_back(interpolator.at(0.5, [](int, const FlowState&) {}));
        }
        QVERIFY(at::equal(frames[0], frames[1]));
    }

    void a_network_without_weights_returns_the_mean_of_both_frames() {
        Interpolator interpolator(load_interpolator(finish_data("mean_rife.safetensors"), {}).network, at::kCPU);
        const Tensor a = at::rand({1, 3, 50, 70});
        const Tensor b = at::rand({1, 3, 50, 70});
        interpolator.push(a);
        interpolator.push(b);
        const Tensor middle = interpolator.at(0.5, [](int, const FlowState&) {});
        QVERIFY(at::allclose(middle, (a + b) / 2, 1e-5, 1e-5));
    }

    void large_frames_are_interpolated_at_half_the_scale() {
        QCOMPARE(rife_scale_factor(2048, 1080), 1.0);
        QCOMPARE(rife_scale_factor(1080, 3840), 0.5);
        const auto network = load_interpolator(finish_data("mean_rife.safetensors"), {}).network;
        QCOMPARE(network->multiple(1.0), 64);
        QCOMPARE(network->multiple(0.5), 128);
        Interpolator interpolator(network, at::kCPU);
        interpolator.push(at::rand({1, 3, 30, 2050}));
        interpolator.push(at::rand({1, 3, 30, 2050}));
        QCOMPARE(interpolator.at(0.5, [](int, const FlowState&) {}).sizes().vec(),
                 (std::vector<std::int64_t>{1, 3, 30, 2050}));
    }

    void a_damaged_file_is_refused() {
        QCOMPARE(thrown_by([] { load_upscaler(finish_data("nan_x2.safetensors"), {}); }).code(), ErrorCode::not_finite);
    }
};

QTEST_GUILESS_MAIN(TestNetworks)
#include "test_networks.moc"
