#include "core/cluster/shell_text.h"

#include <spdlog/fmt/fmt.h>

namespace kinescope::cluster {

std::string shell_quoted(std::string_view text) {
    std::string quoted = "'";
    for (const char character : text) {
        if (character == '\'')
            quoted += "'\\''";
        else
            quoted += character;
    }
    return quoted + "'";
}

std::string script_text(const ScriptFacts& facts) {
    // SIGUSR1 announces the time limit. It is ignored until the program has installed its handler.
    return fmt::format(
        "#!/bin/sh\n"
        "trap '' USR1\n"
        "folder={}\n"
        "program={}\n"
        "cd \"$folder\" 2>/dev/null && [ -f batch.json ] || exit {}\n"
        "log=logs/{}-$SLURM_ARRAY_TASK_ID.log\n"
        "touch \"$log\" || exit {}\n"
        "exec >>\"$log\" 2>&1\n"
        "if [ ! -x \"$program\" ]; then\n"
        "    echo \"$program is missing on $SLURMD_NODENAME\"\n"
        "    exit {}\n"
        "fi\n"
        "exec \"$program\" cluster run-task . --submission {} --index \"$SLURM_ARRAY_TASK_ID\"\n",
        shell_quoted(facts.folder.string()), shell_quoted(facts.program.string()), kFolderNotVisible, facts.submission,
        kLogNotWritable, kProgramMissing, facts.submission);
}

}  // namespace kinescope::cluster
