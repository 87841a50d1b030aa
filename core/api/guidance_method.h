#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kinescope {

/// How the predictions of a guided step become one.
enum class GuidanceMethod {
    standard,       ///< classifier-free guidance (Ho and Salimans, arXiv:2207.12598)
    cfg_zero_star,  ///< CFG-Zero* (Fan et al., arXiv:2503.18886)
    apg,            ///< adaptive projected guidance (Sadat et al., arXiv:2410.02416)
    skip_layer,     ///< skip-layer guidance, a third evaluation without some blocks (as in diffusers)
    nag,            ///< normalized attention guidance, a negative prompt without a second evaluation (arXiv:2505.21179)
};

/// Returns the enumerator's name, as in requests.
std::string to_string(GuidanceMethod method);

/// The inverse of to_string; nullopt for other names.
std::optional<GuidanceMethod> guidance_method_from(std::string_view name);

}  // namespace kinescope
