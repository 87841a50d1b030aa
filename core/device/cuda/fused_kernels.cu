// Kernels that replace several ops of LibTorch by one pass over memory. The program compiles this file at run time for
// the user's GPU (kernel_compiler.h); the simulated GPU of the tests compiles it as C++.
#include "core/device/cuda/kernel_arguments.h"

#ifdef __CUDACC__
#define KINESCOPE_KERNEL(name, Arguments, ...)                                     \
    extern "C" __global__ void __launch_bounds__(kinescope::kernels::kMostThreads) \
        name(const kinescope::kernels::Arguments a) __VA_ARGS__
#define KINESCOPE_UNROLL _Pragma("unroll")
#define KINESCOPE_REQUIRE_ALIGNED(address, bytes)  // the GPU requires it

__device__ inline float half_bits_to_float(unsigned short bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
}
__device__ inline unsigned short float_to_half_bits(float value) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
}
#else
#define KINESCOPE_UNROLL
#endif

namespace kinescope::kernels {

constexpr int kWarp = 32;
constexpr int kMostWarps = kMostThreads / kWarp;

struct Half {
    unsigned short bits;
};
struct BFloat16 {
    unsigned short bits;
};

__device__ inline float widened(float value) {
    return value;
}
__device__ inline float widened(BFloat16 value) {
    return __uint_as_float(static_cast<unsigned>(value.bits) << 16);
}
__device__ inline float widened(Half value) {
    return half_bits_to_float(value.bits);
}

template <class T>
__device__ T narrowed(float value);
template <>
__device__ inline float narrowed<float>(float value) {
    return value;
}
/// Rounds to the nearest value, and to the even one of two.
template <>
__device__ inline BFloat16 narrowed<BFloat16>(float value) {
    const unsigned bits = __float_as_uint(value);
    const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
    const unsigned rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    return {static_cast<unsigned short>(is_nan ? 0x7fffu : rounded)};
}
template <>
__device__ inline Half narrowed<Half>(float value) {
    return {float_to_half_bits(value)};
}

/// Neighboring elements that one instruction loads or stores. Their address must be a multiple of their size.
template <class T, int kWidth>
struct alignas(sizeof(T) * kWidth) Pack {
    T values[kWidth];
};

template <int kWidth, class T>
__device__ inline Pack<T, kWidth> load(const void* from, long long index) {
    const T* address = static_cast<const T*>(from) + index;
    KINESCOPE_REQUIRE_ALIGNED(address, sizeof(Pack<T, kWidth>));
    return *reinterpret_cast<const Pack<T, kWidth>*>(address);
}

template <int kWidth, class T>
__device__ inline void store(void* to, long long index, const Pack<T, kWidth>& pack) {
    T* address = static_cast<T*>(to) + index;
    KINESCOPE_REQUIRE_ALIGNED(address, sizeof(Pack<T, kWidth>));
    *reinterpret_cast<Pack<T, kWidth>*>(address) = pack;
}

/// Returns the sum over `lanes` neighboring threads, a power of two up to a warp, in each of them. All threads of the
/// warp must call it.
__device__ inline float lanes_sum(float value, int lanes) {
    for (int distance = lanes / 2; distance > 0; distance /= 2) value += __shfl_xor_sync(~0u, value, distance);
    return value;
}

/// Returns the sum over the block in every thread. `shared` is [kMostWarps]. The order of the additions depends on the
/// size of the block only.
__device__ inline float block_sum(float value, float* shared) {
    value = lanes_sum(value, kWarp);
    if (threadIdx.x % kWarp == 0) shared[threadIdx.x / kWarp] = value;
    __syncthreads();
    float sum = 0;
    for (unsigned warp = 0; warp < blockDim.x / kWarp; ++warp) sum += shared[warp];
    __syncthreads();  // before the next use of `shared`
    return sum;
}

/// Calls `work(pack, i)` for each pack of a row that this thread holds in registers; `i` is the pack's first element.
template <int kWidth, int kPacks, class Work>
__device__ inline void each_pack(long long dim, unsigned lane, unsigned lanes, const Work& work) {
    KINESCOPE_UNROLL
    for (int pack = 0; pack < kPacks; ++pack) {
        const unsigned i = (pack * lanes + lane) * kWidth;
        if (i < dim) work(pack, i);
    }
}

/// The part of a row that a thread holds.
template <int kWidth, int kPacks>
struct RowPart {
    float values[kPacks][kWidth];

    /// Returns the sum of the squared distances from `center`.
    __device__ float squares(long long dim, unsigned lane, unsigned lanes, float center) const {
        float sum = 0;
        each_pack<kWidth, kPacks>(dim, lane, lanes, [&](int pack, unsigned) {
            for (int k = 0; k < kWidth; ++k) {
                const float deviation = values[pack][k] - center;
                sum += deviation * deviation;
            }
        });
        return sum;
    }
};

template <class X, int kWidth, int kPacks>
__device__ RowPart<kWidth, kPacks> load_row(const X* row, long long dim, unsigned lane, unsigned lanes) {
    RowPart<kWidth, kPacks> part;
    each_pack<kWidth, kPacks>(dim, lane, lanes, [&](int pack, unsigned i) {
        const auto loaded = load<kWidth, X>(row, i);
        for (int k = 0; k < kWidth; ++k) part.values[pack][k] = widened(loaded.values[k]);
    });
    return part;
}

/// Writes the norm of a row that the block holds. `shared` is [kMostWarps].
template <class Y, int kWidth, int kPacks>
__device__ void write_norm(const RowPart<kWidth, kPacks>& x, long long row, const NormArguments& a, float* shared) {
    const unsigned lane = threadIdx.x, lanes = blockDim.x;
    const float count = static_cast<float>(a.dim);
    float mean = 0;
    if (a.is_rms == 0) {
        float sum = 0;
        each_pack<kWidth, kPacks>(a.dim, lane, lanes, [&](int pack, unsigned) {
            for (int k = 0; k < kWidth; ++k) sum += x.values[pack][k];
        });
        mean = block_sum(sum, shared) / count;
    }
    // The variance comes from the deviations, because the squares of large values with a small spread would cancel.
    const float norm = 1.0f / sqrtf(block_sum(x.squares(a.dim, lane, lanes, mean), shared) / count + a.eps);
    const bool is_first = row < a.first_rows;
    const float* scale = is_first ? a.first_scale : a.scale;
    const float* shift = is_first ? a.first_shift : a.shift;
    each_pack<kWidth, kPacks>(a.dim, lane, lanes, [&](int pack, unsigned i) {
        Pack<Y, kWidth> result;
        for (int k = 0; k < kWidth; ++k) {
            const float by = scale == nullptr ? 1.0f : scale[i + k] + 1.0f;
            const float factor = a.weight == nullptr ? by : by * a.weight[i + k];
            float offset = shift == nullptr ? 0.0f : shift[i + k];
            if (a.bias != nullptr) offset += a.bias[i + k] * by;
            result.values[k] = narrowed<Y>((x.values[pack][k] - mean) * norm * factor + offset);
        }
        store<kWidth, Y>(a.y, row * a.dim + i, result);
    });
}

template <class X, class Y, int kWidth>
__device__ void norm_rows(const NormArguments& a) {
    __shared__ float shared[kMostWarps];
    const long long row = blockIdx.x;
    const X* from = static_cast<const X*>(a.x) + row * a.stride;
    write_norm<Y>(load_row<X, kWidth, kMostPacks>(from, a.dim, threadIdx.x, blockDim.x), row, a, shared);
}

template <class X, class Y, int kWidth>
__device__ void rotate_rows(const RotaryArguments& a) {
    __shared__ float shared[kMostWarps];
    const long long row = blockIdx.x, half = a.head_dim / 2;
    const unsigned lane = threadIdx.x, lanes = blockDim.x;
    const X* from = static_cast<const X*>(a.x) + row * a.stride;
    const auto x = load_row<X, kWidth, kMostPacks>(from, a.dim, lane, lanes);
    const float squares = block_sum(x.squares(a.dim, lane, lanes, 0), shared);
    const float norm = 1.0f / sqrtf(squares / static_cast<float>(a.dim) + a.eps);
    each_pack<kWidth, kMostPacks>(a.dim, lane, lanes, [&](int pack, unsigned i) {
        const auto turn = load<kWidth, float>(a.table, 2 * (row * half + i / 2 % half));
        Pack<Y, kWidth> result;
        for (int k = 0; k < kWidth; k += 2) {
            const float real = x.values[pack][k] * norm * a.weight[i + k];
            const float imaginary = x.values[pack][k + 1] * norm * a.weight[i + k + 1];
            result.values[k] = narrowed<Y>(real * turn.values[k] - imaginary * turn.values[k + 1]);
            result.values[k + 1] = narrowed<Y>(real * turn.values[k + 1] + imaginary * turn.values[k]);
        }
        store<kWidth, Y>(a.y, row * a.dim + i, result);
    });
}

/// Each row belongs to `a.lanes` threads of one warp. All threads of a warp take part in every round.
template <class X, int kWidth>
__device__ void unit_length_silu_rows(const SiluArguments& a) {
    const unsigned lanes = static_cast<unsigned>(a.lanes), lane = threadIdx.x % lanes, rows = blockDim.x / lanes;
    const long long step = static_cast<long long>(gridDim.x) * rows;
    for (long long first = static_cast<long long>(blockIdx.x) * rows; first < a.rows; first += step) {
        const long long row = first + threadIdx.x / lanes, dim = row < a.rows ? a.dim : 0;
        const auto x = load_row<X, kWidth, kMostSiluPacks>(static_cast<const X*>(a.x) + row * a.dim, dim, lane, lanes);
        const float length = sqrtf(lanes_sum(x.squares(dim, lane, lanes, 0), a.lanes));
        const float norm = 1.0f / (length < a.shortest ? a.shortest : length);  // NaN stays, unlike with fmaxf
        each_pack<kWidth, kMostSiluPacks>(dim, lane, lanes, [&](int pack, unsigned i) {
            Pack<float, kWidth> result;
            for (int k = 0; k < kWidth; ++k) {
                const float y = x.values[pack][k] * norm * a.gain[i + k];
                result.values[k] = y / (1.0f + expf(-y));
            }
            store<kWidth, float>(a.y, row * a.dim + i, result);
        });
    }
}

/// The statistics of a part of a tensor. NaN and infinite values are counted, and replaced by zeros for the others.
struct Partial {
    float low, high, sum, squares;
    unsigned nan, infinite;

    __device__ void add(float value) {
        const unsigned magnitude = __float_as_uint(value) & 0x7fffffffu;
        nan += magnitude > 0x7f800000u;
        infinite += magnitude == 0x7f800000u;
        const float finite = magnitude >= 0x7f800000u ? 0.0f : value;
        low = fminf(low, finite);
        high = fmaxf(high, finite);
        sum += finite;
        squares += finite * finite;
    }
    __device__ void add(const Partial& other) {
        low = fminf(low, other.low);
        high = fmaxf(high, other.high);
        sum += other.sum;
        squares += other.squares;
        nan += other.nan;
        infinite += other.infinite;
    }
};

static_assert(sizeof(Partial) == kPartBytes);

/// Shared memory cannot hold objects with a constructor.
__device__ inline Partial empty_partial() {
    const float infinity = __uint_as_float(0x7f800000u);
    return {infinity, -infinity, 0, 0, 0, 0};
}

/// Combines the statistics of all threads in thread 0. `shared` is [kMostWarps].
__device__ inline void combine_block(Partial& partial, Partial* shared) {
    for (int distance = kWarp / 2; distance > 0; distance /= 2) {
        Partial other;
        other.low = __shfl_xor_sync(~0u, partial.low, distance);
        other.high = __shfl_xor_sync(~0u, partial.high, distance);
        other.sum = __shfl_xor_sync(~0u, partial.sum, distance);
        other.squares = __shfl_xor_sync(~0u, partial.squares, distance);
        other.nan = __shfl_xor_sync(~0u, partial.nan, distance);
        other.infinite = __shfl_xor_sync(~0u, partial.infinite, distance);
        partial.add(other);
    }
    if (threadIdx.x % kWarp == 0) shared[threadIdx.x / kWarp] = partial;
    __syncthreads();
    if (threadIdx.x == 0)
        for (unsigned warp = 1; warp < blockDim.x / kWarp; ++warp) partial.add(shared[warp]);
    __syncthreads();  // before the next use of `shared`
}

/// Adds the parts in their order, in more digits than a float has.
__device__ inline void write_row(const Partial* parts, unsigned count, float* row) {
    Partial total = empty_partial();
    double sum = 0, squares = 0;
    unsigned long long nan = 0, infinite = 0;
    for (unsigned i = 0; i < count; ++i) {
        total.add(parts[i]);
        sum += parts[i].sum;
        squares += parts[i].squares;
        nan += parts[i].nan;
        infinite += parts[i].infinite;
    }
    row[0] = total.low;
    row[1] = total.high;
    row[2] = static_cast<float>(sum);
    row[3] = sqrtf(static_cast<float>(squares));
    row[4] = static_cast<float>(nan);
    row[5] = static_cast<float>(infinite);
}

/// Publishes the statistics of this block. The last block to do so combines those of all blocks.
__device__ inline void finish(Partial& partial, const StatisticsOutput& out, Partial* shared) {
    if (out.row == nullptr) return;
    combine_block(partial, shared);
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        static_cast<Partial*>(out.parts)[blockIdx.x] = partial;
        __threadfence();
        is_last = atomicAdd(out.finished, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    Partial* parts = static_cast<Partial*>(out.parts);
    // Each thread adds every n-th part, then thread 0 adds those sums: a fixed order.
    Partial mine = empty_partial();
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) mine.add(parts[i]);
    __syncthreads();
    if (threadIdx.x < gridDim.x) parts[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x != 0) return;
    write_row(parts, min(blockDim.x, gridDim.x), out.row);
    *out.finished = 0;
}

/// What a thread has seen of the two tensors whose statistics a sum computes.
struct SumPartials {
    Partial update, y;
};

/// Adds, stores and examines the pack at column `i` of a row. Returns the sum.
template <class U, int kWidth>
__device__ inline Pack<float, kWidth> add_pack(const SumArguments& a, long long row, long long i, SumPartials& seen) {
    const float* gate = row < a.first_rows ? a.first_gate : a.gate;
    const long long at = row * a.dim + i;
    const auto x = load<kWidth, float>(a.x, at);
    const auto u = load<kWidth, U>(a.update, at);
    Pack<float, kWidth> result;
    for (int k = 0; k < kWidth; ++k) {
        const float wide = widened(u.values[k]);
        result.values[k] = x.values[k] + wide * (gate == nullptr ? 1.0f : gate[i + k]);
        if (a.of_update.row == nullptr) continue;
        seen.update.add(wide);
        seen.y.add(result.values[k]);
    }
    store<kWidth, float>(a.y, at, result);
    return result;
}

template <class U, int kWidth>
__device__ void add_rows(const SumArguments& a) {
    __shared__ Partial shared[kMostWarps];
    SumPartials seen = {empty_partial(), empty_partial()};
    for (long long row = blockIdx.x; row < a.rows; row += gridDim.x)
        for (long long i = threadIdx.x * kWidth; i < a.dim; i += static_cast<long long>(blockDim.x) * kWidth)
            add_pack<U, kWidth>(a, row, i, seen);
    finish(seen.update, a.of_update, shared);
    finish(seen.y, a.of_y, shared);
}

/// The sum of add_rows and its norm, which reads the sum from registers.
template <class U, class Y>
__device__ void add_and_norm_rows(const SumNormArguments& arguments) {
    constexpr int kWidth = 4;
    __shared__ float shared[kMostWarps];
    __shared__ Partial partials[kMostWarps];
    const SumArguments& a = arguments.sum;
    SumPartials seen = {empty_partial(), empty_partial()};
    for (long long row = blockIdx.x; row < a.rows; row += gridDim.x) {
        RowPart<kWidth, kMostPacks> sum;
        each_pack<kWidth, kMostPacks>(a.dim, threadIdx.x, blockDim.x, [&](int pack, unsigned i) {
            const auto added = add_pack<U, kWidth>(a, row, i, seen);
            for (int k = 0; k < kWidth; ++k) sum.values[pack][k] = added.values[k];
        });
        write_norm<Y>(sum, row, arguments.norm, shared);
    }
    finish(seen.update, a.of_update, partials);
    finish(seen.y, a.of_y, partials);
}

template <class X, int kWidth>
__device__ void examine(const StatisticsArguments& a) {
    __shared__ Partial shared[kMostWarps];
    Partial partial = empty_partial();
    const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
    const long long first = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const long long packs = a.count / kWidth;
    for (long long i = first; i < packs; i += step) {
        const auto pack = load<kWidth, X>(a.x, i * kWidth);
        for (int k = 0; k < kWidth; ++k) partial.add(widened(pack.values[k]));
    }
    for (long long i = packs * kWidth + first; i < a.count; i += step)
        partial.add(widened(static_cast<const X*>(a.x)[i]));
    finish(partial, a.of_x, shared);
}

}  // namespace kinescope::kernels

// The entry points. Their names end with the types of the operands; fused_kernels.cpp builds the same names.
#define KINESCOPE_ONE_TYPE(T, name)                             \
    KINESCOPE_KERNEL(gated_sum_##name, SumArguments, {          \
        if (a.width == 4)                                       \
            kinescope::kernels::add_rows<T, 4>(a);              \
        else                                                    \
            kinescope::kernels::add_rows<T, 1>(a);              \
    })                                                          \
    KINESCOPE_KERNEL(statistics_##name, StatisticsArguments, {  \
        if (a.width == 4)                                       \
            kinescope::kernels::examine<T, 4>(a);               \
        else                                                    \
            kinescope::kernels::examine<T, 1>(a);               \
    })                                                          \
    KINESCOPE_KERNEL(unit_length_silu_##name, SiluArguments, {  \
        if (a.width == 4)                                       \
            kinescope::kernels::unit_length_silu_rows<T, 4>(a); \
        else                                                    \
            kinescope::kernels::unit_length_silu_rows<T, 1>(a); \
    })
#define KINESCOPE_TWO_TYPES(X, x_name, Y, y_name)                          \
    KINESCOPE_KERNEL(norm_##x_name##_##y_name, NormArguments, {            \
        if (a.width == 4)                                                  \
            kinescope::kernels::norm_rows<X, Y, 4>(a);                     \
        else                                                               \
            kinescope::kernels::norm_rows<X, Y, 1>(a);                     \
    })                                                                     \
    KINESCOPE_KERNEL(normed_rotary_##x_name##_##y_name, RotaryArguments, { \
        if (a.width == 4)                                                  \
            kinescope::kernels::rotate_rows<X, Y, 4>(a);                   \
        else                                                               \
            kinescope::kernels::rotate_rows<X, Y, 2>(a);                   \
    })

#define KINESCOPE_SUM_NORM(U, u_name, Y, y_name)                     \
    KINESCOPE_KERNEL(sum_norm_##u_name##_##y_name, SumNormArguments, \
                     { kinescope::kernels::add_and_norm_rows<U, Y>(a); })

KINESCOPE_SUM_NORM(kinescope::kernels::Half, float16, kinescope::kernels::Half, float16)
KINESCOPE_SUM_NORM(kinescope::kernels::Half, float16, float, float32)
KINESCOPE_SUM_NORM(kinescope::kernels::BFloat16, bfloat16, kinescope::kernels::BFloat16, bfloat16)
KINESCOPE_SUM_NORM(kinescope::kernels::BFloat16, bfloat16, float, float32)
KINESCOPE_SUM_NORM(float, float32, float, float32)
KINESCOPE_ONE_TYPE(float, float32)
KINESCOPE_ONE_TYPE(kinescope::kernels::Half, float16)
KINESCOPE_ONE_TYPE(kinescope::kernels::BFloat16, bfloat16)
KINESCOPE_TWO_TYPES(float, float32, float, float32)
KINESCOPE_TWO_TYPES(float, float32, kinescope::kernels::Half, float16)
KINESCOPE_TWO_TYPES(float, float32, kinescope::kernels::BFloat16, bfloat16)
KINESCOPE_TWO_TYPES(kinescope::kernels::Half, float16, float, float32)
KINESCOPE_TWO_TYPES(kinescope::kernels::Half, float16, kinescope::kernels::Half, float16)
KINESCOPE_TWO_TYPES(kinescope::kernels::BFloat16, bfloat16, float, float32)
KINESCOPE_TWO_TYPES(kinescope::kernels::BFloat16, bfloat16, kinescope::kernels::BFloat16, bfloat16)
