#include "core/finish/finish_memory.h"

#include <algorithm>

#include "core/base/round_up.h"
#include "core/finish/interpolator.h"
#include "core/media/clip_cursor.h"

namespace kinescope {
namespace {

constexpr std::int64_t kFloatBytes = 4;
constexpr std::int64_t kColors = 3;
/// Bytes of a pixel: of a float32 picture; of the weighted sum of tiles and their mean; and while a picture is rounded
/// to 8 bits and encoded.
constexpr std::int64_t kPictureBytes = 12;
constexpr std::int64_t kTiledPictureBytes = 28;
constexpr std::int64_t kRoundedBytes = 33;
/// Bytes of a pixel of the result that x264 holds for each frame, with half-size copies; and the frames that it holds
/// besides those that wait.
constexpr std::int64_t kEncoderBytes = 3;
constexpr int kReferences = 6;
/// Library code, tables and buffers that are used for the first time.
constexpr std::int64_t kTouched = std::int64_t{32} << 20;
/// The same for each network of a run that has used a model before: 9 to 12 MiB, measured on x86-64.
constexpr std::int64_t kTouchedInRun = std::int64_t{12} << 20;

NetworkSize read_size(const std::filesystem::path& file, NetworkUse use) {
    const auto weights = open_checkpoint(file);
    NetworkSize size{.layout = recognize_network(*weights, use)};
    for (const TensorEntry& entry : weights->entries()) size.weight_bytes += kFloatBytes * entry.numel();
    return size;
}

std::int64_t square(std::int64_t side) {
    return side * side;
}

/// Channels of a pixel of the source that are held at the same time, in RrdbNetwork::enlarge: in a dense part, the
/// results of the first convolution, of the block before and of the part before, what the part has seen, once more
/// concatenated, and its result; or input and result of the convolution at full size.
std::int64_t channels_of(const RrdbLayout& layout) {
    const std::int64_t dense = 5 * layout.channels + 8 * layout.growth;
    const std::int64_t full = square(std::int64_t{1} << layout.num_doublings) * (2 * layout.channels + kColors);
    return std::max(dense, full) / square(layout.fold);
}

/// The same in CompactNetwork::enlarge: input and result of a layer with its PReLU; or the last convolution, its
/// shuffled copy, and the enlarged picture with the sum.
std::int64_t channels_of(const CompactLayout& layout) {
    return std::max(4 * layout.channels + layout.channels / 4, 4 * kColors * square(layout.scale));
}

std::int64_t tile_bytes(const NetworkSize& size, std::int64_t pixels) {
    const auto* rrdb = std::get_if<RrdbLayout>(&size.layout);
    const std::int64_t channels = rrdb ? channels_of(*rrdb) : channels_of(std::get<CompactLayout>(size.layout));
    return kFloatBytes * channels * pixels;
}

struct Extent {
    std::int64_t width = 0;
    std::int64_t height = 0;
    std::int64_t pixels() const { return width * height; }
};

std::int64_t upscaler_bytes(const FinishPlan& plan, const NetworkSize& size, TileSize tiles) {
    const std::int64_t width = std::min(plan.source.width, tiles.tile);
    const std::int64_t height = std::min(plan.source.height, tiles.tile);
    return tile_bytes(size, width * height);
}

/// Frames as RifeNetwork takes them.
Extent interpolated_extent(const FinishPlan& plan, const RifeLayout& layout) {
    const bool is_enlarged = plan.order == FinishOrder::upscale_first && !plan.steps.upscaler.empty();
    const Extent frames = is_enlarged ? Extent{plan.width, plan.height} : Extent{plan.source.width, plan.source.height};
    const double scale = rife_scale_factor(frames.width, frames.height);
    const int multiple = rife_multiple(layout, scale);
    return {round_up(frames.width, multiple), round_up(frames.height, multiple)};
}

/// Channels of a pixel that are held at the same time in RifeNetwork::between, at the last block: both warped frames,
/// flow, mask and the rest of the block before, the sum of the flows, the warped features, the block's inputs, their
/// copy with the flow, that copy again channels-last, and as the first convolution orders its channels.
std::int64_t channels_of(const RifeLayout& layout) {
    const std::int64_t inputs = 2 * kColors + 2 * layout.features + 2 + layout.passed;
    constexpr std::int64_t kFlow = 4;
    constexpr std::int64_t kConvolved = 16;
    const std::int64_t block = inputs + kFlow;
    return 2 * kColors + layout.blocks.back().outputs + 1 + kFlow + 2 * layout.features + inputs + 2 * block +
           round_up(block, kConvolved);
}

std::int64_t interpolator_bytes(const FinishPlan& plan, const RifeLayout& layout) {
    return kFloatBytes * channels_of(layout) * interpolated_extent(plan, layout).pixels();
}

/// The two frames that the interpolator has encoded.
std::int64_t encoded_bytes(const FinishPlan& plan, const RifeLayout& layout) {
    return 2 * kFloatBytes * (kColors + layout.features) * interpolated_extent(plan, layout).pixels();
}

/// Frames on the CPU, of source and result.
std::int64_t frame_bytes(const FinishPlan& plan, TileSize tiles) {
    const std::int64_t source = std::int64_t{plan.source.width} * plan.source.height;
    const std::int64_t enlarged = source * square(plan.network_scale);
    const std::int64_t result = std::int64_t{plan.width} * plan.height;
    const bool is_tiled = std::max(plan.source.width, plan.source.height) > tiles.tile;
    const bool upscales = !plan.steps.upscaler.empty();
    const bool holds_two = !plan.steps.interpolator.empty() && plan.order == FinishOrder::upscale_first;
    return 2 * kPictureBytes * source +
           (upscales ? (is_tiled ? kTiledPictureBytes : 2 * kPictureBytes) * enlarged : 0) +
           ((holds_two ? 2 : 1) * kPictureBytes + kRoundedBytes) * result;
}

}  // namespace

NetworkSizes network_sizes(const FinishSteps& steps) {
    NetworkSizes sizes;
    if (!steps.upscaler.empty()) sizes.upscaler = read_size(steps.upscaler, NetworkUse::upscale);
    if (!steps.interpolator.empty()) sizes.interpolator = read_size(steps.interpolator, NetworkUse::interpolate);
    return sizes;
}

int network_scale(const NetworkSizes& sizes) {
    if (!sizes.upscaler) return 1;
    const auto* rrdb = std::get_if<RrdbLayout>(&sizes.upscaler->layout);
    return rrdb ? rrdb->scale() : std::get<CompactLayout>(sizes.upscaler->layout).scale;
}

std::int64_t encoder_bytes(int width, int height, int waiting) {
    return kEncoderBytes * (std::min(kMostWaiting, waiting) + kReferences) * width * height;
}

FinishMemory finish_memory(const FinishPlan& plan, const NetworkSizes& sizes, TileSize tiles, const Device& device,
                           int waiting) {
    FinishMemory memory;
    for (const auto& size : {sizes.upscaler, sizes.interpolator})
        if (size) memory.network_bytes += size->weight_bytes;
    if (sizes.upscaler) memory.activation_bytes = upscaler_bytes(plan, *sizes.upscaler, tiles);
    if (sizes.interpolator) {
        const auto& rife = std::get<RifeLayout>(sizes.interpolator->layout);
        memory.activation_bytes = std::max(memory.activation_bytes, interpolator_bytes(plan, rife));
        memory.frame_bytes = encoded_bytes(plan, rife);
    }
    if (!device.is_cpu()) return memory;
    memory.frame_bytes += frame_bytes(plan, tiles);
    memory.reader_bytes = reading_bytes(plan.source.width, plan.source.height, plan.source.num_frames);
    memory.program_bytes = kTouched;
    memory.library_bytes = (sizes.upscaler ? kTouchedInRun : 0) + (sizes.interpolator ? kTouchedInRun : 0);
    memory.encoder_bytes = encoder_bytes(plan.width, plan.height, std::min(waiting, plan.num_frames));
    return memory;
}

}  // namespace kinescope
