#include "core/remote/engine_group.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/coalesced_task.h"

namespace kinescope::remote {

namespace {

/// A job of member n has the id n * 2^40 + its id there.
constexpr int kBitsOfJob = 40;
constexpr JobId kJobsOfMember = JobId{1} << kBitsOfJob;

}  // namespace

JobId id_in_group(std::int64_t member, JobId job) {
    return job == 0 ? 0 : member * kJobsOfMember + job;
}

std::pair<std::int64_t, JobId> split_id(JobId job) {
    return {job >> kBitsOfJob, job & (kJobsOfMember - 1)};
}

/// One engine, and the observer that gives its jobs their ids in the group.
class EngineGroup::Member final : public RunObserver {
public:
    Member(std::string named, std::int64_t numbered, Parts& group)
        : name(std::move(named)), number(numbered), group_(group) {}

    /// The engine may use its observer until it has ended.
    ~Member() override { engine.reset(); }

    void on_event(JobId job, const RunEvent& event) override;

    /// The queue with ids of the group.
    std::vector<Job> jobs() const {
        std::vector<Job> jobs = engine->jobs().list();
        for (Job& job : jobs) job.id = id_in_group(number, job.id);
        return jobs;
    }

    const std::string name;
    const std::int64_t number;
    std::unique_ptr<Engine> engine;  ///< set before the member is used

private:
    Parts& group_;
};

/// The members and the five interfaces of the group.
class EngineGroup::Parts final : public JobQueue, public ModelCatalog, public Diagnostics {
public:
    using MemberPtr = std::shared_ptr<Member>;

    explicit Parts(RunObserver& observer) : observer_(observer) {}

    void add(const std::string& name, const MemberFactory& make) {
        std::int64_t number = 0;
        {
            const std::lock_guard lock(mutex_);
            number = next_number_++;
        }
        const auto member = std::make_shared<Member>(name, number, *this);
        member->engine = make(*member);
        std::vector<Job> jobs;
        if (number > 0) jobs = member->jobs();
        {
            const std::lock_guard lock(mutex_);
            members_.push_back(member);
            queues_.try_emplace(number, std::move(jobs));  // a queue that the member has sent meanwhile is newer
        }
        if (number > 0) send_queue();
    }

    void remove(const std::string& name) {
        MemberPtr removed;
        {
            const std::lock_guard lock(mutex_);
            const auto found = std::ranges::find(members_, name, [](const MemberPtr& each) { return each->name; });
            if (name.empty() || found == members_.end()) return;
            removed = *found;
            members_.erase(found);
            queues_.erase(removed->number);
        }
        removed.reset();
        send_queue();
    }

    /// Ends the members, the last one first.
    void end() {
        for (;;) {
            MemberPtr last;
            {
                const std::lock_guard lock(mutex_);
                if (members_.empty()) return;
                last = members_.back();
                members_.pop_back();
            }
            last.reset();
        }
    }

    MemberPtr find_member(const std::string& name) const {
        const std::lock_guard lock(mutex_);
        const auto found = std::ranges::find(members_, name, [](const MemberPtr& each) { return each->name; });
        return found == members_.end() ? nullptr : *found;
    }
    std::vector<MemberPtr> members() const {
        const std::lock_guard lock(mutex_);
        return members_;
    }
    /// The engine of a member, which lives as long as the result.
    static std::shared_ptr<Engine> engine_of(const MemberPtr& member) { return {member, member->engine.get()}; }
    std::shared_ptr<Engine> first() const {
        const std::lock_guard lock(mutex_);
        if (members_.empty()) throw Error(ErrorCode::engine_lost, "the engine is ending");
        return engine_of(members_.front());
    }
    std::shared_ptr<Engine> chosen_engine() const {
        const MemberPtr member = find_member(chosen());
        return member ? engine_of(member) : first();
    }
    void choose(const std::string& name) {
        const bool is_known = find_member(name) != nullptr;
        const std::lock_guard lock(mutex_);
        chosen_ = is_known ? name : std::string();
    }
    std::string chosen() const {
        const std::lock_guard lock(mutex_);
        return chosen_;
    }
    std::string name_of(JobId job) const {
        const std::lock_guard lock(mutex_);
        const auto found =
            std::ranges::find(members_, split_id(job).first, [](const MemberPtr& each) { return each->number; });
        return found == members_.end() ? std::string() : (*found)->name;
    }

    void take(const Member& member, JobId job, const RunEvent& event) {
        if (const auto* queue = std::get_if<QueueChanged>(&event)) {
            std::vector<Job> jobs = queue->jobs;
            for (Job& each : jobs) each.id = id_in_group(member.number, each.id);
            return announce(member, std::move(jobs));
        }
        observer_.on_event(id_in_group(member.number, job), event);
    }

    JobId submit_to(const std::string& name, VideoRequest request) {
        const MemberPtr member = find_member(name);
        if (!member)
            throw Error(ErrorCode::bad_request, "there is no computer \"" + name + "\"", "Choose another one.",
                        {{"computer", name}});
        return id_in_group(member->number, member->engine->jobs().submit(std::move(request)));
    }

    // JobQueue
    JobId submit(VideoRequest request) override { return submit_to(chosen(), std::move(request)); }
    std::vector<Job> list() override {
        std::vector<Job> all;
        for (const MemberPtr& member : members()) std::ranges::move(member->jobs(), std::back_inserter(all));
        return all;
    }
    std::optional<Job> find(JobId job) override {
        std::optional<Job> found;
        with(job, [&](JobQueue& queue, JobId there) { found = queue.find(there); });
        if (found) found->id = job;
        return found;
    }
    void cancel(JobId job) override {
        with(job, [](JobQueue& queue, JobId there) { queue.cancel(there); });
    }
    void pause(JobId job, PausePoint point) override {
        with(job, [point](JobQueue& queue, JobId there) { queue.pause(there, point); });
    }
    void resume(JobId job) override {
        with(job, [](JobQueue& queue, JobId there) { queue.resume(there); });
    }
    void decode_now(JobId job) override {
        with(job, [](JobQueue& queue, JobId there) { queue.decode_now(there); });
    }
    void start(JobId job, RemainingSteps steps) override {
        with(job, [steps](JobQueue& queue, JobId there) { queue.start(there, steps); });
    }
    void hand_over(JobId job) override {
        with(job, [](JobQueue& queue, JobId there) { queue.hand_over(there); });
    }
    void retry(JobId job) override {
        with(job, [](JobQueue& queue, JobId there) { queue.retry(there); });
    }
    /// A job stays among those of its member.
    void move(JobId job, int position) override {
        int before = 0;
        for (const MemberPtr& member : members()) {
            const auto count = static_cast<int>(member->engine->jobs().list().size());
            if (member->number == split_id(job).first)
                return member->engine->jobs().move(split_id(job).second, std::clamp(position - before, 0, count));
            before += count;
        }
    }
    void edit(JobId job, VideoRequest request) override {
        with(job, [&](JobQueue& queue, JobId there) { queue.edit(there, std::move(request)); });
    }
    void remove(JobId job) override {
        with(job, [](JobQueue& queue, JobId there) { queue.remove(there); });
    }
    void hold() override {
        for (const MemberPtr& member : members()) member->engine->jobs().hold();
    }
    void release() override {
        for (const MemberPtr& member : members()) member->engine->jobs().release();
    }

    // ModelCatalog
    std::vector<ModelCard> models() override { return chosen_engine()->catalog().models(); }
    ModelCard card(const std::string& model) override { return chosen_engine()->catalog().card(model); }
    ModelCard card(const VideoRequest& request) override { return chosen_engine()->catalog().card(request); }
    CheckpointDescription describe_checkpoint(const std::filesystem::path& path) override {
        return first()->catalog().describe_checkpoint(path);
    }
    FileCheck check_file(const std::filesystem::path& file, CheckId id) override {
        return first()->catalog().check_file(file, id);
    }
    void cancel_check(CheckId id) override { first()->catalog().cancel_check(id); }
    std::vector<PresetInfo> presets(const VideoRequest& request) override {
        return chosen_engine()->catalog().presets(request);
    }
    Plan plan(const VideoRequest& request) override { return chosen_engine()->catalog().plan(request); }
    int count_tokens(const std::string& model, const std::string& prompt) override {
        return chosen_engine()->catalog().count_tokens(model, prompt);
    }

    // Diagnostics
    std::vector<DeviceInfo> devices() override { return chosen_engine()->diagnostics().devices(); }
    DoctorReport doctor(CanaryMode mode) override { return first()->diagnostics().doctor(mode); }
    int forget_overrides() override { return first()->diagnostics().forget_overrides(); }
    VerifyReport verify(const std::filesystem::path& case_dir, const VerifyOptions& options, DiagnosticId id) override {
        return first()->diagnostics().verify(case_dir, options, id);
    }
    std::vector<BenchRow> bench(const VideoRequest& request, int repeats, DiagnosticId id) override {
        return first()->diagnostics().bench(request, repeats, id);
    }
    CompareReport compare(const std::filesystem::path& a, const std::filesystem::path& b,
                          const CompareTolerance& tolerance, DiagnosticId id) override {
        return first()->diagnostics().compare(a, b, tolerance, id);
    }
    GuardDemoResult guard_demo(GuardDemoRun run, DiagnosticId id) override {
        return first()->diagnostics().guard_demo(run, id);
    }
    void cancel_diagnostic(DiagnosticId id) override { first()->diagnostics().cancel_diagnostic(id); }

private:
    /// Calls `use` with the queue that has a job; not if its member is gone.
    template <class Use>
    void with(JobId job, Use use) {
        const auto [number, there] = split_id(job);
        for (const MemberPtr& member : members())
            if (member->number == number) return use(member->engine->jobs(), there);
    }

    /// Keeps the newest queue of each member, so that a change of one does not ask the others.
    void announce(const Member& member, std::vector<Job> jobs) {
        {
            const std::lock_guard lock(mutex_);
            const auto queue = queues_.find(member.number);
            const bool begins =
                std::ranges::none_of(members_, [&](const MemberPtr& each) { return &*each == &member; });
            if (queue == queues_.end() && !begins) return;
            queues_[member.number] = std::move(jobs);
        }
        send_queue();
    }

    void send_queue() {
        sending_.run([this] { observer_.on_event(0, QueueChanged{newest_queues()}); });
    }
    std::vector<Job> newest_queues() const {
        const std::lock_guard lock(mutex_);
        std::vector<Job> merged;
        for (const auto& [number, jobs] : queues_) std::ranges::copy(jobs, std::back_inserter(merged));
        return merged;
    }

    RunObserver& observer_;
    mutable std::mutex mutex_;  ///< guards the members below; not held during calls of engines or the observer
    std::vector<MemberPtr> members_;
    std::map<std::int64_t, std::vector<Job>> queues_;  ///< newest queue of each member, with ids of the group
    std::int64_t next_number_ = 0;
    std::string chosen_;
    CoalescedTask sending_;
};

void EngineGroup::Member::on_event(JobId job, const RunEvent& event) {
    group_.take(*this, job, event);
}

EngineGroup::EngineGroup(const MemberFactory& first, RunObserver& observer)
    : parts_(std::make_unique<Parts>(observer)) {
    parts_->add("", first);
}

EngineGroup::~EngineGroup() {
    parts_->end();
}

JobQueue& EngineGroup::jobs() {
    return *parts_;
}
ModelCatalog& EngineGroup::catalog() {
    return *parts_;
}
Diagnostics& EngineGroup::diagnostics() {
    return *parts_;
}
VideoFiles& EngineGroup::videos() {
    return parts_->first()->videos();
}
GpuInstaller& EngineGroup::gpu_installer() {
    return parts_->first()->gpu_installer();
}

void EngineGroup::add(const std::string& name, const MemberFactory& make) {
    parts_->add(name, make);
}

void EngineGroup::remove(const std::string& name) {
    parts_->remove(name);
}

std::vector<std::string> EngineGroup::names() const {
    std::vector<std::string> names;
    for (const auto& member : parts_->members()) names.push_back(member->name);
    return names;
}

std::shared_ptr<Engine> EngineGroup::member(const std::string& name) const {
    const auto found = parts_->find_member(name);
    return found ? Parts::engine_of(found) : nullptr;
}

void EngineGroup::choose(const std::string& name) {
    parts_->choose(name);
}

std::string EngineGroup::chosen() const {
    return parts_->chosen();
}

JobId EngineGroup::submit(const std::string& name, VideoRequest request) {
    return parts_->submit_to(name, std::move(request));
}

std::string EngineGroup::name_of(JobId job) const {
    return parts_->name_of(job);
}

}  // namespace kinescope::remote
