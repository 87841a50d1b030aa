#pragma once

#include <ATen/ATen.h>
#include <c10/core/CachingDeviceAllocator.h>

#include <cstdint>
#include <optional>

namespace simulated_gpu {

/// The allocator of the card: memory that the host must not touch, handed out again only to the stream that gave it
/// back, and filled with NaN. Throws c10::OutOfMemoryError as LibTorch's own does.
c10::DeviceAllocator& device_allocator();
c10::Allocator& pinned_allocator();
bool is_pinned(const void* address);

std::size_t peak_bytes();

/// The same memory as a tensor on the CPU, for kernels.
at::Tensor as_host(const at::Tensor& tensor);

enum class Access { read, write };

/// A kernel of the current stream uses the tensor: looks for RACE and USE AFTER FREE.
void use(const at::Tensor& tensor, Access access, const std::string& op);

}  // namespace simulated_gpu
