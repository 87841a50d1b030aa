#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/device/tensor.h"
#include "core/finish/finish_plan.h"
#include "core/finish/network_layout.h"
#include "core/finish/tiled_upscaler.h"

namespace kinescope {

/// What a plan needs to know of a network.
struct NetworkSize {
    NetworkLayout layout;
    std::int64_t weight_bytes = 0;  ///< in float32
};

/// The networks of finish steps; nullopt: the step is left out.
struct NetworkSizes {
    std::optional<NetworkSize> upscaler;
    std::optional<NetworkSize> interpolator;
};

/// Reads the headers of the networks. Throws the errors of open_checkpoint and recognize_network.
NetworkSizes network_sizes(const FinishSteps& steps);

/// Returns the enlargement of the upscaler; 1 without one.
int network_scale(const NetworkSizes& sizes);

/// The parts of the memory of finish steps on their device.
struct FinishMemory {
    std::int64_t network_bytes = 0;     ///< weights
    std::int64_t activation_bytes = 0;  ///< of the larger network; the steps take turns
    std::int64_t frame_bytes = 0;       ///< frames of source and result that are held between the steps
    std::int64_t encoder_bytes = 0;     ///< frames that the video encoder holds; 0 on other devices than the CPU
    std::int64_t reader_bytes = 0;      ///< parts of a file that is read; 0 on other devices than the CPU
    std::int64_t program_bytes = 0;     ///< that a program adds for its first work; 0 on other devices than the CPU
    std::int64_t library_bytes = 0;     ///< that networks add to a run, which has used a model before; 0 as above
    /// Returns the memory that is used throughout the steps.
    std::int64_t lasting_bytes() const { return network_bytes + frame_bytes + encoder_bytes; }
};

/// The most frames that x264 lets wait with its usual settings.
inline constexpr int kMostWaiting = 54;

/// Returns the memory that x264 takes for frames of this size of which `waiting` wait for the encoder.
std::int64_t encoder_bytes(int width, int height, int waiting);

/// Plans the memory, from the sizes of the tensors and frames that core/finish holds. `waiting`: the frames after which
/// the encoder is flushed.
FinishMemory finish_memory(const FinishPlan& plan, const NetworkSizes& sizes, TileSize tiles, const Device& device,
                           int waiting = kMostWaiting);

}  // namespace kinescope
