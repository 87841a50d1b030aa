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

void RunMailbox::on_event(JobId, const RunEvent& event) {
    bool was_empty = false;
    {
        std::lock_guard lock(mutex_);
        was_empty = events_.empty();
        append(event);
    }
    if (was_empty) wake_();
}

void RunMailbox::append(const RunEvent& event) {
    if (const auto* numerics = std::get_if<NumericsReady>(&event)) {
        for (StepNumbers& step : digest(numerics->samples)) events_.emplace_back(std::move(step));
        return;
    }
    std::erase_if(events_, [&](const WindowEvent& waiting) { return supersedes(event, waiting); });
    std::visit(
        [this](const auto& known) {
            using Event = std::decay_t<decltype(known)>;
            if constexpr (!std::is_same_v<Event, NumericsReady>) events_.emplace_back(known);
        },
        event);
}

std::vector<WindowEvent> RunMailbox::drain() {
    std::lock_guard lock(mutex_);
    return std::exchange(events_, {});
}

}  // namespace kinescope::ui
