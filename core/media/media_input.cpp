#include "core/media/media_input.h"

#include "core/api/error.h"
#include "core/base/regular_file.h"

namespace kinescope {

AvInputPtr open_media_input(const std::filesystem::path& file) {
    const RegularFile checked(file);  // rejects named pipes, where libav would wait for a writer
    route_av_log();
    AvOptions options;
    options.set("format_whitelist", "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,gif");
    options.set("protocol_whitelist", "file");
    options.set("max_streams", "32");
    AVFormatContext* input = nullptr;
    const int result = avformat_open_input(&input, ("file:" + file.string()).c_str(), nullptr, options.address());
    if (result < 0)
        throw Error(ErrorCode::file_unreadable, file.string() + " is not a readable video: " + av_error_text(result),
                    "Use a complete MP4, MOV, MKV, WebM or GIF file.", {{"path", file.string()}});
    return AvInputPtr(input);
}

}  // namespace kinescope
