#include "core/models/observed_ops.h"

#include "core/nn/shadow.h"

namespace kinescope {

Tensor observed_linear(const char* site, const Linear& linear, const Tensor& x, const OpScope& scope) {
    const auto y = linear(x, scope.op);
    scope.observe(site, y);
    return y;
}

Tensor observed_attention(const AttentionInput& input, const OpScope& scope) {
    const auto product = scaled_dot_product_attention(input, scope.op);
    scope.observe("product", product);
    scope.shadow("product", product, [&] { return shadow_of(input, product); });
    return product;
}

}  // namespace kinescope
