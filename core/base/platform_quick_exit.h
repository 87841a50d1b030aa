#pragma once

namespace kinescope {

/// Ends the process without the destructors of static objects. Handlers of at_quick_exit run where the system has it;
/// macOS does not. Streams must have been flushed.
[[noreturn]] void quick_exit_process(int exit_code);

}  // namespace kinescope
