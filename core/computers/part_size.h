#pragma once

#include <algorithm>
#include <cstdint>

#include "core/computers/file_store.h"

namespace kinescope::computers {

/// The size of the parts in which a file travels: large, but soon there, because orders and events wait behind a part.
class PartSize {
public:
    std::int64_t bytes() const { return bytes_; }
    /// Chooses the size of the next part by the time that one of this size took.
    void note_seconds(double seconds) {
        constexpr double kShort = 0.2;
        constexpr double kLong = 0.5;
        if (seconds < kShort) bytes_ = std::min(2 * bytes_, kLargest);
        if (seconds > kLong) bytes_ = std::max(bytes_ / 2, kSmallest);
    }

private:
    static constexpr std::int64_t kSmallest = std::int64_t{64} << 10;
    static constexpr std::int64_t kFirst = std::int64_t{256} << 10;
    static constexpr auto kLargest = static_cast<std::int64_t>(kLargestPart);

    std::int64_t bytes_ = kFirst;
};

}  // namespace kinescope::computers
