#pragma once

#include "core/base/json.h"
#include "core/models/svd/unet.h"
#include "core/models/svd/vae.h"
#include "core/models/svd/vae_encoder.h"
#include "tests/support/golden.h"

namespace kinescope::testing {

inline std::filesystem::path svd_folder(const std::string& component) {
    return test_data("svd/model/" + component);
}

inline std::unique_ptr<svd::UNet> build_unet(std::shared_ptr<const CheckpointReader> reader,
                                             const Precision& precision = {}) {
    const auto file = svd_folder("unet") / "config.json";
    WeightStore store(std::move(reader));
    auto model =
        std::make_unique<svd::UNet>(WeightScope(store), svd::read_unet_config(read_json(file), file), precision);
    store.finish();
    return model;
}

inline svd::VaeConfig svd_vae_config() {
    const auto file = svd_folder("vae") / "config.json";
    return svd::read_vae_config(read_json(file), file);
}

inline std::unique_ptr<svd::Vae> build_svd_vae(std::shared_ptr<const CheckpointReader> reader, std::int64_t chunk_size,
                                               const Precision& precision = {}) {
    WeightStore store(std::move(reader));
    auto model = std::make_unique<svd::Vae>(WeightScope(store), svd_vae_config(), chunk_size, precision);
    store.finish({"encoder.", "quant_conv."});
    return model;
}

inline std::unique_ptr<svd::VaeEncoder> build_svd_vae_encoder(std::shared_ptr<const CheckpointReader> reader,
                                                              const Precision& precision = {}) {
    WeightStore store(std::move(reader));
    auto model = std::make_unique<svd::VaeEncoder>(WeightScope(store), svd_vae_config(), precision);
    store.finish({"decoder."});
    return model;
}

/// Converts frames from the reference's layout [F, C, H, W] to ours, [F, H, W, C].
inline Tensor frames_last(const Tensor& planes) {
    return planes.permute({0, 2, 3, 1});
}

}  // namespace kinescope::testing
