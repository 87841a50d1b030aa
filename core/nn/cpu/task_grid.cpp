#include "core/nn/cpu/task_grid.h"

#include <algorithm>

#include "core/base/round_up.h"

namespace kinescope {

namespace {

/// The minimum number of rows for which repacking all weights pays off: packing then takes 1 % of the time of the
/// products.
constexpr std::int64_t kRowsToPackFor = 1536;
/// The minimum number of rows for repacking if there are too few panels to balance the threads. Packing then takes 4 %.
constexpr std::int64_t kFewestRowsToPackFor = 384;
constexpr std::int64_t kPartsOfThread = 8;
/// The last panels of each thread are divided into pieces by rows. Otherwise, threads that finish early wait for half
/// the time of a panel on average, which is 1 to 2 % of a product with 60 panels.
constexpr std::int64_t kPanelsInPieces = 2, kMostPieces = 4, kFewestRowsOfPiece = 192;

/// Returns the number of parts into which the rows of the result are divided. Each task computes one panel of one part.
std::int64_t parts_of_rows(std::int64_t rows, std::int64_t panels, std::int64_t threads, std::int64_t rows_of_block) {
    const auto parts = std::max<std::int64_t>(rows / kRowsToPackFor, 1), wanted = kPartsOfThread * threads;
    if (parts * panels >= wanted) return parts;
    const auto most = panels < threads ? count_parts(rows, rows_of_block) : rows / kFewestRowsToPackFor;
    return std::clamp<std::int64_t>(count_parts(wanted, panels), 1, std::max(parts, most));
}

}  // namespace

TaskGrid::TaskGrid(std::int64_t rows, std::int64_t panels, std::int64_t threads, std::int64_t rows_of_block)
    : rows_(rows),
      panels_(panels),
      parts_(parts_of_rows(rows, panels, threads, rows_of_block)),
      pieces_(std::clamp<std::int64_t>(rows / parts_ / kFewestRowsOfPiece, 1, kMostPieces)),
      whole_(threads == 1 ? parts_ * panels : std::max<std::int64_t>(parts_ * panels - kPanelsInPieces * threads, 0)) {}

Block TaskGrid::take_block(DynamicTasks::Batch& batch) const {
    const bool is_whole = batch.first < whole_;
    const auto piece = is_whole ? 0 : (batch.first - whole_) % pieces_;
    const auto unit = is_whole ? batch.first : whole_ + (batch.first - whole_) / pieces_;
    const auto part = unit / panels_, panel = unit % panels_;
    const auto most = is_whole ? std::min(panels_ - panel, whole_ - batch.first) : pieces_ - piece;
    const auto count = std::min(batch.count, most);
    batch = {batch.first + count, batch.count - count};
    const auto first = rows_ * part / parts_, rows = rows_ * (part + 1) / parts_ - first;
    if (is_whole) return {first, rows, panel, count};
    const auto begin = rows * piece / pieces_;
    return {first + begin, rows * (piece + count) / pieces_ - begin, panel, 1};
}

}  // namespace kinescope
