#pragma once

#include "core/api/model_card.h"
#include "core/models/wan/config.h"

namespace kinescope::wan {

/// The colours of the live preview, for the latents of published VAEs; of another width: none, the preview is grey.
void describe_preview(const VaeConfig& vae, ModelCard& card);

}  // namespace kinescope::wan
