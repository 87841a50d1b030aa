#include <ATen/ATen.h>

#include <QTest>

#include "core/api/error.h"
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
        QVERIFY2(says(error, "norm is [4] where the configuration asks for [5]"), error.what());
        QVERIFY2(says(error, "tiny.safetensors"), error.what());
    }

    void a_wrong_shape_alone_has_its_own_code() {
        auto store = tiny_store();
        store.take("norm", {2, 2});
        QCOMPARE(fault_of(store).code(), ErrorCode::wrong_shape);
    }

    void a_long_list_is_counted() {
        auto store = tiny_store();
        for (int i = 0; i < 20; ++i) store.take("missing." + std::to_string(i), {1});
        const Error error = fault_of(store);
        QVERIFY2(says(error, "20 tensors"), error.what());
        QVERIFY2(says(error, "missing.7; and 12 more"), error.what());
    }
};

QTEST_GUILESS_MAIN(TestWeightStore)
#include "test_weight_store.moc"
