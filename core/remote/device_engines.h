#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/api/engine.h"
#include "core/remote/engine_connection.h"
#include "core/remote/engine_group.h"
#include "core/remote/job_choice.h"

namespace kinescope::remote {

/// Lists the devices of a computer; that of the first engine comes first.
using ListSeats = std::function<std::vector<EngineSeat>(Engine& first)>;
std::vector<EngineSeat> usable_devices(Engine& first);

/// The engines of a computer with several devices. Their jobs start by order (JobStart::by_order), and they share a
/// jobs folder.
struct DeviceEngineFactories {
    MemberFactory first;  ///< for the device that "auto" selects; answers all questions
    /// For another device.
    std::function<std::unique_ptr<Engine>(const std::string& device, RunObserver& observer)> more;
    ListSeats seats = usable_devices;
};

/// Makes one engine with one queue of an engine for each device. A waiting job belongs to no device: the first free
/// engine that can hold it starts it, see choose_next. The other engines are created when a job has to wait for the
/// first one, or requests their device. Throws what `factories.first` throws. `observer` must outlive the engine. It
/// may call for the job of the event only: events come on a thread for each engine, and two that call for each other's
/// job would wait for each other.
std::unique_ptr<Engine> make_device_engines(DeviceEngineFactories factories, RunObserver& observer);

/// The same with each engine in a process of its own. `program`: `kinescope-cli serve` for the first one.
std::unique_ptr<Engine> make_device_engines(EngineProgram program, RunObserver& observer,
                                            ListSeats seats = usable_devices);

}  // namespace kinescope::remote
