#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace kinescope::cluster {

/// Returns the text as one word of a POSIX shell, in single quotes. Quotes, spaces, line breaks and dollar signs keep
/// their meaning as text. A zero byte is not possible.
std::string shell_quoted(std::string_view text);

/// Exit codes of a task that cannot report anything. All but the last one come from the script itself, before the
/// program starts.
constexpr int kFolderNotVisible = 66;  ///< the node does not see the batch's folder
constexpr int kLogNotWritable = 67;
constexpr int kProgramMissing = 68;
constexpr int kStorageFull = 69;

/// What the script of a submission needs to know.
struct ScriptFacts {
    std::filesystem::path folder;   ///< of the batch, absolute
    std::filesystem::path program;  ///< kinescope-cli as the nodes see it, absolute
    int submission = 1;
};

/// Returns the script that Slurm runs for each task of an array. The only texts from outside are the two paths, quoted;
/// requests and file names travel in files.
std::string script_text(const ScriptFacts& facts);

}  // namespace kinescope::cluster
