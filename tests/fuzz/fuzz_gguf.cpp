#include "core/api/error.h"
#include "core/weights/formats/gguf_header.h"
#include "core/weights/formats/gguf_reader.h"
#include "tests/fuzz/read_all.h"
#include "tests/fuzz/scratch.h"

void kinescope::fuzz::gguf(Bytes file) {
    try {
        parse_gguf_header(std::as_bytes(file), "x.gguf");
        read_all(GgufReader(write_scratch("x.gguf", file)), file.size());
    } catch (const Error&) {
    }
}
