#pragma once

#include <cstdint>
#include <filesystem>
#include <set>

namespace kinescope {

/// What take() does on a file system without locks: fail, or warn once and hold the number in this object only.
enum class WithoutLocks { fail, go_on };

/// Numbered locks between processes. All locks are in one file, so that a process needs a single descriptor for any
/// number of locks. The kernel releases them when the process ends. Not thread-safe.
class NumberLocks {
public:
    /// The file is created when a lock is first taken or looked for. Only this user can access it.
    explicit NumberLocks(std::filesystem::path file, WithoutLocks rule = WithoutLocks::fail)
        : file_(std::move(file)), rule_(rule) {}
    ~NumberLocks();
    NumberLocks(const NumberLocks&) = delete;
    NumberLocks& operator=(const NumberLocks&) = delete;

    enum class Outcome {
        taken,
        busy,   ///< held by another process, by another NumberLocks object, or already by this one
        failed  ///< see errno: the file cannot be created, or its file system has no locks
    };
    /// Takes a lock without waiting. `number` must be 1 or greater.
    Outcome take(std::int64_t number);
    void release(std::int64_t number);
    /// Returns true if any process holds the lock.
    bool is_taken(std::int64_t number);

private:
    bool open_file();
    bool still_has_its_name() const;
    void warn_once(int error);

    std::filesystem::path file_;
    WithoutLocks rule_;
    bool has_warned_ = false;
    int descriptor_ = -1;
    std::set<std::int64_t> held_;
};

}  // namespace kinescope
