#include "core/protocol/schema.h"

#include "core/base/sha256.h"
#include "core/protocol/message_codecs.h"

namespace kinescope::protocol {

namespace {

/// Writes one table per struct.
class SchemaWriter {
public:
    template <class... Structs>
    std::string write() {
        (write_struct<Structs>(), ...);
        return std::move(text_);
    }

private:
    template <class Struct>
    void write_struct() {
        text_ += "\n### " + Codec<Struct>::type() + "\n\n";
        if (Codec<Struct>::kNumFields == 0) {
            text_ += "No members.\n";
            return;
        }
        text_ += "| Member | Type |\n|---|---|\n";
        Codec<Struct>::visit([&]<class Member>(const Field<Struct, Member>& field) {
            text_ += "| `" + std::string(field.name) + "` | " + Codec<Member>::type() + " |\n";
        });
    }

    std::string text_;
};

}  // namespace

std::string schema_text() {
    const std::string messages = SchemaWriter().write<Hello, Request, Answer, AnswerFrames, EventMessage, Heartbeat>();
    const std::string events =
        SchemaWriter()
            .write<RunStarted, PhaseStarted, PhaseProgress, StepCompleted, PreviewReady, NumericsReady,
                   RoundingMeasured, GuardActed, LogLine, RunFinished, RunCancelled, RunPaused, QueueChanged,
                   FileCheckProgress, ExportProgress, FinishProgress, GpuSupportProgress, EngineEnded>();
    const std::string values =
        SchemaWriter()
            .write<Job, ModelCard, Size, CardField, Vocabulary, CheckpointDescription, ComponentDescription, FileCheck,
                   WeightFault, PresetInfo, Plan, PhasePlan, ComponentPolicy, LocalizableMessage, DeviceInfo,
                   DoctorReport, DeviceReport, CanaryFinding, KnownBad, DeviceAbility, LearnedOverride, VerifyOptions,
                   VerifyReport, VerifyRow, BenchRow, CompareTolerance, CompareReport, DifferentSetting, LoggedPlace,
                   StatisticDifference, FrameDifference, LengthDifference, CountDifference, GuardDemoResult, RunResult,
                   NumericSample, TensorStats, ComputePrecision, OnDevice, FrameSelection, VideoDescription,
                   ExportRequest, ExportResult, ExportEstimate, FinishRequest, FinishResult, GpuSetup>();
    return "## Messages\n" + messages + "\n## Events\n" + events + "\n## Values\n" + values;
}

std::string schema_hash() {
    constexpr std::size_t kDigits = 16;
    const std::string text = schema_text();
    Sha256 hash;
    hash.add(std::as_bytes(std::span(text)));
    return hash.finish().substr(0, kDigits);
}

}  // namespace kinescope::protocol
