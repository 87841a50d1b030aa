#include "core/media/sound_cursor.h"

#include <algorithm>
#include <utility>

#include "core/media/sound_source.h"

namespace kinescope {
namespace {

constexpr std::size_t kPartOfSoundBytes = std::size_t{4} << 20;

}  // namespace

SoundCursor::SoundCursor() = default;

SoundCursor::~SoundCursor() = default;

void SoundCursor::go_to(const std::filesystem::path& file, Form form, std::int64_t first) {
    if (source_ && file == file_ && form == form_ && first == next_ && first != 0) return;
    source_ = std::make_unique<SoundSource>(file);
    file_ = file;
    form_ = form;
    next_ = 0;
    ahead_.clear();
}

SoundPart<SoundPacket> SoundCursor::read_packets(const std::filesystem::path& file, std::int64_t first) {
    go_to(file, Form::packets, first);
    for (; next_ < first; ++next_)
        if (!source_->next_packet()) return {};
    SoundPart<SoundPacket> part;
    for (std::size_t bytes = 0; bytes < kPartOfSoundBytes; ++next_) {
        auto packet = source_->next_packet();
        if (!packet) break;
        bytes += packet->bytes.size() + sizeof(SoundPacket);
        part.values.push_back(std::move(*packet));
    }
    return part;
}

SoundPart<float> SoundCursor::read_pcm(const std::filesystem::path& file, std::int64_t first) {
    go_to(file, Form::pcm, first);
    SoundPart<float> part;
    const std::size_t most = kPartOfSoundBytes / sizeof(float);
    while (part.values.size() < most) {
        if (ahead_.empty()) ahead_ = source_->next_pcm();
        if (ahead_.empty()) break;
        const auto skipped =
            std::min<std::int64_t>(std::max<std::int64_t>(0, first - next_), static_cast<std::int64_t>(ahead_.size()));
        const std::size_t wanted =
            std::min(ahead_.size() - static_cast<std::size_t>(skipped), most - part.values.size());
        part.values.insert(part.values.end(), ahead_.begin() + skipped,
                           ahead_.begin() + skipped + static_cast<std::ptrdiff_t>(wanted));
        ahead_.erase(ahead_.begin(), ahead_.begin() + skipped + static_cast<std::ptrdiff_t>(wanted));
        next_ += skipped + static_cast<std::int64_t>(wanted);
    }
    return part;
}

}  // namespace kinescope
