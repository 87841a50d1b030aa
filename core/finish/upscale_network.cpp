#include "core/finish/upscale_network.h"

#include "core/finish/compact_network.h"
#include "core/finish/rrdb_network.h"

namespace kinescope {
namespace {

/// WeightScope joins names with dots, so the prefix goes without its last one.
WeightScope scope_of(WeightStore& store, const std::string& prefix) {
    return WeightScope(store, prefix.empty() ? prefix : prefix.substr(0, prefix.size() - 1));
}

}  // namespace

LoadedUpscaler load_upscaler(const std::filesystem::path& file, const Precision& precision) {
    const auto weights = open_checkpoint(file);
    const NetworkLayout layout = recognize_network(*weights, NetworkUse::upscale);
    WeightStore store(weights);
    LoadedUpscaler loaded{.network = nullptr, .layout = layout};
    if (const auto* rrdb = std::get_if<RrdbLayout>(&layout))
        loaded.network = std::make_shared<RrdbNetwork>(scope_of(store, rrdb->prefix), *rrdb, precision);
    else if (const auto* compact = std::get_if<CompactLayout>(&layout))
        loaded.network = std::make_shared<CompactNetwork>(scope_of(store, compact->prefix), *compact, precision);
    store.finish();
    return loaded;
}

}  // namespace kinescope
