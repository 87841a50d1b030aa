#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/api/device_info.h"
#include "core/api/engine.h"
#include "core/api/error.h"

namespace kinescope {

/// A folder of models that has another path on another computer.
struct PathMap {
    std::filesystem::path here;
    std::filesystem::path there;
    bool operator==(const PathMap&) const = default;
};

/// Another computer that generates videos.
struct Computer {
    std::string name;            ///< 1 to 40 bytes, unique
    std::string command;         ///< starts an engine there, e.g. "ssh workstation kinescope-cli serve --keep"
    std::vector<PathMap> paths;  ///< the first that fits a path counts
    bool operator==(const Computer&) const = default;
};

enum class ComputerState {
    idle,        ///< not connected, because nothing is to be done there
    connecting,  ///< also while a lost connection is tried again
    connected,
    unreachable  ///< the last attempt failed
};

struct ComputerStatus {
    Computer computer;
    ComputerState state = ComputerState::idle;
    std::optional<Error> error;  ///< of the last attempt
    int num_open_jobs = 0;       ///< waiting, running, paused or interrupted, or with results still to be fetched
};

/// What a computer answers to a test of its connection.
struct ComputerFacts {
    std::vector<DeviceInfo> devices;
    int num_models = 0;
    int num_open_jobs = 0;  ///< in its queue, of all users of its engine
    /// Where it keeps inputs and results; nullopt: unknown.
    std::optional<std::int64_t> free_disk_bytes = {};
};

/// The computers on which jobs can run. The name of this computer is empty. Every method may be called from any
/// thread; only `test` blocks.
class Computers {
public:
    virtual ~Computers() = default;

    /// The other computers, in the user's order.
    virtual std::vector<ComputerStatus> list() = 0;
    /// Replaces the list and saves it. Throws Error(bad_request) for invalid names and commands, Error(unsupported) if
    /// a computer is missing whose jobs are not over, and what writing throws.
    virtual void save(const std::vector<Computer>& computers) = 0;
    /// Connects for a moment, unless the computer is connected. Throws Error that says why that failed. A connection
    /// that is still being made is given up when `cancel` asks for it.
    virtual ComputerFacts test(const Computer& computer, std::stop_token cancel) = 0;

    /// Selects the computer that gets new jobs, and answers questions about models, presets, plans and devices. An
    /// unknown name selects this one.
    virtual void choose(const std::string& name) = 0;
    virtual std::string chosen() = 0;

    /// The computer that runs a job; empty: this one.
    virtual std::string computer_of(JobId job) = 0;

    /// Calls a function after each change of a state, on any thread. It must return at once. Empty: no longer.
    virtual void listen(std::function<void()> on_change) = 0;
};

/// Returns the computers of an engine, or nullptr if all its jobs run on this computer.
inline Computers* computers_of(Engine& engine) {
    return dynamic_cast<Computers*>(&engine);
}

}  // namespace kinescope
