#pragma once

#include <string>
#include <vector>

namespace kinescope {

/// The precision and device of one component, with the reason: one row of the precision table in the window, the log
/// and the metadata.
struct ComponentPolicy {
    std::string component;     ///< "text_encoder", "transformer", "vae"
    std::string stored;        ///< dtype in the file, e.g. "float16"
    std::string storage;       ///< dtype in memory
    std::string compute;       ///< compute dtype
    std::string accumulation;  ///< "float32"
    std::string attention;     ///< attention backend
    std::string device;        ///< "cpu", "cuda:0", "mps"
    std::string requested;     ///< requested dtype; "auto" if none
    std::string reason;        ///< one sentence
};

using PolicySummary = std::vector<ComponentPolicy>;

}  // namespace kinescope
