#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/error.h"
#include "core/base/cancellable_lock.h"
#include "core/base/child_server.h"
#include "core/jobs/tools/checked_headers.h"

namespace kinescope {

/// The argument with which a program starts serve_weight_reader().
inline constexpr std::string_view kWeightReaderCommand = "--read-weights";

/// Memory that the headers of one file may take.
inline constexpr std::int64_t kWeightReaderBytes = std::int64_t{4} << 30;

/// The child's answer to a message of GuardedWeights.
std::string answer_about_weights(std::string_view message);
/// The child process of GuardedWeights: answers requests until the parent has ended. Returns the exit code.
/// `memory_bytes`: a number in decimal digits.
int serve_weight_reader(std::string_view memory_bytes);

/// Reads the headers of untrusted weight files in a child process with limited memory and time, see WeightCheck. One
/// process reads many files. Files that have not changed are read once, also by later processes. Thread-safe.
class GuardedWeights {
public:
    /// The main() of `program` must call run_as_reader_child. If empty, check() does nothing. `memory`: see
    /// CheckedHeaders.
    explicit GuardedWeights(const std::filesystem::path& program, const std::filesystem::path& memory = {},
                            std::int64_t memory_bytes = kWeightReaderBytes);

    /// Throws Error(file_unreadable) that names the file if its headers make the child crash, hang or exceed its
    /// memory. `path`: a file, or a folder that open_checkpoint() can open. Throws Cancelled, see ChildServer::ask().
    void check(const std::filesystem::path& path, const IsCancelled& is_cancelled = {});

private:
    /// The result of a check, and the state of the files that were checked.
    struct Known {
        std::string state;
        std::optional<Error> error;
    };
    Known examined(const std::filesystem::path& path, const std::filesystem::path& whole, std::string state,
                   const IsCancelled& is_cancelled);
    std::optional<Error> error_of(const std::filesystem::path& path, const IsCancelled& is_cancelled);
    std::optional<Error> ask(const std::filesystem::path& file, const IsCancelled& is_cancelled);

    std::unique_ptr<ChildServer> child_;
    CancellableLock lock_;
    std::map<std::filesystem::path, Known> known_;
    CheckedHeaders remembered_;
};

}  // namespace kinescope
