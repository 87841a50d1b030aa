#pragma once

#include <string>
#include <vector>

#include "core/api/model_card.h"
#include "core/models/wan/config.h"

namespace kinescope::wan {

/// The flow shift that the authors use for two experts that make video from text, with or without VACE.
inline constexpr double kFlowShiftOfTextExperts = 12.0;

/// The properties that identify a published model.
struct Traits {
    const TransformerConfig& transformer;
    bool has_two_experts = false;
    bool expands_timesteps = false;
};

/// Returns the tasks of models with these traits, whatever their size.
std::vector<Task> tasks_of(const Traits& traits);

/// Sets what the model does with input videos.
void describe_inputs(const Traits& traits, ModelCard& card);

/// Sets name, sizes and defaults in the card: those of the published model with these traits or, for other widths,
/// those of its kind.
void describe_variant(const Traits& traits, ModelCard& card);

}  // namespace kinescope::wan
