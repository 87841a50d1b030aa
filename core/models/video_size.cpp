#include "core/models/video_size.h"

#include <string>

#include "core/api/error.h"

namespace kinescope {

void check_video_size(const ResolvedContent& content, std::int64_t multiple) {
    const auto fits = [&](int side) { return side > 0 && side % multiple == 0; };
    if (!fits(content.width) || !fits(content.height))
        throw Error(ErrorCode::bad_request,
                    "A video of " + std::to_string(content.width) + "x" + std::to_string(content.height) +
                        " cannot be made: width and height must be multiples of " + std::to_string(multiple));
    if (content.num_frames < 1)
        throw Error(ErrorCode::bad_request,
                    "num_frames is " + std::to_string(content.num_frames) + "; it must be at least 1");
}

}  // namespace kinescope
