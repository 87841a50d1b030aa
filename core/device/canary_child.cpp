#include "core/device/canary_child.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <stdexcept>
#include <thread>

#include "core/base/child_process.h"
#include "core/base/stopwatch.h"
#include "core/device/backend.h"
#include "core/device/device_fault.h"
#include "core/device/device_memory.h"

namespace kinescope {

namespace {

const std::map<std::string, bool BackendSwitches::*, std::less<>> kSwitches = {
    {"plain-cublas", &BackendSwitches::plain_cublas},
    {"no-cudnn", &BackendSwitches::no_cudnn},
    {"no-onednn", &BackendSwitches::no_onednn}};

std::optional<int> parse_index(const std::string& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

std::string one_line(std::string text) {
    return text.substr(0, text.find('\n'));
}

}  // namespace

std::vector<std::string> to_arguments(const CanaryOrder& order) {
    std::vector<std::string> words = {kCanaryCommand, order.device, std::to_string(order.first),
                                      std::to_string(order.count)};
    for (const auto& [name, member] : kSwitches)
        if (order.switches.*member) words.push_back(name);
    return words;
}

std::optional<CanaryOrder> parse_order(const std::vector<std::string>& arguments) {
    if (arguments.size() < 4 || arguments[0] != kCanaryCommand) return std::nullopt;
    const auto first = parse_index(arguments[2]);
    const auto count = parse_index(arguments[3]);
    if (!first || !count) return std::nullopt;
    CanaryOrder order{.device = arguments[1], .first = *first, .count = *count, .switches = {}};
    for (std::size_t i = 4; i < arguments.size(); ++i) {
        const auto found = kSwitches.find(arguments[i]);
        if (found == kSwitches.end()) return std::nullopt;
        order.switches.*(found->second) = true;
    }
    return order;
}

std::optional<PlantedFault> parse_planted_fault(std::string_view text) {
    const auto first = text.find(':');
    if (first == std::string_view::npos) return std::nullopt;
    const auto second = text.find(':', first + 1);
    PlantedFault fault{.probe = std::string(text.substr(0, first)),
                       .what = std::string(text.substr(first + 1, second - first - 1))};
    fault.spares_alternatives = second != std::string_view::npos && text.substr(second + 1) == "planned";
    return fault;
}

namespace {

/// Replaces the name of a probe for a fault before the first probe.
constexpr const char* kEnvironment = "environment";

/// Raises the signal, hangs or throws. Does nothing for any other word.
void plant_fault(const std::string& what) {
    static const std::map<std::string, int> signals = {{"SIGFPE", SIGFPE}, {"SIGSEGV", SIGSEGV},
                                                       {"SIGILL", SIGILL}, {"SIGABRT", SIGABRT},
                                                       {"SIGBUS", SIGBUS}, {"SIGKILL", SIGKILL}};
    if (what == "hang")
        for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    if (what == "no-driver") throw std::runtime_error("CUDA driver version is insufficient");
    if (what == "full") throw std::runtime_error("CUDA out of memory");
    if (what == "lost") throw std::runtime_error("CUDA error: CUBLAS_STATUS_EXECUTION_FAILED");
    if (const auto found = signals.find(what); found != signals.end()) std::raise(found->second);
}

class Child {
public:
    Child(const CanaryOrder& order, const RowLayers& row_layers) : order_(order), row_layers_(row_layers) {
        if (const char* text = std::getenv("KINESCOPE_CANARY_FAULT")) fault_ = parse_planted_fault(text);
    }

    int run() {
        const c10::InferenceMode no_gradients;
        const DeviceCapability device = prepare_device();
        const auto probes = canary_probes(device, row_layers_);
        const int end = std::min(order_.first + order_.count, static_cast<int>(probes.size()));
        for (int i = order_.first; i < end && is_alive_; ++i) {
            const CanaryProbe& probe = probes[static_cast<std::size_t>(i)];
            if (loads_kernels_ || !probe.is_fused())
                try_probe(i, probe);
            else
                say("skipped %d\n", i);
        }
        return 0;
    }

private:
    /// Detects a missing library, an outdated driver or a GPU whose memory another program uses. These faults say
    /// nothing about the operations, so they are reported before the first probe.
    DeviceCapability prepare_device() {
        DeviceCapability device = choose_device(order_.device, known_devices());
        apply_numeric_settings(HalfAccumulation::forbidden);
        apply_backend_switches(order_.switches);
        if (fault_ && fault_->probe == kEnvironment) plant_fault(fault_->what);
        (at::ones({2}, at::TensorOptions().device(Device(order_.device))) + 1).cpu();
        return device;
    }

    void try_probe(int index, const CanaryProbe& probe) {
        const Stopwatch watch;
        say("begin %d\n", index);
        try {
            // Kernels and handles of libraries are loaded into memory that LibTorch's caches could fill.
            release_memory(Device(order_.device));
            const bool is_faulty = has_fault(probe);
            if (is_faulty) plant_fault(fault_->what);
            const ProbeMeasurement found = is_faulty && fault_->what == "wrong"
                                               ? ProbeMeasurement{.error = 1.0}
                                               : run_probe(probe, Device(order_.device));
            say("end %d %.9g %.3f %.9g %.9g\n", index, found.error, watch.seconds(), found.fast_seconds,
                found.plain_seconds);
        } catch (const std::exception& error) {
            is_alive_ = device_fault(error) != DeviceFault::lost;
            loads_kernels_ = loads_kernels_ && probe.op != CanaryOp::fused_load;
            say("refused %d %s\n", index, one_line(error.what()).c_str());
        }
    }

    bool has_fault(const CanaryProbe& probe) const {
        if (!fault_ || (fault_->spares_alternatives && order_.switches.any())) return false;
        return probe.name.find(fault_->probe) != std::string::npos;
    }

    template <class... Values>
    static void say(const char* format, Values... values) {
        std::printf(format, values...);
        std::fflush(stdout);
    }

    const CanaryOrder& order_;
    const RowLayers& row_layers_;
    std::optional<PlantedFault> fault_;
    bool is_alive_ = true;       ///< whether the device still works in this process
    bool loads_kernels_ = true;  ///< false if the fused kernels cannot be loaded, so that their probes are left out
};

}  // namespace

int run_canary_child(const CanaryOrder& order, const RowLayers& row_layers) {
    end_with_parent(ParentChannel::output);  // a probe may hang
    try {
        return Child(order, row_layers).run();
    } catch (const std::exception& error) {
        std::printf("environment %s\n", one_line(error.what()).c_str());
        return 1;
    }
}

}  // namespace kinescope
