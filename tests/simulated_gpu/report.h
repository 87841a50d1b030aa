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

/// Counts a launch or copy with this name, and adds the time that a card takes for it. The totals are written when the
/// process ends.
void count(const std::string& name, double bytes);

/// Returns the seconds that a card would have taken so far: a constant for each launch, and the time to move the bytes.
double card_seconds();
/// Adds time that launches do not explain.
void spend(double seconds);

}  // namespace simulated_gpu
