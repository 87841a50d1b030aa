#include "core/jobs/tools/helper_weights.h"

#include <array>
#include <filesystem>

#include "core/api/error.h"
#include "core/finish/network_layout.h"
#include "core/models/tiny_vae/config.h"

namespace kinescope {

namespace {

struct FinishUse {
    NetworkUse use;
    const char* name;
    const char* option;
    const char* words;
};

constexpr std::array<FinishUse, 2> kFinishUses = {
    {{NetworkUse::upscale, "upscaler", "--upscale", "an upscaler: "},
     {NetworkUse::interpolate, "interpolator", "--interpolate", "an interpolator: "}}};

std::optional<HelperWeights> finish_network(const CheckpointReader& weights, const FinishUse& as) {
    try {
        const std::string network = describe(recognize_network(weights, as.use));
        return HelperWeights{as.name, as.option, {as.name, {{"network", network}}, as.words + network}};
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::optional<HelperWeights> tiny_decoder(const CheckpointReader& weights) {
    try {
        const std::string channels = std::to_string(tiny_vae::read_config(weights).latent_channels);
        return HelperWeights{"tiny decoder",
                             "--preview-decoder",
                             {"tiny_decoder",
                              {{"channels", channels}},
                              "a tiny decoder for previews and drafts, " + channels + " latent channels"}};
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace

std::optional<HelperWeights> recognize_helper(const CheckpointReader& weights) {
    for (const FinishUse& as : kFinishUses)
        if (auto network = finish_network(weights, as)) return network;
    return tiny_decoder(weights);
}

void refuse_helper(const std::filesystem::path& file, const WeightCheck& check) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return;
    const auto helper = recognize_helper(*open_checked(file, check));
    if (!helper) return;
    throw Error(ErrorCode::model_unknown, file.string() + " is " + helper->description.text + "; it is not a model",
                "Choose a model, and add this file with " + helper->option + ".",
                {{"path", file.string()}, {"kind", helper->description.code}});
}

}  // namespace kinescope
