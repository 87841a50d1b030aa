#include "core/api/error.h"
#include "core/weights/formats/pickle_reader.h"
#include "core/weights/formats/pickle_tensors.h"
#include "tests/fuzz/read_all.h"
#include "tests/fuzz/scratch.h"

namespace kinescope::fuzz {

namespace {

/// Reads a pickle without an archive, because the checks of the archive would reject most mutated inputs.
void read_bare_pickle(Bytes pickle) {
    const std::filesystem::path path = "x.pt";
    const Refusal refusal{.path = path, .kind = "torch.save file"};
    try {
        const Unpickler unpickler(std::as_bytes(pickle), refusal);
        list_pickle_tensors(unpickler, refusal);
    } catch (const Error&) {
    }
}

}  // namespace

void pickle(Bytes file) {
    if (!file.empty() && file.front() == 0x80) return read_bare_pickle(file);
    try {
        read_all(PickleReader(write_scratch("x.pt", file)), file.size());
    } catch (const Error&) {
    }
}

}  // namespace kinescope::fuzz
