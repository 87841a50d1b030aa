#pragma once

#include <string>

namespace simulated_gpu {

/// Counts a kernel launch. Throws if the GPU has failed, see SIMULATED_GPU_FAIL_AFTER.
void launch(const std::string& op);

/// Throws if the GPU has failed. Called by CUDA functions other than launches, all of which fail after a failed launch.
void require_card(const std::string& call);

long launches();

/// Returns true once, after SIMULATED_GPU_FULL_AFTER launches: the next allocation must fail.
bool is_full_now();

/// Returns how much of the GPU's memory other programs use now, see SIMULATED_GPU_TAKEN_AFTER.
std::size_t bytes_of_others();

}  // namespace simulated_gpu
