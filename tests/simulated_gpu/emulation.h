#pragma once

#include <c10/util/Half.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>

/// The parts of CUDA C++ that core/device/cuda/fused_kernels.cu uses, so that it also compiles as C++. The threads of a
/// block are fibers: each runs until it waits for others.

#define __device__
#define __shared__ static  // one block runs at a time

namespace simulated_gpu {

struct Index {
    unsigned x = 0;
};

/// The position of the running fiber.
struct Place {
    Index thread, block, block_size, grid_size;
};
extern Place place;

/// Runs `thread` once for each thread of each block, block after block. Returns false if the threads of a block waited
/// for each other forever, e.g. because some of them returned before a barrier.
bool run_grid(unsigned blocks, unsigned threads, const std::function<void()>& thread);

/// Waits until every thread of the block has called it.
void await_block();
/// Gives `value` to the other threads of the warp, waits until all of them have called it, and returns the value of
/// the thread with the number `other`.
unsigned exchange_in_warp(unsigned value, unsigned other);

/// Ends the process if an address is not a multiple of the size of the access, at which a card ends the context.
void require_aligned(const void* address, std::size_t bytes);

}  // namespace simulated_gpu

#define KINESCOPE_REQUIRE_ALIGNED(address, bytes) simulated_gpu::require_aligned(address, bytes)

#define threadIdx simulated_gpu::place.thread
#define blockIdx simulated_gpu::place.block
#define blockDim simulated_gpu::place.block_size
#define gridDim simulated_gpu::place.grid_size

inline void __syncthreads() {
    simulated_gpu::await_block();
}
inline void __threadfence() {}

template <class T>
T __shfl_xor_sync(unsigned, T value, int distance) {
    static_assert(sizeof(T) == sizeof(unsigned));
    const unsigned other = threadIdx.x ^ static_cast<unsigned>(distance);
    return std::bit_cast<T>(simulated_gpu::exchange_in_warp(std::bit_cast<unsigned>(value), other));
}

inline unsigned atomicAdd(unsigned* sum, unsigned value) {
    return std::exchange(*sum, *sum + value);
}
inline unsigned __float_as_uint(float value) {
    return std::bit_cast<unsigned>(value);
}
inline float __uint_as_float(unsigned bits) {
    return std::bit_cast<float>(bits);
}
inline unsigned min(unsigned a, unsigned b) {
    return a < b ? a : b;
}
inline float half_bits_to_float(unsigned short bits) {
    return c10::Half(bits, c10::Half::from_bits());
}
inline unsigned short float_to_half_bits(float value) {
    return c10::Half(value).x;
}
