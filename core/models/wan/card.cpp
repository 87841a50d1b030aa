#include "core/models/wan/card.h"

#include <algorithm>

#include "core/api/error.h"
#include "core/base/config_reader.h"
#include "core/models/model_hints.h"

namespace kinescope::wan {

namespace {

/// Published sizes; the 1.3B model was trained at 480p only.
struct Variant {
    std::int64_t num_layers;
    std::int64_t dim;
    const char* name;
    std::vector<Size> sizes;
};

const std::vector<Variant>& variants() {
    static const std::vector<Variant> table{
        {30, 1536, "Wan 2.1 T2V 1.3B", {{832, 480}, {480, 832}}},
        {40, 5120, "Wan 2.1 T2V 14B", {{832, 480}, {480, 832}, {1280, 720}, {720, 1280}}},
    };
    return table;
}

void describe_variant(const TransformerConfig& config, ModelCard& card) {
    card.variant =
        "Wan 2.1 T2V, " + std::to_string(config.num_layers) + " layers of width " + std::to_string(config.dim());
    card.sizes = {{832, 480}, {480, 832}};
    for (const auto& variant : variants()) {
        if (variant.num_layers != config.num_layers || variant.dim != config.dim()) continue;
        card.variant = variant.name;
        card.sizes = variant.sizes;
    }
    card.default_size = card.sizes.front();
}

}  // namespace

TransformerConfig transformer_config(const ModelFiles& files) {
    const auto& component = files.component("transformer");
    return read_transformer_config(component.config, component.folder / "config.json");
}

VaeConfig vae_config(const ModelFiles& files) {
    const auto& component = files.component("vae");
    return read_vae_config(component.config, component.folder / "config.json");
}

SchedulerConfig scheduler_config(const ModelFiles& files, const SchedulerOverride& changes) {
    if (!files.has("scheduler")) return read_scheduler_config({}, files.root / "model_index.json", changes);
    const auto& component = files.component("scheduler");
    return read_scheduler_config(component.config, component.folder / "scheduler_config.json", changes);
}

namespace {

/// Wan 2.2 is recognised by its pipeline's settings; one of its experts alone would make a poor video without a word.
void refuse_wan22(const ModelFiles& files) {
    const auto is_set = [&](const char* key) {
        const auto found = files.index.find(key);
        return found != files.index.end() && !found->is_null() && *found != Json(false) &&
               *found != Json({nullptr, nullptr});
    };
    for (const char* key : {"transformer_2", "boundary_ratio", "expand_timesteps"}) {
        if (is_set(key))
            throw Error(ErrorCode::unsupported,
                        files.root.string() + " is a Wan 2.2 model: its model_index.json sets " + key,
                        "Wan 2.1 text-to-video models work.", {{"path", files.root.string()}});
    }
}

/// What one part hands to the next must have the width that the next one takes.
void check_widths(const ModelFiles& files, const TransformerConfig& transformer, const VaeConfig& vae) {
    if (vae.z_dim != transformer.in_channels)
        throw Error(ErrorCode::bad_config, "In " + files.root.string() + " the VAE has " + std::to_string(vae.z_dim) +
                                               " latent channels and the transformer takes " +
                                               std::to_string(transformer.in_channels) +
                                               "; they belong to different models");
}

}  // namespace

ModelCard make_card(const ModelFiles& files) {
    refuse_wan22(files);
    const auto transformer = transformer_config(files);
    const auto vae = vae_config(files);
    check_widths(files, transformer, vae);
    const auto scheduler = scheduler_config(files, {});
    ModelCard card;
    card.id = files.root.string();
    card.name =
        files.root.filename().empty() ? files.root.parent_path().filename().string() : files.root.filename().string();
    card.family = "wan";
    card.tasks = {Task::text_to_video};
    describe_variant(transformer, card);
    card.size_multiple = static_cast<int>(vae.scale_factor_spatial() * transformer.patch_size[1]);
    card.num_frames_multiple = static_cast<int>(vae.scale_factor_temporal());
    card.default_flow_shift = files.has("scheduler") ? scheduler.flow_shift : card.default_flow_shift;
    card.schedulers = {"unipc", "flow_match_euler"};
    if (scheduler.kind == SchedulerKind::flow_match_euler) std::reverse(card.schedulers.begin(), card.schedulers.end());
    // Published Wan 2.1 weights leave the float16 range in the feed-forward of late blocks.
    card.fp16_safe = false;
    card.float32_names = {"condition_embedder.time", "scale_shift_table", "norm", "proj_out"};
    apply_hints(files, card);
    return card;
}

}  // namespace kinescope::wan
