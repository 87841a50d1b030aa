#pragma once

#include <string>

namespace simulated_gpu {

/// Writes one line to the file named by SIMULATED_GPU_LOG, or to stderr. `kind` is one of the faults in README.md, or
/// TRACE.
void say(const std::string& kind, const std::string& words);

/// Reports a fault, with a stack trace if SIMULATED_GPU_TRACE is set.
void report_fault(const std::string& kind, const std::string& words);

/// If SIMULATED_GPU_TRACE is set, writes the stack trace of each kind of call once.
void trace(const std::string& what);

/// Counts a launch or copy with this name. The totals are written when the process ends.
void count(const std::string& name, double bytes);

}  // namespace simulated_gpu
