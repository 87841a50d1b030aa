#include "core/finish/finishing_sink.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kinescope {

FinishingSink::FinishingSink(FinishPlan plan, FinishNetworks networks, std::unique_ptr<FrameSink> target,
                             CancellationToken cancellation, Progress progress)
    : cancellation_(std::move(cancellation)),
      progress_(std::move(progress)),
      target_(std::move(target)),
      finisher_(plan, std::move(networks), {},
                {.write =
                     [this, total = plan.num_frames](const FramePtr& frame) {
                         target_->write(*frame);
                         const int done = finisher_.num_written() + 1;
                         progress_(done, std::max(total, done), FinishStage::frames);
                     },
                 .between_parts = [this] { cancellation_.throw_if_requested(); }}) {}

void FinishingSink::write(const Frame& frame) {
    finisher_.push(std::make_shared<const Frame>(frame), std::nan(""));
}

std::filesystem::path FinishingSink::finish() {
    try {
        cancellation_.throw_if_requested();
        finisher_.end();
    } catch (const Cancelled&) {
        if (finisher_.num_written() == 0) throw;
    }
    progress_(finisher_.num_written(), finisher_.num_written(), FinishStage::file);
    return target_->finish();
}

}  // namespace kinescope
