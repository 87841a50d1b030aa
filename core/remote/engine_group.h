#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/api/engine.h"

namespace kinescope::remote {

/// Creates a member of a group. `observer` outlives it.
using MemberFactory = std::function<std::unique_ptr<Engine>(RunObserver& observer)>;

/// An engine that consists of several: the first one, whose name is empty, and others with names. Their queues appear
/// as one: the jobs of the first, then those of the others. Ids of jobs are unique in the group and never reused.
/// Requests and questions about models, presets, plans and devices go to the chosen member, everything else to the
/// first one. Thread-safe.
class EngineGroup : public Engine {
public:
    /// Throws what `first` throws. `observer` must outlive the group.
    EngineGroup(const MemberFactory& first, RunObserver& observer);
    ~EngineGroup() override;
    EngineGroup(const EngineGroup&) = delete;
    EngineGroup& operator=(const EngineGroup&) = delete;

    JobQueue& jobs() override;
    ModelCatalog& catalog() override;
    Diagnostics& diagnostics() override;
    VideoFiles& videos() override;
    GpuInstaller& gpu_installer() override;

    /// Throws what `make` throws. The name must be new.
    void add(const std::string& name, const MemberFactory& make);
    /// Ends a member; waits for it. Unknown names have no effect. Not for the first member.
    void remove(const std::string& name);
    std::vector<std::string> names() const;
    /// nullptr: unknown. Valid until the caller lets it go, also if the member is removed.
    std::shared_ptr<Engine> member(const std::string& name) const;

    /// Selects the member that gets requests and answers questions; an unknown name selects the first one. A member
    /// that is removed stays selected, so that no request meant for it goes to the first one: requests are refused
    /// until it is added again or another one is selected.
    void choose(const std::string& name);
    std::string chosen() const;

    /// Sends a request to any member. Throws Error(bad_request) for an unknown name.
    JobId submit(const std::string& name, VideoRequest request);
    /// The name of the member that has a job; empty: the first one, or an unknown job.
    std::string name_of(JobId job) const;

private:
    class Parts;
    class Member;
    const std::unique_ptr<Parts> parts_;
};

/// The id of a job in a group. `member`: 0 for the first one, whose ids do not change.
JobId id_in_group(std::int64_t member, JobId job);
/// The number of the member, and the id of the job there.
std::pair<std::int64_t, JobId> split_id(JobId job);

}  // namespace kinescope::remote
