#include "core/api/error.h"
#include "core/weights/formats/safetensors_header.h"
#include "core/weights/formats/safetensors_reader.h"
#include "core/weights/scaled_weights.h"
#include "tests/fuzz/read_all.h"
#include "tests/fuzz/scratch.h"

void kinescope::fuzz::safetensors(Bytes file) {
    try {
        parse_safetensors_header(std::as_bytes(file), "x.safetensors");
        const auto reader = std::make_shared<SafetensorsReader>(write_scratch("x.safetensors", file));
        read_all(*join_scales(reader), file.size());
    } catch (const Error&) {
    }
}
