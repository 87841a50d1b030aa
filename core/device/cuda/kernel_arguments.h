#pragma once

/// The arguments of the fused kernels. Both the program and the run-time compiler read this file, and the latter has no
/// standard headers, so it uses plain types only.
namespace kinescope::kernels {

/// The number of statistics in a row: those of kStatRowSize in tensor_stats.h, in the same order.
constexpr int kRowSize = 6;
/// The bytes of a Partial in fused_kernels.cu.
constexpr int kPartBytes = 24;
/// The most blocks of a kernel that computes statistics, except those that also compute norms. It does not depend on
/// the device, so that sums are formed in the same order everywhere.
constexpr int kMostBlocks = 1024;
/// The most threads of a block.
constexpr int kMostThreads = 512;
/// The most groups of neighboring elements of a row that a thread holds. Kernels over rows read each row once. More
/// groups take more registers, which leaves room for fewer threads.
constexpr int kMostPacks = 4;
constexpr int kMostSiluPacks = 8;

/// Where a kernel puts the statistics of one tensor. The last block to finish combines the parts.
struct StatisticsOutput {
    float* row;          ///< [kRowSize]; null: the tensor is not examined
    void* parts;         ///< memory for a Partial of each block
    unsigned* finished;  ///< number of finished blocks, 0 between two launches
};

/// y = norm(x) * (1 + scale) * weight + (bias * (1 + scale) + shift) for each row, where norm is a layer norm or an RMS
/// norm. Each of the four vectors may be null. The first rows may have a scale and shift of their own.
struct NormArguments {
    const void* x;
    void* y;                                  ///< contiguous
    const float *weight, *bias;               ///< [dim]
    const float *scale, *shift;               ///< [dim], of rows from `first_rows` on
    const float *first_scale, *first_shift;   ///< [dim], of the rows before
    long long rows, dim, stride, first_rows;  ///< stride: elements from one row of x to the next
    float eps;
    int is_rms;
    int width;  ///< elements that a thread loads at a time, 1 or 4
};

/// y = rotated(x / sqrt(mean(x^2) + eps) * weight): pairs of adjacent channels are multiplied by complex numbers, which
/// repeat for every head.
struct RotaryArguments {
    const void* x;
    void* y;              ///< contiguous
    const float* weight;  ///< [dim]
    const float* table;   ///< [rows, head_dim / 2] complex numbers
    long long rows, dim, stride, head_dim;
    float eps;
    int width;  ///< elements that a thread loads at a time, 2 or 4
};

/// y = silu(x / max(|x|, shortest) * gain) for each row.
struct SiluArguments {
    const void* x;      ///< contiguous
    float* y;           ///< contiguous; may be x
    const float* gain;  ///< [dim]
    long long rows, dim;
    float shortest;
    int lanes;  ///< threads of each row: 8, 16 or 32
    int width;
};

/// y = x + update * gate, and the statistics of update and y, of both or of neither. A null gate stands for 1.
struct SumArguments {
    const float* x;
    const void* update;
    float* y;
    const float *gate, *first_gate;  ///< [dim]; the latter for the rows before `first_rows`
    long long rows, dim, first_rows;
    StatisticsOutput of_update, of_y;
    int width;
};

/// The sum, and the norm of its rows. `sum.width` is 4. The kernel does not use `norm.x`, `norm.stride` and
/// `norm.width`; `norm.dim` equals `sum.dim`.
struct SumNormArguments {
    SumArguments sum;
    NormArguments norm;
};

/// The statistics of a dense tensor.
struct StatisticsArguments {
    const void* x;
    long long count;
    StatisticsOutput of_x;
    int width;
};

}  // namespace kinescope::kernels
