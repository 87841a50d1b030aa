#include "core/api/video_request_json.h"
#include "tests/fuzz/targets.h"

/// Reads a request, as in a request file, a batch line or the comment of a video.
void kinescope::fuzz::request(Bytes file) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    try {
        to_json(parse_request(text, "/folder"));
    } catch (const Error&) {
    }
    try {
        request_in_comment(text);
    } catch (const Error&) {
    }
}
