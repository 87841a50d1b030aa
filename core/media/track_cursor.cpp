#include "core/media/track_cursor.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "core/media/clip_facts.h"
#include "core/media/track_source.h"

namespace kinescope {
namespace {

constexpr std::size_t kPartOfSoundBytes = std::size_t{4} << 20;
constexpr std::int64_t kPartOfFileBytes = std::int64_t{16} << 20;

}  // namespace

TrackCursor::TrackCursor() = default;

TrackCursor::~TrackCursor() = default;

void TrackCursor::go_to(const std::filesystem::path& file, int stream, Form form, std::int64_t first) {
    const bool is_same = source_ && file == file_ && stream == stream_ && form == form_;
    if (is_same && first == next_ && (first != 0 || is_search_paused_)) return;
    source_ = std::make_unique<TrackSource>(file, stream);
    file_ = file;
    stream_ = stream;
    form_ = form;
    next_ = 0;
    is_search_paused_ = false;
    ahead_.clear();
}

TrackPart<TrackPacket> TrackCursor::read_packets(const std::filesystem::path& file, int stream, std::int64_t first) {
    go_to(file, stream, Form::packets, first);
    for (; next_ < first; ++next_)
        if (!source_->next_packet(TrackSource::kEndOfFile)) return {};
    TrackPart<TrackPacket> part;
    const std::int64_t last_byte = source_->position() + kPartOfFileBytes;
    for (std::size_t bytes = 0; bytes < kPartOfSoundBytes; ++next_) {
        auto packet = source_->next_packet(last_byte);
        if (!packet) break;
        bytes += packet->bytes.size() + sizeof(TrackPacket);
        part.values.push_back(std::move(*packet));
    }
    part.has_ended = source_->has_ended();
    is_search_paused_ = part.values.empty() && !part.has_ended;
    return part;
}

TrackPart<float> TrackCursor::read_pcm(const std::filesystem::path& file, int stream, std::int64_t first) {
    go_to(file, stream, Form::pcm, first);
    TrackPart<float> part;
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
    part.has_ended = part.values.empty();
    return part;
}

TrackCursor& TrackCursors::of(int stream) {
    const auto found = std::ranges::find(cursors_, stream, &std::pair<int, TrackCursor>::first);
    if (found != cursors_.end()) {
        cursors_.splice(cursors_.begin(), cursors_, found);
    } else {
        cursors_.emplace_front(std::piecewise_construct, std::forward_as_tuple(stream), std::forward_as_tuple());
        if (std::ssize(cursors_) > kMostTracks) cursors_.pop_back();
    }
    return cursors_.front().second;
}

}  // namespace kinescope
