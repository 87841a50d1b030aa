#pragma once

#include <string>

#include "core/weights/lora_file.h"

namespace kinescope {

/// Returns the model that a LoRA was trained for, from the names and shapes of its modules: "wan, width 1536"; empty if
/// unknown.
std::string lora_base(const LoraFile& lora);

}  // namespace kinescope
