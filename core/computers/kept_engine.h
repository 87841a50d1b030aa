#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/computers/file_store.h"
#include "core/remote/engine_server.h"

namespace kinescope::computers {

/// An engine that goes on when the connection to it drops: it runs in a session of its own and listens at a socket in
/// `folder`, which only the user can enter.
struct KeptEngine {
    std::filesystem::path folder;                        ///< socket, lock, log and jobs; see kept_engine_folder
    std::filesystem::path files;                         ///< inputs and results of jobs
    StoragePlace storage = StoragePlace::this_computer;  ///< of these files
    std::string version;                                 ///< of this program
    double longest_greeting_seconds = 120;               ///< of a program; then it is refused
    double idle_seconds = 600;  ///< it ends after this time without a program and a job that keeps it alive
    std::vector<JobState> working = {JobState::running};  ///< jobs in these states keep it alive
    /// Jobs in these states keep it alive after it has refused a program of another version. That program waits for an
    /// engine of its own version.
    std::vector<JobState> working_if_outdated = {JobState::running};
    /// Throws the Error for which the cluster of the engine takes no jobs; empty: it has no cluster.
    std::function<void()> check_cluster = {};
    /// Also sends log lines to an observer; nullptr: no longer.
    std::function<void(RunObserver*)> send_log = {};
    /// As in ServeOptions, also without a connected program. The next connection starts a new engine.
    std::function<void(const Error& error)> end_process = {};
};

/// The default folder. The name of the computer is part of it, because home folders can be shared by computers.
std::filesystem::path kept_engine_folder();
/// The folder of its queue.
std::filesystem::path jobs_dir_of(const KeptEngine& engine);

/// Runs the engine until it is idle. Throws Error.
void keep_engine(const KeptEngine& kept, const remote::ServedEngine& make_engine);

/// How a kept engine is started, with `program` and `arguments`.
struct KeptEngineProgram {
    std::filesystem::path program;
    std::vector<std::string> arguments;
    double longest_greeting_seconds = 60;  ///< below that of EngineProgram, whose program then gets the reason
};

/// The messages of an engine that has ended, among the lines that a connection to it printed. Others are those of ssh.
std::vector<std::string> lines_of_engine(const std::vector<std::string>& lines);

/// Connects the parent process to the kept engine in `folder`, which is started if it does not run. Returns when one of
/// them ends the connection. Throws Error, with the last lines of an engine that does not start, or if an engine that
/// runs does not greet.
void relay_to_kept_engine(const std::filesystem::path& folder, const KeptEngineProgram& program);

}  // namespace kinescope::computers
