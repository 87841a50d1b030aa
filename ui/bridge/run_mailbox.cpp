#include "ui/bridge/run_mailbox.h"

#include <utility>

namespace kinescope::ui {
namespace {

bool supersedes(const RunEvent& event, const WindowEvent& waiting) {
    if (const auto* progress = std::get_if<PhaseProgress>(&event)) {
        const auto* older = std::get_if<PhaseProgress>(&waiting);
        return older && older->phase == progress->phase;
    }
    if (const auto* preview = std::get_if<PreviewReady>(&event)) {
        const auto* older = std::get_if<PreviewReady>(&waiting);
        return older && older->kind == PreviewKind::latent && preview->kind == PreviewKind::latent;
    }
    return false;
}

}  // namespace

void RunMailbox::on_event(JobId job, const RunEvent& event) {
    bool was_empty = false;
    {
        std::lock_guard lock(mutex_);
        was_empty = mail_.events.empty() && !mail_.jobs;
        append(job, event);
    }
    if (was_empty) wake_();
}

void RunMailbox::append(JobId job, const RunEvent& event) {
    if (const auto* queue = std::get_if<QueueChanged>(&event)) {
        mail_.jobs = queue->jobs;
        return;
    }
    if (const auto* numerics = std::get_if<NumericsReady>(&event)) {
        for (StepNumbers& step : digest(numerics->samples)) mail_.events.push_back({job, std::move(step)});
        return;
    }
    std::erase_if(mail_.events,
                  [&](const JobEvent& waiting) { return waiting.job == job && supersedes(event, waiting.event); });
    std::visit(
        [&](const auto& known) {
            using Event = std::decay_t<decltype(known)>;
            if constexpr (!std::is_same_v<Event, NumericsReady> && !std::is_same_v<Event, QueueChanged>)
                mail_.events.push_back({job, known});
        },
        event);
}

Mail RunMailbox::drain() {
    std::lock_guard lock(mutex_);
    return std::exchange(mail_, {});
}

}  // namespace kinescope::ui
