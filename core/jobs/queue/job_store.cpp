#include "core/jobs/queue/job_store.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/api/damaged_job.h"
#include "core/api/utf8.h"
#include "core/base/atomic_file.h"
#include "core/base/ended_process.h"
#include "core/base/file_presence.h"
#include "core/base/folder_entries.h"
#include "core/base/json_checksum.h"
#include "core/base/log_line.h"
#include "core/base/platform_folder.h"
#include "core/base/regular_file.h"
#include "core/jobs/queue/part_folder.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

constexpr const char* kJobFile = "job.json";
constexpr const char* kLocksFile = "locks";
constexpr const char* kOrderFile = "order.json";
constexpr const char* kNewPrefix = ".new-";
/// Much longer than a new job keeps this prefix, which is until its first file is on the disk.
constexpr std::chrono::hours kLongestNew{24};

/// Returns the job id in a folder name, which is digits without leading zeros. Returns 0 if the name is not a job id.
JobId id_of(const fs::path& folder) {
    const std::string name = folder.filename().string();
    JobId id = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
    const bool is_id = error == std::errc() && end == name.data() + name.size() && id > 0 && name[0] != '0';
    return is_id ? id : 0;
}

/// Deletes the files that belong to a job, and the folder if it contains no other files.
void remove_job_files(const fs::path& folder) {
    std::error_code ignored;
    fs::remove(folder / kJobFile, ignored);  // first, because a folder without this file is not a job
    remove_saved_steps(folder);
    std::vector<fs::path> parts;
    for (const fs::directory_entry& entry : entries_of(folder, ignored))
        if (entry.path().extension() == ".part") parts.push_back(entry.path());
    for (const fs::path& part : parts) fs::remove(part, ignored);
    fs::remove(folder, ignored);
}

JobFile parse_job(const fs::path& file, const std::string& text) {
    const std::string refusal = file.string() + " is not usable: ";
    try {
        const Json json = parse_json(text);
        // First: in a damaged file, an unknown name or value would look like one of a later version.
        if (!has_valid_checksum(json)) throw JsonError("its checksum does not match");
        return job_file_from(json);
    } catch (const JsonError& error) {
        throw Error(ErrorCode::bad_config, refusal + error.what(),
                    "The file is damaged or was edited by hand. Discard the job.",
                    {{"path", file.string()}, {"cause", kDamagedJobCause}});
    } catch (const Error& error) {
        throw Error(error.code(), refusal + error.message(), error.hint(), {{"path", file.string()}});
    }
}

JobFile read_job(const fs::path& folder, JobId id) {
    const fs::path file = folder / kJobFile;
    JobFile saved = parse_job(file, read_regular_file(file, JsonLimits{}.bytes));
    saved.job.id = id;
    saved.job.step = saved_steps(folder, saved.job.request);
    return saved;
}

/// Other errors may pass, or are those of another version. Then the job is intact and must not be offered for removal.
bool is_of_damaged_job(const Error& error) {
    return error.argument("cause") == kDamagedJobCause;
}

JobFile damaged_job(JobId id, const Error& error) {
    JobFile damaged;
    damaged.job.id = id;
    damaged.job.state = JobState::failed;
    damaged.job.error = Error(error.code(), error.message(), error.hint(), {{"cause", kDamagedJobCause}});
    return damaged;
}

void write_job(const fs::path& folder, const JobFile& saved) {
    write_file_atomically(folder / kJobFile,
                          with_checksum(to_json(saved)).dump(1, ' ', false, Json::error_handler_t::replace),
                          FileAccess::owner_only);
}

Error not_saved(const fs::path& dir, const std::string& reason) {
    return {ErrorCode::output_not_writable,
            "jobs cannot be saved in " + dir.string() + ": " + reason,
            "Check that you have write permission.",
            {{"path", dir.string()}}};
}

/// JSON holds text in UTF-8 only. Relative names would come back in another folder.
void require_utf8(const fs::path& base) {
    if (find_invalid_utf8(base.string()))
        throw Error(
            ErrorCode::output_not_writable,
            "the job cannot be saved: the name of the current folder, " + base.string() + ", is not valid UTF-8",
            "Rename the folder.", {{"path", base.string()}});
}

/// Returns why the jobs in a folder are ignored, or an empty string if the folder belongs to this user.
std::string reason_to_ignore(const fs::path& folder) {
    std::error_code error;
    const bool is_ours = belongs_to_this_user(folder, error);
    if (error) return "cannot be read now: " + error.message();
    return is_ours ? std::string() : "belongs to another user and is ignored";
}

bool is_own(const fs::path& folder) {
    return reason_to_ignore(folder).empty();
}

/// Removes all permissions of other users.
void make_private(const fs::path& folder) {
    std::error_code ignored;
    fs::permissions(folder, fs::perms::group_all | fs::perms::others_all, fs::perm_options::remove, ignored);
}

void make_jobs_dir(const fs::path& dir) {
    std::error_code error;
    fs::create_directories(dir, error);
    if (error) throw not_saved(dir, error.message());
    if (!is_own(dir)) throw not_saved(dir, "the folder belongs to another user");
    make_private(dir);
}

/// Creates a folder whose name cannot be mistaken for a job.
fs::path make_temporary_folder(const fs::path& dir) {
    for (int attempt = 0;; ++attempt) {
        fs::path folder = dir / (kNewPrefix + std::to_string(this_process()) + "-" + std::to_string(attempt));
        const int error_number = make_new_folder(folder, FileAccess::owner_only);
        if (error_number == 0) return folder;
        if (error_number != EEXIST) throw not_saved(dir, std::strerror(error_number));
    }
}

/// Removes the folder of a new job whose process was killed before it renamed the folder. Only its age shows this:
/// other computers and containers may share the jobs folder, and their processes are unknown here.
void remove_if_abandoned(const fs::path& new_folder) {
    std::error_code error;
    const auto written = fs::last_write_time(new_folder, error);
    if (!error && fs::file_time_type::clock::now() - written > kLongestNew) remove_job_files(new_folder);
}

}  // namespace

JobFile JobFolder::read() const {
    JobFile saved = read_job(path_, id_);
    if (saved.job.state == JobState::running) saved.job.state = JobState::interrupted;
    return saved;
}

void JobFolder::write(const JobFile& saved) const {
    write_job(path_, saved);
}

void JobFolder::remove() {
    remove_job_files(path_);
}

fs::path JobStore::folder_of(JobId id) const {
    return dir_ / std::to_string(id);
}

JobStore::JobStore(fs::path dir)
    : dir_(std::move(dir)), locks_(std::make_shared<NumberLocks>(dir_ / kLocksFile, WithoutLocks::go_on)) {}

FoundJobs JobStore::list() const {
    FoundJobs found;
    std::error_code ignored;
    if (std::error_code error; !fs::exists(dir_, error)) {
        if (error) found.skipped.push_back(dir_.string() + " cannot be read now: " + error.message());
        return found;
    }
    if (const std::string reason = reason_to_ignore(dir_); !reason.empty()) {
        found.skipped.push_back(dir_.string() + " " + reason);
        return found;
    }
    make_private(dir_);
    std::error_code failure;
    for (const fs::directory_entry& entry : entries_of(dir_, failure)) {
        const std::string name = entry.path().filename().string();
        if (name == kOrderFile || name == kLocksFile) continue;
        if (name.starts_with(kNewPrefix))
            remove_if_abandoned(entry.path());
        else if (!entry.is_directory(ignored) || id_of(entry.path()) == 0)
            found.skipped.push_back(entry.path().string() + " is not a job");
        else if (const std::string reason = reason_to_ignore(entry.path()); !reason.empty())
            found.skipped.push_back(entry.path().string() + " " + reason);
        else if (!locks_->is_taken(id_of(entry.path())))
            look_into(entry.path(), found);
    }
    if (failure) found.skipped.push_back(dir_.string() + " cannot be read completely now: " + failure.message());
    const std::vector<JobId> order = read_order();
    const auto position = [&order](const JobFile& saved) {
        const auto moved = std::find(order.begin(), order.end(), saved.job.id);
        return std::pair(moved - order.begin(), saved.job.id);
    };
    std::sort(found.jobs.begin(), found.jobs.end(),
              [&](const JobFile& a, const JobFile& b) { return position(a) < position(b); });
    return found;
}

void JobStore::look_into(const fs::path& folder, FoundJobs& found) const {
    std::error_code ignored;
    try {
        if (!has_entry(folder / kJobFile)) {
            remove_job_files(folder);  // an interrupted removal
            if (fs::exists(folder, ignored)) found.skipped.push_back(folder.string() + " is not a job");
            return;
        }
        JobFile saved = read_job(folder, id_of(folder));
        if (saved.job.state == JobState::running) saved.job.state = JobState::interrupted;
        found.jobs.push_back(std::move(saved));
    } catch (const Error& error) {
        if (is_of_damaged_job(error)) found.jobs.push_back(damaged_job(id_of(folder), error));
        found.skipped.push_back(error.message());
    }
}

JobFolder JobStore::add(JobFile& saved, JobId at_least) const {
    require_utf8(saved.base);
    make_jobs_dir(dir_);
    const fs::path made = make_temporary_folder(dir_);
    try {
        write_job(made, saved);
        return take_name(made, saved, at_least);
    } catch (...) {
        remove_job_files(made);
        throw;
    }
}

JobFolder JobStore::take_name(const fs::path& made, JobFile& saved, JobId at_least) const {
    for (saved.job.id = at_least;; ++saved.job.id) {
        const auto outcome = locks_->take(saved.job.id);
        if (outcome == NumberLocks::Outcome::busy) continue;
        if (outcome == NumberLocks::Outcome::failed) throw not_saved(dir_, std::strerror(errno));
        JobLock lock(locks_, saved.job.id);
        fs::path folder = folder_of(saved.job.id);
        // A folder that contains files is not replaced, so another job's folder is safe.
        std::error_code error;
        fs::rename(made, folder, error);
        if (!error) {
            sync_folder(dir_);  // an accepted job must survive a power cut
            forget_position(saved.job.id);
            return {std::move(folder), saved.job.id, std::move(lock)};
        }
        if (error != std::errc::directory_not_empty && error != std::errc::file_exists)
            throw not_saved(dir_, error.message());
    }
}

std::optional<JobFolder> JobStore::take(JobId id) const {
    const fs::path folder = folder_of(id);
    if (!is_own(folder)) return std::nullopt;
    if (locks_->take(id) != NumberLocks::Outcome::taken) return std::nullopt;
    JobLock lock(locks_, id);
    if (!contains(id)) return std::nullopt;  // deleted before it was locked
    return JobFolder(folder, id, std::move(lock));
}

bool JobStore::contains(JobId id) const {
    return presence_of(folder_of(id) / kJobFile) != Presence::missing;
}

std::vector<JobId> JobStore::read_order() const {
    try {
        return read_json(dir_ / kOrderFile).get<std::vector<JobId>>();
    } catch (const std::exception&) {
        return {};  // missing or damaged: jobs are sorted by id
    }
}

void JobStore::forget_position(JobId id) const {
    std::vector<JobId> order = read_order();
    if (std::erase(order, id) == 0) return;
    try {
        write_order(order);
    } catch (const Error& error) {
        log_warning(error.message());  // the new job keeps the position
    }
}

void JobStore::write_order(const std::vector<JobId>& order) const {
    write_file_atomically(dir_ / kOrderFile, Json(order).dump(), FileAccess::owner_only);
}

}  // namespace kinescope
