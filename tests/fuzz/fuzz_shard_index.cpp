#include <ATen/ATen.h>

#include "core/api/error.h"
#include "core/weights/formats/safetensors_writer.h"
#include "core/weights/formats/sharded_reader.h"
#include "tests/fuzz/read_all.h"
#include "tests/fuzz/scratch.h"

/// Reads the index of two shards: file "a" contains tensor a, file "b" tensor b.
void kinescope::fuzz::shard_index(Bytes file) {
    static const bool written = [] {
        for (const auto* name : {"a", "b"}) write_safetensors(scratch_folder() / name, {{name, at::ones({2})}});
        return true;
    }();
    static_cast<void>(written);
    try {
        read_all(ShardedReader(write_scratch("x.safetensors.index.json", file)), file.size() + 1024);
    } catch (const Error&) {
    }
}
