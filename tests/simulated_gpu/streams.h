#pragma once

#include <cstdint>
#include <map>
#include <mutex>

namespace simulated_gpu {

/// Returns the current GPU of the calling thread. change_device() sets it and returns the previous one.
int current_device();
int change_device(int device);

/// A vector clock: the number of completed operations for each stream.
using Clock = std::map<std::int64_t, std::uint64_t>;

/// Protects the state of all simulated GPUs.
std::recursive_mutex& state_mutex();

/// Returns a unique number for a stream of a GPU.
std::int64_t stream_key(int device, std::int64_t id);
std::int64_t stream_id(std::int64_t key);

/// Returns the current stream of the current GPU.
std::int64_t current_stream();
/// Returns the current stream of a GPU.
std::int64_t current_stream_of(int device);
/// Changes the current stream of a GPU. Returns the previous one.
std::int64_t change_stream(int device, std::int64_t stream);

/// Adds an operation to a stream. Merges the host's clock into the stream's, because the operation starts after the
/// call.
std::uint64_t tick(std::int64_t stream);
Clock& clock_of(std::int64_t stream);

/// Returns the clock of a stream for an event, so that another stream or the host can wait for it.
Clock record(std::int64_t stream);
void await(std::int64_t stream, const Clock& event);
void host_awaits(const Clock& event);
void host_awaits_stream(std::int64_t stream);
/// Returns true if the host has waited for an event, or for work after it. Otherwise the event counts as pending: the
/// simulated GPU is as late as it can be.
bool has_awaited(const Clock& event);

/// Returns true if the calling thread has added an operation to a stream.
bool has_launched();

}  // namespace simulated_gpu
