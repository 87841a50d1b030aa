#include "core/remote/job_choice.h"

#include <algorithm>

namespace kinescope::remote {

namespace {

using Seats = std::vector<std::size_t>;

bool is_suitable(const EngineSeat& seat, const std::string& device) {
    if (device == "auto") return seat.is_default;
    if (device == "cuda") return seat.device.starts_with("cuda:");
    return seat.device == device;
}

Seats suitable_seats(const StartableJob& job, const std::vector<EngineSeat>& seats) {
    if (job.home && !seats[*job.home].is_broken) return {*job.home};
    Seats found;
    for (std::size_t seat = 0; seat < seats.size(); ++seat)
        if (is_suitable(seats[seat], job.device) && !seats[seat].is_broken) found.push_back(seat);
    if (found.empty() && !seats[0].is_broken) return {0};
    return found;
}

bool is_busy(const EngineSeat& seat) {
    return !seat.is_free;
}

/// Runs of other engines hold weights in the main memory.
bool shares_memory(const EngineSeat& seat, const std::vector<EngineSeat>& seats) {
    return seat.device == "cpu" && std::ranges::any_of(seats, is_busy);
}

/// Among those that can hold the job, if it has a choice.
std::optional<std::size_t> seat_for(const StartableJob& job, const std::vector<EngineSeat>& seats,
                                    const FitMemory& fit) {
    const Seats suitable = suitable_seats(job, seats);
    Seats free;
    std::ranges::copy_if(suitable, std::back_inserter(free), [&](std::size_t seat) { return seats[seat].is_free; });
    if (free.empty()) return std::nullopt;
    if (suitable.size() == 1 && !shares_memory(seats[free.front()], seats)) return free.front();
    const auto holds = [&](std::size_t seat) { return fit(job.id, seat) == MemoryFit::now; };
    if (const auto found = std::ranges::find_if(free, holds); found != free.end()) return *found;
    const auto is_worth_waiting = [&](std::size_t seat) {
        const bool frees_memory = is_busy(seats[seat]) || shares_memory(seats[seat], seats);
        return frees_memory && fit(job.id, seat) != MemoryFit::never;
    };
    if (std::ranges::any_of(suitable, is_worth_waiting)) return std::nullopt;
    return *std::ranges::max_element(free, {}, [&](std::size_t seat) { return seats[seat].memory_bytes; });
}

}  // namespace

std::vector<EngineSeat> seats_of(const std::vector<DeviceInfo>& devices) {
    std::vector<EngineSeat> seats;
    for (const DeviceInfo& device : devices)
        if (device.unusable.empty()) seats.push_back({.device = device.id, .memory_bytes = device.memory_total_bytes});
    std::ranges::stable_partition(seats, [](const EngineSeat& seat) { return seat.device != "cpu"; });
    for (EngineSeat& seat : seats) seat.is_default = seat.device != "cpu" || seats.size() == 1;
    return seats;
}

std::optional<SeatChoice> choose_next(const std::vector<StartableJob>& jobs, const std::vector<EngineSeat>& seats,
                                      const FitMemory& fit) {
    for (const StartableJob& job : jobs)
        if (const auto seat = seat_for(job, seats, fit)) return SeatChoice{job.id, *seat};
    return std::nullopt;
}

}  // namespace kinescope::remote
