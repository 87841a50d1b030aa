#include "core/device/canary_run.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/base/significant.h"
#include "core/device/canary_child.h"
#include "core/device/device_fault.h"
#include "core/device/dtype.h"

namespace kinescope {

bool CanaryReport::is_complete() const {
    return ran() && std::ranges::none_of(results, &ProbeResult::lacked_memory);
}

BackendSwitches CanaryReport::switches() const {
    BackendSwitches all;
    for (const auto& result : results) all |= result.fixed_by;
    return all;
}

FastPaths CanaryReport::fast_paths() const {
    FastPaths good, bad;
    for (const auto& result : results)
        if (const auto path = result.probe.fast_path())
            (result.outcome == ProbeOutcome::passed ? good : bad).insert(*path);
    for (const FastPath path : bad) good.erase(path);
    return good;
}

namespace {

/// Returns the result that a line of a child's output refers to, or nullptr if the index is invalid.
ProbeResult* find_result(std::istringstream& line, std::vector<ProbeResult>& results, int& index) {
    if (!(line >> index) || index < 0 || index >= static_cast<int>(results.size())) return nullptr;
    return &results[static_cast<std::size_t>(index)];
}

void parse_end(std::istringstream& line, ProbeResult& result) {
    std::string error, fast, plain;  // may be "nan" or "inf", which operator>> cannot parse
    line >> error >> result.seconds >> fast >> plain;
    result.message.clear();  // of an earlier run that lacked memory
    result.error = std::strtod(error.c_str(), nullptr);
    result.fast_seconds = std::strtod(fast.c_str(), nullptr);
    result.plain_seconds = std::strtod(plain.c_str(), nullptr);
    result.outcome = result.error <= result.probe.tolerance ? ProbeOutcome::passed : ProbeOutcome::wrong;
    constexpr double kNoise = 1.05;
    const bool is_slower = !(result.fast_seconds <= kNoise * result.plain_seconds);
    if (result.outcome == ProbeOutcome::passed && is_slower) result.outcome = ProbeOutcome::slower;
}

void parse_refusal(std::istringstream& line, ProbeResult& result) {
    std::getline(line >> std::ws, result.message);
    // A lack of memory is not a fault of the device, because another program may be using it. A missing engine counts
    // as a fault, because the device may have none for the dtype.
    const bool is_full = classify_device_message(result.message) == DeviceFault::out_of_memory &&
                         result.message.find(kNoEngine) == std::string::npos;
    result.outcome = is_full ? ProbeOutcome::not_run : ProbeOutcome::refused;
}

/// Returns why the probes of fused kernels were skipped, if the device lacked the memory to load them: they run later,
/// too.
std::string lack_of_memory_for_kernels(const CanaryReport& report) {
    const auto load = std::ranges::find_if(
        report.results, [](const ProbeResult& result) { return result.probe.op == CanaryOp::fused_load; });
    return load != report.results.end() && load->lacked_memory() ? load->message : "";
}

std::string describe_end(const ChildEnd& end) {
    if (end.timed_out) return "the first check exceeded its time limit";
    return end.signal != 0 ? "the process was ended by " + signal_name(end.signal)
                           : "the process ended with exit code " + std::to_string(end.exit_code);
}

bool exited_cleanly(const ChildEnd& end) {
    return end.signal == 0 && !end.timed_out && end.exit_code == 0;
}

void record_crash(const ChildEnd& end, ProbeResult& last) {
    last.outcome = end.timed_out ? ProbeOutcome::hung : ProbeOutcome::killed;
    last.signal = end.timed_out ? 0 : end.signal;
    if (end.signal == 0 && !end.timed_out) last.message = "exit code " + std::to_string(end.exit_code);
}

}  // namespace

int merge_child(const ChildEnd& end, int first, CanaryReport& report) {
    int next = first;
    ProbeResult* open = nullptr;  // started but not finished
    std::istringstream lines(end.output);
    for (std::string text; std::getline(lines, text);) {
        std::istringstream line(text);
        std::string word;
        line >> word;
        if (word == "environment") std::getline(line >> std::ws, report.environment);
        int index = 0;
        ProbeResult* result = find_result(line, report.results, index);
        if (result == nullptr) continue;
        next = index + 1;
        open = word == "begin" ? result : nullptr;
        if (word == "end") parse_end(line, *result);
        if (word == "refused") parse_refusal(line, *result);
        if (word == "skipped") result->message = lack_of_memory_for_kernels(report);
    }
    if (next == first && report.environment.empty()) report.environment = describe_end(end);
    if (open != nullptr && !exited_cleanly(end)) record_crash(end, *open);
    return next;
}

namespace {

class Canary {
public:
    explicit Canary(const CanaryRequest& request) : request_(request), report_(request.known) {
        if (!report_.results.empty()) return;
        for (CanaryProbe& probe : canary_probes(request.device, request.row_layers))
            report_.results.push_back({.probe = std::move(probe)});
    }

    CanaryReport run() && {
        const int count = static_cast<int>(report_.results.size());
        if (request_.known.results.empty()) return run_from(0, count);
        for (int i = 0; i < count && report_.environment.empty(); ++i) {
            if (!result(i).lacked_memory()) continue;
            const int end = end_of_lack(i);
            run_from(i, end);
            if (result(i).lacked_memory()) break;  // the memory is still full
            i = end - 1;
        }
        return std::move(report_);
    }

private:
    static constexpr int kMostChildren = 8;

    /// Runs the probes from `first` to before `end`. Returns the report.
    CanaryReport& run_from(int first, int end) {
        for (int next = first; next < end && report_.environment.empty();) {
            const BackendSwitches before = report_.switches();
            const int reached = run_children(next, end, before);
            find_fixes(next, reached);
            // Too many probes ended their child. The others may pass with the switches that fix these.
            const bool is_same = reached < end && report_.environment.empty() && report_.switches() == before;
            next = is_same && is_hopeless(reached) ? give_up(reached, end) : reached;
        }
        return report_;
    }

    /// Starts children until one of them reaches `end`, but not more than a few, because each loads the libraries.
    /// Returns the index of the first probe that none of them reached.
    int run_children(int first, int end, const BackendSwitches& switches) {
        int next = first;
        for (int children = 0; next < end && children < kMostChildren && report_.environment.empty(); ++children)
            next = merge_child(start({.first = next, .count = end - next, .switches = switches}), next, report_);
        return next;
    }

    void find_fixes(int first, int end) {
        for (int i = first; i < end && report_.environment.empty(); ++i)
            if (result(i).failed()) find_fix(i);
    }

    /// Returns true for probes of the same dtype, or two that the device works without.
    static bool are_alike(const CanaryProbe& a, const CanaryProbe& b) {
        return a.is_optional() == b.is_optional() && (a.is_optional() || a.dtype == b.dtype);
    }

    /// Returns true if kMostChildren probes like this one failed without a fix. The others need not be tried then.
    bool is_hopeless(int index) {
        const CanaryProbe& probe = result(index).probe;
        return std::ranges::count_if(report_.results, [&](const ProbeResult& each) {
                   return are_alike(each.probe, probe) && each.failed() && !each.fixed_by.any();
               }) >= kMostChildren;
    }

    /// Leaves out the probes from `first` on that have the dtype of the first one. They count as failed, unless the
    /// device works without them. Returns the index of the next probe.
    int give_up(int first, int end) {
        const CanaryProbe& like = result(first).probe;
        int next = first;
        for (; next < end && are_alike(result(next).probe, like); ++next) {
            if (like.is_optional()) continue;
            result(next).outcome = ProbeOutcome::refused;
            result(next).message = "not tried, because too many operations before it ended the process";
        }
        return next;
    }

    /// Returns the index of the first probe from `first` on that did not lack memory.
    int end_of_lack(int first) {
        int end = first;
        while (end < std::ssize(report_.results) && result(end).lacked_memory()) ++end;
        return end;
    }

    ProbeResult& result(int index) { return report_.results[static_cast<std::size_t>(index)]; }

    ChildEnd start(CanaryOrder order) const {
        order.device = device_id(request_.device);
        return run_child({.program = request_.program,
                          .arguments = to_arguments(order),
                          .time_limit_seconds = request_.time_limit_seconds,
                          .is_cancelled = request_.is_cancelled});
    }

    void find_fix(int index) {
        ProbeResult& failed = result(index);
        for (const BackendSwitches& switches : alternatives(failed.probe, request_.device)) {
            CanaryReport again{.results = report_.results};
            merge_child(start({.first = index, .count = 1, .switches = switches}), index, again);
            if (again.results[static_cast<std::size_t>(index)].outcome != ProbeOutcome::passed) continue;
            failed.fixed_by = switches;
            return;
        }
    }

    const CanaryRequest& request_;
    CanaryReport report_;
};

std::string microseconds(double seconds) {
    return significant(seconds * 1e6, 3) + " µs";
}

std::string what_happened(const ProbeResult& result) {
    switch (result.outcome) {
        case ProbeOutcome::killed:
            return "ended the process" +
                   (result.signal != 0 ? " by " + signal_name(result.signal) : ": " + result.message);
        case ProbeOutcome::hung:
            return "exceeded its time limit";
        case ProbeOutcome::wrong:
            return std::isfinite(result.error) ? "has a relative error of " + significant(result.error, 3) +
                                                     " (tolerance: " + significant(result.probe.tolerance, 3) + ")"
                                               : "returned NaN or infinity";
        case ProbeOutcome::refused:
            return "failed: " + result.message;
        case ProbeOutcome::slower:
            return "takes " + microseconds(result.fast_seconds) + ", what it replaces " +
                   microseconds(result.plain_seconds);
        default:
            return to_string(result.outcome);
    }
}

}  // namespace

CanaryReport run_canary(const CanaryRequest& request) {
    return Canary(request).run();
}

std::string verdict(const ProbeResult& result) {
    std::string text = result.probe.name + " " + what_happened(result);
    if (!result.failed()) return text;
    if (result.probe.is_optional()) return text + "; it stays off";
    return text + (result.fixed_by.any() ? "; works with " + to_string(result.fixed_by) : "; no workaround was found");
}

namespace {

bool is_not_fixable(const ProbeResult& result) {
    return result.failed() && !result.fixed_by.any() && !result.probe.is_optional();
}

bool fails_in_float32(const CanaryReport& report) {
    const auto is_float32 = [](const ProbeResult& result) {
        return result.probe.dtype == at::kFloat && !result.probe.is_optional();
    };
    const auto fails = [&](const ProbeResult& result) { return is_float32(result) && is_not_fixable(result); };
    const auto failed = std::ranges::count_if(report.results, fails);
    return failed > 0 && 2 * failed >= std::ranges::count_if(report.results, is_float32);
}

LocalizableMessage why_unusable(const CanaryReport& report) {
    if (!report.environment.empty())
        return {.code = "canary_environment",
                .values = {{"error", report.environment}},
                .text = "the canary could not run: " + report.environment};
    if (!fails_in_float32(report)) return {};
    const auto first = std::ranges::find_if(report.results, is_not_fixable);
    return {.code = "canary_failed",
            .values = {{"verdict", verdict(*first)}},
            .text = "most float32 checks failed; the first: " + verdict(*first)};
}

}  // namespace

DeviceCapability apply_canary(DeviceCapability device, const CanaryReport& report) {
    if (device.unusable.empty()) device.unusable = why_unusable(report);
    device.fast_paths = report.fast_paths();
    for (const ProbeResult& result : report.results)
        if (is_not_fixable(result) && result.probe.dtype != at::kFloat)
            device.faulty_dtypes.insert(dtype_name(result.probe.dtype));
    return device;
}

}  // namespace kinescope
