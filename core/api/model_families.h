#pragma once

#include <span>
#include <string_view>

namespace kinescope {

/// The names of the model families that this version knows, see ModelCard::family: the folders in core/models that
/// contain a family.
std::span<const std::string_view> model_family_names();

}  // namespace kinescope
