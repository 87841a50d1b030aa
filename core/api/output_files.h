#pragma once

#include <array>
#include <filesystem>
#include <utility>

#include "core/api/video_request.h"

namespace kinescope {

/// The files and folders that a run writes: the fields' names in a request, and the members. An empty path means that
/// the file is not written.
using OutputFile = std::pair<const char*, std::filesystem::path OutputRequest::*>;
inline constexpr std::array<OutputFile, 6> kOutputFiles = {{{"output", &OutputRequest::file},
                                                            {"numeric_log", &OutputRequest::numeric_log},
                                                            {"numeric_csv", &OutputRequest::numeric_csv},
                                                            {"latents", &OutputRequest::latents},
                                                            {"frames", &OutputRequest::frames},
                                                            {"preview_dir", &OutputRequest::preview_dir}}};

}  // namespace kinescope
