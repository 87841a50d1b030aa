#include "core/computers/computer_group.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "core/api/user_dirs.h"
#include "core/computers/computer_engine.h"
#include "core/computers/computer_list.h"

namespace kinescope::computers {

namespace {

using remote::EngineGroup;

class ComputerGroup final : public EngineGroup, public Computers {
public:
    ComputerGroup(const remote::MemberFactory& this_computer, ComputerGroupOptions options, RunObserver& observer)
        : EngineGroup(this_computer, observer), options_(std::move(options)), observer_(observer) {
        try {
            const std::lock_guard lock(editing_);
            for (const Computer& computer : read_computers(options_.list)) add_computer(computer);
        } catch (const Error& error) {
            unreadable_ = error;
            observer.on_event(0, LogLine{LogLineLevel::error, error.message()});
        }
    }

    /// The computers use this object until they have ended.
    ~ComputerGroup() override {
        listen({});
        for (const std::string& name : names()) remove(name);
    }

    std::vector<ComputerStatus> list() override {
        std::vector<ComputerStatus> states;
        for (const Computer& computer : computers()) {
            const auto engine = engine_of(computer.name);
            states.push_back(engine ? engine->status()
                                    : ComputerStatus{.computer = computer, .state = ComputerState::unreachable});
        }
        return states;
    }

    void save(const std::vector<Computer>& wanted) override {
        check_computers(wanted);
        const std::lock_guard lock(editing_);
        if (unreadable_) throw Error(*unreadable_);  // its computers would be lost
        const std::vector<Computer> old = computers();
        for (const Computer& computer : old)
            if (!has_name(computer.name, wanted)) require_no_open_jobs(computer);
        save_computers(options_.list, wanted);
        for (const Computer& computer : old)
            if (!has_name(computer.name, wanted)) remove_computer(computer);
        for (const Computer& computer : wanted) {
            if (is_among(computer, old)) continue;
            const auto engine = engine_of(computer.name);
            engine ? engine->change(computer) : add_computer(computer);
        }
        {
            const std::lock_guard list_lock(mutex_);
            computers_ = wanted;
        }
        notify();
    }

    ComputerFacts test(const Computer& computer, std::stop_token cancel) override {
        check_computers({computer});
        if (const auto engine = engine_of(computer.name)) {
            const ComputerStatus status = engine->status();
            if (status.state == ComputerState::connected && status.computer == computer) return engine->facts();
        }
        ComputerLink link(computer, options_.version, {.on_event = [](JobId, const RunEvent&) {}, .on_change = [] {}},
                          ConnectionTest{std::move(cancel)});
        return facts_of(link);
    }

    void choose(const std::string& name) override { EngineGroup::choose(name); }
    std::string chosen() override { return EngineGroup::chosen(); }
    std::string computer_of(JobId job) override { return name_of(job); }

    void listen(std::function<void()> on_change) override {
        const std::lock_guard lock(listener_mutex_);
        on_change_ = std::move(on_change);
    }

private:
    static bool is_among(const Computer& computer, const std::vector<Computer>& list) {
        return std::ranges::find(list, computer) != list.end();
    }

    static bool has_name(const std::string& name, const std::vector<Computer>& list) {
        return std::ranges::find(list, name, &Computer::name) != list.end();
    }

    std::vector<Computer> computers() const {
        const std::lock_guard lock(mutex_);
        return computers_;
    }

    std::shared_ptr<ComputerEngine> engine_of(const std::string& name) const {
        return std::dynamic_pointer_cast<ComputerEngine>(member(name));
    }

    void add_computer(const Computer& computer) {
        try {
            add(computer.name, [&](RunObserver& observer) {
                return make_computer_engine(computer,
                                            {.version = options_.version,
                                             .ledger = ledger_of(options_.ledgers, computer.name),
                                             .on_change = [this] { notify(); }},
                                            observer);
            });
        } catch (const Error& error) {
            observer_.on_event(0, LogLine{LogLineLevel::error, computer.name + ": " + error.message()});
        }
        const std::lock_guard lock(mutex_);
        if (std::ranges::find(computers_, computer) == computers_.end()) computers_.push_back(computer);
    }

    void remove_computer(const Computer& computer) {
        remove(computer.name);
        const std::lock_guard lock(mutex_);
        std::erase(computers_, computer);
    }

    void require_no_open_jobs(const Computer& computer) const {
        const auto engine = engine_of(computer.name);
        const int open = engine ? engine->status().num_open_jobs : 0;
        if (open == 0) return;
        throw Error(ErrorCode::unsupported,
                    "'" + computer.name + "' cannot be removed: " + std::to_string(open) +
                        (open == 1 ? " of its jobs is not over" : " of its jobs are not over"),
                    open == 1 ? "Remove it from the queue, or continue it and wait until it is finished."
                              : "Remove them from the queue, or continue them and wait until they are finished.",
                    {{"cause", "open_jobs"}, {"computer", computer.name}, {"count", std::to_string(open)}});
    }

    void notify() {
        const std::lock_guard lock(listener_mutex_);
        if (on_change_) on_change_();
    }

    const ComputerGroupOptions options_;
    RunObserver& observer_;
    std::optional<Error> unreadable_;  ///< the list could not be read
    std::mutex editing_;               ///< one change of the list at a time
    mutable std::mutex mutex_;         ///< guards computers_
    std::vector<Computer> computers_;
    std::mutex listener_mutex_;  ///< guards on_change_
    std::function<void()> on_change_;
};

}  // namespace

ComputerGroupOptions user_computers(const std::string& version) {
    return {.version = version, .list = computers_file(), .ledgers = user_dirs().state / "computers"};
}

std::unique_ptr<Engine> make_computer_group(const remote::MemberFactory& this_computer, ComputerGroupOptions options,
                                            RunObserver& observer) {
    return std::make_unique<ComputerGroup>(this_computer, std::move(options), observer);
}

}  // namespace kinescope::computers
