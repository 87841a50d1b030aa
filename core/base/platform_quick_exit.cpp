#include "core/base/platform_quick_exit.h"

#include <cstdlib>

namespace kinescope {

void quick_exit_process(int exit_code) {
#if defined(__APPLE__)
    std::_Exit(exit_code);
#else
    std::quick_exit(exit_code);
#endif
}

}  // namespace kinescope
