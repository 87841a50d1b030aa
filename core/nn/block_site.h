#pragma once

#include <string>

#include "core/device/precision.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// The position of a block of layers in the model and the planned precision of its ops. `at / "resnets" / 0` is a
/// position inside the block.
struct BlockSite {
    const ForwardContext& context;
    const Precision& precision;
    std::string name;

    BlockSite operator/(const std::string& part) const { return {context, precision, name + "." + part}; }
    BlockSite operator/(std::size_t index) const { return *this / std::to_string(index); }
    /// Returns the scope of all layers of the block as one op, so that the guard can raise them together. The result
    /// refers to this object.
    OpScope scope() const { return {context, name, context.op(name, precision)}; }
};

}  // namespace kinescope
