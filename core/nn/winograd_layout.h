#pragma once

#include <cstdint>
#include <vector>

#include "core/nn/winograd.h"
#include "core/nn/winograd_kernels.h"

namespace kinescope::winograd {

/// Two by two results of a frame, or four by four places of it: where the first one lies.
struct Tile {
    std::int64_t frame, y, x;
};

/// Channels and patches in memory, and how many there are of them.
struct Layout {
    Layout(const std::vector<Tensor>& frames, const WinogradFilter& filter, Enlarge enlarge);

    Points points;
    std::int64_t values;  ///< of a patch
    std::int64_t height, width, in, out, taps;
    std::int64_t padded_in, padded_out;
    std::int64_t step;  ///< places from one tile to the next
    std::int64_t tiles_down, tiles_across;
    std::int64_t results;   ///< frames
    std::int64_t together;  ///< result frames that are computed for each tile
    std::int64_t tiles;
    std::int64_t first = 0;  ///< frame that is not zeros

    std::int64_t out_height() const { return points == Points::three ? 2 * height : height; }
    std::int64_t out_width() const { return points == Points::three ? 2 * width : width; }
    std::int64_t depth() const { return taps * padded_in; }
    std::int64_t strips() const { return padded_out / kStrip; }
    /// Floats of one value of all input frames of a tile; the rest keeps rows from falling onto the same cache lines.
    std::int64_t row() const { return (together + taps - 1) * padded_in + kLanes; }
    Tile tile(std::int64_t index) const;
};

/// Tiles of the frames as products want them: [values, tile, frame, in].
class Patches {
public:
    /// `frames` outlive it. Memory for `most` tiles.
    Patches(const Layout& layout, const std::vector<Tensor>& frames, std::int64_t most);

    /// The tile with this number becomes patch `index`.
    void read(std::int64_t tile, std::int64_t index);
    /// Row 0 of a value; the next ones are Layout::row() apart.
    const float* of(std::int64_t value) const { return memory_.const_data_ptr<float>() + value * plane_; }

private:
    const Layout& layout_;
    const std::vector<Tensor>& frames_;
    std::int64_t plane_;
    Tensor memory_;
    Tensor zeros_;  ///< a place outside of a frame
};

/// Where a convolution's results go.
class Results {
public:
    Results(const Layout& layout, const Tensor& bias);

    /// Neighbouring channels of the frame `t` of a tile, of products whose values lie `plane` floats apart.
    struct Part {
        std::int64_t tile, t;
        std::int64_t first_channel, channels;
        const float* products;
        std::int64_t plane;
    };
    void write(const Part& part);
    const Tensor& frames() const { return frames_; }

private:
    const Layout& layout_;
    Tensor bias_;     ///< whole vectors
    Tensor frames_;   ///< [results, out_height, out_width, out]
    Tensor ignored_;  ///< of each thread: where results for places outside go
};

}  // namespace kinescope::winograd
