#pragma once

#include <string>
#include <vector>

namespace kinescope::cli {

enum class FlagKind { text, whole, number, seed, on, lora, condition, text_list, scales, numbers };

/// An option that stands for a field of the request.
struct RequestFlag {
    std::string names;  ///< e.g. "--num-inference-steps,--steps"
    std::string key;    ///< the field
    FlagKind kind;
    std::string value;
    std::string help;
};

/// The flags of files that a run writes: --output, --numeric-log and the like. A command that writes none leaves them
/// out.
enum class FileFlags { offered, left_out };

/// Returns the request flags in the order of `--help`.
std::vector<RequestFlag> request_flags(FileFlags files = FileFlags::offered);

}  // namespace kinescope::cli
