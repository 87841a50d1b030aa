#include "core/api/error.h"
#include "core/models/discovery/comfy_paths.h"
#include "tests/fuzz/scratch.h"

void kinescope::fuzz::comfy_paths(Bytes file) {
    try {
        read_comfy_paths(write_scratch("extra_model_paths.yaml", file));
    } catch (const Error&) {
    }
}
