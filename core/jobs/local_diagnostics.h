#pragma once

#include <string>
#include <vector>

#include "core/jobs/call_tokens.h"
#include "core/jobs/engine_context.h"

namespace kinescope {

class LocalDiagnostics final : public Diagnostics {
public:
    /// `context` must outlive this object.
    explicit LocalDiagnostics(EngineContext& context) : context_(context) {}

    std::vector<DeviceInfo> devices() override;
    DoctorReport doctor(CanaryMode mode) override;
    int forget_overrides() override;
    VerifyReport verify(const std::filesystem::path& case_dir, const VerifyOptions& options, DiagnosticId id) override;
    std::vector<BenchRow> bench(const VideoRequest& request, int repeats, DiagnosticId id) override;
    CompareReport compare(const std::filesystem::path& a, const std::filesystem::path& b,
                          const CompareTolerance& tolerance, DiagnosticId id) override;
    GuardDemoResult guard_demo(GuardDemoRun run, DiagnosticId id) override;
    void cancel_diagnostic(DiagnosticId id) override { stops_.cancel(id); }

private:
    EngineContext& context_;
    CallTokens stops_;
};

}  // namespace kinescope
