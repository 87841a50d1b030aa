#pragma once

#include <string>
#include <vector>

#include "core/base/cancellation.h"
#include "core/jobs/cancelled_calls.h"
#include "core/jobs/engine_context.h"

namespace kinescope {

class LocalDiagnostics final : public Diagnostics {
public:
    /// `context` must outlive this object.
    explicit LocalDiagnostics(EngineContext& context) : context_(context) {}

    std::vector<DeviceInfo> devices() override;
    DoctorReport doctor(CanaryMode mode) override;
    int forget_overrides() override;
    VerifyReport verify(const std::filesystem::path& case_dir, const VerifyOptions& options) override;
    std::vector<BenchRow> bench(const VideoRequest& request, int repeats) override;
    CompareReport compare(const std::filesystem::path& a, const std::filesystem::path& b,
                          const CompareTolerance& tolerance, CompareId id) override;
    void cancel_compare(CompareId id) override;

    GuardDemoResult guard_demo(GuardDemoRun run) override;
    void cancel_guard_demo() override { demo_stop_.request(); }

private:
    EngineContext& context_;
    CancellationToken demo_stop_;
    CancelledCalls cancelled_compares_;
};

}  // namespace kinescope
