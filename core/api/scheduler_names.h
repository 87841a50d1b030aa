#pragma once

#include <string>
#include <string_view>

namespace kinescope {

/// The short name of a scheduler given by its short name or its diffusers class name: "UniPCMultistepScheduler" and
/// "unipc" are both "unipc". A name that is not known comes back unchanged.
std::string short_scheduler_name(std::string_view name);

}  // namespace kinescope
