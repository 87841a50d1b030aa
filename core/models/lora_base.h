#pragma once

#include <string>

#include "core/weights/lora_file.h"

namespace kinescope {

/// For which model a LoRA was made, by the names and shapes of its modules: "wan, width 1536"; empty: not known.
std::string lora_base(const LoraFile& lora);

}  // namespace kinescope
