#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/api/compare_report.h"
#include "core/api/device_info.h"
#include "core/api/doctor_report.h"
#include "core/api/guard_demo.h"
#include "core/api/video_request.h"

namespace kinescope {

/// Comparison of one tensor with its golden reference.
struct VerifyRow {
    std::string component;
    std::string tensor;
    double max_abs_error = 0;
    double relative_error = 0;  ///< max_abs_error / max abs of the reference
    double psnr_db = 0;         ///< frames only
    double tolerance = 0;
    bool passed = false;
    std::string first_different_block;
};

/// Device and dtype for replaying a golden case.
struct VerifyOptions {
    std::string device = "cpu";  ///< as in a request
    std::string dtype = "fp32";  ///< compute dtype of every component
};

struct VerifyReport {
    std::filesystem::path case_dir;
    std::vector<VerifyRow> rows;
    bool passed = false;
};

struct BenchRow {
    std::string name;  ///< "denoise step", "decode" ...; "denoise: gemm" is the share of one op type in a phase
    double median_seconds = 0;
    double min_seconds = 0;
    double max_seconds = 0;
    int repeats = 0;
    double ratio = 0;  ///< median_seconds divided by the time of `compared_to`; 0: not compared
    std::string compared_to = {};
};

/// Limits within which two runs count as equal.
struct CompareTolerance {
    double relative = 1e-3;  ///< largest difference of a statistic, divided by the site's max_abs
    double psnr_db = 40.0;   ///< minimum PSNR of a frame
};

/// A call of verify, bench, compare or guard_demo that can be cancelled, chosen by the caller: unique among all of
/// them, or 0 for a call without an id.
using DiagnosticId = std::int64_t;

/// Checks of the machine and of results. Arguments and results are plain values, so that a proxy in another process
/// could implement the interface. Every method may be called from any thread and blocks until it is done.
class Diagnostics {
public:
    virtual ~Diagnostics() = default;

    /// Returns the devices of this machine, the automatic choice first.
    virtual std::vector<DeviceInfo> devices() = 0;
    /// Reports libraries, devices, canary results and known problems. Takes up to a minute if a device must be tested.
    virtual DoctorReport doctor(CanaryMode mode) = 0;
    /// Deletes all learned overrides. Returns the number of device and model combinations that had any.
    virtual int forget_overrides() = 0;
    /// Replays a golden case and compares every output within the tolerance of the device and dtype. Throws
    /// Error(cancelled) after cancel_diagnostic(id), and Error.
    virtual VerifyReport verify(const std::filesystem::path& case_dir, const VerifyOptions& options = {},
                                DiagnosticId id = 0) = 0;
    /// Times the parts of a request. Throws Error(cancelled) after cancel_diagnostic(id), and Error.
    virtual std::vector<BenchRow> bench(const VideoRequest& request, int repeats, DiagnosticId id = 0) = 0;
    /// Compares two numeric logs or two videos. Throws Error(cancelled) after cancel_diagnostic(id), and Error.
    virtual CompareReport compare(const std::filesystem::path& a, const std::filesystem::path& b,
                                  const CompareTolerance& tolerance, DiagnosticId id = 0) = 0;
    /// Runs the guard demonstration once on the CPU: the built-in model with one op whose values leave the float16
    /// range. Writes no video and learns no overrides. Returns a failed run as a result. Throws Error(unsupported)
    /// while a job is running, and Error(cancelled) after cancel_diagnostic(id).
    virtual GuardDemoResult guard_demo(GuardDemoRun run, DiagnosticId id = 0) = 0;
    /// Makes the call with this id stop: one that computes within one transformer block, one that waits for a job after
    /// it, one that is called later at once. 0 stops all calls without an id that have begun, and no later ones.
    /// Returns immediately.
    virtual void cancel_diagnostic(DiagnosticId id) = 0;
};

}  // namespace kinescope
