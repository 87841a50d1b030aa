#pragma once

namespace kinescope::ui {

/// Several lambdas as one visitor of a variant.
template <class... Calls>
struct overloaded : Calls... {
    using Calls::operator()...;
};

}  // namespace kinescope::ui
