#include "core/device/op_precision.h"

namespace kinescope {

std::string to_string(Rung rung) {
    switch (rung) {
        case Rung::planned:
            return "planned";
        case Rung::scaled:
            return "scaled";
        case Rung::float32:
            return "float32";
    }
    return "";
}

}  // namespace kinescope
