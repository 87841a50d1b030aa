#include "core/models/wan/text_context.h"

#include <ATen/ATen.h>

#include <cmath>

namespace kinescope::wan {

namespace {

/// Returns the number of rows up to the last nonzero one.
std::int64_t real_rows(const Tensor& prompt_embeds) {
    const auto used = prompt_embeds.ne(0).any(-1).any(0).nonzero();
    return used.size(0) == 0 ? 0 : used[-1].item<std::int64_t>() + 1;
}

}  // namespace

TextRows merge_padding(const Tensor& prompt_embeds, const Precision& precision) {
    const auto rows = prompt_embeds.size(1);
    const auto real = real_rows(prompt_embeds);
    const auto padding = rows - real;
    if (precision.compute != at::kFloat || padding < 2) return {prompt_embeds.to(precision.device), {}};
    auto key_bias = at::zeros({1, 1, 1, real + 1}, at::kFloat);
    key_bias.select(-1, real).fill_(std::log(static_cast<double>(padding)));
    return {prompt_embeds.narrow(1, 0, real + 1).to(precision.device), key_bias.to(precision.device)};
}

}  // namespace kinescope::wan
