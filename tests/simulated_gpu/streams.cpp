#include "tests/simulated_gpu/streams.h"

#include <algorithm>
#include <utility>

namespace simulated_gpu {

namespace {

std::map<std::int64_t, Clock> streams;
Clock host;
thread_local std::int64_t current = 0;

void join(Clock& clock, const Clock& other) {
    for (const auto& [stream, time] : other) clock[stream] = std::max(clock[stream], time);
}

}  // namespace

std::recursive_mutex& state_mutex() {
    static std::recursive_mutex& mutex = *new std::recursive_mutex;
    return mutex;
}

std::int64_t current_stream() {
    return current;
}

std::int64_t change_stream(std::int64_t stream) {
    return std::exchange(current, stream);
}

std::uint64_t tick(std::int64_t stream) {
    const std::lock_guard lock(state_mutex());
    return ++clock_of(stream)[stream];
}

Clock& clock_of(std::int64_t stream) {
    const std::lock_guard lock(state_mutex());
    Clock& clock = streams[stream];
    join(clock, host);
    return clock;
}

Clock record(std::int64_t stream) {
    const std::lock_guard lock(state_mutex());
    tick(stream);
    return clock_of(stream);
}

void await(std::int64_t stream, const Clock& event) {
    const std::lock_guard lock(state_mutex());
    join(clock_of(stream), event);
}

void host_awaits(const Clock& event) {
    const std::lock_guard lock(state_mutex());
    join(host, event);
}

void host_awaits_stream(std::int64_t stream) {
    const std::lock_guard lock(state_mutex());
    join(host, clock_of(stream));
}

}  // namespace simulated_gpu
