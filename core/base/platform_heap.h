#pragma once

namespace kinescope {

/// Makes the heap return freed blocks of 1 MiB or more to the system immediately.
void return_freed_blocks();
/// Restores the heap's own policy, which keeps freed blocks for later allocations.
void keep_freed_blocks();
/// Returns the free memory of the heap to the system.
void return_free_heap();

}  // namespace kinescope
