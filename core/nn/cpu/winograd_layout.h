#pragma once

#include <cstdint>
#include <vector>

#include "core/nn/cpu/winograd.h"
#include "core/nn/cpu/winograd_kernels.h"

namespace kinescope::winograd {

/// The position of the first result of a tile. A tile is 2 x 2 results of a frame, or 4 x 4 after upsampling.
struct Tile {
    std::int64_t frame, y, x;
};

/// Sizes and memory layout of channels and patches.
struct Layout {
    Layout(const std::vector<Tensor>& frames, const WinogradFilter& filter, Enlarge enlarge);

    Points points;
    std::int64_t values;  ///< transformed values per patch
    std::int64_t height, width, in, out, taps;
    std::int64_t padded_in, padded_out;
    std::int64_t step;  ///< pixels from one tile to the next
    std::int64_t tiles_down, tiles_across;
    std::int64_t results;   ///< number of result frames
    std::int64_t together;  ///< result frames computed for each tile
    std::int64_t tiles;
    std::int64_t first = 0;  ///< first frame that is not zeros

    std::int64_t out_height() const { return points == Points::three ? 2 * height : height; }
    std::int64_t out_width() const { return points == Points::three ? 2 * width : width; }
    std::int64_t depth() const { return taps * padded_in; }
    std::int64_t panels() const { return padded_out / kPanelColumns; }
    /// Returns the number of floats per transformed value, for all input frames of a tile. The padding prevents rows
    /// from mapping to the same cache lines.
    std::int64_t row() const { return (together + taps - 1) * padded_in + kLanes; }
    Tile tile(std::int64_t index) const;
};

/// Transformed tiles in the layout of the products: [values, tile, frame, in].
class Patches {
public:
    /// `frames` must outlive this object. Allocates memory for `most` tiles.
    Patches(const Layout& layout, const std::vector<Tensor>& frames, std::int64_t most);

    /// Transforms the tile with number `tile` into patch `index`.
    void read(std::int64_t tile, std::int64_t index);
    /// Returns row 0 of a transformed value. Rows are Layout::row() floats apart.
    const float* of(std::int64_t value) const { return memory_.const_data_ptr<float>() + value * plane_; }

private:
    const Layout& layout_;
    const std::vector<Tensor>& frames_;
    std::int64_t plane_;
    Tensor memory_;
    Tensor zeros_;  ///< stands for pixels outside the frame
};

/// Collects the results of a convolution.
class Results {
public:
    Results(const Layout& layout, const Tensor& bias);

    /// A range of consecutive channels of result frame `t` of a tile. The transformed values are `plane` floats apart.
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
    Tensor bias_;     ///< padded to whole vectors
    Tensor frames_;   ///< [results, out_height, out_width, out]
    Tensor ignored_;  ///< one per thread, receives results outside the frame
};

}  // namespace kinescope::winograd
