#include "core/api/version.h"

namespace kinescope {

const char* const kVersion = KINESCOPE_VERSION;

}  // namespace kinescope
