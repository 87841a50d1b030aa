#pragma once

#include <filesystem>

namespace kinescope {

/// One kind of video file: how libav names it and what goes into it unless the request says otherwise.
struct Container {
    const char* ending;    ///< with the dot, lower case
    const char* muxer;     ///< libav's name
    const char* encoder;   ///< libav's name
    const char* movflags;  ///< nullptr where the muxer has none
};

/// The container for the ending of `file` (any case). nullptr: no ending or a trailing slash, a folder of PNG frames.
/// Throws Error(bad_request) for an ending that is not known.
const Container* find_container(const std::filesystem::path& file);

}  // namespace kinescope
