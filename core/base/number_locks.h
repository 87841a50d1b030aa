#pragma once

#include <cstdint>
#include <filesystem>
#include <set>

namespace kinescope {

/// Locks between processes, one for each number, all of them in one file: a process needs one descriptor however many
/// it holds. The kernel releases them when the process ends, however it ends. Not to be used by two threads at once.
class NumberLocks {
public:
    /// The file is created with the first lock, for this user alone.
    explicit NumberLocks(std::filesystem::path file) : file_(std::move(file)) {}
    ~NumberLocks();
    NumberLocks(const NumberLocks&) = delete;
    NumberLocks& operator=(const NumberLocks&) = delete;

    enum class Outcome {
        taken,
        busy,   ///< another process, or another NumberLocks of this one, holds it, or this one does already
        failed  ///< errno says why: the file cannot be made, or its file system has no locks
    };
    /// `number` is 1 or more.
    Outcome take(std::int64_t number);
    void release(std::int64_t number);
    /// Whether anyone holds it now.
    bool is_taken(std::int64_t number);

private:
    bool open_file();
    bool still_has_its_name() const;

    std::filesystem::path file_;
    int descriptor_ = -1;
    std::set<std::int64_t> held_;
};

}  // namespace kinescope
