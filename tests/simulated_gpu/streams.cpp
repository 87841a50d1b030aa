#include "tests/simulated_gpu/streams.h"

#include <algorithm>
#include <utility>

namespace simulated_gpu {

namespace {

std::map<std::int64_t, Clock> streams;
Clock host;
constexpr std::int64_t kStreamsOfCard = 1000;
thread_local int device = 0;
thread_local bool launched = false;
thread_local std::map<int, std::int64_t> current;

void join(Clock& clock, const Clock& other) {
    for (const auto& [stream, time] : other) clock[stream] = std::max(clock[stream], time);
}

}  // namespace

std::recursive_mutex& state_mutex() {
    static std::recursive_mutex& mutex = *new std::recursive_mutex;
    return mutex;
}

int current_device() {
    return device;
}

int change_device(int to) {
    return std::exchange(device, to);
}

std::int64_t stream_key(int of, std::int64_t id) {
    return of * kStreamsOfCard + id;
}

std::int64_t stream_id(std::int64_t key) {
    return key % kStreamsOfCard;
}

std::int64_t current_stream() {
    return current_stream_of(device);
}

std::int64_t current_stream_of(int of) {
    return current.try_emplace(of, stream_key(of, 0)).first->second;
}

std::int64_t change_stream(int of, std::int64_t stream) {
    current_stream_of(of);
    return std::exchange(current[of], stream);
}

std::uint64_t tick(std::int64_t stream) {
    const std::lock_guard lock(state_mutex());
    launched = true;
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

bool has_awaited(const Clock& event) {
    const std::lock_guard lock(state_mutex());
    return std::ranges::all_of(event, [](const auto& of) { return host[of.first] >= of.second; });
}

bool has_launched() {
    return launched;
}

}  // namespace simulated_gpu
