#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/api/diagnostics.h"
#include "core/api/gpu_installer.h"
#include "core/api/job_queue.h"
#include "core/api/model_catalog.h"
#include "core/api/run_event.h"
#include "core/api/user_dirs.h"
#include "core/api/video_files.h"

namespace kinescope {

/// Whether QueueChanged events are sent. Each of them contains the whole queue, so programs that do not display the
/// queue turn them off.
enum class QueueEvents { sent, not_sent };

/// When the jobs of a queue start.
enum class JobStart {
    by_itself,  ///< one after the other
    by_order    ///< by JobQueue::start, so that a program can divide the jobs of a folder among several engines
};

struct EngineOptions {
    std::filesystem::path resources_dir;  ///< contains demo_model/ and presets/; empty: no built-in model
    /// A program whose main calls run_as_canary_child and run_as_reader_child. It is started as a child process to test
    /// accelerators before their first use, and to read media files and the headers of weight files. Empty:
    /// accelerators are not tested, and this process reads the files.
    std::filesystem::path program = {};
    /// Folder of the saved queue, see default_jobs_dir. Empty: jobs are lost when the process ends.
    std::filesystem::path jobs_dir = {};
    QueueEvents queue_events = QueueEvents::sent;
    JobStart job_start = JobStart::by_itself;
    /// The device on which jobs for "auto" run, e.g. "cuda:1". Empty: the first usable accelerator, or the CPU.
    std::string device = {};
};

/// Gives access to the parts of an engine. The parts live as long as the engine.
class Engine {
public:
    virtual ~Engine() = default;

    virtual JobQueue& jobs() = 0;
    virtual ModelCatalog& catalog() = 0;
    virtual Diagnostics& diagnostics() = 0;
    virtual VideoFiles& videos() = 0;
    virtual GpuInstaller& gpu_installer() = 0;
};

/// Creates an engine that runs in this process and starts its worker thread. `observer` must outlive it.
std::unique_ptr<Engine> make_engine(EngineOptions options, RunObserver& observer);

}  // namespace kinescope
