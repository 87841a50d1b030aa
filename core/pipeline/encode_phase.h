#pragma once

#include "core/models/diffusion_model.h"
#include "core/pipeline/phase_services.h"

namespace kinescope {

/// Runs the text and image encoders on the request's prompts and pictures, and checks their output.
Conditioning encode(const PhaseServices& services);

}  // namespace kinescope
