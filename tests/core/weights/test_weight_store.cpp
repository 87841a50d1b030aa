#include <ATen/ATen.h>

#include <QTest>
#include <limits>

#include "core/api/numeric_error.h"
#include "core/weights/weight_store.h"

using namespace kinescope;

namespace {

/// A checkpoint in memory.
class MemoryReader final : public CheckpointReader {
public:
    explicit MemoryReader(std::map<std::string, Tensor> tensors) : tensors_(std::move(tensors)) {
        for (const auto& [name, tensor] : tensors_) {
            entries_.push_back(
                {name, tensor.sizes().vec(), tensor.scalar_type(), static_cast<std::int64_t>(tensor.nbytes())});
        }
    }
    const std::vector<TensorEntry>& entries() const override { return entries_; }
    Tensor read(const std::string& name) const override { return tensors_.at(name); }
    const std::map<std::string, std::string>& metadata() const override { return metadata_; }
    const std::vector<std::filesystem::path>& files() const override { return files_; }

private:
    std::map<std::string, Tensor> tensors_;
    std::vector<TensorEntry> entries_;
    std::map<std::string, std::string> metadata_;
    std::vector<std::filesystem::path> files_{"tiny.safetensors"};
};

WeightStore tiny_store() {
    return WeightStore(std::make_shared<MemoryReader>(std::map<std::string, Tensor>{
        {"blocks.0.to_q.weight", at::ones({2, 3})}, {"blocks.0.to_q.bias", at::ones({2})}, {"norm", at::ones({4})}}));
}

Error fault_of(const WeightStore& store) {
    try {
        store.finish();
    } catch (const Error& error) {
        return error;
    }
    return Error(ErrorCode::internal, "");
}

bool says(const Error& error, const std::string& text) {
    return error.message().find(text) != std::string::npos;
}

}  // namespace

class TestWeightStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void float8_weights_are_reported_with_their_saturation() {
        const Tensor half_saturated = at::cat({at::full({2, 4}, 448.0), at::ones({2, 4})}).to(at::kFloat8_e4m3fn);
        std::vector<Float8Note> notes;
        WeightStore store(std::make_shared<MemoryReader>(std::map<std::string, Tensor>{{"a.weight", half_saturated},
                                                                                       {"b.weight", at::ones({4, 4})}}),
                          [&](Float8Note note) { notes.push_back(std::move(note)); });
        for (int i = 0; i < 2; ++i) {
            store.take_stored("a.weight", {4, 4});
            store.take_stored("b.weight", {4, 4});
        }
        QCOMPARE(notes.size(), std::size_t{1});
        QCOMPARE(notes[0].weight, std::string("a.weight"));
        QCOMPARE(notes[0].saturated, 0.5);
        QCOMPARE(notes[0].kept, at::kFloat8_e4m3fn);
    }

    void damaged_weights_are_named() {
        WeightStore store(std::make_shared<MemoryReader>(
            std::map<std::string, Tensor>{{"a.weight", at::full({2}, std::numeric_limits<double>::quiet_NaN())}}));
        store.take("a.weight", {2});
        try {
            store.refuse_damaged();
            QFAIL("no error was thrown");
        } catch (const NumericError& error) {
            QCOMPARE(error.fault().detector, Detector::weights);
            QCOMPARE(error.fault().site, std::string("a.weight"));
            QVERIFY(error.fault().file == "tiny.safetensors");
            QCOMPARE(error.arguments().at("path"), std::string("tiny.safetensors"));
            QCOMPARE(error.arguments().at("detector"), std::string("S0"));
        }
    }

    void scopes_name_sub_layers() {
        auto store = tiny_store();
        const WeightScope root(store);
        const auto to_q = root / "blocks" / 0 / "to_q";
        QCOMPARE(to_q.path("weight"), std::string("blocks.0.to_q.weight"));
        QCOMPARE(to_q.path(""), std::string("blocks.0.to_q"));
        QCOMPARE(root.path("norm"), std::string("norm"));
        QVERIFY(to_q.has("bias"));
        QVERIFY(!to_q.has("scale"));
        QCOMPARE(to_q.take("weight", {2, 3}).sum().item<float>(), 6.0F);
        store.finish();
        QCOMPARE(store.unused(), (std::vector<std::string>{"blocks.0.to_q.bias", "norm"}));
    }

    void all_faults_are_reported_at_once() {
        auto store = tiny_store();
        QVERIFY(!store.take("head.weight", {1}).defined());
        QVERIFY(!store.take("head.weight", {1}).defined());
        QVERIFY(!store.take("head.bias", {1}).defined());
        QVERIFY(!store.take("norm", {5}).defined());
        const Error error = fault_of(store);
        QCOMPARE(error.code(), ErrorCode::missing_keys);
        QVERIFY2(says(error, "lacks 2 tensors: head.weight; head.bias"), error.what());
        QVERIFY2(says(error, "norm has the shape [4] instead of [5]"), error.what());
        QVERIFY2(says(error, "tiny.safetensors"), error.what());
    }

    void a_wrong_shape_alone_has_its_own_code() {
        auto store = tiny_store();
        store.take("norm", {2, 2});
        QCOMPARE(fault_of(store).code(), ErrorCode::wrong_shape);
    }

    void unsupported_types_are_not_called_another_model_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("side");
        QTest::addColumn<bool>("is_other_model");
        QTest::newRow("int8") << static_cast<int>(at::kChar) << 3 << false;
        QTest::newRow("int64") << static_cast<int>(at::kLong) << 3 << false;
        QTest::newRow("bool") << static_cast<int>(at::kBool) << 3 << false;
        QTest::newRow("int8 beside a wrong shape") << static_cast<int>(at::kChar) << 4 << true;
    }
    void unsupported_types_are_not_called_another_model() {
        QFETCH(int, type);
        QFETCH(int, side);
        QFETCH(bool, is_other_model);
        WeightStore store(std::make_shared<MemoryReader>(std::map<std::string, Tensor>{
            {"a.weight", at::ones({2, 3}, static_cast<at::ScalarType>(type))}, {"a.bias", at::ones({3})}}));
        store.take("a.weight", {2, 3});
        store.take("a.bias", {side});
        const Error error = fault_of(store);
        QCOMPARE(error.code(), ErrorCode::wrong_shape);
        QCOMPARE(error.argument("unsupported"), std::string("1"));
        QVERIFY2(says(error, "which is not supported"), error.what());
        QCOMPARE(error.hint().find("Convert the weights to bfloat16") == std::string::npos, is_other_model);
    }

    void long_lists_are_summarized() {
        auto store = tiny_store();
        for (int i = 0; i < 20; ++i) store.take("missing." + std::to_string(i), {1});
        const Error error = fault_of(store);
        QVERIFY2(says(error, "20 tensors"), error.what());
        QVERIFY2(says(error, "missing.7; and 12 more"), error.what());
    }
};

QTEST_GUILESS_MAIN(TestWeightStore)
#include "test_weight_store.moc"
