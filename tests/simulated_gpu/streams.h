#pragma once

#include <cstdint>
#include <map>
#include <mutex>

namespace simulated_gpu {

/// What is known to have happened: by stream, how many of its operations (a vector clock).
using Clock = std::map<std::int64_t, std::uint64_t>;

/// Of everything that the card knows.
std::recursive_mutex& state_mutex();

std::int64_t current_stream();
/// Returns the one before.
std::int64_t change_stream(std::int64_t stream);

/// One more operation on a stream; what the host knows, it knows too.
std::uint64_t tick(std::int64_t stream);
Clock& clock_of(std::int64_t stream);

/// What is recorded in an event, and awaited by another stream or by the host.
Clock record(std::int64_t stream);
void await(std::int64_t stream, const Clock& event);
void host_awaits(const Clock& event);
void host_awaits_stream(std::int64_t stream);

}  // namespace simulated_gpu
