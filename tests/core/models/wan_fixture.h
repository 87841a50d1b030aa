#pragma once

#include "core/base/json.h"
#include "core/models/wan/transformer.h"
#include "core/models/wan/vae.h"
#include "core/models/wan/vae_encoder.h"
#include "tests/support/golden.h"

namespace kinescope::testing {

inline std::filesystem::path wan_folder(const std::string& component) {
    return test_data("wan_t2v/model/" + component);
}

inline std::unique_ptr<wan::Transformer> build_transformer(std::shared_ptr<const CheckpointReader> reader,
                                                           const Precision& precision = {}) {
    const auto file = wan_folder("transformer") / "config.json";
    WeightStore store(std::move(reader));
    auto model = std::make_unique<wan::Transformer>(WeightScope(store),
                                                    wan::read_transformer_config(read_json(file), file), precision);
    store.finish();
    return model;
}

inline std::unique_ptr<wan::Vae> build_vae(std::shared_ptr<const CheckpointReader> reader,
                                           const Precision& precision = {}) {
    const auto file = wan_folder("vae") / "config.json";
    WeightStore store(std::move(reader));
    auto model = std::make_unique<wan::Vae>(WeightScope(store), wan::read_vae_config(read_json(file), file), precision);
    store.finish();
    return model;
}

inline std::unique_ptr<wan::VaeEncoder> build_wan_vae_encoder(std::shared_ptr<const CheckpointReader> reader) {
    const auto file = wan_folder("vae") / "config.json";
    WeightStore store(std::move(reader));
    auto model =
        std::make_unique<wan::VaeEncoder>(WeightScope(store), wan::read_vae_config(read_json(file), file), Precision{});
    store.finish({"decoder.", "post_quant_conv."});
    return model;
}

}  // namespace kinescope::testing
