#include "core/api/error.h"
#include "core/media/image_io.h"
#include "tests/fuzz/scratch.h"

void kinescope::fuzz::image(Bytes file) {
    try {
        read_image(write_scratch("x.png", file));
    } catch (const Error&) {
    }
}
