#pragma once

#include <string>

#include "core/device/precision.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// Where a block of layers is, and how its ops are planned; `at / "resnets" / 0` is inside of it.
struct BlockSite {
    const ForwardContext& context;
    const Precision& precision;
    std::string name;

    BlockSite operator/(const std::string& part) const { return {context, precision, name + "." + part}; }
    BlockSite operator/(std::size_t index) const { return *this / std::to_string(index); }
    /// The layers there as one op, which the guard can raise by itself. Refers to this.
    OpScope scope() const { return {context, name, context.op(name, precision)}; }
};

}  // namespace kinescope
