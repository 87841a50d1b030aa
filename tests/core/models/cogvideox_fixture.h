#pragma once

#include "core/base/json.h"
#include "core/models/cogvideox/transformer.h"
#include "core/models/cogvideox/vae.h"
#include "tests/support/golden.h"

namespace kinescope::testing {

/// Builds the transformer in tests/data/cogvideox/<name>/transformer.
inline std::unique_ptr<cogvideox::Transformer> build_cogvideox_transformer(const std::string& name,
                                                                           const Precision& precision = {}) {
    const auto folder = test_data("cogvideox/" + name + "/transformer");
    const auto file = folder / "config.json";
    WeightStore store(open_checkpoint(folder));
    auto model = std::make_unique<cogvideox::Transformer>(
        WeightScope(store), cogvideox::read_transformer_config(read_json(file), file), precision);
    store.finish();
    return model;
}

inline std::filesystem::path cogvideox_vae_folder() {
    return test_data("cogvideox/t2v/model/vae");
}

inline cogvideox::VaeConfig cogvideox_vae_config() {
    const auto file = cogvideox_vae_folder() / "config.json";
    return cogvideox::read_vae_config(read_json(file), file);
}

inline std::unique_ptr<cogvideox::Vae> build_cogvideox_vae(std::shared_ptr<const CheckpointReader> reader,
                                                           const Precision& precision = {}) {
    WeightStore store(std::move(reader));
    auto model = std::make_unique<cogvideox::Vae>(WeightScope(store), cogvideox_vae_config(), precision);
    store.finish({"encoder."});
    return model;
}

}  // namespace kinescope::testing
