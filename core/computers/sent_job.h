#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/api/job.h"
#include "core/api/run_event.h"

namespace kinescope::computers {

/// Where a job of another computer is.
enum class Stage {
    here,      ///< its inputs have not been sent, or its request may or may not have arrived
    there,     ///< in the queue there
    fetching,  ///< it has ended there; its results are on their way
    cleaning,  ///< all results are here; those there are to be deleted
    done       ///< nothing is left to be done
};

/// A wish of the user that the other computer has not been told yet. A newer one replaces an older one.
enum class Order { none, cancel, pause, pause_at_once, resume, decode };

/// A job that this computer has given to another one.
struct SentJob {
    Job job;            ///< as the queue here shows it: with the id, paths and outputs of this computer
    VideoRequest own;   ///< the request as submitted
    std::string token;  ///< names its folder there
    Stage stage = Stage::here;
    JobId there = 0;       ///< its id there; 0: not known yet
    bool is_sent = false;  ///< the request may have arrived
    Order order = Order::none;
    int order_number = 0;     ///< counts the orders of this process: an equal order may be a newer one
    bool is_removed = false;  ///< from the queue here
    bool is_partial = false;  ///< it was cancelled there and left a part of the video, which is fetched
    int deaths = 0;           ///< how often the engine there ended while it ran the job
    /// The last event of the run, which is sent when its results are here. Not saved.
    std::optional<RunEvent> last_event = {};
};

/// The jobs of one computer, as they are saved.
struct SentJobs {
    JobId last_id = 0;
    std::vector<SentJob> jobs;
};

/// Reads the saved jobs; empty if there is no file. Throws Error: unsupported (of a later version), bad_config,
/// file_unreadable.
SentJobs read_sent_jobs(const std::filesystem::path& file);
/// Throws Error(output_not_writable or disk_full).
void save_sent_jobs(const std::filesystem::path& file, const SentJobs& jobs);

/// The error of a job whose results have been deleted on the other computer.
Error results_gone();
/// Whether a job has this error: it has to start over.
bool has_lost_results(const SentJob& job);

/// Whether the other computer still has to do something for a job, or this one for its results.
bool is_open(const SentJob& job);

}  // namespace kinescope::computers
