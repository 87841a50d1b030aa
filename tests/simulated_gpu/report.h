#pragma once

#include <string>

namespace simulated_gpu {

/// One line to the file of SIMULATED_GPU_LOG, or to stderr. `kind` is one of the faults of README.md, or TRACE.
void say(const std::string& kind, const std::string& words);

/// A fault, with the stack where SIMULATED_GPU_TRACE is set.
void report_fault(const std::string& kind, const std::string& words);

/// Where SIMULATED_GPU_TRACE is set, the stack of each kind of call, once.
void trace(const std::string& what);

/// One more launch or copy of that name; the sums are written when the process ends.
void count(const std::string& name, double bytes);

}  // namespace simulated_gpu
