#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/api/error.h"
#include "core/api/run_event.h"

namespace kinescope {

/// The first site whose values are not all finite, in the order in which the sites ran; nullptr: all are.
const NumericSample* first_not_finite(const std::vector<NumericSample>& samples);

/// What the guard found, as a `guard` record. `sample` is not finite.
GuardActed stop_record(const NumericSample& sample);

/// The error that ends a run, with the step and the site in words.
Error not_finite_error(const NumericSample& sample);

}  // namespace kinescope
