#include "core/api/guidance_method.h"

#include <array>
#include <utility>

namespace kinescope {

namespace {

constexpr std::array<std::pair<GuidanceMethod, std::string_view>, 5> kGuidanceMethodNames = {
    {{GuidanceMethod::standard, "standard"},
     {GuidanceMethod::cfg_zero_star, "cfg_zero_star"},
     {GuidanceMethod::apg, "apg"},
     {GuidanceMethod::skip_layer, "skip_layer"},
     {GuidanceMethod::nag, "nag"}}};

}  // namespace

std::string to_string(GuidanceMethod method) {
    for (const auto& [known, name] : kGuidanceMethodNames)
        if (known == method) return std::string(name);
    return {};
}

std::optional<GuidanceMethod> guidance_method_from(std::string_view name) {
    for (const auto& [known, known_name] : kGuidanceMethodNames)
        if (known_name == name) return known;
    return std::nullopt;
}

}  // namespace kinescope
