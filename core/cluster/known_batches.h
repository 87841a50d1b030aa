#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kinescope::cluster {

/// The batches that this user submitted from this computer: "<state>/cluster/<id>.json" with the path of the folder.
class KnownBatches {
public:
    explicit KnownBatches(std::filesystem::path dir) : dir_(std::move(dir)) {}

    /// Throws Error(output_not_writable, disk_full).
    void remember(const std::string& id, const std::filesystem::path& folder) const;
    void forget(const std::string& id) const;
    /// Returns the folders, the newest first. Leaves out folders that do not exist any more.
    std::vector<std::filesystem::path> folders() const;
    /// Returns the folder of a batch named by its id, by its folder, or, if `name` is empty, the newest one. Throws
    /// Error(bad_request).
    std::filesystem::path find(const std::string& name) const;

private:
    std::filesystem::path dir_;
};

}  // namespace kinescope::cluster
