#include "core/text_encoders/t5_files.h"

namespace kinescope {
namespace {

/// Returns the map of Hugging Face's names, which ComfyUI's files share. Some files contain the embedding only under
/// its second name.
KeyMap huggingface_keys(const TensorCatalog& tensors, const std::string& prefix) {
    KeyMap keys{.naming = "Hugging Face names", .prefix = prefix, .rules = {}};
    if (tensors.has(prefix + "shared.weight"))
        keys.rules.push_back({"encoder.embed_tokens", ""});
    else
        keys.rules.push_back({"encoder.embed_tokens", "shared"});
    keys.rules.push_back({"spiece_model", ""});
    return keys;
}

std::optional<KeyMap> find_t5_keys(const TensorCatalog& tensors) {
    const std::string hf = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight";
    if (const auto prefix = tensors.prefix_of(hf)) return huggingface_keys(tensors, *prefix);
    if (const auto prefix = tensors.prefix_of("blocks.0.pos_embedding.embedding.weight"))
        return with_prefix(umt5_native_keys(), *prefix);
    if (const auto prefix = tensors.prefix_of("enc.blk.0.attn_rel_b.weight"))
        return with_prefix(t5_gguf_keys(), *prefix);
    return std::nullopt;
}

bool is_umt5(const TensorCatalog& tensors) {
    return tensors.has("encoder.block.1.layer.0.SelfAttention.relative_attention_bias.weight");
}

Json t5_config_of(const TensorCatalog& tensors) {
    const auto heads = tensors.dim("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 1);
    const auto inner = tensors.dim("encoder.block.0.layer.0.SelfAttention.q.weight", 0);
    return {{"model_type", is_umt5(tensors) ? "umt5" : "t5"},
            {"vocab_size", tensors.dim("shared.weight", 0)},
            {"d_model", tensors.dim("shared.weight", 1)},
            {"d_kv", heads > 0 ? inner / heads : 0},
            {"d_ff", tensors.dim("encoder.block.0.layer.1.DenseReluDense.wi_0.weight", 0)},
            {"num_layers", tensors.count("encoder.block.")},
            {"num_heads", heads},
            {"relative_attention_num_buckets",
             tensors.dim("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 0)}};
}

}  // namespace

const KeyMap& umt5_native_keys() {
    static const KeyMap map{
        .naming = "the original authors' tensor names",
        .prefix = {},
        .rules = {{"token_embedding", "shared"},
                  {"blocks.*.norm1", "encoder.block.*.layer.0.layer_norm"},
                  {"blocks.*.norm2", "encoder.block.*.layer.1.layer_norm"},
                  {"blocks.*.attn", "encoder.block.*.layer.0.SelfAttention"},
                  {"blocks.*.pos_embedding.embedding", "encoder.block.*.layer.0.SelfAttention.relative_attention_bias"},
                  {"blocks.*.ffn.gate.0", "encoder.block.*.layer.1.DenseReluDense.wi_0"},
                  {"blocks.*.ffn.fc1", "encoder.block.*.layer.1.DenseReluDense.wi_1"},
                  {"blocks.*.ffn.fc2", "encoder.block.*.layer.1.DenseReluDense.wo"},
                  {"norm", "encoder.final_layer_norm"}}};
    return map;
}

const KeyMap& t5_gguf_keys() {
    static const KeyMap map{
        .naming = "llama.cpp's names",
        .prefix = {},
        .rules = {{"token_embd", "shared"},
                  {"enc.blk.*.attn_norm", "encoder.block.*.layer.0.layer_norm"},
                  {"enc.blk.*.ffn_norm", "encoder.block.*.layer.1.layer_norm"},
                  {"enc.blk.*.attn_q", "encoder.block.*.layer.0.SelfAttention.q"},
                  {"enc.blk.*.attn_k", "encoder.block.*.layer.0.SelfAttention.k"},
                  {"enc.blk.*.attn_v", "encoder.block.*.layer.0.SelfAttention.v"},
                  {"enc.blk.*.attn_o", "encoder.block.*.layer.0.SelfAttention.o"},
                  {"enc.blk.*.attn_rel_b", "encoder.block.*.layer.0.SelfAttention.relative_attention_bias"},
                  {"enc.blk.*.ffn_gate", "encoder.block.*.layer.1.DenseReluDense.wi_0"},
                  {"enc.blk.*.ffn_up", "encoder.block.*.layer.1.DenseReluDense.wi_1"},
                  {"enc.blk.*.ffn_down", "encoder.block.*.layer.1.DenseReluDense.wo"},
                  {"enc.output_norm", "encoder.final_layer_norm"}}};
    return map;
}

std::optional<RecognizedPart> recognize_t5(const TensorCatalog& tensors) {
    auto keys = find_t5_keys(tensors);
    if (!keys) return std::nullopt;
    const TensorCatalog canonical = tensors.renamed(*keys);
    const bool has_tables = is_umt5(canonical);
    const auto layers = std::to_string(canonical.count("encoder.block."));
    return RecognizedPart{.family = {},
                          .component = "text_encoder",
                          .class_name = has_tables ? "UMT5EncoderModel" : "T5EncoderModel",
                          .variant = has_tables ? "UMT5 encoder" : "T5 v1.1 encoder",
                          .reason = {.code = has_tables ? "umt5" : "t5",
                                     .values = {{"layers", layers}},
                                     .text = layers + " T5 layers, " +
                                             (has_tables ? "each with a table of relative positions (UMT5)"
                                                         : "one table of relative positions (T5)")},
                          .config = t5_config_of(canonical),
                          .assumed = {{"relative_attention_max_distance", 128},
                                      {"feed_forward_proj", "gated-gelu"},
                                      {"layer_norm_epsilon", 1e-6}},
                          .key_map = std::move(*keys)};
}

}  // namespace kinescope
