#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/api/device_info.h"
#include "core/api/job.h"

namespace kinescope::remote {

/// An engine that computes on one device.
struct EngineSeat {
    std::string device;             ///< "cuda:1"; empty: unknown
    bool is_default = false;        ///< takes jobs for "auto"
    std::int64_t memory_bytes = 0;  ///< of the device
    bool is_free = true;            ///< runs no job
    bool is_broken = false;         ///< its process cannot be started
    bool operator==(const EngineSeat&) const = default;
};

/// A job that may start.
struct StartableJob {
    JobId id = 0;
    std::string device;               ///< as requested: "auto", "cuda", "cuda:1", "cpu"
    std::optional<std::size_t> home;  ///< the seat that computed its finished steps, so that the bits stay the same
};

struct SeatChoice {
    JobId job = 0;
    std::size_t seat = 0;
    bool operator==(const SeatChoice&) const = default;
};

/// When a device has enough memory for the memory plan of a job.
enum class MemoryFit {
    now,
    later,  ///< not in the memory that is free now
    never   ///< not even in an empty device
};

/// Compares the memory plan of a job with the memory of the device. May take a while.
using FitMemory = std::function<MemoryFit(JobId job, std::size_t seat)>;

/// The engines for the devices of a computer: one for each usable accelerator, which take jobs for "auto", and one for
/// the CPU. The first seat is the device that "auto" selects.
std::vector<EngineSeat> seats_of(const std::vector<DeviceInfo>& devices);

/// Returns the next job that starts, and where: the first job in the order of the queue for which a suitable device is
/// free, on the first of these devices that can hold it. A job waits for a busy device only if that one can hold it
/// later. Otherwise, it starts on the free device with most memory, because a run can still stream its blocks, and
/// reports what is missing. A job for a device that has no seat starts on the first seat, whose engine reports the
/// error. `fit` is only asked if a job has a choice, or if it is for the CPU while others run, because they share the
/// main memory.
std::optional<SeatChoice> choose_next(const std::vector<StartableJob>& jobs, const std::vector<EngineSeat>& seats,
                                      const FitMemory& fit);

}  // namespace kinescope::remote
