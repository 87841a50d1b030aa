#pragma once

#include <filesystem>

namespace kinescope {

/// A video container: its names in libav and the default settings.
struct Container {
    const char* ending;    ///< file extension with the dot, lower case
    const char* muxer;     ///< libav's name
    const char* encoder;   ///< libav's name
    const char* movflags;  ///< nullptr if the muxer has none
};

/// Returns the container for the extension of `file` (case-insensitive). Returns nullptr for a folder of PNG frames,
/// i.e. for no extension or a trailing slash. Throws Error(bad_request) for an unknown extension.
const Container* find_container(const std::filesystem::path& file);

}  // namespace kinescope
