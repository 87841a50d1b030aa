#include "core/models/wan/vace_block.h"

#include <ATen/ATen.h>

#include "core/models/observed_ops.h"

namespace kinescope::wan {

VaceBlock::VaceBlock(const WeightScope& scope, std::int64_t index, const TransformerConfig& config,
                     const Precision& precision)
    : precision_(precision),
      block_(scope, "vace_blocks." + std::to_string(index), config, precision),
      proj_out_(scope / "proj_out", {.in = config.dim(), .out = config.dim()}, precision) {
    if (index == 0)
        proj_in_.emplace(scope / "proj_in", LinearConfig{.in = config.dim(), .out = config.dim()}, precision);
}

Tensor VaceBlock::forward(const Tensor& control, const Tensor& hidden_states, const BlockInput& input,
                          const ForwardContext& context) const {
    auto x = control;
    if (proj_in_)
        x = hidden_states + observed_op(context, block_.name() + ".proj_in", precision_,
                                        [&](const OpPrecision& op) { return (*proj_in_)(control, op).to(at::kFloat); });
    const auto after = block_.forward(x, input, context);
    observe(block_.name(), after, context);
    return after.value;
}

Tensor VaceBlock::hint(const Tensor& control, const ForwardContext& context) const {
    return observed_op(context, block_.name() + ".proj_out", precision_,
                       [&](const OpPrecision& op) { return proj_out_(control, op).to(at::kFloat); });
}

}  // namespace kinescope::wan
