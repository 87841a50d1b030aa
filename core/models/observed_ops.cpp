#include "core/models/observed_ops.h"

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

Tensor observed_attention(const AttentionInput& input, const OpScope& scope) {
    const auto product = scaled_dot_product_attention(input, scope.op);
    scope.observe("product", product);
    scope.shadow("product", product, [&] { return shadow_of(input, product); });
    return product;
}

}  // namespace kinescope
