#pragma once

#include <cstdint>

namespace kinescope::ui {

class RequestModel;

/// Makes the next videos variations of `seed`, each with a new seed.
void varySeed(RequestModel& model, std::uint64_t seed);

/// Ends that.
void endVariation(RequestModel& model);

}  // namespace kinescope::ui
