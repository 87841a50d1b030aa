#pragma once

#include "core/base/json.h"
#include "core/models/stepvideo/transformer.h"
#include "core/models/stepvideo/vae.h"
#include "tests/support/golden.h"

namespace kinescope::testing {

inline std::filesystem::path step_folder(const std::string& component) {
    return test_data("stepvideo_t2v/model/" + component);
}

inline std::unique_ptr<stepvideo::Transformer> build_step_transformer(std::shared_ptr<const CheckpointReader> reader,
                                                                      const Precision& precision = {}) {
    const auto file = step_folder("transformer") / "config.json";
    WeightStore store(std::move(reader));
    auto model = std::make_unique<stepvideo::Transformer>(
        WeightScope(store), stepvideo::read_transformer_config(read_json(file), file), precision);
    store.finish();
    return model;
}

inline std::unique_ptr<stepvideo::Vae> build_step_vae(std::shared_ptr<const CheckpointReader> reader,
                                                      const Precision& precision = {}) {
    const auto file = step_folder("vae") / "vae_v2.safetensors";
    const auto config = parse_json(open_checkpoint(file)->metadata().at("config"));
    WeightStore store(std::move(reader));
    auto model =
        std::make_unique<stepvideo::Vae>(WeightScope(store), stepvideo::read_vae_config(config, file), precision);
    store.finish();
    return model;
}

}  // namespace kinescope::testing
