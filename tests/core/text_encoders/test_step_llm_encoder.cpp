#include <QtTest>

#include "core/api/error.h"
#include "core/text_encoders/step_llm_encoder.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

class TestStepLlmEncoder : public QObject {
    Q_OBJECT

    SilentProbe silent_;
    CancellationToken token_;
    std::filesystem::path folder_ = test_data("stepvideo_t2v/model/step_llm");
    std::shared_ptr<const CheckpointReader> golden_ =
        open_checkpoint(test_data("stepvideo_t2v/encoders_io.safetensors"));

    Tensor encode(std::shared_ptr<const CheckpointReader> reader, const Tensor& ids, const Precision& precision,
                  Probe& probe) const {
        WeightStore store(std::move(reader));
        const auto file = folder_ / "config.json";
        StepLlmEncoder encoder(WeightScope(store), read_step_llm_config(read_json(file), file), precision);
        store.finish();
        return encoder.encode(ids, {}, {probe, token_});
    }

private Q_SLOTS:
    void equals_the_reference() {
        RecordingProbe probe;
        const auto states = encode(open_checkpoint(folder_), golden_->read("in.input_ids"), {}, probe);
        const auto error = relative_error(states, golden_->read("out.llm"));
        qInfo("states: %.2e", error);
        QVERIFY(error <= 3e-5);
        for (const auto* site : {"embed", "blocks.0.attn", "blocks.1.ff", "blocks.1"})
            QCOMPARE(probe.seen[site].size(), std::size_t{1});
    }

    void later_tokens_do_not_change_a_token() {
        const auto ids = golden_->read("in.input_ids");
        const auto padded = at::cat({ids, at::full({1, 9}, 2, at::kLong)}, 1);
        const auto both = encode(open_checkpoint(folder_), at::cat({padded, padded.flip(1)}), {}, silent_);
        QVERIFY(relative_error(both.narrow(0, 0, 1).narrow(1, 0, ids.size(1)), golden_->read("out.llm")) <= 3e-5);
    }

    void the_bias_is_the_square_root_of_the_distance() {
        const auto bias = step_llm_bias(6, 5);
        const auto value = [&](int head, int query, int key) { return bias[head][query][key].item<float>(); };
        QCOMPARE(value(0, 3, 3), 0.0f);
        QCOMPARE(value(0, 4, 0), -0.25f * 2.0f);             // 2^(-8 * 1 / 4)
        QCOMPARE(value(3, 1, 0), -std::exp2(-8.0f));         // 2^(-8 * 4 / 4)
        QCOMPARE(value(4, 1, 0), -std::exp2(-1.0f));         // the second series: 2^(-4 * 1 / 4)
        QCOMPARE(value(5, 4, 0), -std::exp2(-3.0f) * 2.0f);  // 2^(-4 * 3 / 4)
        QVERIFY(std::isinf(value(2, 1, 2)));
    }

    void any_stored_dtype_works_with_any_compute_dtype() {
        for (const auto& row : dtype_cases()) {
            const auto states = encode(stored_as(folder_, row.stored), golden_->read("in.input_ids"),
                                       {.storage = row.storage, .compute = row.compute}, silent_);
            const auto error = relative_error(states, golden_->read("out.llm"));
            QVERIFY2(states.scalar_type() == at::kFloat && error < 0.05,
                     (row.name + ": " + std::to_string(error)).c_str());
        }
    }

    void hostile_configs_are_refused() {
        for (const auto* text :
             {R"({"num_layers": 0})", R"({"num_attention_heads": 7})", R"({"num_attention_groups": 9})",
              R"({"ffn_hidden_size": -1})", R"({"hidden_size": "wide"})"})
            QVERIFY_EXCEPTION_THROWN(read_step_llm_config(Json::parse(text), "config.json"), Error);
    }
};

QTEST_GUILESS_MAIN(TestStepLlmEncoder)
#include "test_step_llm_encoder.moc"
