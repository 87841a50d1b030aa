#include "core/models/diffusion_model.h"

namespace kinescope {

std::string to_string(Branch branch) {
    switch (branch) {
        case Branch::uncond:
            return "uncond";
        case Branch::skip:
            return "skip";
        case Branch::cond:
            break;
    }
    return "cond";
}

}  // namespace kinescope
