#include <algorithm>
#include <string_view>

#include "core/api/video_request_json.h"
#include "core/media/frame_sink.h"
#include "tests/fuzz/scratch.h"

namespace {

/// Returns a file name with an extension that depends on the content. The extension selects the reader.
const char* name_for(kinescope::fuzz::Bytes file) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()), std::min<std::size_t>(file.size(), 8));
    if (text.starts_with("\x89PNG")) return "x.png";
    return text.starts_with("GIF8") ? "x.gif" : "x.mp4";
}

}  // namespace

void kinescope::fuzz::clip_comment(Bytes file) {
    try {
        request_in_comment(read_comment(write_scratch(name_for(file), file)));
    } catch (const Error&) {
    }
}
