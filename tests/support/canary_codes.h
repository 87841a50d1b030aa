#pragma once

namespace kinescope::testing {

/// The codes of all canary probes. `core.device.test_canary` compares them with the probes, and
/// `ui.panels.test_messages` with the texts of the window.
inline constexpr const char* kCanaryCodes[] = {
    "added_times",   "attention",      "cancelling_sum", "causal_attention", "conv2d",     "cudnn_attention",
    "float8_cast",   "fused_load",     "fused_norm",     "fused_rotary",     "fused_silu", "fused_statistics",
    "fused_sum",     "fused_sum_norm", "gelu_product",   "large_scores",     "long_keys",  "long_rows",
    "many_scores",   "modulation",     "rsqrt",          "small_addends",    "stale_bias", "tf32_conv2d",
    "time_embedder", "timesteps",      "two_rows"};

}  // namespace kinescope::testing
