#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "core/api/computers.h"
#include "core/api/engine.h"
#include "core/computers/computer_link.h"

namespace kinescope::computers {

/// The engine of another computer, whose jobs survive lost connections: the queue here keeps every job until its
/// results are here. A thread sends inputs and requests, connects again, and fetches results; jobs are neither lost nor
/// run twice, because each has a token that names its folder there.
///
/// Paths of models in questions and requests are those of this computer if they exist here; the same model is looked
/// for there. `diagnostics().doctor` and similar calls run there; `videos()` and `gpu_installer()` too, with paths of
/// that computer.
class ComputerEngine : public Engine {
public:
    /// State of the connection, and number of jobs that are not over.
    virtual ComputerStatus status() = 0;
    /// Asks for devices, models and space. Throws Error.
    virtual ComputerFacts facts() = 0;
    /// Uses another command or other folders for the computer of this name. Its jobs stay as they are, and orders for
    /// them are carried out over the new connection. Waits for the end of the old one.
    virtual void change(Computer computer) = 0;
};

struct ComputerEngineOptions {
    std::string version;                   ///< of this program
    std::filesystem::path ledger;          ///< file in which the jobs are saved
    std::function<void()> on_change = {};  ///< after each change of status(), on any thread
};

/// Asks a computer for devices, models and space. Throws Error.
ComputerFacts facts_of(ComputerLink& link);

/// Does not connect before there is something to do. Throws Error(bad_config or file_unreadable) for a damaged ledger.
/// `observer` must outlive the engine.
std::unique_ptr<ComputerEngine> make_computer_engine(Computer computer, ComputerEngineOptions options,
                                                     RunObserver& observer);

}  // namespace kinescope::computers
