#pragma once

#include <tuple>

#include "core/api/resolved_request.h"
#include "core/api/video_request.h"

namespace kinescope {

/// A numeric request field that belongs to one guidance method.
template <class Value>
struct GuidanceField {
    const char* name;                            ///< as in JSON; on the command line in kebab case
    std::optional<Value> VideoRequest::*member;  ///< the value in a request
    Value ResolvedSampling::*resolved;           ///< the value in a resolved request
    GuidanceMethod method;                       ///< the only method that uses it
    Value fallback;                              ///< for an unset value
    Value min;
    Value max;
    const char* value;  ///< stands for the value in `--help`
    const char* help;
};
template <class Value>
GuidanceField(const char*, std::optional<Value> VideoRequest::*, Value ResolvedSampling::*, GuidanceMethod, Value,
              Value, Value, const char*, const char*) -> GuidanceField<Value>;

/// All of them. An entry here makes a field known to JSON, the command line, validation and the resolved request. The
/// defaults are those of diffusers, except for APG: with diffusers' values it would equal standard guidance, and its
/// limit of 15 for the norm fits images of one size only. Momentum and eta are the paper's.
inline constexpr std::tuple kGuidanceFields{
    GuidanceField{"zero_init_steps", &VideoRequest::zero_init_steps, &ResolvedSampling::zero_init_steps,
                  GuidanceMethod::cfg_zero_star, 1, 0, 1000, "N",
                  "First steps that do not change the latents (cfg_zero_star; default: 1)"},
    GuidanceField{"apg_momentum", &VideoRequest::apg_momentum, &ResolvedSampling::apg_momentum, GuidanceMethod::apg,
                  -0.5, -0.99, 0.99, "X",
                  "Share of the earlier guidance directions; below 0 reverses them (apg; default: -0.5)"},
    GuidanceField{"apg_rescale", &VideoRequest::apg_rescale, &ResolvedSampling::apg_rescale, GuidanceMethod::apg, 0.0,
                  0.0, 1e6, "X", "Largest norm of the guidance direction (apg; default: 0, no limit)"},
    GuidanceField{"apg_eta", &VideoRequest::apg_eta, &ResolvedSampling::apg_eta, GuidanceMethod::apg, 0.0, 0.0, 1.0,
                  "0..1", "Share of the guidance along the prediction, which saturates colors (apg; default: 0)"},
    GuidanceField{"skip_layer_guidance_scale", &VideoRequest::skip_layer_guidance_scale,
                  &ResolvedSampling::skip_layer_guidance_scale, GuidanceMethod::skip_layer, 2.8, 0.0, 100.0, "X",
                  "Weight of the prediction without the skipped blocks (skip_layer; default: 2.8)"},
    GuidanceField{"skip_layer_guidance_start", &VideoRequest::skip_layer_guidance_start,
                  &ResolvedSampling::skip_layer_guidance_start, GuidanceMethod::skip_layer, 0.01, 0.0, 1.0, "0..1",
                  "Skip blocks after this fraction of the steps (skip_layer; default: 0.01)"},
    GuidanceField{"skip_layer_guidance_stop", &VideoRequest::skip_layer_guidance_stop,
                  &ResolvedSampling::skip_layer_guidance_stop, GuidanceMethod::skip_layer, 0.2, 0.0, 1.0, "0..1",
                  "Skip blocks up to this fraction of the steps (skip_layer; default: 0.2)"},
    GuidanceField{"nag_scale", &VideoRequest::nag_scale, &ResolvedSampling::nag_scale, GuidanceMethod::nag, 11.0, 1.0,
                  100.0, "X", "How far attention moves away from the negative prompt (nag; default: 11)"},
    GuidanceField{"nag_tau", &VideoRequest::nag_tau, &ResolvedSampling::nag_tau, GuidanceMethod::nag, 2.5, 0.1, 100.0,
                  "X", "Largest growth of the attention's norm (nag; default: 2.5)"},
    GuidanceField{"nag_alpha", &VideoRequest::nag_alpha, &ResolvedSampling::nag_alpha, GuidanceMethod::nag, 0.25, 0.0,
                  1.0, "0..1", "Share of the moved attention in the result (nag; default: 0.25)"}};

/// Calls `visit(field)` for each of them.
template <class Visitor>
void for_each_guidance_field(Visitor&& visit) {
    std::apply([&](const auto&... fields) { (visit(fields), ...); }, kGuidanceFields);
}

/// Calls `visit(name, optional value)` for each of them.
template <class Request, class Visitor>
void visit_guidance_fields(Request& request, Visitor&& visit) {
    for_each_guidance_field([&](const auto& field) { visit(field.name, request.*(field.member)); });
}

}  // namespace kinescope
