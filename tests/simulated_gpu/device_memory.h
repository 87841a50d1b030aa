#pragma once

#include <ATen/ATen.h>
#include <c10/core/CachingDeviceAllocator.h>

#include <cstdint>
#include <optional>

namespace simulated_gpu {

/// Returns the allocator of the simulated GPU. The host must not access its memory. Freed memory is reused only on the
/// stream that freed it, and new memory is filled with NaN. Throws c10::OutOfMemoryError like LibTorch's allocator.
c10::DeviceAllocator& device_allocator();
c10::Allocator& pinned_allocator();
bool is_pinned(const void* address);
/// Returns the GPU that contains an address.
int device_of(const void* address);

/// Returns the peak memory of a GPU in bytes.
std::size_t peak_bytes(int device);

/// Returns a CPU tensor with the same memory, for kernels.
at::Tensor as_host(const at::Tensor& tensor);

enum class Access { read, write };

/// Records that a kernel on the current stream uses the tensor. Reports RACE and USE AFTER FREE.
void use(const at::Tensor& tensor, Access access, const std::string& op);
/// Records that a kernel uses the block of device memory that contains an address. Returns the address by which kernels
/// access it.
void* use(const void* address, Access access, const std::string& op);

}  // namespace simulated_gpu
