#include "app/window/local_engine.h"

namespace kinescope {

ui::EngineFactory localEngine() {
    return nullptr;
}

std::optional<int> runAsChildOfEngine(int /*argc*/, const char* const* /*argv*/) {
    return std::nullopt;
}

}  // namespace kinescope
