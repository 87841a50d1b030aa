#include "core/pipeline/embedding_check.h"

#include <ATen/ATen.h>

#include "core/api/numeric_error.h"
#include "core/numerics/tensor_stats.h"

namespace kinescope {

namespace {

NumericSample sample_of(const std::string& site, const Tensor& embeds) {
    return {.phase = Phase::encode, .component = "text_encoder", .site = site, .stats = compute_stats(embeds)};
}

[[noreturn]] void throw_not_finite(const NumericSample& sample) {
    const std::string found = std::to_string(sample.stats.nan + sample.stats.inf) + " values are not finite";
    throw NumericError(ErrorCode::not_finite, "encode: " + sample.site + ": " + found,
                       "Encode in float32: --text-encoder-dtype fp32.",
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

EmbeddingFacts facts_of(const std::string& site, const Tensor& embeds) {
    EmbeddingFacts facts{.sample = sample_of(site, embeds)};
    if (!facts.sample.is_finite()) throw_not_finite(facts.sample);
    const Tensor rows = used_rows(embeds);
    facts.num_rows = rows.size(0);
    facts.has_equal_rows = facts.num_rows > 0 && rows.eq(rows[0]).all().item<bool>();
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

}  // namespace

std::vector<Finding> check_embeddings(const ResolvedContent& content, const Conditioning& conditioning) {
    std::vector<Finding> found;
    const Tensor& prompt = conditioning.prompt_embeds;
    const Tensor& negative = conditioning.negative_prompt_embeds;
    if (negative.defined()) append(found, find_embeddings(facts_of("negative_prompt_embeds", negative)));
    if (!prompt.defined()) return found;
    EmbeddingFacts facts = facts_of("prompt_embeds", prompt);
    if (negative.defined()) {
        facts.has_different_prompts = content.prompt != content.negative_prompt;
        facts.cosine = cosine(prompt, negative);
    }
    append(found, find_embeddings(facts));
    return found;
}

}  // namespace kinescope
