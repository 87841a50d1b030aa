#include "core/jobs/plan/fit_video.h"

#include <algorithm>
#include <vector>

namespace kinescope {

namespace {

std::int64_t area(Size size) {
    return std::int64_t{size.width} * size.height;
}

Size scaled(Size size, double factor, int multiple) {
    const auto side = [&](int pixels) {
        const int units = static_cast<int>(factor * pixels / multiple + 0.5);
        return std::max(units, 1) * multiple;
    };
    return {side(size.width), side(size.height)};
}

/// Returns the largest size, followed by smaller sizes with about the same aspect ratio.
std::vector<Size> sizes_up_to(Size largest, int multiple) {
    constexpr double kScales[] = {0.75, 0.5};
    std::vector<Size> sizes{largest};
    for (const double scale : kScales) {
        const Size smaller = scaled(largest, scale, multiple);
        if (area(smaller) < area(sizes.back())) sizes.push_back(smaller);
    }
    return sizes;
}

class Fitting {
public:
    Fitting(const VideoRequest& request, const ModelCard& card, Size largest, std::int64_t usable_bytes,
            const PlannedPeak& peak)
        : request_(request), card_(card), largest_(largest), usable_bytes_(usable_bytes), peak_(peak) {}

    std::optional<VideoRequest> run() const {
        const bool is_sized = request_.width || request_.height;
        const std::vector<Size> sizes = is_sized ? std::vector{Size()} : sizes_up_to(largest_, card_.size_multiple);
        for (const Size size : sizes)
            if (auto found = with_size(size, (units_of_default() + 1) / 2)) return found;
        return with_size(sizes.back(), 0);
    }

private:
    bool fits(const VideoRequest& request) const { return peak_(request) <= usable_bytes_; }

    /// Returns the default number of units, where num_frames = num_frames_multiple * units + num_frames_offset.
    int units_of_default() const {
        return (card_.default_num_frames - card_.num_frames_offset) / card_.num_frames_multiple;
    }
    int frames_of(int units) const { return std::max(card_.num_frames_multiple * units + card_.num_frames_offset, 1); }

    VideoRequest sized(Size size) const {
        VideoRequest request = request_;
        if (area(size) > 0 && size != card_.default_size) {
            request.width = size.width;
            request.height = size.height;
        }
        return request;
    }

    std::optional<VideoRequest> with_size(Size size, int least_units) const {
        VideoRequest request = sized(size);
        if (fits(request)) return request;
        if (card_.offers_vae_tiling && !request.vae_tiling) {
            request.vae_tiling = true;
            if (fits(request)) return request;
        }
        return request.num_frames ? std::nullopt : with_fewer_frames(request, least_units);
    }

    /// Returns the request with the largest number of frames that fits. Uses a binary search, because the memory grows
    /// with the number of frames.
    std::optional<VideoRequest> with_fewer_frames(VideoRequest request, int least_units) const {
        const auto set_units = [&](int units) { request.num_frames = frames_of(units); };
        int fitting = least_units - 1;
        for (int too_many = units_of_default(); fitting + 1 < too_many;) {
            const int middle = fitting + (too_many - fitting) / 2;
            set_units(middle);
            (fits(request) ? fitting : too_many) = middle;
        }
        if (fitting < least_units) return std::nullopt;
        set_units(fitting);
        return request;
    }

    const VideoRequest& request_;
    const ModelCard& card_;
    Size largest_;
    std::int64_t usable_bytes_;
    const PlannedPeak& peak_;
};

}  // namespace

std::optional<VideoRequest> fit_video(const VideoRequest& request, const ModelCard& card, Size largest,
                                      std::int64_t usable_bytes, const PlannedPeak& peak) {
    return Fitting(request, card, largest, usable_bytes, peak).run();
}

}  // namespace kinescope
