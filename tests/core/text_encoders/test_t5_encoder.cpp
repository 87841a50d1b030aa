#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <map>

#include "core/api/error.h"
#include "core/text_encoders/t5_encoder.h"
#include "core/text_encoders/t5_files.h"
#include "core/weights/formats/safetensors_writer.h"
#include "core/weights/formats/tensor_catalog.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

/// Keeps the largest share of an attention's result that the rounding of queries and keys may change.
class SensitivityProbe final : public Probe, public RoundingListener {
public:
    RoundingListener* rounding_listener(std::string_view, std::string_view site, const OpPrecision&) override {
        return site.ends_with(".attn") ? this : nullptr;
    }
    void on_rounding(const Tensor& row) override {
        const auto values = row.to(at::kDouble);
        if (values[3].item<double>() == 0)
            largest = std::max(largest, values[0].item<double>() / values[1].item<double>());
    }
    double largest = 0;
};

}  // namespace

class TestT5Encoder : public QObject {
    Q_OBJECT

    SilentProbe silent_;
    CancellationToken token_;
    std::filesystem::path folder_ = test_data("wan_t2v/model/text_encoder");
    QTemporaryDir changed_;

    T5Config config() const { return read_t5_config(read_json(folder_ / "config.json"), folder_ / "config.json"); }

    std::unique_ptr<T5Encoder> build(std::shared_ptr<const CheckpointReader> reader, const Precision& precision) const {
        WeightStore store(std::move(reader));
        auto encoder = std::make_unique<T5Encoder>(WeightScope(store), config(), precision);
        store.finish();
        return encoder;
    }

    /// The encoder's weights, with the keys of all blocks multiplied.
    std::shared_ptr<const CheckpointReader> with_scaled_keys(double factor) const {
        const auto weights = open_checkpoint(folder_);
        std::map<std::string, Tensor> tensors;
        for (const TensorEntry& entry : weights->entries()) {
            Tensor value = weights->read(entry.name).clone();
            if (entry.name.ends_with("SelfAttention.k.weight")) value.mul_(factor);
            tensors[entry.name] = value;
        }
        const auto file = std::filesystem::path(changed_.filePath("scaled.safetensors").toStdString());
        write_safetensors(file, tensors, {});
        return open_checkpoint(file);
    }

private Q_SLOTS:
    void buckets_match_the_reference() {
        const std::map<std::int64_t, std::int64_t> starts{{0, 0},   {1, 1},   {7, 7},    {8, 8},    {11, 8},
                                                          {12, 9},  {16, 10}, {23, 11},  {32, 12},  {46, 13},
                                                          {64, 14}, {91, 15}, {128, 15}, {4000, 15}};
        for (const auto& [distance, bucket] : starts) {
            QCOMPARE(relative_position_bucket(-distance, 32, 128), bucket);
            if (distance > 0) QCOMPARE(relative_position_bucket(distance, 32, 128), bucket + 16);
        }
        for (const std::int64_t last : {11, 15, 22, 31, 45, 63, 90})
            QCOMPARE(relative_position_bucket(-last - 1, 32, 128), relative_position_bucket(-last, 32, 128) + 1);
    }

    void equals_the_reference_after_each_block() {
        const auto golden = open_checkpoint(test_data("wan_t2v/text_encoder_io.safetensors"));
        auto encoder = build(open_checkpoint(folder_), {});
        RecordingProbe probe;
        const auto output =
            encoder->encode(golden->read("in.input_ids"), golden->read("in.attention_mask"), {probe, token_});
        // The last recorded block is the input of the final norm.
        for (int i = 0; i < 3; ++i) {
            const auto error = relative_error(probe.seen["blocks." + std::to_string(i)].at(0),
                                              golden->read("block." + std::to_string(i)));
            qInfo("block %d: %.2e", i, error);
        }
        const auto error = relative_error(output, golden->read("out.last_hidden_state"));
        qInfo("last_hidden_state: %.2e", error);
        QVERIFY(error <= 3e-5);
        for (const auto* site : {"embed", "blocks.0.attn", "blocks.0.ff", "blocks.2", "final_norm"})
            QCOMPARE(probe.seen[site].size(), std::size_t{1});
    }

    /// Scores of T5 are not scaled, so large keys make the rounding of queries and keys decide which token is selected.
    void large_keys_are_measured() {
        const auto golden = open_checkpoint(test_data("wan_t2v/text_encoder_io.safetensors"));
        const auto largest_share = [&](double factor) {
            const Precision bfloat16{.storage = at::kBFloat16, .compute = at::kBFloat16};
            auto encoder = build(with_scaled_keys(factor), bfloat16);
            SensitivityProbe probe;
            encoder->encode(golden->read("in.input_ids"), golden->read("in.attention_mask"), {probe, token_});
            return probe.largest;
        };
        const double usual = largest_share(1), large = largest_share(1e5);
        qInfo("usual: %.2e, large keys: %.2e", usual, large);
        QVERIFY(usual > 0 && usual < 1e-4);
        QVERIFY(large > 3.2e-3);
    }

    void padding_does_not_change_the_real_tokens() {
        const auto golden = open_checkpoint(test_data("wan_t2v/text_encoder_io.safetensors"));
        auto encoder = build(open_checkpoint(folder_), {});
        const auto count = golden->read("in.attention_mask").sum().item<std::int64_t>();
        const auto output = encoder->encode(golden->read("in.input_ids").narrow(1, 0, count), {}, {silent_, token_});
        QVERIFY(relative_error(output, golden->read("out.last_hidden_state").narrow(1, 0, count)) <= 3e-5);
    }

    void any_stored_dtype_works_with_any_compute_dtype() {
        const auto golden = open_checkpoint(test_data("wan_t2v/text_encoder_io.safetensors"));
        for (const auto& row : dtype_cases()) {
            auto encoder = build(stored_as(folder_, row.stored), {.storage = row.storage, .compute = row.compute});
            const auto output =
                encoder->encode(golden->read("in.input_ids"), golden->read("in.attention_mask"), {silent_, token_});
            const auto error = relative_error(output, golden->read("out.last_hidden_state"));
            QVERIFY2(output.scalar_type() == at::kFloat && error < 0.1,
                     (row.name + ": " + std::to_string(error)).c_str());
        }
    }

    void t5_shares_the_table_of_its_first_layer() {
        const auto folder = test_data("cogvideox/t2v/model/text_encoder");
        const auto golden = open_checkpoint(test_data("cogvideox/t2v/expected.safetensors"));
        const auto config = read_t5_config(read_json(folder / "config.json"), folder / "config.json");
        QVERIFY(config.position_bias == PositionBias::first_layer);
        WeightStore store(open_checkpoint(folder));
        T5Encoder encoder(WeightScope(store), config, {});
        store.finish();
        QVERIFY(store.unused().empty());
        // Without a mask, the encoder attends to padding.
        const auto states = encoder.encode(golden->read("input_ids"), {}, {silent_, token_});
        const auto error = relative_error(states, golden->read("prompt_embeds"));
        qInfo("prompt_embeds: %.2e", error);
        QVERIFY(error <= 3e-5);
    }

    void a_file_without_a_config_is_recognized_data() {
        QTest::addColumn<QString>("folder");
        QTest::newRow("T5") << "cogvideox/t2v/model/text_encoder";
        QTest::newRow("UMT5") << "wan_t2v/model/text_encoder";
    }
    void a_file_without_a_config_is_recognized() {
        QFETCH(QString, folder);
        const auto reader = open_checkpoint(test_data(folder.toStdString()));
        const auto part = recognize_t5(TensorCatalog(reader));
        QVERIFY(part);
        Json config = part->config;
        config.update(part->assumed);
        WeightStore store(with_canonical_names(reader, part->key_map));
        const T5Encoder encoder(WeightScope(store), read_t5_config(config, "text_encoder.safetensors"), {});
        store.finish();
        QVERIFY(store.unused().empty());
    }

    void cancelling_stops_the_canary() {
        CancellationToken cancelled;
        cancelled.request();
        auto encoder = build(open_checkpoint(folder_), {});
        const auto ids = at::ones({1, 4}, at::kLong);
        QVERIFY_EXCEPTION_THROWN(encoder->encode(ids, {}, (ForwardContext{silent_, cancelled})), Cancelled);
    }

    void hostile_configs_are_refused() {
        for (const auto* text : {R"({"num_layers": 1000000})", R"({"num_heads": -1})", R"({"d_model": "wide"})",
                                 R"({"model_type": "bert"})", "[]"})
            QVERIFY_EXCEPTION_THROWN(read_t5_config(Json::parse(text), "config.json"), Error);
    }
};

QTEST_GUILESS_MAIN(TestT5Encoder)
#include "test_t5_encoder.moc"
