#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/api/video_request.h"
#include "core/computers/computer_link.h"
#include "core/computers/file_store.h"
#include "core/computers/part_file.h"

namespace kinescope::computers {

/// Asked between the parts of a file; false: stop.
using GoOn = std::function<bool()>;

/// Thrown when GoOn said false.
struct Stopped {};

/// Moves files to and from the file store of another computer. Methods throw Unreachable when the connection is lost,
/// Error, and Stopped; a file that was cut off goes on where it ended. Thread-safe.
class FileTransfer {
public:
    explicit FileTransfer(ComputerLink& link) : link_(link) {}

    /// The folder of the file store.
    std::filesystem::path folder();
    /// Returns nullopt if it is not known there.
    std::optional<std::int64_t> free_bytes();

    /// Sends a file, or a folder of pictures, unless it is there already. Returns its path there.
    std::filesystem::path send(const std::filesystem::path& input, const GoOn& go_on);
    /// Names the results of a job. Throws Error(bad_request) if the answer names files of something else.
    std::vector<StoredFile> list(const std::string& token);
    /// Receives a file under a temporary name; gives it its name when its SHA-256 is that of the listing. A file that
    /// exists and has this SHA-256 is left as it is.
    void receive(const StoredFile& file, const std::filesystem::path& target, IfTargetExists rule, const GoOn& go_on);

private:
    std::string sha256_of(const std::filesystem::path& file);
    void send_file(const std::filesystem::path& file, const std::string& name, const std::string& sha256,
                   const GoOn& go_on);
    std::filesystem::path send_folder(const std::filesystem::path& folder, const GoOn& go_on);
    void receive_parts(const StoredFile& file, PartFile& part, const GoOn& go_on);

    /// What a hash was computed from; a changed file is hashed again.
    struct Version {
        std::uintmax_t bytes = 0;
        std::filesystem::file_time_type changed;
        std::string sha256;
    };
    std::mutex& upload_of(const std::string& name);

    ComputerLink& link_;
    std::mutex mutex_;  ///< guards the members below
    std::map<std::filesystem::path, Version> hashes_;
    std::map<std::string, std::mutex> uploads_;  ///< each is held while the file of this name is sent
};

}  // namespace kinescope::computers
