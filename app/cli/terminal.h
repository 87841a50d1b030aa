#pragma once

namespace kinescope::cli {

bool stderr_is_terminal();

/// Width of the terminal behind stderr; 80 when it is not known.
int terminal_columns();

}  // namespace kinescope::cli
