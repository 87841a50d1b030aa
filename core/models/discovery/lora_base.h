#pragma once

#include <string>

#include "core/weights/lora_file.h"

namespace kinescope {

/// Returns the model for which a LoRA was trained, from the names and shapes of its modules: "wan, width 1536". Returns
/// an empty string if it is unknown.
std::string lora_base(const LoraFile& lora);

}  // namespace kinescope
