#include <ATen/ATen.h>

#include <QTest>

#include "core/api/error.h"
#include "core/weights/scaled_weights.h"
#include "core/weights/weight_store.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

Tensor fp8(const Tensor& values) {
    return values.to(at::kFloat8_e4m3fn);
}

Tensor bytes_of(const std::string& text) {
    return at::tensor(std::vector<std::uint8_t>(text.begin(), text.end()), at::kByte);
}

/// Returns a file in ComfyUI's layout with float8 weights. `scale_name` is the current or the former name of the scale
/// tensor.
std::shared_ptr<MemoryCheckpoint> scaled_file(const std::string& scale_name, const Tensor& scale) {
    auto file = std::make_shared<MemoryCheckpoint>();
    file->add("q.weight", fp8(at::tensor({1.0F, -2.0F, 448.0F, 0.5F}).view({2, 2})));
    file->add("q.bias", at::ones({2}, at::kHalf));
    file->add("q." + scale_name, scale);
    return file;
}

std::string message_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.message();
    }
    return "";
}

}  // namespace

class TestStoredWeight : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void scales_are_joined_to_their_weights_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("former name") << "scale_weight";
        QTest::newRow("current name") << "weight_scale";
    }
    void scales_are_joined_to_their_weights() {
        QFETCH(QString, name);
        auto file = scaled_file(name.toStdString(), at::scalar_tensor(0.25F));
        file->add("scaled_fp8", fp8(at::zeros({2})));
        file->add("q.scale_input", at::scalar_tensor(1.0F));
        file->add("q.input_scale", at::scalar_tensor(1.0F));
        file->add("q.comfy_quant", bytes_of(R"({"format":"float8_e4m3fn"})"));
        const auto joined = join_scales(file);
        QCOMPARE(joined->entries().size(), std::size_t{2});
        WeightStore store(joined);
        const auto expected = at::tensor({0.25F, -0.5F, 112.0F, 0.125F}).view({2, 2});
        const auto weight = store.take_stored("q.weight", {2, 2});
        QVERIFY(weight.is_quantized());
        QVERIFY(at::equal(weight.dequantize(at::kFloat), expected));
        QVERIFY(at::equal(weight.dequantize(at::kBFloat16), expected.to(at::kBFloat16)));
        QVERIFY(at::equal(weight.rows(at::tensor({1}, at::kLong), at::kFloat), expected.slice(0, 1)));
        QVERIFY(at::equal(store.take("q.weight", {2, 2}), expected));
        store.take("q.bias", {2});
        store.finish();
        QVERIFY(store.unused().empty());
    }

    void scales_per_row_are_supported() {
        const auto joined = join_scales(scaled_file("weight_scale", at::tensor({2.0F, 10.0F})));
        WeightStore store(joined);
        const auto weight = store.take_stored("q.weight", {2, 2});
        const auto expected = at::tensor({2.0F, -4.0F, 4480.0F, 5.0F}).view({2, 2});
        QVERIFY(at::equal(weight.dequantize(at::kFloat), expected));
        QVERIFY(at::equal(weight.rows(at::tensor({1, 0}, at::kLong), at::kFloat), expected.flip(0)));
    }

    void other_formats_are_refused_by_name() {
        auto file = scaled_file("weight_scale", at::scalar_tensor(1.0F));
        file->add("q.comfy_quant", bytes_of(R"({"format":"nvfp4"})"));
        QVERIFY(message_of([&] { join_scales(file); }).find("nvfp4") != std::string::npos);
    }

    /// These files have no float8 weights.
    void other_formats_than_float8_are_refused_by_name() {
        auto by_layer = std::make_shared<MemoryCheckpoint>();
        by_layer->add("q.weight", at::ones({2, 2}, at::kChar));
        by_layer->add("q.weight_scale", at::scalar_tensor(0.5F));
        by_layer->add("q.comfy_quant", bytes_of(R"({"format":"int8_tensorwise"})"));
        QVERIFY(message_of([&] { join_scales(by_layer); }).find("int8_tensorwise") != std::string::npos);
    }

    void scales_of_other_shapes_or_names_are_refused_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QList<qint64>>("shape");
        QTest::addColumn<QString>("words");
        const QString shape = "not a valid scale for 'q.weight'", name = "in a way that is not supported";
        QTest::newRow("more than one per row") << "weight_scale" << QList<qint64>{3} << shape;
        QTest::newRow("one per column") << "weight_scale" << QList<qint64>{1, 2} << shape;
        QTest::newRow("one per column, former name") << "scale_weight" << QList<qint64>{1, 2} << shape;
        QTest::newRow("inverse of blocks") << "weight_scale_inv" << QList<qint64>{1, 1} << name;
        QTest::newRow("short name") << "scale" << QList<qint64>{} << name;
        QTest::newRow("below the weight") << "weight.scale" << QList<qint64>{} << name;
    }
    void scales_of_other_shapes_or_names_are_refused() {
        QFETCH(QString, name);
        QFETCH(QList<qint64>, shape);
        QFETCH(QString, words);
        const auto file =
            scaled_file(name.toStdString(), at::ones(std::vector<std::int64_t>(shape.begin(), shape.end())));
        const QString message = QString::fromStdString(message_of([&] { join_scales(file); }));
        QVERIFY2(message.contains(words), qPrintable(message));
    }

    void scales_per_row_may_have_the_axes_of_the_weight() {
        WeightStore store(join_scales(scaled_file("weight_scale", at::tensor({2.0F, 10.0F}).view({2, 1}))));
        const auto expected = at::tensor({2.0F, -4.0F, 4480.0F, 5.0F}).view({2, 2});
        QVERIFY(at::equal(store.take("q.weight", {2, 2}), expected));
    }

    void a_file_without_float8_does_not_change() {
        auto file = std::make_shared<MemoryCheckpoint>();
        file->add("q.weight", at::ones({2}));
        file->add("q.weight_scale", at::ones({2}));
        QCOMPARE(join_scales(file).get(), static_cast<const CheckpointReader*>(file.get()));
    }

    void non_finite_weights_are_named() {
        for (const auto& [dtype, bad] : {std::pair{at::kFloat8_e4m3fn, 0xFF}, std::pair{at::kFloat8_e5m2, 0x7C},
                                         std::pair{at::kFloat8_e5m2, 0xFE}}) {
            auto bytes = at::zeros({2, 2}, at::kByte);
            bytes[1][0] = bad;
            auto file = std::make_shared<MemoryCheckpoint>();
            file->add("blocks.3.q.weight", bytes.view(dtype));
            WeightStore store(join_scales(file));
            store.take_stored("blocks.3.q.weight", {2, 2});
            const auto message = message_of([&] { store.finish(); });
            QVERIFY2(message.find("blocks.3.q.weight: 1 NaN or infinite value in float8") != std::string::npos,
                     message.c_str());
        }
        auto largest = at::full({2, 2}, 0x7E, at::kByte).view(at::kFloat8_e4m3fn);
        QVERIFY(!find_damage(plain_weight(largest)).any());
    }

    void invalid_scales_are_reported() {
        for (const auto& [scale, found] : {std::pair{NAN, "q.weight: 1 NaN or infinite scale in float8_e4m3fn"},
                                           std::pair{0.0F, "q.weight: 1 zero or negative scale in float8_e4m3fn"},
                                           std::pair{-2.0F, "q.weight: 1 zero or negative scale in float8_e4m3fn"}}) {
            WeightStore store(join_scales(scaled_file("scale_weight", at::scalar_tensor(scale))));
            store.take_stored("q.weight", {2, 2});
            const auto message = message_of([&] { store.finish(); });
            QVERIFY2(message.find(found) != std::string::npos, message.c_str());
        }
    }

    void a_row_of_zeros_may_have_a_scale_of_zero_data() {
        QTest::addColumn<float>("scale");
        QTest::addColumn<bool>("is_per_row");
        QTest::addColumn<float>("value");
        QTest::addColumn<int>("bad");
        QTest::newRow("zeros") << 0.0F << true << 0.0F << 0;
        QTest::newRow("negative zeros") << 0.0F << true << -0.0F << 0;
        QTest::newRow("a value") << 0.0F << true << 2.0F << 1;
        QTest::newRow("negative scale of zeros") << -1.0F << true << 0.0F << 1;
        QTest::newRow("one scale, zeros") << 0.0F << false << 0.0F << 0;
        QTest::newRow("one scale, a value") << 0.0F << false << 2.0F << 1;
    }
    void a_row_of_zeros_may_have_a_scale_of_zero() {
        QFETCH(float, scale);
        QFETCH(bool, is_per_row);
        QFETCH(float, value);
        QFETCH(int, bad);
        const auto other = is_per_row ? 1.0F : 0.0F;
        StoredWeight weight = plain_weight(at::tensor({0.0F, value, other, other}).view({2, 2}).to(at::kFloat8_e4m3fn));
        weight.scale = is_per_row ? at::tensor({scale, 1.0F}).view({2, 1}) : at::scalar_tensor(scale);
        QCOMPARE(find_damage(weight).bad_scales, std::int64_t{bad});
        QVERIFY(weight.dequantize(at::kFloat).isfinite().all().item<bool>());
    }

    void fp8_quantization_uses_the_whole_range() {
        const auto values = at::tensor({-3.0e4F, 1.0e4F, 0.0F, 7.0F}).view({2, 2});
        const auto stored = quantize_fp8(values);
        QCOMPARE(stored.data.scalar_type(), at::kFloat8_e4m3fn);
        QVERIFY(!find_damage(stored).any());
        const auto error = (stored.dequantize(at::kFloat) - values).abs();
        QVERIFY((error <= values.abs() / 16 + 0.2F).all().item<bool>());
        QCOMPARE(stored.dequantize(at::kFloat).min().item<float>(), -3.0e4F);
        QVERIFY(at::equal(quantize_fp8(at::zeros({2, 2})).dequantize(at::kFloat), at::zeros({2, 2})));
    }

    void integers_are_refused() {
        auto file = std::make_shared<MemoryCheckpoint>();
        file->add("q.weight", at::ones({2, 2}, at::kChar));
        WeightStore store(file);
        QVERIFY(!store.take_stored("q.weight", {2, 2}).defined());
        QVERIFY(message_of([&] { store.finish(); }).find("is stored as int8, which is not supported") !=
                std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestStoredWeight)
#include "test_stored_weight.moc"
