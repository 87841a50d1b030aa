#include "core/nn/winograd.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <array>

#include "core/nn/winograd_kernels.h"

namespace kinescope {

namespace {

using winograd::Points;

/// Of one thread: what a block's patches and products may take. Little more than a core's second cache.
constexpr std::int64_t kBlockBytes = std::int64_t{3} << 20;
/// Rows that a weight is multiplied with at least, where there are so many, each time it is read.
constexpr std::int64_t kLeastRows = 56;

/// Channels and patches in memory, and how many there are of them.
struct Layout {
    Layout(const std::vector<Tensor>& frames, const WinogradFilter& filter, Enlarge enlarge)
        : points(enlarge == Enlarge::twice ? Points::three : Points::four),
          values(winograd::count(points) * winograd::count(points)),
          height(frames.back().size(0)),
          width(frames.back().size(1)),
          in(filter.in()),
          out(filter.out()),
          taps(filter.taps),
          padded_in(winograd::whole(in, kLanes)),
          padded_out(winograd::whole(out, winograd::kStrip)),
          step(enlarge == Enlarge::twice ? 1 : 2),
          tiles_down((height + step - 1) / step),
          tiles_across((width + step - 1) / step),
          results(static_cast<std::int64_t>(frames.size()) - taps + 1),
          // A filter of one frame may take the tiles of all frames in a row.
          together(taps == 1 ? 1 : results),
          tiles(tiles_down * tiles_across * (taps == 1 ? results : 1)) {}

    Points points;
    std::int64_t values;  ///< of a patch
    std::int64_t height, width, in, out, taps;
    std::int64_t padded_in, padded_out;
    std::int64_t step;  ///< places from one tile to the next
    std::int64_t tiles_down, tiles_across;
    std::int64_t results;   ///< frames
    std::int64_t together;  ///< result frames that a block computes for each of its tiles
    std::int64_t tiles;

    std::int64_t out_height() const { return points == Points::three ? 2 * height : height; }
    std::int64_t out_width() const { return points == Points::three ? 2 * width : width; }
    std::int64_t depth() const { return taps * padded_in; }
    /// Floats of one value of all input frames of a tile; the rest keeps rows from falling onto the same cache lines.
    std::int64_t row() const { return (together + taps - 1) * padded_in + kLanes; }
    std::int64_t bytes_of_tile() const {
        return values * (row() + together * padded_out) * static_cast<std::int64_t>(sizeof(float));
    }
};

/// [values, out / kStrip, depth, kStrip]
Tensor transformed(const Layout& layout, const Tensor& weight) {
    auto result = at::empty({layout.values, layout.padded_out / winograd::kStrip, layout.depth(), winograd::kStrip},
                            weight.options());
    if (layout.in != layout.padded_in) result.zero_();
    const float* const from = weight.const_data_ptr<float>();
    float* const to = result.mutable_data_ptr<float>();
    const std::int64_t strip = layout.depth() * winograd::kStrip, plane = strip * result.size(1);
    at::parallel_for(0, layout.taps * layout.in, 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t row = i / layout.in * layout.padded_in + i % layout.in;
            for (std::int64_t o = 0; o < layout.padded_out; o += kLanes)
                winograd::transform_weight(
                    layout.points, from + i * 9 * layout.out + o, layout.out, std::max<std::int64_t>(layout.out - o, 0),
                    to + o / winograd::kStrip * strip + row * winograd::kStrip + o % winograd::kStrip, plane);
        }
    });
    return result;
}

struct Tile {
    std::int64_t frame, y, x;
};

/// A run of tiles, with memory of one thread.
class Block {
public:
    Block(const Layout& layout, const std::vector<Tensor>& frames, const Tensor& weight, const Tensor& bias,
          Tensor& result, std::int64_t most)
        : layout_(layout),
          frames_(frames),
          weight_(weight.const_data_ptr<float>()),
          bias_(bias.const_data_ptr<float>()),
          result_(result.mutable_data_ptr<float>()),
          patches_plane_(most * layout.row() + kLanes),
          products_plane_(most * layout.together * layout.padded_out + kLanes),
          patches_(at::empty({layout.values, patches_plane_}, at::kFloat)),
          products_(at::empty({layout.values, products_plane_}, at::kFloat)),
          zeros_(at::zeros({layout.in}, at::kFloat)),
          ignored_(at::empty({layout.out}, at::kFloat)) {
        while (!frames[static_cast<std::size_t>(first_)].defined()) ++first_;
    }

    void run(std::int64_t begin, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) read(tile(begin + i), i);
        multiply(count);
        for (std::int64_t i = 0; i < count; ++i) write(tile(begin + i), i);
    }

private:
    Tile tile(std::int64_t index) const {
        const auto of_frame = layout_.tiles_down * layout_.tiles_across;
        const auto place = index % of_frame;
        return {index / of_frame, place / layout_.tiles_across * layout_.step,
                place % layout_.tiles_across * layout_.step};
    }

    void read(const Tile& tile, std::int64_t index) {
        const auto n = winograd::count(layout_.points);
        std::array<const float*, 16> places{};
        const float* const outside = zeros_.const_data_ptr<float>();
        float* const row = patches_.mutable_data_ptr<float>() + index * layout_.row();
        for (std::int64_t f = first_; f < layout_.together + layout_.taps - 1; ++f) {
            const float* const frame = frames_[tile.frame + f].const_data_ptr<float>();
            for (std::int64_t i = 0; i < n * n; ++i) {
                const auto y = tile.y - 1 + i / n, x = tile.x - 1 + i % n;
                const bool is_inside = y >= 0 && y < layout_.height && x >= 0 && x < layout_.width;
                places[i] = is_inside ? frame + (y * layout_.width + x) * layout_.in : outside;
            }
            winograd::transform_input(layout_.points, places.data(), layout_.in, row + f * layout_.padded_in,
                                      patches_plane_);
        }
    }

    /// Frames that are zeros are left out of the sum.
    void multiply(std::int64_t count) {
        const auto strips = layout_.padded_out / winograd::kStrip;
        for (std::int64_t value = 0; value < layout_.values; ++value)
            for (std::int64_t strip = 0; strip < strips; ++strip)
                for (std::int64_t t = 0; t < layout_.together; ++t) {
                    const auto skipped = std::max<std::int64_t>(first_ - t, 0) * layout_.padded_in;
                    winograd::multiply(
                        {.a = patches_.const_data_ptr<float>() + value * patches_plane_ + t * layout_.padded_in +
                              skipped,
                         .a_stride = layout_.row(),
                         .rows = count,
                         .b = weight_ + ((value * strips + strip) * layout_.depth() + skipped) * winograd::kStrip,
                         .depth = layout_.depth() - skipped,
                         .c = products_.mutable_data_ptr<float>() + value * products_plane_ + t * layout_.padded_out +
                              strip * winograd::kStrip,
                         .c_stride = layout_.together * layout_.padded_out});
                }
    }

    void write(const Tile& tile, std::int64_t index) {
        const auto height = layout_.out_height(), width = layout_.out_width();
        const auto scale = 2 / layout_.step;
        std::array<float*, 4> places{};
        for (std::int64_t t = 0; t < layout_.together; ++t) {
            float* const frame = result_ + (tile.frame + t) * height * width * layout_.out;
            for (std::int64_t i = 0; i < 4; ++i) {
                const auto y = tile.y * scale + i / 2, x = tile.x * scale + i % 2;
                const bool is_inside = y < height && x < width;
                places[i] = is_inside ? frame + (y * width + x) * layout_.out : ignored_.mutable_data_ptr<float>();
            }
            winograd::transform_output(
                layout_.points, products_.const_data_ptr<float>() + (index * layout_.together + t) * layout_.padded_out,
                products_plane_, bias_, layout_.out, places.data());
        }
    }

    const Layout& layout_;
    const std::vector<Tensor>& frames_;
    const float* weight_;
    const float* bias_;
    float* result_;
    std::int64_t patches_plane_, products_plane_;
    Tensor patches_;          ///< [values, tile, frame, in]
    Tensor products_;         ///< [values, tile, frame, out]
    Tensor zeros_;            ///< a place outside of a frame
    Tensor ignored_;          ///< where results for such places go
    std::int64_t first_ = 0;  ///< frame that is not zeros
};

/// Tiles of a block: few enough for the cache, enough to make use of a weight, and as much work for every thread.
std::int64_t tiles_of_block(const Layout& layout) {
    const auto fitting = kBlockBytes / layout.bytes_of_tile();
    const auto least = (kLeastRows + layout.together - 1) / layout.together;
    const auto most = std::max(fitting, least);
    const std::int64_t threads = at::get_num_threads();
    const auto turns = (layout.tiles + most * threads - 1) / (most * threads);
    return (layout.tiles + turns * threads - 1) / (turns * threads);
}

}  // namespace

bool winograd_pays(const WinogradSizes& sizes) {
    return winograd::is_supported() && sizes.in >= 32 && (sizes.out >= 32 || sizes.in >= 64) && sizes.places >= 256;
}

Tensor winograd_convolution(const std::vector<Tensor>& frames, const WinogradFilter& filter, Enlarge enlarge) {
    RECORD_FUNCTION("kinescope::winograd", {});
    const Layout layout(frames, filter, enlarge);
    const auto weight = transformed(layout, filter.weight);
    const auto bias = at::constant_pad_nd(filter.bias, {0, winograd::whole(layout.out, kLanes) - layout.out});
    auto result =
        at::empty({layout.results, layout.out_height(), layout.out_width(), layout.out}, filter.weight.options());
    const auto most = tiles_of_block(layout);
    at::parallel_for(0, (layout.tiles + most - 1) / most, 1, [&](std::int64_t begin, std::int64_t end) {
        Block block(layout, frames, weight, bias, result, most);
        for (auto i = begin; i < end; ++i) block.run(i * most, std::min(most, layout.tiles - i * most));
    });
    return result;
}

}  // namespace kinescope
