#include "core/models/observed_ops.h"

#include "core/nn/norm.h"
#include "core/nn/shadow.h"

namespace kinescope {

Tensor observed_linear(const char* site, const Linear& linear, const Tensor& x, const OpScope& scope) {
    const auto y = linear(x, scope.op);
    scope.observe(site, y);
    return y;
}

ObservedSum add_observed(const Tensor& x, const Tensor& update, const TokenRows& gate, const OpScope& seen) {
    if (seen.context.probe.wants_statistics()) {
        const FusedSum fused = add_gated_with_statistics(x, update, gate);
        if (fused.sum.defined()) {
            seen.context.observe(seen.site, update, seen.op, seen.kind, fused.update_row);
            return {.value = fused.sum, .row = fused.sum_row};
        }
    }
    seen.context.observe(seen.site, update, seen.op, seen.kind);
    return {.value = add_gated(x, update, gate), .row = {}};
}

NormedSum add_observed_and_norm(const Tensor& x, const Tensor& update, const TokenRows& gate, const FollowingNorm& norm,
                                const OpScope& seen) {
    const auto statistics = seen.context.probe.wants_statistics() ? SumStatistics::both : SumStatistics::none;
    const FusedSumNorm fused = add_gated_and_norm(x, update, gate, norm, statistics);
    if (fused.normed.defined()) {
        seen.context.observe(seen.site, update, seen.op, seen.kind, fused.sum.update_row);
        return {.value = fused.sum.sum, .normed = fused.normed};
    }
    const Tensor value = add_observed(x, update, gate, seen).value;
    if (!norm.scale.others.defined()) return {value, layer_norm(value, norm.parameters, norm.result)};
    return {value, modulated_layer_norm(value, norm.parameters, norm.scale, norm.shift, norm.result)};
}

Tensor observed_attention(const AttentionInput& input, const OpScope& scope) {
    const auto product = scaled_dot_product_attention(input, scope.op);
    scope.observe("product", product);
    scope.shadow("product", product, [&] { return shadow_of(input, product); });
    return product;
}

}  // namespace kinescope
