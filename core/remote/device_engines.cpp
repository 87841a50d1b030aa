#include "core/remote/device_engines.h"

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>

#include "core/base/coalesced_task.h"
#include "core/remote/job_ledger.h"
#include "core/remote/remote_engine.h"
#include "core/remote/shared_queue.h"

namespace kinescope::remote {

namespace {

using Seat = SharedQueue::Seat;

/// Returns true if another job may be able to start now.
bool frees_engine(const RunEvent& event) {
    return std::holds_alternative<QueueChanged>(event) || std::holds_alternative<EngineEnded>(event) ||
           is_last_event(event);
}

class DeviceEngines final : public Engine, private JobQueue {
public:
    DeviceEngines(DeviceEngineFactories factories, RunObserver& observer)
        : factories_(std::move(factories)), observer_(observer) {
        set_member(0, factories_.first);
        first_ = members_.front()->engine.get();
        std::vector<Job> jobs = first().jobs().list();
        {
            const std::lock_guard lock(mutex_);
            queue_.take(0, std::move(jobs));
        }
        starter_ = std::thread([this] { start_jobs(); });
    }

    ~DeviceEngines() override {
        {
            const std::lock_guard lock(mutex_);
            is_closing_ = true;
            changed_.notify_all();
        }
        starter_.join();
        end_members();
    }

    JobQueue& jobs() override { return *this; }
    ModelCatalog& catalog() override { return first().catalog(); }
    Diagnostics& diagnostics() override { return first().diagnostics(); }
    VideoFiles& videos() override { return first().videos(); }
    GpuInstaller& gpu_installer() override { return first().gpu_installer(); }

private:
    /// One engine, and the observer that knows its seat.
    struct Member final : public RunObserver {
        Member(DeviceEngines& all, Seat number) : group(all), seat(number) {}
        void on_event(JobId job, const RunEvent& event) override { group.take(seat, job, event); }

        DeviceEngines& group;
        const Seat seat;
        std::unique_ptr<Engine> engine;
    };

    // JobQueue
    JobId submit(VideoRequest request) override {
        const JobId job = first().jobs().submit(std::move(request));
        change([&] { queue_.add(job); });
        return job;
    }
    std::vector<Job> list() override {
        std::vector<std::vector<Job>> lists;
        for (Seat seat = 0; seat < num_members(); ++seat)
            lists.push_back(ask(seat, &JobQueue::list, [this, seat] { return queue_.list_of(seat); }));
        const std::lock_guard lock(mutex_);
        return queue_.merge(lists);
    }
    std::optional<Job> find(JobId job) override {
        const auto find_known = [this, job]() -> std::optional<Job> {
            const std::vector<Job> jobs = queue_.jobs();
            const auto found = std::ranges::find(jobs, job, &Job::id);
            return found == jobs.end() ? std::nullopt : std::optional(*found);
        };
        const auto find_there = [job](JobQueue& queue) { return queue.find(job); };
        return ask(engine_of(job), find_there, find_known);
    }
    void cancel(JobId job) override {
        stop(job, [job](JobQueue& queue) { queue.cancel(job); });
    }
    void pause(JobId job, PausePoint point) override {
        stop(job, [job, point](JobQueue& queue) { queue.pause(job, point); });
    }
    void resume(JobId job) override {
        queue_again(job, RemainingSteps::computed, [job](JobQueue& queue) { queue.resume(job); });
    }
    void decode_now(JobId job) override {
        queue_again(job, RemainingSteps::skipped, [job](JobQueue& queue) { queue.decode_now(job); });
    }
    void start(JobId job, RemainingSteps steps) override {
        steps == RemainingSteps::skipped ? decode_now(job) : resume(job);
    }
    void hand_over(JobId job) override {
        stop(job, [job](JobQueue& queue) { queue.hand_over(job); });
    }
    void retry(JobId job) override {
        queue_again(job, RemainingSteps::computed, [job](JobQueue& queue) { queue.retry(job); });
    }
    void move(JobId job, int position) override { first().jobs().move(job, position); }
    void edit(JobId job, VideoRequest request) override {
        give(job, [job, request](JobQueue& queue) { queue.edit(job, request); });
    }
    void remove(JobId job) override {
        stop(job, [this, job](JobQueue& queue) {
            queue.remove(job);
            change([&] { queue_.note_removed(job); });
        });
    }
    void hold() override {
        change([&] { queue_.hold(); });
    }
    void release() override {
        change([&] { queue_.release(); });
    }

    /// Gives an order to the engine that has a job.
    template <class Order>
    void give(JobId job, Order order) {
        if (!defers(job, [this, job, order] { give(job, order); })) carry_out(job, order);
    }
    /// The same for an order after which the job does not start.
    template <class Order>
    void stop(JobId job, Order order) {
        const auto keep_from_starting = [this, job] { queue_.keep_from_starting(job); };
        const auto later = [this, job, order] { stop(job, order); };
        if (!defers(job, later, keep_from_starting)) carry_out(job, order);
    }
    /// The same for an order after which the job waits and may start.
    template <class Order>
    void queue_again(JobId job, RemainingSteps steps, Order order) {
        if (defers(job, [this, job, steps, order] { queue_again(job, steps, order); })) return;
        carry_out(job, order);
        change([&] { queue_.let_start(job, steps); });
    }
    template <class Order>
    void carry_out(JobId job, Order order) {
        JobQueue* queue = nullptr;
        bool moves = false;
        {
            const std::lock_guard lock(mutex_);
            require_open();
            const Seat seat = queue_.orders_for(job);
            moves = seat != queue_.engine_of(job);
            queue = &members_[seat]->engine->jobs();
        }
        order(*queue);
        if (!moves) return;
        change([&] { queue_.give_to_first(job); });
        announce();
    }
    /// Asks an engine for jobs. Returns what it listed last if it is another one than the first and has no process.
    template <class Question, class Known>
    std::invoke_result_t<Known> ask(Seat seat, Question question, Known known) {
        try {
            if (Engine* engine = answering_engine(seat)) return std::invoke(question, engine->jobs());
        } catch (const Error& error) {
            if (seat == 0 || error.code() != ErrorCode::engine_lost) throw;
            const std::lock_guard lock(mutex_);
            queue_.note_broken(seat);
        }
        const std::lock_guard lock(mutex_);
        return known();
    }
    /// Returns nullptr for an engine that has no process.
    Engine* answering_engine(Seat seat) {
        const std::lock_guard lock(mutex_);
        require_open();
        const bool answers = members_[seat] && (seat == 0 || !queue_.seats()[seat].is_broken);
        return answers ? members_[seat]->engine.get() : nullptr;
    }
    /// The engines are being deleted when their last events arrive. Needs the mutex.
    void require_open() const {
        if (is_closing_) throw Error(ErrorCode::engine_lost, "the engine is being closed");
    }
    /// Queues an order for a job that an engine is starting, and returns at once: the caller may be the observer, and
    /// the start waits for events on the observer's thread. Otherwise, makes a change before a start can begin.
    bool defers(
        JobId job, std::function<void()> order, const std::function<void()>& change = [] {}) {
        const std::lock_guard lock(mutex_);
        if (!queue_.is_beginning(job)) {
            change();
            return false;
        }
        deferred_.push_back(std::move(order));
        return true;
    }

    template <class Change>
    void change(Change change) {
        const std::lock_guard lock(mutex_);
        change();
        is_due_ = true;
        changed_.notify_all();
    }

    void take(Seat seat, JobId job, const RunEvent& event) {
        const auto* queue = std::get_if<QueueChanged>(&event);
        {
            const std::lock_guard lock(mutex_);
            queue == nullptr ? queue_.take(seat, job, event) : queue_.take(seat, queue->jobs);
            // A new process may know other devices.
            if (seat == 0 && std::holds_alternative<EngineEnded>(event)) knows_devices_ = false;
            if (frees_engine(event)) {
                is_due_ = true;
                changed_.notify_all();
            }
        }
        queue == nullptr ? observer_.on_event(job, event) : announce();
    }
    void announce() {
        announcing_.run([this] { observer_.on_event(0, QueueChanged{known_jobs()}); });
    }
    std::vector<Job> known_jobs() {
        const std::lock_guard lock(mutex_);
        return queue_.jobs();
    }

    Engine& first() { return *first_; }
    Seat engine_of(JobId job) {
        const std::lock_guard lock(mutex_);
        return queue_.engine_of(job);
    }
    std::size_t num_members() {
        const std::lock_guard lock(mutex_);
        return members_.size();
    }
    bool is_closing() {
        const std::lock_guard lock(mutex_);
        return is_closing_;
    }

    void set_member(Seat seat, const MemberFactory& make) {
        auto member = std::make_unique<Member>(*this, seat);
        member->engine = make(*member);
        const std::lock_guard lock(mutex_);
        if (members_.size() <= seat) members_.resize(seat + 1);
        members_[seat] = std::move(member);
    }
    /// At the same time, because each of them saves its running job.
    void end_members() {
        std::vector<std::thread> ends;
        for (const auto& member : members_)
            if (member) ends.emplace_back([&member] { member->engine.reset(); });
        for (std::thread& end : ends) end.join();
    }

    void start_jobs() {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [this] { return is_closing_ || is_due_; });
            if (is_closing_) return;
            is_due_ = false;
            lock.unlock();
            forget_removed();
            while (start_next()) carry_out_deferred();
            lock.lock();
        }
    }

    /// Deletes jobs from the list of the first engine that another one has deleted from the disk.
    void forget_removed() {
        std::vector<JobId> removed;
        {
            const std::lock_guard lock(mutex_);
            removed = queue_.take_removed();
        }
        for (const JobId job : removed) try_to([&] { first().jobs().remove(job); });
    }

    /// Returns false if no job can start.
    bool start_next() {
        find_devices();
        const auto [jobs, seats] = snapshot();
        const auto fit = [this, &seats = seats](JobId job, Seat seat) { return fit_memory(job, seats[seat]); };
        const auto choice = choose_next(jobs, seats, fit);
        if (!choice || is_closing()) return false;
        Engine* engine = engine_at(choice->seat, seats[choice->seat].device);
        if (engine != nullptr) start_on(*engine, *choice);
        return true;
    }

    /// Does nothing while one engine is enough.
    void find_devices() {
        const auto [jobs, seats] = snapshot();
        const auto needs_another = [&first = seats[0]](const StartableJob& job) {
            return !first.is_free || job.device != "auto";
        };
        if (std::ranges::none_of(jobs, needs_another) || !asks_for_devices()) return;
        const bool has_answered = try_to([this] {
            const std::vector<EngineSeat> found = factories_.seats(first());
            const std::lock_guard lock(mutex_);
            queue_.set_seats(found);
            members_.resize(std::max(members_.size(), found.size()));
        });
        if (has_answered) return;
        const std::lock_guard lock(mutex_);
        knows_devices_ = false;
    }
    /// Asks once for each process of the first engine. Engines that exist keep their devices.
    bool asks_for_devices() {
        const std::lock_guard lock(mutex_);
        const auto is_made = [](const std::unique_ptr<Member>& member) { return member != nullptr; };
        const bool has_others = std::ranges::count_if(members_, is_made) > 1;
        return !std::exchange(knows_devices_, true) && !has_others;
    }

    std::pair<std::vector<StartableJob>, std::vector<EngineSeat>> snapshot() {
        const std::lock_guard lock(mutex_);
        if (is_closing_) return {{}, queue_.seats()};
        return {queue_.startable(), queue_.seats()};
    }

    /// A request that cannot be planned fails when it runs.
    MemoryFit fit_memory(JobId job, const EngineSeat& seat) {
        if (is_closing()) return MemoryFit::later;
        try {
            VideoRequest request = request_of(job);
            request.device = seat.device;
            const Plan plan = first().catalog().plan(request);
            if (plan.free_memory_bytes == 0 || plan.peak_memory_bytes <= plan.free_memory_bytes) return MemoryFit::now;
            return plan.peak_memory_bytes <= seat.memory_bytes ? MemoryFit::later : MemoryFit::never;
        } catch (const std::exception&) {
            return MemoryFit::now;
        }
    }

    VideoRequest request_of(JobId job) {
        const std::vector<Job> jobs = known_jobs();
        const auto found = std::ranges::find(jobs, job, &Job::id);
        return found == jobs.end() ? VideoRequest() : found->request;
    }

    /// Creates it if necessary. Returns nullptr if that fails.
    Engine* engine_at(Seat seat, const std::string& device) {
        if (members_[seat]) return members_[seat]->engine.get();
        const bool is_made =
            try_to([&] { set_member(seat, [&](RunObserver& observer) { return factories_.more(device, observer); }); });
        if (is_made) return members_[seat]->engine.get();
        const std::lock_guard lock(mutex_);
        queue_.note_broken(seat);
        return nullptr;
    }

    void start_on(Engine& engine, const SeatChoice& choice) {
        std::optional<RemainingSteps> steps;
        {
            const std::lock_guard lock(mutex_);
            if (!is_closing_) steps = queue_.begin(choice);
        }
        if (!steps) return;
        try {
            unlock_for(choice);
            engine.jobs().start(choice.job, *steps);
            const std::lock_guard lock(mutex_);
            queue_.note_begun(choice);
        } catch (const Error& error) {
            refuse(choice, error);
        } catch (const std::exception& error) {
            refuse(choice, Error(ErrorCode::engine_lost, error.what()));
        }
        announce();
    }

    void refuse(const SeatChoice& choice, const Error& error) {
        report(error, choice.job);
        const std::lock_guard lock(mutex_);
        queue_.note_refused(choice, error);
    }

    /// Another engine may have the lock of the job, unless its process has ended.
    void unlock_for(const SeatChoice& choice) {
        Engine* owner = nullptr;
        {
            const std::lock_guard lock(mutex_);
            const Seat seat = queue_.engine_of(choice.job);
            if (seat != choice.seat) owner = members_[seat]->engine.get();
        }
        try {
            if (owner != nullptr) owner->jobs().hand_over(choice.job);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::engine_lost) throw;
        }
    }

    void carry_out_deferred() {
        std::vector<std::function<void()>> orders;
        {
            const std::lock_guard lock(mutex_);
            orders.swap(deferred_);
        }
        for (const auto& order : orders) try_to(order);
    }

    /// For work that no caller waits for. Returns false if it failed.
    template <class Work>
    bool try_to(Work work) {
        try {
            work();
            return true;
        } catch (const Error& error) {
            report(error, 0);
        } catch (const std::exception& error) {  // memory may be short, or no process may be started
            observer_.on_event(0, LogLine{LogLineLevel::warning, error.what()});
        }
        return false;
    }
    void report(const Error& error, JobId job) {
        observer_.on_event(job, LogLine{LogLineLevel::warning, error.message()});
    }

    const DeviceEngineFactories factories_;
    RunObserver& observer_;
    CoalescedTask announcing_;
    Engine* first_ = nullptr;

    std::mutex mutex_;  ///< guards the members down to knows_devices_; not held during calls of engines or the observer
    std::condition_variable changed_;
    SharedQueue queue_;
    std::vector<std::unique_ptr<Member>> members_;  ///< by seat; null: not created. Never removed before the end
    std::vector<std::function<void()>> deferred_;   ///< orders that came while their job was being started
    bool is_due_ = false;
    bool is_closing_ = false;
    bool knows_devices_ = false;  ///< those of the first engine's process

    std::thread starter_;
};

}  // namespace

std::vector<EngineSeat> usable_devices(Engine& first) {
    return seats_of(first.diagnostics().devices());
}

std::unique_ptr<Engine> make_device_engines(DeviceEngineFactories factories, RunObserver& observer) {
    return std::make_unique<DeviceEngines>(std::move(factories), observer);
}

std::unique_ptr<Engine> make_device_engines(EngineProgram program, RunObserver& observer, ListSeats seats) {
    program.arguments.emplace_back("--by-order");
    program.job_start = JobStart::by_order;
    return make_device_engines({.first = [program](RunObserver& each) { return make_remote_engine(program, each); },
                                .more =
                                    [program](const std::string& device, RunObserver& each) {
                                        EngineProgram other = program;
                                        other.arguments.insert(other.arguments.end(), {"--device", device});
                                        return make_remote_engine(std::move(other), each);
                                    },
                                .seats = std::move(seats)},
                               observer);
}

}  // namespace kinescope::remote
