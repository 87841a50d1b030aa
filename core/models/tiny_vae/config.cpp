#include "core/models/tiny_vae/config.h"

#include <algorithm>
#include <string>

#include "core/api/error.h"

namespace kinescope::tiny_vae {

namespace {

constexpr std::int64_t kMostChannels = 4096;

std::string name_of(const CheckpointReader& weights) {
    return weights.files().empty() ? "The file" : weights.files().front().string();
}

[[noreturn]] void refuse(const CheckpointReader& weights, const std::string& why) {
    throw Error(ErrorCode::model_unknown, name_of(weights) + " is not a tiny decoder: " + why,
                "Tiny decoders are published as taew2_1 (Wan 2.1) and taew2_2 (Wan 2.2 5B).",
                {{"path", name_of(weights)}});
}

const TensorEntry* find(const CheckpointReader& weights, const std::string& name) {
    const auto& entries = weights.entries();
    const auto found = std::ranges::find(entries, name, &TensorEntry::name);
    return found == entries.end() ? nullptr : &*found;
}

/// The shape of a convolution's weight, with sizes that later products cannot overflow.
std::vector<std::int64_t> kernel_shape(const CheckpointReader& weights, const std::string& name) {
    const TensorEntry* entry = find(weights, name);
    if (entry == nullptr) refuse(weights, "it has no tensor \"" + name + "\"");
    const bool is_valid = entry->shape.size() == 4 && std::ranges::all_of(entry->shape, [](std::int64_t size) {
                              return size >= 1 && size <= kMostChannels;
                          });
    if (!is_valid) refuse(weights, "the tensor \"" + name + "\" is not the weight of a convolution");
    return entry->shape;
}

/// The pixel patch of `outputs` = 3 * side * side channels.
std::int64_t patch_size(const CheckpointReader& weights, std::int64_t outputs) {
    for (const std::int64_t side : {1, 2, 4})
        if (outputs == 3 * side * side) return side;
    refuse(weights, "its last layer has " + std::to_string(outputs) + " outputs, which are not pixels");
}

std::int64_t time_factor(const CheckpointReader& weights, const std::string& name, std::int64_t width) {
    const auto shape = kernel_shape(weights, name);
    if (shape[0] != width && shape[0] != 2 * width)
        refuse(weights, "the tensor \"" + name + "\" has " + std::to_string(shape[0]) + " outputs");
    return shape[0] / width;
}

}  // namespace

Config read_config(const CheckpointReader& weights) {
    if (find(weights, "decoder.0.weight") != nullptr && find(weights, "decoder.1.conv.0.weight") != nullptr)
        throw Error(ErrorCode::unsupported, name_of(weights) + " is a tiny decoder of the larger kind (\"super\")",
                    "Use the decoder without \"super\" in its name.", {{"path", name_of(weights)}});
    const auto first = kernel_shape(weights, "decoder.1.weight");
    Config config{.latent_channels = first[1]};
    config.widths = {first[0], kernel_shape(weights, "decoder.8.weight")[0],
                     kernel_shape(weights, "decoder.14.weight")[0], kernel_shape(weights, "decoder.20.weight")[0]};
    config.time_factors = {time_factor(weights, "decoder.7.conv.weight", config.widths[0]),
                           time_factor(weights, "decoder.13.conv.weight", config.widths[1]),
                           time_factor(weights, "decoder.19.conv.weight", config.widths[2])};
    config.patch_size = patch_size(weights, kernel_shape(weights, "decoder.22.weight")[0]);
    return config;
}

}  // namespace kinescope::tiny_vae
