#pragma once

namespace kinescope::ui {

/// Combines lambdas into a visitor for std::visit.
template <class... Calls>
struct overloaded : Calls... {
    using Calls::operator()...;
};

}  // namespace kinescope::ui
