#include "ui/models/video_check.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(VideoCheck)
};

constexpr int kBlack = 4;  ///< largest pixel value that counts as black, because lossy codecs are not exact

bool isBlack(const Frame& frame) {
    return std::all_of(frame.pixels.begin(), frame.pixels.end(), [](int value) { return value <= kBlack; });
}

}  // namespace

VideoCheck checkVideo(const std::vector<FramePtr>& frames, const std::optional<VideoRequest>& request) {
    VideoCheck check{.frames = static_cast<int>(frames.size()), .expected = {}, .black = 0};
    if (request) check.expected = request->num_frames;
    check.black = static_cast<int>(
        std::count_if(frames.begin(), frames.end(), [](const FramePtr& frame) { return isBlack(*frame); }));
    return check;
}

bool isWhole(const VideoCheck& check) {
    return check.frames > 0 && check.frames >= check.expected.value_or(1) && check.black < check.frames;
}

QString videoCheckText(const VideoCheck& check) {
    if (check.frames == 0) return Tr::tr("Damaged: no frame can be read.");
    if (check.frames < check.expected.value_or(0))
        return Tr::tr("Incomplete: %1 of %2 frames can be read.")
            .arg(countText(check.frames), countText(*check.expected));
    if (check.black == check.frames) return Tr::tr("All frames are black.");
    const QString whole = Tr::tr("Complete: %Ln frames can be read.", nullptr, check.frames);
    return check.black > 0 ? Tr::tr("%1 %Ln of them are black.", "sentence", check.black).arg(whole) : whole;
}

}  // namespace kinescope::ui
