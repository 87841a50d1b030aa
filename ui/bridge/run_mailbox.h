#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/api/run_event.h"
#include "ui/bridge/step_numbers.h"

namespace kinescope::ui {

/// True for events that the window receives unchanged. NumericsReady arrives as StepNumbers, the others as parts of
/// Mail. FinishProgress arrives as an event if it belongs to a run, and otherwise in Mail.
template <class Event>
inline constexpr bool kIsWindowEvent =
    !std::is_same_v<Event, NumericsReady> && !std::is_same_v<Event, QueueChanged> &&
    !std::is_same_v<Event, FileCheckProgress> && !std::is_same_v<Event, GpuSupportProgress> &&
    !std::is_same_v<Event, ExportProgress> && !std::is_same_v<Event, EngineEnded>;

/// Appends the alternatives of a RunEvent that are window events to the variant `Kept`.
template <class Kept, class Events>
struct SelectWindowEvents {
    using Type = Kept;
};
template <class... Kept, class First, class... Rest>
struct SelectWindowEvents<std::variant<Kept...>, std::variant<First, Rest...>> {
    using Extended = std::conditional_t<kIsWindowEvent<First>, std::variant<Kept..., First>, std::variant<Kept...>>;
    using Type = typename SelectWindowEvents<Extended, std::variant<Rest...>>::Type;
};

/// A RunEvent as the window receives it.
using WindowEvent = SelectWindowEvents<std::variant<StepNumbers>, RunEvent>::Type;

struct JobEvent {
    JobId job = 0;
    WindowEvent event;
};

/// Returns the engine's warning about the run of a job, in English; nullptr if the event is none.
const std::string* warningOf(const JobEvent& event);
/// Returns true for a warning that finished steps of a job are not saved.
bool isAboutUnsavedSteps(const WindowEvent& event);

/// The end of an engine's process, and the job that it ran.
struct EngineEndOfJob {
    JobId job = 0;  ///< 0: none
    EngineEnded end;
};

/// Everything that arrived since the last drain.
struct Mail {
    std::vector<JobEvent> events;                  ///< oldest first
    std::optional<std::vector<Job>> jobs;          ///< the newest queue; nullopt: unchanged
    std::vector<FileCheckProgress> checks;         ///< the newest progress of each file check
    std::vector<ExportProgress> exports;           ///< the newest progress of each export
    std::vector<FinishProgress> finishes;          ///< the newest progress of each finished copy
    std::optional<GpuSupportProgress> gpuSupport;  ///< the newest progress
    std::vector<EngineEndOfJob> engineEnds;        ///< oldest first

    bool empty() const {
        return events.empty() && !jobs && checks.empty() && exports.empty() && finishes.empty() && !gpuSupport &&
               engineEnds.empty();
    }
};

/// Carries events from the engine's threads to the window and keeps their order. Of the progress within a phase, latent
/// previews, the queue, file checks, exports and installations, only the newest is delivered. The samples of a step are
/// merged on the engine's thread.
class RunMailbox final : public RunObserver {
public:
    /// `wake` is called when the mailbox stops being empty, on the thread that sends the event. It must not block.
    explicit RunMailbox(std::function<void()> wake) : wake_(std::move(wake)) {}

    void on_event(JobId job, const RunEvent& event) override;

    /// Returns the contents and empties the mailbox.
    Mail drain();

private:
    void append(JobId job, const RunEvent& event);

    std::function<void()> wake_;
    std::mutex mutex_;
    Mail mail_;
};

}  // namespace kinescope::ui
