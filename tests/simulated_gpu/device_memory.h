#pragma once

#include <ATen/ATen.h>
#include <c10/core/CachingDeviceAllocator.h>

#include <cstdint>
#include <optional>

namespace simulated_gpu {

/// Returns the card's allocator. The host must not access its memory. Freed memory is reused only on the stream that
/// freed it, and new memory is filled with NaN. Throws c10::OutOfMemoryError like LibTorch's allocator.
c10::DeviceAllocator& device_allocator();
c10::Allocator& pinned_allocator();
bool is_pinned(const void* address);
/// The card that holds an address.
int device_of(const void* address);

/// Peak memory of a card.
std::size_t peak_bytes(int device);

/// Returns the same memory as a CPU tensor, for kernels.
at::Tensor as_host(const at::Tensor& tensor);

enum class Access { read, write };

/// Records that a kernel of the current stream uses the tensor. Reports RACE and USE AFTER FREE.
void use(const at::Tensor& tensor, Access access, const std::string& op);

}  // namespace simulated_gpu
