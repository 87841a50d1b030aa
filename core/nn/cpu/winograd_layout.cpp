#include "core/nn/cpu/winograd_layout.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <array>

#include "core/nn/cpu/winograd_loops.h"

namespace kinescope::winograd {

Layout::Layout(const std::vector<Tensor>& frames, const WinogradFilter& filter, Enlarge enlarge)
    : points(enlarge == Enlarge::twice ? Points::three : Points::four),
      values(count(points) * count(points)),
      height(frames.back().size(0)),
      width(frames.back().size(1)),
      in(filter.in()),
      out(filter.out()),
      taps(filter.taps()),
      padded_in(round_up(in, kLanes)),
      padded_out(round_up(out, kPanelColumns)),
      step(enlarge == Enlarge::twice ? 1 : 2),
      tiles_down(count_parts(height, step)),
      tiles_across(count_parts(width, step)),
      results(static_cast<std::int64_t>(frames.size()) - taps + 1),
      // With one tap, the tiles of different frames are independent: a single product covers all of them.
      together(taps == 1 ? 1 : results),
      tiles(tiles_down * tiles_across * (taps == 1 ? results : 1)) {
    while (!frames[static_cast<std::size_t>(first)].defined()) ++first;
}

Tile Layout::tile(std::int64_t index) const {
    const auto of_frame = tiles_down * tiles_across;
    const auto place = index % of_frame;
    return {index / of_frame, place / tiles_across * step, place % tiles_across * step};
}

std::int64_t groups_of(std::int64_t panels) {
    constexpr std::int64_t kOfThread = 3;
    return std::min(panels, std::max(count_parts(panels, kPanelsOfGroup), kOfThread * at::get_num_threads()));
}

Patches::Patches(const Layout& layout, const std::vector<Tensor>& frames, std::int64_t most)
    : layout_(layout),
      frames_(frames),
      plane_(most * layout.row() + kLanes),
      memory_(at::empty({layout.values, plane_}, at::kFloat)),
      zeros_(at::zeros({layout.in}, at::kFloat)) {}

void Patches::read(std::int64_t tile, std::int64_t index) {
    const auto n = count(layout_.points);
    const auto corner = layout_.tile(tile);
    std::array<const float*, 16> places{};
    const float* const outside = zeros_.const_data_ptr<float>();
    float* const row = memory_.mutable_data_ptr<float>() + index * layout_.row();
    for (std::int64_t f = layout_.first; f < layout_.together + layout_.taps - 1; ++f) {
        const float* const frame = frames_[static_cast<std::size_t>(corner.frame + f)].const_data_ptr<float>();
        for (std::int64_t i = 0; i < n * n; ++i) {
            const auto y = corner.y - 1 + i / n, x = corner.x - 1 + i % n;
            const bool is_inside = y >= 0 && y < layout_.height && x >= 0 && x < layout_.width;
            places[static_cast<std::size_t>(i)] = is_inside ? frame + (y * layout_.width + x) * layout_.in : outside;
        }
        transform_input(layout_.points, places.data(), layout_.in, row + f * layout_.padded_in, plane_);
    }
}

Results::Results(const Layout& layout, const Tensor& bias)
    : layout_(layout),
      bias_(at::constant_pad_nd(bias, {0, round_up(layout.out, kLanes) - layout.out})),
      frames_(at::empty({layout.results, layout.out_height(), layout.out_width(), layout.out}, at::kFloat)),
      ignored_(at::empty({at::get_num_threads(), layout.out}, at::kFloat)) {}

void Results::write(const Part& part) {
    const auto corner = layout_.tile(part.tile);
    const auto height = layout_.out_height(), width = layout_.out_width();
    const auto scale = 2 / layout_.step;
    float* const frame = frames_.mutable_data_ptr<float>() + (corner.frame + part.t) * height * width * layout_.out;
    float* const ignored = ignored_.mutable_data_ptr<float>() + at::get_thread_num() * layout_.out;
    std::array<float*, 4> places{};
    for (std::int64_t i = 0; i < 4; ++i) {
        const auto y = corner.y * scale + i / 2, x = corner.x * scale + i % 2;
        const bool is_inside = y < height && x < width;
        float* const place = is_inside ? frame + (y * width + x) * layout_.out : ignored;
        places[static_cast<std::size_t>(i)] = place + part.first_channel;
    }
    transform_output(layout_.points, part.products, part.plane, bias_.const_data_ptr<float>() + part.first_channel,
                     part.channels, places.data());
}

}  // namespace kinescope::winograd
