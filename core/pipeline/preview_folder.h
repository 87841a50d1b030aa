#pragma once

#include <filesystem>

#include "core/api/run_event.h"

namespace kinescope {

/// Keeps each phase's pictures as PNG files where the request asks for it.
class PreviewFolder {
public:
    /// Empty: keeps nothing.
    explicit PreviewFolder(std::filesystem::path folder);
    void keep(const RunEvent& event) const;

private:
    std::filesystem::path folder_;
};

}  // namespace kinescope
