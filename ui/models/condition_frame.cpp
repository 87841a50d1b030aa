#include "ui/models/condition_frame.h"

#include <algorithm>
#include <set>

namespace kinescope::ui {
namespace {

std::set<int> takenFrames(const VideoRequest& request, int last) {
    std::set<int> taken;
    if (request.image) taken.insert(0);
    if (request.last_image) taken.insert(last);
    for (const FrameCondition& condition : request.conditions) taken.insert(condition.frame_index);
    return taken;
}

int middle(int from, int to, int multiple) {
    const int half = (from + to) / 2;
    const int rounded = half / multiple * multiple;
    return rounded > from ? rounded : half;
}

}  // namespace

int nextConditionFrame(const VideoRequest& request, const ModelCard& card) {
    const int last = request.num_frames.value_or(card.default_num_frames) - 1;
    const std::set<int> taken = takenFrames(request, last);
    if (!taken.contains(0)) return 0;
    if (!taken.contains(last)) return last;
    int from = 0, to = 0;
    for (auto frame = taken.begin(); std::next(frame) != taken.end() && *frame < last; ++frame) {
        if (*std::next(frame) - *frame <= to - from) continue;
        from = *frame;
        to = *std::next(frame);
    }
    return middle(from, to, std::max(1, card.num_frames_multiple));
}

}  // namespace kinescope::ui
