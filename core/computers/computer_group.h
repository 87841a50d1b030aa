#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/api/computers.h"
#include "core/api/engine.h"
#include "core/remote/engine_group.h"

namespace kinescope::computers {

struct ComputerGroupOptions {
    std::string version;            ///< of this program
    std::filesystem::path list;     ///< see computers_file
    std::filesystem::path ledgers;  ///< folder of the saved jobs
};

/// The options for this user.
ComputerGroupOptions user_computers(const std::string& version);

/// An engine on this computer, and those of the saved list of other ones: see EngineGroup, and computers_of for their
/// list. A damaged list or ledger is reported by LogLine and left as it is. `observer` must outlive the engine.
std::unique_ptr<Engine> make_computer_group(const remote::MemberFactory& this_computer, ComputerGroupOptions options,
                                            RunObserver& observer);

}  // namespace kinescope::computers
