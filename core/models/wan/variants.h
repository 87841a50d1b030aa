#pragma once

#include <string>
#include <vector>

#include "core/api/model_card.h"
#include "core/models/wan/config.h"

namespace kinescope::wan {

/// Properties that identify a published model.
struct Traits {
    const TransformerConfig& transformer;
    bool has_two_experts = false;
    bool expands_timesteps = false;
};

/// The tasks of models with these traits, independent of size.
std::vector<Task> tasks_of(const Traits& traits);

/// Sets name, sizes and defaults in the card: those of the published model with these traits or, for other widths,
/// those of its kind.
void describe_variant(const Traits& traits, ModelCard& card);

}  // namespace kinescope::wan
