#pragma once

#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope {

/// Returns true if flash_attention supports these tensors and is faster than LibTorch's attention: float32, enough
/// tokens, a CPU with AVX-512, and a head dimension that is a multiple of 32. It is 13 to 22 % faster with
/// AVX-512 (measured with head dimensions 128 and 64).
bool takes_flash_attention(const Tensor& query, const Tensor& key, const Tensor& value);

/// Returns softmax(Q K^T * scale) V for [B, heads, tokens, head_dim] and a positive scale, without a mask. Processes
/// blocks of queries and keys like Dao et al. 2022 (arXiv:2205.14135). The result's memory layout is [B, tokens, heads,
/// head_dim], so that merge_heads needs no copy. Results do not depend on the number of threads.
Tensor flash_attention(const Tensor& query, const Tensor& key, const Tensor& value, double scale);

/// Returns the bytes of the packed keys and values of a head, which each of the threads keeps during flash_attention(),
/// or 0 if it does not support these sizes.
std::int64_t flash_attention_bytes(std::int64_t keys, std::int64_t head_dim, int threads);

}  // namespace kinescope
