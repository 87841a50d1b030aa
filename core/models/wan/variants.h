#pragma once

#include <string>
#include <vector>

#include "core/api/model_card.h"
#include "core/models/wan/config.h"

namespace kinescope::wan {

/// What tells the published models apart.
struct Traits {
    const TransformerConfig& transformer;
    bool has_two_experts = false;
    bool expands_timesteps = false;
};

/// What a model of these traits can do, of whatever size it is.
std::vector<Task> tasks_of(const Traits& traits);

/// Writes name, sizes and defaults of the published model that has these traits into the card; of a model of another
/// size, the defaults of its kind.
void describe_variant(const Traits& traits, ModelCard& card);

}  // namespace kinescope::wan
