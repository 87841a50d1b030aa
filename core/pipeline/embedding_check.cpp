#include "core/pipeline/embedding_check.h"

#include <ATen/ATen.h>

#include "core/api/numeric_error.h"
#include "core/numerics/tensor_stats.h"

namespace kinescope {

namespace {

/// One output of an encoder.
struct Embeddings {
    std::string component;
    std::string site;
    const Tensor& values;
    EncoderInput input = EncoderInput::text;
};

NumericSample sample_of(const Embeddings& embeds) {
    return {.phase = Phase::encode,
            .component = embeds.component,
            .site = embeds.site,
            .stats = compute_stats(embeds.values)};
}

[[noreturn]] void throw_not_finite(const NumericSample& sample) {
    const std::string found = std::to_string(sample.stats.nan + sample.stats.inf) + " values are not finite";
    // The other encoders compute in float32.
    const char* hint = sample.component == "text_encoder"
                           ? "Encode in float32: --text-encoder-dtype fp32."
                           : "The weights of the encoder are probably damaged. Check its file.";
    throw NumericError(ErrorCode::not_finite, "encode: " + sample.site + ": " + found, hint,
                       {.detector = Detector::encoder,
                        .phase = Phase::encode,
                        .component = sample.component,
                        .site = sample.site,
                        .found = found});
}

/// Returns the rows [M, D] of `embeds` [1, N, D] that are not padding. Padding rows contain only zeros.
Tensor used_rows(const Tensor& embeds) {
    const Tensor rows = embeds.to(at::kCPU, at::kFloat).flatten(0, -2);
    return rows.index({rows.ne(0).any(-1)});
}

bool are_equal(const Tensor& rows) {
    if (rows.size(0) == 0) return false;
    return ((rows - rows[0]).abs().max() <= rows.abs().max() * kEqualRows).item<bool>();
}

EmbeddingFacts facts_of(const Embeddings& embeds) {
    EmbeddingFacts facts{.sample = sample_of(embeds), .input = embeds.input};
    if (!facts.sample.is_finite()) throw_not_finite(facts.sample);
    const Tensor rows = used_rows(embeds.values);
    facts.num_rows = rows.size(0);
    facts.has_equal_rows = are_equal(rows);
    return facts;
}

double cosine(const Tensor& a, const Tensor& b) {
    const Tensor x = a.to(at::kCPU, at::kDouble).flatten();
    const Tensor y = b.to(at::kCPU, at::kDouble).flatten();
    if (x.numel() != y.numel()) return 0;
    return (at::dot(x, y) / (x.norm() * y.norm()).clamp_min(1e-30)).item<double>();
}

void append(std::vector<Finding>& all, const std::vector<Finding>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

/// Returns the facts of the prompt's embeddings, compared with those of the negative prompt.
EmbeddingFacts compared_facts(const Embeddings& prompt, const ResolvedContent& content, const Tensor& negative) {
    EmbeddingFacts facts = facts_of(prompt);
    if (!negative.defined()) return facts;
    facts.has_different_prompts = content.prompt != content.negative_prompt;
    facts.cosine = cosine(prompt.values, negative);
    return facts;
}

}  // namespace

std::vector<Finding> check_embeddings(const ResolvedContent& content, const Conditioning& conditioning) {
    const Tensor& negative_embeds = conditioning.negative_prompt_embeds;
    std::vector<Finding> found;
    const auto check = [&](const Embeddings& one) {
        if (one.values.defined()) append(found, find_embeddings(facts_of(one)));
    };
    check({"text_encoder", "negative_prompt_embeds", negative_embeds});
    if (const Tensor& embeds = conditioning.prompt_embeds; embeds.defined())
        append(found,
               find_embeddings(compared_facts({"text_encoder", "prompt_embeds", embeds}, content, negative_embeds)));
    check({"text_encoder_2", "negative_prompt_embeds_2", conditioning.negative_prompt_embeds_2});
    check({"text_encoder_2", "prompt_embeds_2", conditioning.prompt_embeds_2});
    check({"image_encoder", "image_embeds", conditioning.image_embeds, EncoderInput::image});
    return found;
}

}  // namespace kinescope
