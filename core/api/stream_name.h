#pragma once

#include <filesystem>
#include <string>

namespace kinescope {

/// The stream to which FFmpeg's command line writes an output of this name. Kinescope refuses such names, because it
/// would silently create a folder.
enum class StreamName { none, pipe, url };

inline StreamName stream_name(const std::filesystem::path& output) {
    const std::string name = output.string();
    if (name.find("://") != std::string::npos) return StreamName::url;
    return name == "-" ? StreamName::pipe : StreamName::none;
}

}  // namespace kinescope
