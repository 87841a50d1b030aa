#pragma once

#include <array>
#include <string_view>

#include "core/api/engine.h"
#include "core/protocol/value_codec.h"

// The names of the enumerators in messages, in the order of the enumerators.
namespace kinescope::protocol {

/// The names that to_string() returns, from the first enumerator to `last`.
template <class Enum, Enum last>
std::array<std::string, static_cast<std::size_t>(last) + 1> names_up_to() {
    std::array<std::string, static_cast<std::size_t>(last) + 1> names;
    for (std::size_t index = 0; index < names.size(); ++index) names[index] = to_string(static_cast<Enum>(index));
    return names;
}

template <>
struct EnumNames<Phase> {
    static inline const auto all = names_up_to<Phase, Phase::save>();
};
template <>
struct EnumNames<ErrorCode> {
    static inline const auto all = names_up_to<ErrorCode, ErrorCode::internal>();
};
template <>
struct EnumNames<Detector> {
    static inline const auto all = names_up_to<Detector, Detector::memory>();
};
template <>
struct EnumNames<GuardAction> {
    static inline const auto all = names_up_to<GuardAction, GuardAction::stop>();
};
template <>
struct EnumNames<LogLineLevel> {
    static inline const auto all = names_up_to<LogLineLevel, LogLineLevel::error>();
};
template <>
struct EnumNames<LogTopic> {
    static inline const auto all = names_up_to<LogTopic, LogTopic::unsaved_steps>();
};
template <>
struct EnumNames<RunStatus> {
    static inline const auto all = names_up_to<RunStatus, RunStatus::failed>();
};
template <>
struct EnumNames<AfterEngineEnd> {
    static inline const auto all = names_up_to<AfterEngineEnd, AfterEngineEnd::lost>();
};
template <>
struct EnumNames<JobState> {
    static inline const auto all = names_up_to<JobState, JobState::cancelled>();
};
template <>
struct EnumNames<Task> {
    static inline const auto all = names_up_to<Task, Task::first_last_frame_to_video>();
};
template <>
struct EnumNames<GuidanceMethod> {
    static inline const auto all = names_up_to<GuidanceMethod, GuidanceMethod::nag>();
};
template <>
struct EnumNames<VideoUse> {
    static constexpr std::array<std::string_view, 3> all{"none", "start", "control"};
};
template <>
struct EnumNames<Continuation> {
    static constexpr std::array<std::string_view, 4> all{"none", "last_frame", "last_latents", "control"};
};
template <>
struct EnumNames<ElementType> {
    static inline const auto all = names_up_to<ElementType, ElementType::int8>();
};
template <>
struct EnumNames<PrecisionLevel> {
    static inline const auto all = names_up_to<PrecisionLevel, PrecisionLevel::float32>();
};
template <>
struct EnumNames<SiteKind> {
    static constexpr std::array<std::string_view, 8> all{"block",          "attention",        "feed_forward",
                                                         "prediction",     "guidance",         "latents",
                                                         "latents_spread", "latents_unchanged"};
    static_assert(all.size() == static_cast<std::size_t>(SiteKind::latents_unchanged) + 1);
};
template <>
struct EnumNames<PredictionSource> {
    static constexpr std::array<std::string_view, 2> all{"computed", "reused"};
};
template <>
struct EnumNames<FinishStage> {
    static constexpr std::array<std::string_view, 2> all{"frames", "file"};
};
template <>
struct EnumNames<PreviewKind> {
    static constexpr std::array<std::string_view, 2> all{"latent", "decoded"};
};
template <>
struct EnumNames<PresetNeeds> {
    static constexpr std::array<std::string_view, 2> all{"nothing", "lora"};
};
template <>
struct EnumNames<GpuNeed> {
    static constexpr std::array<std::string_view, 4> all{"nothing", "newer_driver", "download", "restart"};
};
template <>
struct EnumNames<GpuSupportStep> {
    static constexpr std::array<std::string_view, 2> all{"download", "unpack"};
};
template <>
struct EnumNames<GuardDemoRun> {
    static constexpr std::array<std::string_view, 3> all{"reference", "unguarded", "guarded"};
};
template <>
struct EnumNames<CompareKind> {
    static inline const auto all = names_up_to<CompareKind, CompareKind::videos>();
};
template <>
struct EnumNames<SettingAspect> {
    static constexpr std::array<std::string_view, 5> all{"field", "compute", "storage", "device", "num_frames"};
    static_assert(all.size() == static_cast<std::size_t>(SettingAspect::num_frames) + 1);
};
template <>
struct EnumNames<Statistic> {
    static inline const auto all = names_up_to<Statistic, Statistic::inf>();
};
template <>
struct EnumNames<CanaryKind> {
    static inline const auto all = names_up_to<CanaryKind, CanaryKind::layers>();
};
template <>
struct EnumNames<CanaryFallback> {
    static inline const auto all = names_up_to<CanaryFallback, CanaryFallback::plain_ops>();
};
template <>
struct EnumNames<ProbeOutcome> {
    static inline const auto all = names_up_to<ProbeOutcome, ProbeOutcome::slower>();
};
template <>
struct EnumNames<CanaryMode> {
    static constexpr std::array<std::string_view, 2> all{"cached", "fresh"};
};
template <>
struct EnumNames<RemainingSteps> {
    static constexpr std::array<std::string_view, 2> all{"computed", "skipped"};
};
template <>
struct EnumNames<PausePoint> {
    static constexpr std::array<std::string_view, 2> all{"after_step", "at_once"};
};

}  // namespace kinescope::protocol
