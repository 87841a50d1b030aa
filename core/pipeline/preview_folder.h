#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/api/run_event.h"

namespace kinescope {

/// Keeps each phase's pictures as PNG files where the request asks for it.
class PreviewFolder {
public:
    /// Empty: keeps nothing. Throws Error(output_not_writable, disk_full).
    explicit PreviewFolder(std::filesystem::path folder);
    /// Why no more pictures are kept from now on; told once.
    std::optional<std::string> keep(const RunEvent& event);

private:
    void write(const PreviewReady& preview) const;

    std::filesystem::path folder_;
};

}  // namespace kinescope
