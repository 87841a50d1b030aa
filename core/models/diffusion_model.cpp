#include "core/models/diffusion_model.h"

namespace kinescope {

std::string to_string(Branch branch) {
    return branch == Branch::cond ? "cond" : "uncond";
}

}  // namespace kinescope
