#include "core/api/numeric_error.h"

#include <utility>

namespace kinescope {

namespace {

std::map<std::string, std::string> arguments_of(const NumericFault& fault, std::map<std::string, std::string> more) {
    more.insert({{"phase", to_string(fault.phase)},
                 {"step", std::to_string(fault.step + 1)},
                 {"site", fault.site},
                 {"detector", to_string(fault.detector)},
                 {"found", fault.found}});
    if (!fault.component.empty()) more.emplace("component", fault.component);
    if (const auto* precision = std::get_if<ComputePrecision>(&fault.computed))
        more.emplace("dtype", to_string(*precision));
    return more;
}

}  // namespace

NumericError::NumericError(ErrorCode code, std::string message, std::string hint, NumericFault fault,
                           std::map<std::string, std::string> more)
    : Error(code, std::move(message), std::move(hint), arguments_of(fault, std::move(more))),
      fault_(std::move(fault)) {}

}  // namespace kinescope
