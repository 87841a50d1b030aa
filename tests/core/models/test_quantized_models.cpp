#include <QtTest>
#include <set>
#include <string>

#include "core/text_encoders/t5_encoder.h"
#include "core/weights/scaled_weights.h"
#include "tests/core/models/wan_fixture.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

const Precision kKeep{.quantized = QuantizedWeights::keep};

Dtype all_fp8(std::size_t) {
    return at::kFloat8_e4m3fn;
}

/// Returns the stored values in float32, as a reference for the quantized file.
std::shared_ptr<const CheckpointReader> dequantized(const CheckpointReader& stored) {
    auto result = std::make_shared<MemoryCheckpoint>();
    for (const auto& entry : stored.entries())
        result->add(entry.name, read_stored(stored, entry).dequantize(at::kFloat));
    return result;
}

/// Returns a checkpoint with all linear weights in float8 and scales that use the full range, as written by ComfyUI.
std::shared_ptr<const CheckpointReader> scaled_fp8(const CheckpointReader& original) {
    auto result = std::make_shared<MemoryCheckpoint>();
    result->add("scaled_fp8", at::zeros({2}).to(at::kFloat8_e4m3fn));
    for (const auto& entry : original.entries()) {
        const auto tensor = original.read(entry.name);
        if (entry.shape.size() != 2) {
            result->add(entry.name, tensor.to(at::kHalf));
            continue;
        }
        const auto stored = quantize_fp8(tensor);
        const auto layer = entry.name.substr(0, entry.name.size() - std::string("weight").size());
        result->add(entry.name, stored.data);
        result->add(layer + "scale_weight", stored.scale);
        result->add(layer + "scale_input", at::scalar_tensor(1.0F));
    }
    return join_scales(result);
}

}  // namespace

/// Tests models from quantized files. Convolutions, embeddings, norms and tables never compute in float8; they are
/// converted to a wider type.
class TestQuantizedModels : public QObject {
    Q_OBJECT

    SilentProbe silent_;
    CancellationToken token_;
    std::shared_ptr<const CheckpointReader> golden_ = open_checkpoint(test_data("wan_t2v/transformer_io.safetensors"));

    Tensor predict(std::shared_ptr<const CheckpointReader> reader, const Precision& precision) {
        const auto model = build_transformer(std::move(reader), precision);
        const Conditioning conditioning{.prompt_embeds = golden_->read("in.encoder_hidden_states")};
        return model->predict({.latents = golden_->read("in.hidden_states"),
                               .timestep = golden_->read("in.timestep").to(at::kDouble).item<double>(),
                               .conditioning = conditioning},
                              {silent_, token_});
    }

    Tensor decode(std::shared_ptr<const CheckpointReader> reader, const Precision& precision) {
        const auto vae = build_vae(std::move(reader), precision);
        std::vector<Tensor> chunks;
        vae->decode(at::ones({1, 16, 2, 4, 4}), {silent_, token_},
                    [&](const Tensor& frames) { chunks.push_back(frames); });
        return at::cat(chunks);
    }

    Tensor encode(std::shared_ptr<const CheckpointReader> reader, const Precision& precision) {
        const auto file = wan_folder("text_encoder") / "config.json";
        WeightStore store(std::move(reader));
        T5Encoder encoder(WeightScope(store), read_t5_config(read_json(file), file), precision);
        store.finish();
        return encoder.encode(at::arange(1, 8, at::kLong).unsqueeze(0), {}, {silent_, token_});
    }

private Q_SLOTS:
    void an_fp8_denoiser_equals_its_values_in_float32() {
        const auto stored = stored_as(wan_folder("transformer"), all_fp8);
        QVERIFY(at::equal(predict(stored, kKeep), predict(dequantized(*stored), {})));
        QVERIFY(at::equal(predict(stored, {}), predict(dequantized(*stored), {})));
    }

    void an_fp8_decoder_runs() {
        const auto stored = stored_as(wan_folder("vae"), all_fp8);
        for (const auto& precision : {kKeep, Precision{}}) {
            const auto frames = decode(stored, precision);
            QVERIFY(at::equal(frames, decode(dequantized(*stored), {})));
            QVERIFY(testing::all_finite(frames));
        }
    }

    void an_fp8_text_encoder_runs() {
        const auto stored = stored_as(wan_folder("text_encoder"), all_fp8);
        for (const auto& precision : {kKeep, Precision{}})
            QVERIFY(at::equal(encode(stored, precision), encode(dequantized(*stored), {})));
    }

    void fp8_runs_in_every_compute_dtype() {
        const auto stored = stored_as(wan_folder("transformer"), all_fp8);
        const auto exact = predict(stored, kKeep);
        for (const auto compute : {at::kBFloat16, at::kHalf}) {
            const auto sample =
                predict(stored, {.storage = compute, .compute = compute, .quantized = QuantizedWeights::keep});
            QVERIFY2(relative_error(sample, exact) < 0.05, std::to_string(relative_error(sample, exact)).c_str());
        }
    }

    void scaled_fp8_equals_its_values_in_float32() {
        const auto original = open_checkpoint(wan_folder("transformer"));
        const auto stored = scaled_fp8(*original);
        const auto sample = predict(stored, kKeep);
        QVERIFY(at::equal(sample, predict(dequantized(*stored), {})));
        const auto error = relative_error(sample, golden_->read("out.sample"));
        qInfo("scaled fp8 against the original: %.2e", error);
        QVERIFY(error < 0.1);
    }

    void gguf_equals_its_values_in_float32() {
        const auto stored = open_checkpoint(test_data("weights/wan_t2v_q8_0.gguf"));
        const auto sample = predict(stored, kKeep);
        QVERIFY(at::equal(sample, predict(dequantized(*stored), {})));
        QVERIFY(at::equal(sample, predict(stored, {})));
        const auto error = relative_error(sample, golden_->read("out.sample"));
        qInfo("Q8_0 against the original: %.2e", error);
        QVERIFY(error < 0.02);
    }

    /// Before, also the embedders and the first layer became float8.
    void only_layers_of_blocks_are_cast_to_fp8() {
        std::set<std::string> names;
        WeightStore store(open_checkpoint(wan_folder("transformer")),
                          [&](const Float8Note& note) { names.insert(note.weight); });
        const auto file = wan_folder("transformer") / "config.json";
        const wan::Transformer model(WeightScope(store), wan::read_transformer_config(read_json(file), file),
                                     {.storage = at::kFloat8_e4m3fn});
        QVERIFY(names.contains("blocks.1.attn1.to_q.weight"));
        QVERIFY(names.contains("blocks.0.ffn.net.2.weight"));
        for (const std::string& name : names) QVERIFY2(name.starts_with("blocks."), name.c_str());
    }

    void sixteen_bit_weights_are_cast_to_fp8_on_request() {
        const auto original = stored_as(wan_folder("transformer"), [](std::size_t) { return at::kBFloat16; });
        const auto sample = predict(original, {.storage = at::kFloat8_e4m3fn, .compute = at::kFloat});
        const auto error = relative_error(sample, golden_->read("out.sample"));
        qInfo("cast to fp8 against the original: %.2e", error);
        QVERIFY(error > 1e-4 && error < 0.1);
        QVERIFY(testing::all_finite(decode(open_checkpoint(wan_folder("vae")), {.storage = at::kFloat8_e4m3fn})));
    }
};

QTEST_GUILESS_MAIN(TestQuantizedModels)
#include "test_quantized_models.moc"
