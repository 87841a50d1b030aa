#pragma once

#include "core/base/json.h"
#include "core/models/ltx/transformer.h"
#include "core/models/ltx/vae.h"
#include "core/models/ltx/vae_encoder.h"
#include "tests/support/golden.h"

namespace kinescope::testing {

/// Returns the folder of a component: tests/data/ltx/<name>/model/<part>.
inline std::filesystem::path ltx_part(const std::string& name, const std::string& part) {
    return test_data("ltx/" + name + "/model/" + part);
}

inline ltx::TransformerConfig ltx_transformer_config(const std::string& name) {
    const auto file = ltx_part(name, "transformer") / "config.json";
    return ltx::read_transformer_config(read_json(file), file);
}

inline std::unique_ptr<ltx::Transformer> build_ltx_transformer(const std::string& name,
                                                               const Precision& precision = {}) {
    WeightStore store(open_checkpoint(ltx_part(name, "transformer")));
    auto model = std::make_unique<ltx::Transformer>(WeightScope(store), ltx_transformer_config(name),
                                                    ltx::Direction::to_noise, precision);
    store.finish();
    return model;
}

inline ltx::VaeConfig ltx_vae_config(const std::string& name) {
    const auto file = ltx_part(name, "vae") / "config.json";
    return ltx::read_vae_config(read_json(file), file);
}

inline std::unique_ptr<ltx::Vae> build_ltx_vae(const std::string& name, const Precision& precision = {}) {
    WeightStore store(open_checkpoint(ltx_part(name, "vae")));
    auto model = std::make_unique<ltx::Vae>(WeightScope(store), ltx_vae_config(name), precision);
    store.finish({"encoder."});
    return model;
}

}  // namespace kinescope::testing
