#include "core/finish/network_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

#include "core/api/error.h"

namespace kinescope {
namespace {

constexpr int kMaxBlocks = 128;
constexpr int kMaxDoublings = 3;
constexpr int kMaxScale = 8;
constexpr std::int64_t kMaxChannels = 1024;
/// Under which training programs keep the weights, in the order of preference.
constexpr std::array kWrappers = {
    "", "model_state_dict.", "state_dict.", "params_ema.", "params-ema.", "params.", "model.", "net."};
constexpr std::array kParallel = {"", "module.", "netG.", "flownet."};

using Shape = std::vector<std::int64_t>;

/// The shapes of a file's tensors below a prefix.
class Shapes {
public:
    Shapes(const std::map<std::string, Shape>& all, std::string prefix) : all_(all), prefix_(std::move(prefix)) {}

    const std::string& prefix() const { return prefix_; }
    bool has(const std::string& name) const { return all_.contains(prefix_ + name); }
    bool has_all(std::initializer_list<const char*> names) const {
        return std::ranges::all_of(names, [this](const char* name) { return has(name); });
    }
    bool has_any_with(std::string_view part) const {
        return std::ranges::any_of(all_,
                                   [&](const auto& entry) { return entry.first.find(part) != std::string::npos; });
    }
    /// Throws Error(wrong_shape) if the tensor is missing or has not `dims` axes, or for an axis outside 1..1024.
    const Shape& of(const std::string& name, std::size_t dims) const {
        const auto found = all_.find(prefix_ + name);
        if (found == all_.end()) refuse(name, "is missing");
        const auto is_size = [](std::int64_t size) { return size >= 1 && size <= kMaxChannels; };
        if (found->second.size() != dims || !std::ranges::all_of(found->second, is_size))
            refuse(name, "has an unexpected shape");
        return found->second;
    }
    /// The number of indices 0, 1, ... (or 1, 2, ...) for which `name_of(index)` exists.
    template <class NameOf>
    int count(const NameOf& name_of, int first = 0) const {
        int number = 0;
        while (number < kMaxBlocks && has(name_of(first + number))) ++number;
        return number;
    }
    [[noreturn]] void refuse(const std::string& name, const std::string& reason) const {
        throw Error(ErrorCode::wrong_shape, "the tensor '" + prefix_ + name + "' " + reason,
                    "The file is damaged, or a variant of the network that Kinescope does not know.");
    }

private:
    const std::map<std::string, Shape>& all_;
    std::string prefix_;
};

std::string numbered(const std::string& before, int index, const char* after) {
    return before + std::to_string(index) + after;
}

std::optional<RrdbNaming> rrdb_naming(const Shapes& shapes) {
    if (shapes.has_all({"model.0.weight", "model.1.sub.0.RDB1.conv1.0.weight"})) return RrdbNaming::esrgan;
    if (!shapes.has_all({"conv_first.weight", "conv_last.weight"})) return std::nullopt;
    if (shapes.has_all({"body.0.rdb1.conv1.weight", "conv_body.weight"})) return RrdbNaming::real_esrgan;
    if (shapes.has_all({"RRDB_trunk.0.RDB1.conv1.weight", "trunk_conv.weight"})) return RrdbNaming::bsrgan;
    return std::nullopt;
}

/// The highest index after "model." in the first naming.
int last_layer(const Shapes& shapes) {
    int last = 0;
    for (int index = 0; index <= 3 * (kMaxDoublings + 1) + 4; ++index)
        if (shapes.has(numbered("model.", index, ".weight"))) last = index;
    return last;
}

int count_doublings(const Shapes& shapes, RrdbNaming naming) {
    if (naming != RrdbNaming::esrgan) {
        const char* name = naming == RrdbNaming::bsrgan ? "upconv" : "conv_up";
        return shapes.count([&](int index) { return numbered(name, index, ".weight"); }, 1);
    }
    const int last = last_layer(shapes);
    if (last < 4 || (last - 4) % 3 != 0)
        shapes.refuse(numbered("model.", last, ".weight"), "is in an unexpected place");
    return (last - 4) / 3;
}

int count_rrdb_blocks(const Shapes& shapes, RrdbNaming naming) {
    return shapes.count([&](int index) {
        switch (naming) {
            case RrdbNaming::esrgan:
                return numbered("model.1.sub.", index, ".RDB1.conv1.0.weight");
            case RrdbNaming::real_esrgan:
                return numbered("body.", index, ".rdb1.conv1.weight");
            case RrdbNaming::bsrgan:
                break;
        }
        return numbered("RRDB_trunk.", index, ".RDB1.conv1.weight");
    });
}

int fold_of(const Shapes& shapes, const std::string& name, std::int64_t inputs) {
    for (const int fold : {1, 2, 4})
        if (inputs == 3 * fold * fold) return fold;
    shapes.refuse(name, "takes " + std::to_string(inputs) + " channels; pictures have 3, folded ones 12 or 48");
}

RrdbLayout rrdb_layout(const Shapes& shapes, RrdbNaming naming) {
    const bool is_first = naming == RrdbNaming::esrgan;
    const std::string first = is_first ? "model.0.weight" : "conv_first.weight";
    const std::string dense = is_first                       ? "model.1.sub.0.RDB1.conv1.0.weight"
                              : naming == RrdbNaming::bsrgan ? "RRDB_trunk.0.RDB1.conv1.weight"
                                                             : "body.0.rdb1.conv1.weight";
    const std::string last = is_first ? numbered("model.", last_layer(shapes), ".weight") : "conv_last.weight";
    RrdbLayout layout{.prefix = shapes.prefix(),
                      .naming = naming,
                      .channels = shapes.of(first, 4)[0],
                      .growth = shapes.of(dense, 4)[0],
                      .colors = shapes.of(last, 4)[0],
                      .fold = fold_of(shapes, first, shapes.of(first, 4)[1]),
                      .num_blocks = count_rrdb_blocks(shapes, naming),
                      .num_doublings = count_doublings(shapes, naming)};
    if (layout.colors != 3) shapes.refuse(last, "returns " + std::to_string(layout.colors) + " channels instead of 3");
    if (layout.num_doublings > kMaxDoublings || layout.scale() < 1 || layout.scale() > kMaxScale)
        shapes.refuse(last, "belongs to a network that does not enlarge by 1 to 8");
    return layout;
}

bool is_compact(const Shapes& shapes) {
    return shapes.has_all({"body.0.weight", "body.1.weight"}) && !shapes.has("conv_first.weight");
}

CompactLayout compact_layout(const Shapes& shapes) {
    const int layers = shapes.count([](int index) { return numbered("body.", index, ".weight"); });
    const int last = layers - 1;
    if (layers < 3 || last % 2 != 0) shapes.refuse(numbered("body.", last, ".weight"), "is in an unexpected place");
    const std::string name = numbered("body.", last, ".weight");
    const std::int64_t outputs = shapes.of(name, 4)[0];
    const auto scale = static_cast<int>(std::lround(std::sqrt(static_cast<double>(outputs) / 3)));
    if (outputs != 3 * scale * scale || scale > kMaxScale)
        shapes.refuse(name, "returns " + std::to_string(outputs) + " channels, which is not 3 times a square");
    return {.prefix = shapes.prefix(),
            .channels = shapes.of("body.0.weight", 4)[0],
            .num_convolutions = last / 2 - 1,
            .scale = scale};
}

/// Returns the text before the index of a RIFE network's blocks, if the file contains one with an encoder.
std::optional<std::string> rife_block_prefix(const Shapes& shapes) {
    if (!shapes.has("encode.cnn0.weight") && !shapes.has("encode.0.weight")) return std::nullopt;
    for (const char* prefix : {"block", "blocks."})
        if (shapes.has(numbered(prefix, 0, ".lastconv.0.weight"))) return prefix;
    return std::nullopt;
}

RifeBlock rife_block(const Shapes& shapes, const std::string& block) {
    const Shape& last = shapes.of(block + "lastconv.0.weight", 4);
    if (last[1] % 4 != 0 || last[1] < 20) shapes.refuse(block + "lastconv.0.weight", "has an unexpected shape");
    return {.width = last[0],
            .num_convolutions = shapes.count([&](int i) { return block + "convblock." + std::to_string(i) + ".beta"; }),
            .outputs = last[1] / 4};
}

RifeLayout rife_layout(const Shapes& shapes, const std::string& block_prefix) {
    const bool has_head = shapes.has("encode.cnn0.weight");
    const char* first = has_head ? "encode.cnn0.weight" : "encode.0.weight";
    const char* last = has_head ? "encode.cnn3.weight" : "encode.1.weight";
    RifeLayout layout{.prefix = shapes.prefix(),
                      .block_prefix = block_prefix,
                      .encoder = has_head ? RifeEncoder::head : RifeEncoder::two_layers,
                      .encoder_width = shapes.of(first, 4)[0],
                      .features = shapes.of(last, 4)[1]};
    const auto last_of = [&](int index) { return numbered(block_prefix, index, ".lastconv.0.weight"); };
    const int blocks = shapes.count(last_of);
    if (blocks < 2 || blocks > 6) shapes.refuse(last_of(0), "has an unexpected number of blocks");
    for (int index = 0; index < blocks; ++index)
        layout.blocks.push_back(rife_block(shapes, numbered(block_prefix, index, ".")));
    // Two frames, two encoded frames, time, mask and flow; the rest comes from the block before.
    const std::int64_t known = 3 + 3 + 2 * layout.features + 1 + 1 + 4;
    const std::string second = numbered(block_prefix, 1, ".conv0.0.0.weight");
    layout.passed = shapes.of(second, 4)[1] - known;
    if (layout.passed < 0) shapes.refuse(second, "has an unexpected shape");
    for (int index = 0; index + 1 < blocks; ++index)
        if (layout.passed + 5 > layout.blocks[static_cast<std::size_t>(index)].outputs)
            shapes.refuse(last_of(index), "returns too few channels for the next block");
    return layout;
}

struct ForeignNetwork {
    const char* part;  ///< of a tensor's name
    const char* name;
};
/// Other networks that lie in the same folders.
constexpr std::array kForeign = {
    ForeignNetwork{"RDB1.conv1x1.weight", "ESRGAN+, which has other blocks than ESRGAN"},
    ForeignNetwork{"overlap_attn", "HAT"},
    ForeignNetwork{"residual_group.blocks.0.attn.relative_position_bias_table", "SwinIR"},
    ForeignNetwork{"blocks.0.attn.attns.0", "DAT"},
    ForeignNetwork{"block_1.c1_r", "SPAN"},
    ForeignNetwork{"residual_layer.0.residual_layer", "OmniSR"},
    ForeignNetwork{"feats.0.weight", "PLKSR"},
    ForeignNetwork{"patch_embed.proj", "an image transformer"},
    ForeignNetwork{"stylegan_decoder", "GFPGAN, which restores faces"},
    ForeignNetwork{"quantize.embedding", "CodeFormer, which restores faces"},
    ForeignNetwork{"contextnet", "RIFE 2 or 3"},
    ForeignNetwork{"extract.extract_sublevels", "FILM"},
    ForeignNetwork{"block0.conv0.0.0.weight", "RIFE 4.0 to 4.6, which has no encoder"},
    ForeignNetwork{"diffusion_model.", "a diffusion model"},
    ForeignNetwork{"transformer_blocks.0", "a diffusion model"},
    ForeignNetwork{"blocks.0.self_attn", "a diffusion model"},
    ForeignNetwork{"lora_", "a LoRA"},
    ForeignNetwork{"body.0.weight", "SRVGGNetCompact without PReLU"},
};

std::string kind_in_words(NetworkUse use) {
    return use == NetworkUse::upscale ? "upscalers are ESRGAN, Real-ESRGAN and SRVGGNetCompact networks"
                                      : "interpolators are RIFE 4.7 to 4.26 networks";
}

[[noreturn]] void refuse_network(const CheckpointReader& weights, NetworkUse use, const std::string& found) {
    const std::string file = weights.files().empty() ? "The file" : weights.files().front().string();
    throw Error(ErrorCode::unsupported, file + " contains " + found + "; " + kind_in_words(use),
                use == NetworkUse::upscale
                    ? "Choose a file such as RealESRGAN_x2plus.pth, realesr-general-x4v3.pth or 4x-UltraSharp.pth."
                    : "Choose a file such as rife49.pth, rife_v4.25.safetensors or flownet.pkl of Practical-RIFE 4.25.",
                {{"path", file}, {"found", found}});
}

std::optional<NetworkLayout> layout_below(const Shapes& shapes) {
    if (const auto naming = rrdb_naming(shapes))
        return shapes.has_any_with("RDB1.conv1x1.weight") ? std::nullopt
                                                          : std::optional<NetworkLayout>(rrdb_layout(shapes, *naming));
    if (const auto prefix = rife_block_prefix(shapes)) return rife_layout(shapes, *prefix);
    if (is_compact(shapes)) return compact_layout(shapes);
    return std::nullopt;
}

std::optional<NetworkLayout> find_layout(const std::map<std::string, Shape>& all) {
    for (const char* wrapper : kWrappers)
        for (const char* parallel : kParallel)
            if (auto layout = layout_below(Shapes(all, std::string(wrapper) + parallel))) return layout;
    return std::nullopt;
}

struct Describer {
    std::string operator()(const RrdbLayout& layout) const {
        return "ESRGAN x" + std::to_string(layout.scale()) + ", " + std::to_string(layout.num_blocks) + " blocks";
    }
    std::string operator()(const CompactLayout& layout) const {
        return "SRVGGNetCompact x" + std::to_string(layout.scale) + ", " + std::to_string(layout.num_convolutions + 2) +
               " convolutions";
    }
    std::string operator()(const RifeLayout& layout) const {
        return "RIFE with " + std::to_string(layout.blocks.size()) + " blocks";
    }
};

}  // namespace

std::string describe(const NetworkLayout& layout) {
    return std::visit(Describer{}, layout);
}

NetworkLayout recognize_network(const CheckpointReader& weights, NetworkUse use) {
    std::map<std::string, Shape> all;
    for (const TensorEntry& entry : weights.entries()) all.emplace(entry.name, entry.shape);
    if (auto layout = find_layout(all)) {
        const bool interpolates = std::holds_alternative<RifeLayout>(*layout);
        if (interpolates == (use == NetworkUse::interpolate)) return *layout;
        refuse_network(
            weights, use,
            interpolates ? "an interpolator (" + describe(*layout) + ")" : "an upscaler (" + describe(*layout) + ")");
    }
    const Shapes shapes(all, "");
    for (const ForeignNetwork& foreign : kForeign)
        if (shapes.has_any_with(foreign.part)) refuse_network(weights, use, foreign.name);
    refuse_network(weights, use, "an unknown network");
}

}  // namespace kinescope
