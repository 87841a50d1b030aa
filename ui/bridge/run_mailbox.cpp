#include "ui/bridge/run_mailbox.h"

#include <utility>

namespace kinescope::ui {
namespace {

bool supersedes(const RunEvent& event, const WindowEvent& waiting) {
    if (std::holds_alternative<FinishProgress>(event)) return std::holds_alternative<FinishProgress>(waiting);
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

const std::string* warningOf(const JobEvent& event) {
    const auto* line = std::get_if<LogLine>(&event.event);
    return event.job != 0 && line && line->level == LogLineLevel::warning ? &line->text : nullptr;
}

bool isAboutUnsavedSteps(const WindowEvent& event) {
    const auto* line = std::get_if<LogLine>(&event);
    return line && line->topic == LogTopic::unsaved_steps;
}

void RunMailbox::on_event(JobId job, const RunEvent& event) {
    bool was_empty = false;
    {
        std::lock_guard lock(mutex_);
        was_empty = mail_.empty();
        append(job, event);
    }
    if (was_empty) wake_();
}

void RunMailbox::append(JobId job, const RunEvent& event) {
    if (const auto* queue = std::get_if<QueueChanged>(&event)) {
        mail_.jobs = queue->jobs;
        return;
    }
    if (const auto* progress = std::get_if<FileCheckProgress>(&event)) {
        std::erase_if(mail_.checks, [&](const FileCheckProgress& older) { return older.check == progress->check; });
        mail_.checks.push_back(*progress);
        return;
    }
    if (const auto* progress = std::get_if<ExportProgress>(&event)) {
        std::erase_if(mail_.exports,
                      [&](const ExportProgress& older) { return older.export_id == progress->export_id; });
        mail_.exports.push_back(*progress);
        return;
    }
    if (const auto* progress = std::get_if<FinishProgress>(&event); progress && progress->finish_id != 0) {
        std::erase_if(mail_.finishes,
                      [&](const FinishProgress& older) { return older.finish_id == progress->finish_id; });
        mail_.finishes.push_back(*progress);
        return;
    }
    if (const auto* progress = std::get_if<GpuSupportProgress>(&event)) {
        mail_.gpuSupport = *progress;
        return;
    }
    if (const auto* end = std::get_if<EngineEnded>(&event)) {
        mail_.engineEnds.push_back({job, *end});
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
            if constexpr (kIsWindowEvent<std::decay_t<decltype(known)>>) mail_.events.push_back({job, known});
        },
        event);
}

Mail RunMailbox::drain() {
    std::lock_guard lock(mutex_);
    return std::exchange(mail_, {});
}

}  // namespace kinescope::ui
