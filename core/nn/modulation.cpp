#include "core/nn/modulation.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/record_function.h>

#include <utility>

#include "core/nn/cpu/plain_floats.h"
#include "core/nn/cpu/row_kernels.h"

namespace kinescope {

namespace {

enum class TokenGroup { first, others };

/// Calls `work(first, count, group)` for each group of tokens that share a modulation row.
template <class Work>
void each_row_part(std::int64_t tokens, std::int64_t first_tokens, const Work& work) {
    if (first_tokens > 0) work(0, first_tokens, TokenGroup::first);
    if (tokens > first_tokens) work(first_tokens, tokens - first_tokens, TokenGroup::others);
}

const Tensor& row(const TokenRows& rows, TokenGroup group) {
    return group == TokenGroup::first ? rows.first : rows.others;
}

/// Calls `work(offset, rows)` on several threads for chunks of rows. `offset` is in floats.
template <class Work>
void each_chunk(std::int64_t first, std::int64_t count, std::int64_t dim, const Work& work) {
    at::parallel_for(0, count, rows_at_once(dim),
                     [&](std::int64_t begin, std::int64_t end) { work((first + begin) * dim, end - begin); });
}

FusedNormInput norm_input(const Tensor& x, const LayerNormParameters& norm, const TokenRows& scale,
                          const TokenRows& shift) {
    return {.x = x,
            .eps = norm.eps,
            .weight = norm.weight,
            .bias = norm.bias,
            .scale = scale.others,
            .shift = shift.others,
            .first_scale = scale.first,
            .first_shift = shift.first,
            .first_rows = scale.first_tokens};
}

/// Returns the factor and the offset to apply after normalization.
std::pair<Tensor, Tensor> affine_of(const LayerNormParameters& norm, const Tensor& scale, const Tensor& shift) {
    const auto by = scale.flatten() + 1.0;
    const auto factor = norm.weight.defined() ? by * norm.weight : by;
    const auto offset = norm.bias.defined() ? norm.bias * by + shift.flatten() : shift.flatten();
    return {factor.contiguous(), offset.contiguous()};
}

}  // namespace

Tensor modulated_layer_norm(const Tensor& x, const LayerNormParameters& norm, const TokenRows& scale,
                            const TokenRows& shift, Dtype result) {
    RECORD_FUNCTION("kinescope::layer_norm", {});
    Tensor fused = fused_norm(norm_input(x, norm, scale, shift), result);
    if (fused.defined()) return fused;
    const auto dim = x.size(-1);
    const bool is_fast = is_plain(x) && x.size(0) == 1;
    auto y = is_fast ? at::empty_like(x) : at::layer_norm(x.to(at::kFloat), {dim}, {}, {}, norm.eps);
    each_row_part(x.size(1), scale.first_tokens, [&](std::int64_t first, std::int64_t count, TokenGroup group) {
        const auto [factor, offset] = affine_of(norm, row(scale, group), row(shift, group));
        if (!is_fast) {
            y.narrow(1, first, count).mul_(factor).add_(offset);
            return;
        }
        each_chunk(first, count, dim, [&, &factor = factor, &offset = offset](std::int64_t at, std::int64_t rows) {
            row_kernels::layer_norm(x.const_data_ptr<float>() + at, rows, dim, static_cast<float>(norm.eps),
                                    factor.const_data_ptr<float>(), offset.const_data_ptr<float>(),
                                    y.mutable_data_ptr<float>() + at);
        });
    });
    return y.to(result);
}

namespace {

FusedSumInput sum_input(const Tensor& x, const Tensor& update, const TokenRows& gate, SumStatistics statistics) {
    return {.x = x,
            .update = update,
            .gate = gate.others,
            .first_gate = gate.first,
            .first_rows = gate.first_tokens,
            .statistics = statistics};
}

}  // namespace

Tensor add_gated(const Tensor& x, const Tensor& update, const TokenRows& gate) {
    RECORD_FUNCTION("kinescope::add_gated", {});
    if (FusedSum fused = fused_gated_sum(sum_input(x, update, gate, SumStatistics::none)); fused.sum.defined())
        return fused.sum;
    if (!gate.others.defined()) return x + update;
    const auto dim = x.size(-1);
    const bool is_fast = is_plain(x) && is_plain(update) && x.size(0) == 1 && update.sizes() == x.sizes();
    auto y = at::empty_like(x);
    each_row_part(x.size(1), gate.first_tokens, [&](std::int64_t first, std::int64_t count, TokenGroup group) {
        const auto of_channels = row(gate, group).flatten().contiguous();
        if (!is_fast) {
            auto part = y.narrow(1, first, count);
            at::addcmul_out(part, x.narrow(1, first, count), update.narrow(1, first, count).to(at::kFloat),
                            of_channels);
            return;
        }
        each_chunk(first, count, dim, [&](std::int64_t at, std::int64_t rows) {
            row_kernels::add_gated(x.const_data_ptr<float>() + at, update.const_data_ptr<float>() + at, rows, dim,
                                   of_channels.const_data_ptr<float>(), y.mutable_data_ptr<float>() + at);
        });
    });
    return y;
}

FusedSum add_gated_with_statistics(const Tensor& x, const Tensor& update, const TokenRows& gate) {
    RECORD_FUNCTION("kinescope::add_gated", {});
    return fused_gated_sum(sum_input(x, update, gate, SumStatistics::both));
}

FusedSumNorm add_gated_and_norm(const Tensor& x, const Tensor& update, const TokenRows& gate, const FollowingNorm& norm,
                                SumStatistics statistics) {
    RECORD_FUNCTION("kinescope::add_gated", {});
    return fused_sum_norm(sum_input(x, update, gate, statistics),
                          norm_input(x, norm.parameters, norm.scale, norm.shift), norm.result);
}

}  // namespace kinescope
