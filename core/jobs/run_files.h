#pragma once

#include <filesystem>
#include <string>

#include "core/jobs/run_archive.h"

namespace kinescope {

/// A run on disk: conditioning.safetensors and a copy of it, written once; step.safetensors, replaced after every step,
/// and the step before. Each is whole under its name whenever the process or the computer stops, and carries a
/// checksum: where one is damaged later, the other of the two is used.
class RunFiles final : public RunArchive {
public:
    /// `fingerprint`: of all that decides the numbers; what was kept under another one is not gone on with.
    RunFiles(std::filesystem::path folder, std::string fingerprint)
        : folder_(std::move(folder)), fingerprint_(std::move(fingerprint)) {}

    /// Throws Error(bad_config) for what was kept under another fingerprint.
    Recalled recall() override;
    void keep_conditioning(const Conditioning& conditioning, const RunPosition& position) override;
    void keep_step(const RunPosition& position) override;
    void forget() override;

private:
    std::filesystem::path folder_;
    std::string fingerprint_;
};

/// How many steps are kept in a folder; 0 where there is nothing, or nothing that can be read. Reads a header.
int kept_step(const std::filesystem::path& folder);

void remove_run_files(const std::filesystem::path& folder);

}  // namespace kinescope
