// An engine whose results arrive slowly: slow_computer MODE, see test_computers.
//   until_paused: the result of the first job arrives after the second one was paused
//   endless:      the result takes very long
//   in_use:       the result arrives at once, but its job cannot be deleted at first
//   ends_late:    a job that is deleted ends later. `slow_computer ends_late FILE` creates FILE if its results are
//                 deleted before
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "core/api/version.h"
#include "core/base/sha256.h"
#include "core/protocol/message.h"
#include "core/remote/engine_server.h"
#include "tests/app/files_calls.h"
#include "tests/app/stub_engine.h"

using namespace kinescope;
using namespace kinescope::testing;
using remote::CallDuration;
using remote::Json;

namespace {

/// Tells the thread that sends a result that a job was paused.
class PausedJob {
public:
    void note() {
        const std::lock_guard lock(mutex_);
        is_paused_ = true;
        changed_.notify_all();
    }
    /// Returns false if no job was paused in time.
    bool wait() {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::seconds(20), [this] { return is_paused_; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_paused_ = false;
};

/// Its first job finishes when `last` jobs have arrived; the others go on. It refuses to delete a job `refusals` times.
/// The run of a deleted job ends after find() has returned the job once.
class SlowEngine final : public StubEngine {
public:
    SlowEngine(StubScript& script, RunObserver& observer, std::size_t last, int refusals, PausedJob& paused)
        : StubEngine(script, observer), observer_(observer), last_(last), refusals_(refusals), paused_(paused) {}

    JobId submit(VideoRequest request) override {
        Job job;
        job.id = static_cast<JobId>(jobs_.size()) + 1;
        job.request = request;
        job.state = JobState::running;
        jobs_.push_back(job);
        RunStarted started;
        started.request = request;
        observer_.on_event(job.id, started);
        if (jobs_.size() == last_) {
            jobs_.front().state = JobState::finished;
            observer_.on_event(1, RunFinished{{.output = jobs_.front().request.output.file}});
        }
        return job.id;
    }
    std::vector<Job> list() override { return jobs_; }
    std::optional<Job> find(JobId job) override {
        if (ended_.contains(job)) return std::nullopt;
        if (removed_.contains(job)) {
            ended_.insert(job);
            observer_.on_event(0, QueueChanged{});
        }
        return jobs_.at(static_cast<std::size_t>(job) - 1);
    }
    bool has_running_job() const { return jobs_.size() > ended_.size(); }
    void pause(JobId job, PausePoint) override {
        observer_.on_event(job, RunPaused{});
        paused_.note();
    }
    void remove(JobId job) override {
        if (refusals_-- > 0) throw Error(ErrorCode::unsupported, "another program is working on the job");
        removed_.insert(job);
    }

private:
    RunObserver& observer_;
    const std::size_t last_;
    int refusals_;
    PausedJob& paused_;
    std::vector<Job> jobs_;
    std::set<JobId> removed_;  ///< the user has deleted them
    std::set<JobId> ended_;    ///< of these
};

}  // namespace

int main(int argc, char** argv) {
    const std::string mode = argc > 1 ? argv[1] : "";
    const bool is_endless = mode == "endless";
    const bool is_in_use = mode == "in_use";
    constexpr std::size_t kSmall = 10;
    constexpr std::int64_t kLarge = std::int64_t{400} << 20;
    StubScript script;
    script.card = small_card();
    PausedJob paused;
    ParentChannels parent = take_parent_channels();
    remote::EngineServer server(
        std::move(parent.in), std::move(parent.out),
        {.version = kVersion,
         .more_calls = {
             files_about_call(),
             call_of("files.list",
                     [&](Engine&, const Json& arguments) -> Json {
                         const std::string name = "results/" + arguments.at(0).get<std::string>() + "/video.mp4";
                         const std::int64_t bytes = is_endless ? kLarge : static_cast<std::int64_t>(kSmall);
                         return Json::array(
                             {{{"name", name}, {"bytes", bytes}, {"sha256", sha256_of(std::string(kSmall, 'x'))}}});
                     }),
             call_of(
                 "files.get",
                 [&](Engine&, const Json& arguments) -> Json {
                     if (is_endless) std::this_thread::sleep_for(std::chrono::milliseconds(300));
                     if (!is_endless && !is_in_use && !paused.wait())
                         throw Error(ErrorCode::file_unreadable, "no job was paused while the result was sent");
                     return Json::binary(std::vector<std::uint8_t>(arguments.at(2).get<std::size_t>(), 'x'));
                 },
                 CallDuration::long_call),
             call_of("files.remove",
                     [&](Engine& engine, const Json&) -> Json {
                         const bool is_early = dynamic_cast<const SlowEngine&>(engine).has_running_job();
                         if (mode == "ends_late" && is_early) std::ofstream(argv[2]) << "deleted too early";
                         return nullptr;
                     }),
             call_of("jobs.submit_once", [](Engine& engine, const Json& arguments) -> Json {
                 return engine.jobs().submit(protocol::from_document<VideoRequest>(arguments.at(1)));
             })}});
    const std::size_t last = is_endless || is_in_use ? 1 : 2;
    const int refusals = is_in_use ? 1 : 0;
    server.run(
        [&](RunObserver& observer) { return std::make_unique<SlowEngine>(script, observer, last, refusals, paused); });
    return 0;
}
