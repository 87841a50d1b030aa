#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kinescope::computers {

/// The largest part of a file in one message.
inline constexpr std::size_t kLargestPart = std::size_t{4} << 20;
/// The largest file that travels.
inline constexpr std::int64_t kLargestFile = std::int64_t{64} << 30;
/// The most files of one job.
inline constexpr std::size_t kMostFiles = 100'000;

struct StoredFile {
    std::string name;  ///< see file_names.h
    std::int64_t bytes = 0;
    std::string sha256;
};

/// A part of an input on its way.
struct FilePart {
    std::int64_t total = 0;   ///< bytes of the whole file
    std::int64_t offset = 0;  ///< where the part begins: at most the number of bytes that have arrived
    std::span<const std::byte> bytes;
};

/// Where a FileStore is; for messages.
enum class StoragePlace {
    this_computer,
    cluster  ///< on the storage that its nodes share
};

/// The files of jobs that came from other computers: their inputs and results, in a folder of their own. The names come
/// from another program, so every method throws Error(bad_request) for one that check_name refuses. Thread-safe.
class FileStore {
public:
    /// Creates the folder, see make_private_folder.
    explicit FileStore(std::filesystem::path folder, StoragePlace place = StoragePlace::this_computer);

    const std::filesystem::path& folder() const { return folder_; }
    std::filesystem::path path_of(const std::string& name) const;
    /// Returns nullopt if the file system does not tell.
    std::optional<std::int64_t> free_bytes() const;
    /// Notes that a job uses this path. Paths outside of the inputs are ignored.
    void note_use(const std::filesystem::path& path);
    /// Deletes inputs that no job has used for this time.
    void forget_inputs(int days);

    struct Arrived {
        bool is_whole = false;
        std::int64_t bytes = 0;  ///< of an unfinished file
    };
    Arrived arrived(const std::string& name);
    /// Stores what is new in a part of an input. Throws Error(bad_request) for a wrong offset, length or size,
    /// Error(disk_full), and Error(output_not_writable).
    void put(const std::string& name, const FilePart& part);
    /// Gives an input its final name. Throws Error(bad_request) and deletes what arrived if it has another hash.
    void finish(const std::string& name, const std::string& sha256);

    /// The complete files of a job, sorted by name.
    std::vector<StoredFile> results(const std::string& token);
    /// Throws Error(bad_request) for a range outside the file or above kLargestPart, Error(file_not_found).
    std::vector<std::uint8_t> get(const std::string& name, std::int64_t offset, std::int64_t count);
    /// Deletes the results of a job.
    void remove_results(const std::string& token);

private:
    void renew(const std::filesystem::path& path);
    void write(const std::string& name, const FilePart& part);

    std::filesystem::path folder_;
    StoragePlace place_;
    std::mutex mutex_;
};

}  // namespace kinescope::computers
