#include <ATen/ATen.h>

#include <QTest>
#include <algorithm>

#include "core/api/error.h"
#include "core/weights/key_map.h"
#include "core/weights/scaled_weights.h"
#include "core/weights/stored_weight.h"
#include "tests/support/golden.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

const KeyMap kMap{.naming = "a test's names",
                  .prefix = "model.",
                  .rules = {{"blocks.*.attn.q", "layers.*.to_q"},
                            {"blocks.*.attn", "layers.*.attention"},
                            {"blocks.*.qkv", "layers.*.q", {.of = 3, .take = {0}}},
                            {"blocks.*.qkv", "layers.*.kv", {.of = 3, .take = {2, 1}}},
                            {"loss", ""},
                            {"proj", "projection.weight", {.form = TensorForm::transposed}},
                            {"pos", "positions", {.form = TensorForm::squeezed}},
                            {"mid.*.sub.*", "m.*.s.*"}}};

std::vector<std::string> names(const std::string& stored) {
    std::vector<std::string> result;
    for (const auto& mapped : map_name(kMap, stored)) result.push_back(mapped.name);
    return result;
}

std::shared_ptr<MemoryCheckpoint> checkpoint(std::initializer_list<std::pair<std::string, Tensor>> tensors) {
    auto result = std::make_shared<MemoryCheckpoint>();
    for (const auto& [name, tensor] : tensors) result->add(name, tensor);
    return result;
}

}  // namespace

class TestKeyMap : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_piece_of_a_float8_weight_has_the_scales_of_its_rows() {
        const auto weight = at::tensor({1.0F, 2.0F, 4.0F}).reshape({3, 1}).to(at::kFloat8_e4m3fn);
        const auto stored = join_scales(checkpoint(
            {{"qkv.weight", weight}, {"qkv.scale_weight", at::tensor({1.0F, 10.0F, 100.0F}).reshape({3, 1})}}));
        const KeyMap map{.naming = "a test's names", .rules = {{"qkv.weight", "k.weight", {.of = 3, .take = {1}}}}};
        const auto entry = MappedReader(stored, map).entries().at(0);
        QVERIFY(at::equal(entry.scale.flatten(), at::tensor({10.0F})));
    }

    void names_are_mapped_data() {
        QTest::addColumn<QString>("stored");
        QTest::addColumn<QStringList>("canonical");
        QTest::newRow("by number") << "model.blocks.12.attn.q.weight" << QStringList{"layers.12.to_q.weight"};
        QTest::newRow("the rest is kept")
            << "model.blocks.0.attn.q.scale_weight" << QStringList{"layers.0.to_q.scale_weight"};
        QTest::newRow("first rule wins") << "model.blocks.0.attn.norm_q" << QStringList{"layers.0.attention.norm_q"};
        QTest::newRow("whole segments only") << "model.blocks.0.attnx.q" << QStringList{"blocks.0.attnx.q"};
        QTest::newRow("a number, not a word") << "model.blocks.a.attn.q" << QStringList{"blocks.a.attn.q"};
        QTest::newRow("fused") << "model.blocks.3.qkv.bias" << QStringList{"layers.3.q.bias", "layers.3.kv.bias"};
        QTest::newRow("dropped") << "model.loss.logvar" << QStringList{};
        QTest::newRow("of another component") << "vae.blocks.0.attn.q" << QStringList{};
        QTest::newRow("unknown names are kept") << "model.extra.weight" << QStringList{"extra.weight"};
        QTest::newRow("two numbers") << "model.mid.4.sub.7.bias" << QStringList{"m.4.s.7.bias"};
        QTest::newRow("shorter than the pattern") << "model.blocks.0" << QStringList{"blocks.0"};
    }
    void names_are_mapped() {
        QFETCH(QString, stored);
        QFETCH(QStringList, canonical);
        QStringList actual;
        for (const auto& name : names(stored.toStdString())) actual << QString::fromStdString(name);
        QCOMPARE(actual, canonical);
    }

    void names_are_mapped_back() {
        QCOMPARE(stored_name(kMap, "layers.7.to_q"), std::string("blocks.7.attn.q"));
        QCOMPARE(stored_name(kMap, "extra"), std::string("extra"));
        QCOMPARE(stored_name(kMap, "layers.7.kv"), std::string());
    }

    void unmatched_tensors_can_be_dropped() {
        const KeyMap strict{.naming = {}, .prefix = {}, .rules = {{"a", "b"}}, .unmatched = Unmatched::dropped};
        QVERIFY(map_name(strict, "c").empty());
        QCOMPARE(map_name(strict, "a.weight").front().name, std::string("b.weight"));
    }

    void tensors_are_split_transposed_and_squeezed() {
        const auto fused = at::arange(12, at::kFloat).view({6, 2});
        const auto proj = at::arange(6, at::kFloat).view({2, 3});
        const auto stored = checkpoint({{"model.blocks.0.qkv", fused},
                                        {"model.proj", proj},
                                        {"model.pos", at::ones({1, 5, 2})},
                                        {"other", at::ones({1})}});
        const MappedReader reader(stored, kMap);
        QCOMPARE(reader.entries().size(), std::size_t{4});
        QVERIFY(reader.read("layers.0.q").equal(fused.slice(0, 0, 2)));
        QVERIFY(reader.read("layers.0.q").const_data_ptr() == fused.const_data_ptr());  // not a copy
        QVERIFY(reader.read("layers.0.kv").equal(at::cat({fused.slice(0, 4, 6), fused.slice(0, 2, 4)})));
        QVERIFY(reader.read("projection.weight").equal(proj.t()));
        QCOMPARE(reader.read("positions").sizes().vec(), (std::vector<std::int64_t>{5, 2}));
        for (const auto& entry : reader.entries()) {
            const auto tensor = reader.read(entry.name);
            QCOMPARE(entry.shape, tensor.sizes().vec());
            QCOMPARE(entry.bytes, static_cast<std::int64_t>(tensor.nbytes()));
        }
    }

    void a_tensor_has_the_shape_of_the_map() {
        const KeyMap map{.naming = "a test's names", .prefix = "model.", .rules = {}, .shapes = {{"conv", {2, 3, 1}}}};
        const auto values = at::arange(6, at::kFloat);
        const MappedReader reader(checkpoint({{"model.conv", values}, {"model.bias", values}}), map);
        QCOMPARE(reader.entries().at(0).shape, (std::vector<std::int64_t>{2, 3, 1}));
        QVERIFY(reader.read("conv").equal(values.view({2, 3, 1})));
        QVERIFY(reader.read("bias").equal(values));
        QCOMPARE(code_of([&] {
                     MappedReader(checkpoint({{"model.conv", at::ones({5})}}), map);
                 }),
                 ErrorCode::checkpoint_corrupt);
    }

    /// Their blocks keep their own shape.
    void packed_values_have_the_shape_of_the_map() {
        const KeyMap map{
            .naming = "a test's names", .prefix = {}, .rules = {}, .shapes = {{"q8_0.weight", {1, 3, 512}}}};
        const auto reader = with_canonical_names(open_checkpoint(test_data("weights/blocks.gguf")), map);
        const auto entry = std::ranges::find(reader->entries(), "q8_0.weight", &TensorEntry::name);
        QVERIFY(entry != reader->entries().end());
        const auto expected = open_checkpoint(test_data("weights/blocks_expected.safetensors"))->read(entry->name);
        QVERIFY(read_stored(*reader, *entry).dequantize(at::kFloat).equal(expected.view({1, 3, 512})));
    }

    void invalid_mappings_are_refused() {
        const auto refuses = [](std::initializer_list<std::pair<std::string, Tensor>> tensors) {
            try {
                MappedReader reader(checkpoint(tensors), kMap);
            } catch (const Error& error) {
                return error.code() == ErrorCode::checkpoint_corrupt;
            }
            return false;
        };
        QVERIFY(refuses({{"model.blocks.0.qkv", at::ones({4, 2})}}));
        QVERIFY(refuses({{"model.blocks.0.qkv", at::ones({}, at::kFloat)}}));
        QVERIFY(refuses({{"model.proj", at::ones({2, 2, 2})}}));
        QVERIFY(refuses({{"model.pos", at::ones({2})}, {"model.positions", at::ones({2})}}));
    }
};

QTEST_APPLESS_MAIN(TestKeyMap)
#include "test_key_map.moc"
