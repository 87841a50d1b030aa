#include <QtTest>

#include "core/api/error.h"
#include "core/text_encoders/bert_encoder.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

class TestBertEncoder : public QObject {
    Q_OBJECT

    SilentProbe silent_;
    CancellationToken token_;
    std::filesystem::path folder_ = test_data("stepvideo_t2v/model/hunyuan_clip/clip_text_encoder");
    std::shared_ptr<const CheckpointReader> golden_ =
        open_checkpoint(test_data("stepvideo_t2v/encoders_io.safetensors"));

    BertConfig config() const { return read_bert_config(read_json(folder_ / "config.json"), folder_ / "config.json"); }

    Tensor encode(std::shared_ptr<const CheckpointReader> reader, const Tensor& ids, const Tensor& mask,
                  const Precision& precision) {
        WeightStore store(std::move(reader));
        BertEncoder encoder(WeightScope(store) / "bert", config(), precision);
        store.finish({"visual.", "text_projection", "logit_scale"});
        return encoder.encode(ids, mask, {silent_, token_});
    }

private Q_SLOTS:
    void equals_the_reference() {
        const auto states =
            encode(open_checkpoint(folder_), golden_->read("in.clip_ids"), golden_->read("in.clip_mask"), {});
        const auto error = relative_error(states, golden_->read("out.clip"));
        qInfo("states: %.2e", error);
        QVERIFY(error <= 3e-5);
    }

    void padding_is_masked() {
        const auto ids = golden_->read("in.clip_ids").narrow(1, 0, 20);
        auto mask = at::ones_like(ids);
        mask.narrow(1, 8, 12).fill_(0);
        auto other = ids.clone();
        other.narrow(1, 8, 12).fill_(7);
        const auto reader = open_checkpoint(folder_);
        const auto real = [&](const Tensor& tokens) { return encode(reader, tokens, mask, {}).narrow(1, 0, 8); };
        QVERIFY(relative_error(real(other), real(ids)) <= 1e-6);
    }

    void any_stored_dtype_works_with_any_compute_dtype() {
        for (const auto& row : dtype_cases()) {
            const auto states = encode(stored_as(folder_, row.stored), golden_->read("in.clip_ids"),
                                       golden_->read("in.clip_mask"), {.storage = row.storage, .compute = row.compute});
            const auto error = relative_error(states, golden_->read("out.clip"));
            QVERIFY2(error < 0.05, (row.name + ": " + std::to_string(error)).c_str());
        }
    }

    void more_tokens_than_positions_are_refused() {
        const auto ids = at::zeros({1, config().max_position_embeddings + 1}, at::kLong);
        QVERIFY_EXCEPTION_THROWN(encode(open_checkpoint(folder_), ids, at::ones_like(ids), {}), Error);
    }

    void hostile_configs_are_refused() {
        for (const auto* text : {R"({"hidden_act": "relu"})", R"({"position_embedding_type": "relative_key"})",
                                 R"({"num_attention_heads": 7})", R"({"vocab_size": -1})", R"({"layer_norm_eps": 2})"})
            QVERIFY_EXCEPTION_THROWN(read_bert_config(Json::parse(text), "config.json"), Error);
    }
};

QTEST_GUILESS_MAIN(TestBertEncoder)
#include "test_bert_encoder.moc"
