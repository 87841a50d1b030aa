#include "core/models/continuation.h"

#include <algorithm>

namespace kinescope {

int overlap_frames(const ModelCard& card, int num_frames) {
    constexpr int kMost = 9;
    if (card.continuation == Continuation::last_frame) return 1;
    const int multiple = std::max(1, card.num_frames_multiple);
    const int most = std::min(kMost, num_frames / 2);
    return std::max(1, (most - 1) / multiple * multiple + 1);
}

}  // namespace kinescope
