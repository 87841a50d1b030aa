#pragma once

#include <string>
#include <vector>

namespace kinescope {

/// How one component runs, and why: a row of the precision table in the window, the log and the metadata.
struct ComponentPolicy {
    std::string component;     ///< "text_encoder", "transformer", "vae"
    std::string stored;        ///< what the file holds, e.g. "float16"
    std::string storage;       ///< how it is kept in memory
    std::string compute;       ///< what it computes in
    std::string accumulation;  ///< "float32"
    std::string attention;     ///< attention backend
    std::string device;        ///< "cpu", "cuda:0", "mps"
    std::string requested;     ///< what the user asked for, "auto" if nothing
    std::string reason;        ///< one sentence
};

using PolicySummary = std::vector<ComponentPolicy>;

}  // namespace kinescope
