#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "core/weights/checkpoint_reader.h"

namespace kinescope {

/// The tensor names of an ESRGAN file: those of the first ESRGAN, of Real-ESRGAN, or of BSRGAN.
enum class RrdbNaming { esrgan, real_esrgan, bsrgan };

/// An ESRGAN network (RRDBNet), as its tensors describe it.
struct RrdbLayout {
    std::string prefix;  ///< of all names, with its last dot
    RrdbNaming naming = RrdbNaming::real_esrgan;
    std::int64_t channels = 64;
    std::int64_t growth = 32;  ///< channels that each dense convolution adds
    std::int64_t colors = 3;   ///< channels of the result
    int fold = 1;              ///< 1, 2 or 4: pixels of a side that become channels before the first convolution
    int num_blocks = 23;
    int num_doublings = 2;

    /// Size of the result by that of the picture.
    int scale() const { return (1 << num_doublings) / fold; }
};

/// A Real-ESRGAN compact network (SRVGGNetCompact).
struct CompactLayout {
    std::string prefix;
    std::int64_t channels = 64;
    int num_convolutions = 16;  ///< between the first and the last
    int scale = 4;
};

/// The encoder of a RIFE network: two layers (4.7 to 4.9), or four (4.17 and later).
enum class RifeEncoder { two_layers, head };

/// One flow block.
struct RifeBlock {
    std::int64_t width = 0;     ///< channels
    int num_convolutions = 8;   ///< with a residual
    std::int64_t outputs = 13;  ///< channels after the pixel shuffle: 4 flow, 1 mask, and the rest
    bool operator==(const RifeBlock&) const = default;
};

/// A RIFE 4.7 to 4.26 network.
struct RifeLayout {
    std::string prefix;
    std::string block_prefix = "block";  ///< of a block's index: "block", or "blocks." in files for ComfyUI
    RifeEncoder encoder = RifeEncoder::head;
    std::int64_t encoder_width = 16;
    std::int64_t features = 4;  ///< channels of an encoded frame
    std::int64_t passed = 0;    ///< channels that each block passes to the next one; 8 in 4.25 and 4.26
    std::vector<RifeBlock> blocks;
};

using NetworkLayout = std::variant<RrdbLayout, CompactLayout, RifeLayout>;

/// What a file is used for. It selects the words of the errors.
enum class NetworkUse { upscale, interpolate };

/// Recognizes a network by the names and shapes of its tensors, also below the wrappers of training programs. Every
/// count that comes from the file is limited. Throws Error(unsupported) that names the kind of another network if it is
/// known, and Error(wrong_shape) for tensors that contradict each other.
NetworkLayout recognize_network(const CheckpointReader& weights, NetworkUse use);

/// Returns the kind of a network as messages name it: "ESRGAN x4, 23 blocks", "RIFE with 5 blocks".
std::string describe(const NetworkLayout& layout);

}  // namespace kinescope
