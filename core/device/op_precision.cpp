#include "core/device/op_precision.h"

#include "core/device/dtype.h"

namespace kinescope {

ComputePrecision compute_precision(const OpPrecision& op) {
    return {element_type(op.compute), op.level};
}

}  // namespace kinescope
