#pragma once

#include <string>
#include <string_view>

namespace kinescope {

/// Returns the short name of a diffusers class: "unipc" for "UniPCMultistepScheduler". Returns short and unknown names
/// unchanged.
std::string short_scheduler_name(std::string_view name);

}  // namespace kinescope
