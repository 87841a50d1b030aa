#pragma once

#include <string>

namespace simulated_gpu {

/// Counts a launch. Throws if the card has failed, see SIMULATED_GPU_FAIL_AFTER.
void launch(const std::string& op);

/// For CUDA calls other than launches: after a failed launch, every call fails.
void require_card(const std::string& call);

long launches();

/// True once, after SIMULATED_GPU_FULL_AFTER launches: the next allocation fails.
bool is_full_now();

/// Memory of a card that other programs use now, see SIMULATED_GPU_TAKEN_AFTER.
std::size_t bytes_of_others();

}  // namespace simulated_gpu
