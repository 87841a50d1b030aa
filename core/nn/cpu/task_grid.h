#pragma once

#include <cstdint>

#include "core/nn/cpu/parallel_for_dynamic.h"

namespace kinescope {

/// The part of a matrix product that a thread computes at a time, in rows and panels of columns.
struct Block {
    std::int64_t first_row, rows, first_panel, panels;
};

/// Divides the result of a matrix product with packed weights into tasks: whole panels of one part of the rows, and
/// smaller pieces of the last panels.
class TaskGrid {
public:
    /// The kernel multiplies `rows_of_block` rows at a time.
    TaskGrid(std::int64_t rows, std::int64_t panels, std::int64_t threads, std::int64_t rows_of_block);

    std::int64_t tasks() const { return whole_ + (parts_ * panels_ - whole_) * pieces_; }

    /// Removes one block from the start of the batch.
    Block take_block(DynamicTasks::Batch& batch) const;

private:
    std::int64_t rows_, panels_, parts_, pieces_;
    std::int64_t whole_;  ///< number of tasks that are whole panels
};

}  // namespace kinescope
