#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/api/run_event.h"

namespace kinescope {

/// Throws Error(output_exists) if the folder contains previews, which new ones would replace or be mixed with. An empty
/// path has none.
void refuse_existing_previews(const std::filesystem::path& folder);

/// Saves the previews of each phase as PNG files.
class PreviewFolder {
public:
    /// Creates the folder. An empty path turns saving off. Throws Error(output_not_writable, disk_full).
    explicit PreviewFolder(std::filesystem::path folder);
    /// Saves the event's frames if it is a preview. If saving fails, returns an error message and turns saving off.
    std::optional<std::string> keep(const RunEvent& event);

private:
    void write(const PreviewReady& preview) const;

    std::filesystem::path folder_;
};

}  // namespace kinescope
