#include "core/jobs/job_store.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/jobs/run_files.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

constexpr const char* kJobFile = "job.json";
constexpr const char* kLockFile = "lock";
constexpr const char* kOrderFile = "order.json";
constexpr const char* kNewPrefix = ".new-";

/// The id that a folder's name says: digits without leading zeros; 0: it is no job's.
JobId id_of(const fs::path& folder) {
    const std::string name = folder.filename().string();
    JobId id = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
    const bool is_id = error == std::errc() && end == name.data() + name.size() && id > 0 && name[0] != '0';
    return is_id ? id : 0;
}

/// Only what jobs consist of: a folder that holds more stays.
void remove_job_files(const fs::path& folder) {
    std::error_code ignored;
    fs::remove(folder / kJobFile, ignored);  // first: without it there is no job
    remove_run_files(folder);
    std::vector<fs::path> parts;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().extension() == ".part") parts.push_back(entry.path());
    for (const fs::path& part : parts) fs::remove(part, ignored);
    fs::remove(folder / kLockFile, ignored);
    fs::remove(folder, ignored);
}

StoredJob read_job(const fs::path& folder, JobId id) {
    const fs::path file = folder / kJobFile;
    try {
        StoredJob job = stored_job_from(read_json(file));
        job.record.id = id;
        job.record.step = kept_step(folder);
        return job;
    } catch (const JsonError& error) {
        throw Error(ErrorCode::bad_config, file.string() + " is not usable: " + error.what(),
                    "It was damaged or edited by hand; delete its folder.", {{"path", file.string()}});
    }
}

void write_job(const fs::path& folder, const StoredJob& job) {
    write_file_atomically(folder / kJobFile, to_json(job).dump(1, ' ', false, Json::error_handler_t::replace));
}

Error not_kept(const fs::path& dir, const std::string& reason) {
    return {ErrorCode::output_not_writable,
            "jobs cannot be kept in " + dir.string() + ": " + reason,
            "Check that you may write there.",
            {{"path", dir.string()}}};
}

/// Under a name that no job has, with the process in it.
fs::path make_new_folder(const fs::path& dir) {
    std::error_code error;
    fs::create_directories(dir, error);
    for (int attempt = 0; !error; ++attempt) {
        fs::path folder = dir / (kNewPrefix + std::to_string(::getpid()) + "-" + std::to_string(attempt));
        if (fs::create_directory(folder, error)) return folder;
    }
    throw not_kept(dir, error.message());
}

/// A new job whose process was killed before it had a name.
void remove_if_abandoned(const fs::path& new_folder) {
    const int pid = std::atoi(new_folder.filename().c_str() + std::string_view(kNewPrefix).size());
    if (pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH) remove_job_files(new_folder);
}

}  // namespace

StoredJob JobFolder::read() const {
    StoredJob job = read_job(path_, id_);
    if (job.record.state == JobState::running) job.record.state = JobState::interrupted;
    return job;
}

void JobFolder::write(const StoredJob& job) const {
    write_job(path_, job);
}

void JobFolder::remove() {
    remove_job_files(path_);
}

fs::path JobStore::folder_of(JobId id) const {
    return dir_ / std::to_string(id);
}

FoundJobs JobStore::list() const {
    FoundJobs found;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(dir_, ignored)) {
        const std::string name = entry.path().filename().string();
        if (name == kOrderFile) continue;
        if (name.starts_with(kNewPrefix))
            remove_if_abandoned(entry.path());
        else if (!entry.is_directory(ignored) || id_of(entry.path()) == 0)
            found.skipped.push_back(entry.path().string() + ": no job");
        else if (!FileLock::is_taken(entry.path() / kLockFile))
            look_into(entry.path(), found);
    }
    const std::vector<JobId> order = read_order();
    const auto place = [&order](const StoredJob& job) {
        const auto moved = std::find(order.begin(), order.end(), job.record.id);
        return std::pair(moved - order.begin(), job.record.id);
    };
    std::sort(found.jobs.begin(), found.jobs.end(),
              [&](const StoredJob& a, const StoredJob& b) { return place(a) < place(b); });
    return found;
}

void JobStore::look_into(const fs::path& folder, FoundJobs& found) const {
    std::error_code ignored;
    if (!fs::exists(folder / kJobFile, ignored)) {
        remove_job_files(folder);  // a job whose removal was cut short
        if (fs::exists(folder, ignored)) found.skipped.push_back(folder.string() + ": no job");
        return;
    }
    try {
        StoredJob job = read_job(folder, id_of(folder));
        if (job.record.state == JobState::running) job.record.state = JobState::interrupted;
        found.jobs.push_back(std::move(job));
    } catch (const Error& error) {
        found.skipped.push_back(error.message());
    }
}

JobId JobStore::free_id(JobId at_least) const {
    JobId id = at_least;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(dir_, ignored))
        id = std::max(id, id_of(entry.path()) + 1);
    return id;
}

JobFolder JobStore::add(StoredJob& job, JobId at_least) const {
    const fs::path made = make_new_folder(dir_);
    try {
        auto lock = FileLock::take(made / kLockFile);
        if (!lock) throw not_kept(dir_, "its files cannot be locked");
        write_job(made, job);
        job.record.id = free_id(at_least);
        // rename(2) does not replace a folder that holds something.
        while (::rename(made.c_str(), folder_of(job.record.id).c_str()) != 0) {
            if (errno != ENOTEMPTY && errno != EEXIST) throw not_kept(dir_, std::strerror(errno));
            ++job.record.id;
        }
        sync_folder(dir_);  // a job that was taken on is still there after a power cut
        return {folder_of(job.record.id), job.record.id, std::move(*lock)};
    } catch (...) {
        remove_job_files(made);
        throw;
    }
}

std::optional<JobFolder> JobStore::take(JobId id) const {
    auto lock = FileLock::take(folder_of(id) / kLockFile);
    if (!lock) return std::nullopt;
    return JobFolder(folder_of(id), id, std::move(*lock));
}

std::vector<JobId> JobStore::read_order() const {
    try {
        return read_json(dir_ / kOrderFile).get<std::vector<JobId>>();
    } catch (const std::exception&) {
        return {};  // none, or a damaged one: the order in which the jobs were made
    }
}

void JobStore::write_order(const std::vector<JobId>& order) const {
    write_file_atomically(dir_ / kOrderFile, Json(order).dump());
}

}  // namespace kinescope
