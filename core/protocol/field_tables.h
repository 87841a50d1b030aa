#pragma once

#include "core/protocol/enum_names.h"

// The members of all structs that messages contain, with their names in messages. If a table lacks a member,
// value_codec.h does not compile.
namespace kinescope::protocol {

template <>
struct Fields<LocalizableMessage> {
    static constexpr const char* name = "LocalizableMessage";
    static constexpr std::tuple all{Field{"code", &LocalizableMessage::code},
                                    Field{"values", &LocalizableMessage::values},
                                    Field{"text", &LocalizableMessage::text}};
};
template <>
struct Fields<DeviceInfo> {
    static constexpr const char* name = "DeviceInfo";
    static constexpr std::tuple all{Field{"id", &DeviceInfo::id},
                                    Field{"name", &DeviceInfo::name},
                                    Field{"capability", &DeviceInfo::capability},
                                    Field{"memory_total_bytes", &DeviceInfo::memory_total_bytes},
                                    Field{"memory_free_bytes", &DeviceInfo::memory_free_bytes},
                                    Field{"memory_limit", &DeviceInfo::memory_limit},
                                    Field{"dtypes", &DeviceInfo::dtypes},
                                    Field{"compute_dtype", &DeviceInfo::compute_dtype},
                                    Field{"reason", &DeviceInfo::reason},
                                    Field{"driver", &DeviceInfo::driver},
                                    Field{"unusable", &DeviceInfo::unusable}};
};
template <>
struct Fields<VerifyRow> {
    static constexpr const char* name = "VerifyRow";
    static constexpr std::tuple all{Field{"component", &VerifyRow::component},
                                    Field{"tensor", &VerifyRow::tensor},
                                    Field{"max_abs_error", &VerifyRow::max_abs_error},
                                    Field{"relative_error", &VerifyRow::relative_error},
                                    Field{"psnr_db", &VerifyRow::psnr_db},
                                    Field{"tolerance", &VerifyRow::tolerance},
                                    Field{"passed", &VerifyRow::passed},
                                    Field{"first_different_block", &VerifyRow::first_different_block}};
};
template <>
struct Fields<VerifyOptions> {
    static constexpr const char* name = "VerifyOptions";
    static constexpr std::tuple all{Field{"device", &VerifyOptions::device}, Field{"dtype", &VerifyOptions::dtype}};
};
template <>
struct Fields<VerifyReport> {
    static constexpr const char* name = "VerifyReport";
    static constexpr std::tuple all{Field{"case_dir", &VerifyReport::case_dir}, Field{"rows", &VerifyReport::rows},
                                    Field{"passed", &VerifyReport::passed}};
};
template <>
struct Fields<BenchRow> {
    static constexpr const char* name = "BenchRow";
    static constexpr std::tuple all{Field{"name", &BenchRow::name},
                                    Field{"median_seconds", &BenchRow::median_seconds},
                                    Field{"min_seconds", &BenchRow::min_seconds},
                                    Field{"max_seconds", &BenchRow::max_seconds},
                                    Field{"repeats", &BenchRow::repeats},
                                    Field{"ratio", &BenchRow::ratio},
                                    Field{"compared_to", &BenchRow::compared_to}};
};
template <>
struct Fields<CompareTolerance> {
    static constexpr const char* name = "CompareTolerance";
    static constexpr std::tuple all{Field{"relative", &CompareTolerance::relative},
                                    Field{"psnr_db", &CompareTolerance::psnr_db}};
};
template <>
struct Fields<DifferentSetting> {
    static constexpr const char* name = "DifferentSetting";
    static constexpr std::tuple all{Field{"aspect", &DifferentSetting::aspect}, Field{"name", &DifferentSetting::name},
                                    Field{"a", &DifferentSetting::a}, Field{"b", &DifferentSetting::b}};
};
template <>
struct Fields<LoggedPlace> {
    static constexpr const char* name = "LoggedPlace";
    static constexpr std::tuple all{Field{"phase", &LoggedPlace::phase}, Field{"step", &LoggedPlace::step},
                                    Field{"branch", &LoggedPlace::branch}, Field{"component", &LoggedPlace::component},
                                    Field{"site", &LoggedPlace::site}};
};
template <>
struct Fields<StatisticDifference> {
    static constexpr const char* name = "StatisticDifference";
    static constexpr std::tuple all{Field{"place", &StatisticDifference::place},
                                    Field{"statistic", &StatisticDifference::statistic},
                                    Field{"a", &StatisticDifference::a}, Field{"b", &StatisticDifference::b},
                                    Field{"relative", &StatisticDifference::relative}};
};
template <>
struct Fields<FrameDifference> {
    static constexpr const char* name = "FrameDifference";
    static constexpr std::tuple all{Field{"frame", &FrameDifference::frame},
                                    Field{"psnr_db", &FrameDifference::psnr_db}};
};
template <>
struct Fields<LengthDifference> {
    static constexpr const char* name = "LengthDifference";
    static constexpr std::tuple all{Field{"num_frames", &LengthDifference::num_frames}};
};
template <>
struct Fields<CountDifference> {
    static constexpr const char* name = "CountDifference";
    static constexpr std::tuple all{Field{"place", &CountDifference::place}, Field{"a", &CountDifference::a},
                                    Field{"b", &CountDifference::b}};
};
template <>
struct Fields<CompareReport> {
    static constexpr const char* name = "CompareReport";
    static constexpr std::tuple all{Field{"kind", &CompareReport::kind},
                                    Field{"settings", &CompareReport::settings},
                                    Field{"first_difference", &CompareReport::first_difference},
                                    Field{"largest_difference", &CompareReport::largest_difference},
                                    Field{"largest_place", &CompareReport::largest_place},
                                    Field{"num_compared", &CompareReport::num_compared},
                                    Field{"num_frames_a", &CompareReport::num_frames_a},
                                    Field{"num_frames_b", &CompareReport::num_frames_b},
                                    Field{"num_in_a", &CompareReport::num_in_a},
                                    Field{"num_in_b", &CompareReport::num_in_b},
                                    Field{"num_other_count", &CompareReport::num_other_count},
                                    Field{"other_count", &CompareReport::other_count},
                                    Field{"num_unpaired", &CompareReport::num_unpaired},
                                    Field{"problems", &CompareReport::problems},
                                    Field{"psnr_db", &CompareReport::psnr_db},
                                    Field{"passed", &CompareReport::passed}};
};
template <>
struct Fields<KnownBad> {
    static constexpr const char* name = "KnownBad";
    static constexpr std::tuple all{Field{"id", &KnownBad::id}, Field{"what", &KnownBad::what},
                                    Field{"fix", &KnownBad::fix}, Field{"link", &KnownBad::link}};
};
template <>
struct Fields<CanaryFinding> {
    static constexpr const char* name = "CanaryFinding";
    static constexpr std::tuple all{Field{"kind", &CanaryFinding::kind},
                                    Field{"probe", &CanaryFinding::probe},
                                    Field{"outcome", &CanaryFinding::outcome},
                                    Field{"error", &CanaryFinding::error},
                                    Field{"tolerance", &CanaryFinding::tolerance},
                                    Field{"seconds", &CanaryFinding::seconds},
                                    Field{"verdict", &CanaryFinding::verdict},
                                    Field{"fallbacks", &CanaryFinding::fallbacks},
                                    Field{"alternative", &CanaryFinding::alternative}};
};
template <>
struct Fields<LearnedOverride> {
    static constexpr const char* name = "LearnedOverride";
    static constexpr std::tuple all{
        Field{"device", &LearnedOverride::device},     Field{"driver", &LearnedOverride::driver},
        Field{"libtorch", &LearnedOverride::libtorch}, Field{"model", &LearnedOverride::model},
        Field{"learned", &LearnedOverride::learned},   Field{"component", &LearnedOverride::component},
        Field{"site", &LearnedOverride::site},         Field{"precision", &LearnedOverride::precision}};
};
template <>
struct Fields<Size> {
    static constexpr const char* name = "Size";
    static constexpr std::tuple all{Field{"width", &Size::width}, Field{"height", &Size::height}};
};
template <>
struct Fields<DeviceAbility> {
    static constexpr const char* name = "DeviceAbility";
    static constexpr std::tuple all{Field{"id", &DeviceAbility::id},
                                    Field{"model", &DeviceAbility::model},
                                    Field{"precision", &DeviceAbility::precision},
                                    Field{"size", &DeviceAbility::size},
                                    Field{"num_frames", &DeviceAbility::num_frames},
                                    Field{"fps", &DeviceAbility::fps},
                                    Field{"memory_bytes", &DeviceAbility::memory_bytes},
                                    Field{"seconds", &DeviceAbility::seconds}};
};
template <>
struct Fields<ComponentPolicy> {
    static constexpr const char* name = "ComponentPolicy";
    static constexpr std::tuple all{Field{"component", &ComponentPolicy::component},
                                    Field{"stored", &ComponentPolicy::stored},
                                    Field{"storage", &ComponentPolicy::storage},
                                    Field{"compute", &ComponentPolicy::compute},
                                    Field{"accumulation", &ComponentPolicy::accumulation},
                                    Field{"attention", &ComponentPolicy::attention},
                                    Field{"device", &ComponentPolicy::device},
                                    Field{"requested", &ComponentPolicy::requested},
                                    Field{"reason", &ComponentPolicy::reason}};
};
template <>
struct Fields<DeviceReport> {
    static constexpr const char* name = "DeviceReport";
    static constexpr std::tuple all{Field{"device", &DeviceReport::device},
                                    Field{"canary", &DeviceReport::canary},
                                    Field{"canary_summary", &DeviceReport::canary_summary},
                                    Field{"known_bad", &DeviceReport::known_bad},
                                    Field{"policy", &DeviceReport::policy},
                                    Field{"abilities", &DeviceReport::abilities}};
};
template <>
struct Fields<DoctorReport> {
    static constexpr const char* name = "DoctorReport";
    static constexpr std::tuple all{
        Field{"version", &DoctorReport::version}, Field{"libraries", &DoctorReport::libraries},
        Field{"settings", &DoctorReport::settings}, Field{"devices", &DoctorReport::devices},
        Field{"overrides", &DoctorReport::overrides}};
};
template <>
struct Fields<WeightFault> {
    static constexpr const char* name = "WeightFault";
    static constexpr std::tuple all{
        Field{"tensor", &WeightFault::tensor},         Field{"dtype", &WeightFault::dtype},
        Field{"count", &WeightFault::count},           Field{"non_finite", &WeightFault::non_finite},
        Field{"bad_scales", &WeightFault::bad_scales}, Field{"saturated", &WeightFault::saturated}};
};
template <>
struct Fields<FileCheck> {
    static constexpr const char* name = "FileCheck";
    static constexpr std::tuple all{
        Field{"file", &FileCheck::file},       Field{"bytes", &FileCheck::bytes},
        Field{"sha256", &FileCheck::sha256},   Field{"published", &FileCheck::published},
        Field{"checked", &FileCheck::checked}, Field{"num_tensors", &FileCheck::num_tensors},
        Field{"faults", &FileCheck::faults}};
};
template <>
struct Fields<FileCheckProgress> {
    static constexpr const char* name = "FileCheckProgress";
    static constexpr std::tuple all{Field{"check", &FileCheckProgress::check}, Field{"done", &FileCheckProgress::done},
                                    Field{"total", &FileCheckProgress::total}};
};
template <>
struct Fields<FrameSelection> {
    static constexpr const char* name = "FrameSelection";
    static constexpr std::tuple all{Field{"max_frames", &FrameSelection::max_frames},
                                    Field{"max_width_px", &FrameSelection::max_width_px}};
};
template <>
struct Fields<GpuSetup> {
    static constexpr const char* name = "GpuSetup";
    static constexpr std::tuple all{Field{"need", &GpuSetup::need},
                                    Field{"card", &GpuSetup::card},
                                    Field{"driver_cuda", &GpuSetup::driver_cuda},
                                    Field{"needed_cuda", &GpuSetup::needed_cuda},
                                    Field{"needed_driver", &GpuSetup::needed_driver},
                                    Field{"download_bytes", &GpuSetup::download_bytes},
                                    Field{"bytes_to_download", &GpuSetup::bytes_to_download}};
};
template <>
struct Fields<GpuSupportProgress> {
    static constexpr const char* name = "GpuSupportProgress";
    static constexpr std::tuple all{Field{"step", &GpuSupportProgress::step}, Field{"file", &GpuSupportProgress::file},
                                    Field{"downloaded", &GpuSupportProgress::downloaded},
                                    Field{"download_bytes", &GpuSupportProgress::download_bytes}};
};
template <>
struct Fields<Vocabulary> {
    static constexpr const char* name = "Vocabulary";
    static constexpr std::tuple all{Field{"words", &Vocabulary::words}, Field{"hint", &Vocabulary::hint}};
};
template <>
struct Fields<CardField> {
    static constexpr const char* name = "CardField";
    static constexpr std::tuple all{Field{"name", &CardField::name}, Field{"default_value", &CardField::default_value},
                                    Field{"min", &CardField::min}, Field{"max", &CardField::max}};
};
template <>
struct Fields<ModelCard> {
    static constexpr const char* name = "ModelCard";
    static constexpr std::tuple all{Field{"id", &ModelCard::id},
                                    Field{"name", &ModelCard::name},
                                    Field{"family", &ModelCard::family},
                                    Field{"variant", &ModelCard::variant},
                                    Field{"tasks", &ModelCard::tasks},
                                    Field{"recognized_by", &ModelCard::recognized_by},
                                    Field{"missing", &ModelCard::missing},
                                    Field{"takes_prompt", &ModelCard::takes_prompt},
                                    Field{"default_size", &ModelCard::default_size},
                                    Field{"sizes", &ModelCard::sizes},
                                    Field{"size_multiple", &ModelCard::size_multiple},
                                    Field{"max_side", &ModelCard::max_side},
                                    Field{"default_num_frames", &ModelCard::default_num_frames},
                                    Field{"num_frames_multiple", &ModelCard::num_frames_multiple},
                                    Field{"num_frames_offset", &ModelCard::num_frames_offset},
                                    Field{"max_num_frames", &ModelCard::max_num_frames},
                                    Field{"default_fps", &ModelCard::default_fps},
                                    Field{"default_num_inference_steps", &ModelCard::default_num_inference_steps},
                                    Field{"default_guidance_scale", &ModelCard::default_guidance_scale},
                                    Field{"default_guidance_scale_2", &ModelCard::default_guidance_scale_2},
                                    Field{"default_use_dynamic_cfg", &ModelCard::default_use_dynamic_cfg},
                                    Field{"default_flow_shift", &ModelCard::default_flow_shift},
                                    Field{"default_negative_prompt", &ModelCard::default_negative_prompt},
                                    Field{"prompt_suffix", &ModelCard::prompt_suffix},
                                    Field{"max_sequence_length", &ModelCard::max_sequence_length},
                                    Field{"extra_fields", &ModelCard::extra_fields},
                                    Field{"schedulers", &ModelCard::schedulers},
                                    Field{"takes_conditions", &ModelCard::takes_conditions},
                                    Field{"offers_vae_tiling", &ModelCard::offers_vae_tiling},
                                    Field{"scheduler_fault", &ModelCard::scheduler_fault},
                                    Field{"training_dtype", &ModelCard::training_dtype},
                                    Field{"fp16_safe", &ModelCard::fp16_safe},
                                    Field{"vae_dtype", &ModelCard::vae_dtype},
                                    Field{"float32_names", &ModelCard::float32_names},
                                    Field{"example_prompts", &ModelCard::example_prompts},
                                    Field{"vocabulary", &ModelCard::vocabulary},
                                    Field{"latent_rgb_factors", &ModelCard::latent_rgb_factors},
                                    Field{"latent_rgb_bias", &ModelCard::latent_rgb_bias},
                                    Field{"guidance_methods", &ModelCard::guidance_methods},
                                    Field{"num_blocks", &ModelCard::num_blocks},
                                    Field{"default_skip_layers", &ModelCard::default_skip_layers},
                                    Field{"offers_variations", &ModelCard::offers_variations},
                                    Field{"tiny_decoders", &ModelCard::tiny_decoders},
                                    Field{"video_use", &ModelCard::video_use},
                                    Field{"continuation", &ModelCard::continuation},
                                    Field{"default_strength", &ModelCard::default_strength},
                                    Field{"num_control_blocks", &ModelCard::num_control_blocks}};
};
template <>
struct Fields<ComponentDescription> {
    static constexpr const char* name = "ComponentDescription";
    static constexpr std::tuple all{Field{"name", &ComponentDescription::name},
                                    Field{"kind", &ComponentDescription::kind},
                                    Field{"naming", &ComponentDescription::naming},
                                    Field{"files", &ComponentDescription::files},
                                    Field{"num_tensors", &ComponentDescription::num_tensors},
                                    Field{"num_parameters", &ComponentDescription::num_parameters},
                                    Field{"bytes", &ComponentDescription::bytes},
                                    Field{"dtypes", &ComponentDescription::dtypes},
                                    Field{"checks", &ComponentDescription::checks}};
};
template <>
struct Fields<CheckpointDescription> {
    static constexpr const char* name = "CheckpointDescription";
    static constexpr std::tuple all{
        Field{"path", &CheckpointDescription::path},       Field{"card", &CheckpointDescription::card},
        Field{"layout", &CheckpointDescription::layout},   Field{"components", &CheckpointDescription::components},
        Field{"missing", &CheckpointDescription::missing}, Field{"reasons", &CheckpointDescription::reasons}};
};
template <>
struct Fields<PhasePlan> {
    static constexpr const char* name = "PhasePlan";
    static constexpr std::tuple all{Field{"phase", &PhasePlan::phase}, Field{"seconds", &PhasePlan::seconds},
                                    Field{"memory_bytes", &PhasePlan::memory_bytes}, Field{"parts", &PhasePlan::parts}};
};
template <>
struct Fields<Plan> {
    static constexpr const char* name = "Plan";
    static constexpr std::tuple all{Field{"request", &Plan::request},
                                    Field{"card", &Plan::card},
                                    Field{"policy", &Plan::policy},
                                    Field{"phases", &Plan::phases},
                                    Field{"peak_memory_bytes", &Plan::peak_memory_bytes},
                                    Field{"free_memory_bytes", &Plan::free_memory_bytes},
                                    Field{"free_memory_limit", &Plan::free_memory_limit},
                                    Field{"missing_weights", &Plan::missing_weights},
                                    Field{"seconds", &Plan::seconds},
                                    Field{"notes", &Plan::notes}};
};
template <>
struct Fields<PresetInfo> {
    static constexpr const char* name = "PresetInfo";
    static constexpr std::tuple all{
        Field{"name", &PresetInfo::name},       Field{"description", &PresetInfo::description},
        Field{"fields", &PresetInfo::fields},   Field{"file", &PresetInfo::file},
        Field{"written", &PresetInfo::written}, Field{"machine", &PresetInfo::machine},
        Field{"family", &PresetInfo::family},   Field{"needs", &PresetInfo::needs},
        Field{"fits", &PresetInfo::fits},       Field{"own", &PresetInfo::own},
        Field{"best", &PresetInfo::best}};
};
template <>
struct Fields<ComputePrecision> {
    static constexpr const char* name = "ComputePrecision";
    static constexpr std::tuple all{Field{"dtype", &ComputePrecision::dtype}, Field{"level", &ComputePrecision::level}};
};
template <>
struct Fields<OnDevice> {
    static constexpr const char* name = "OnDevice";
    static constexpr std::tuple all{Field{"device", &OnDevice::device}, Field{"precision", &OnDevice::precision}};
};
template <>
struct Fields<TensorStats> {
    static constexpr const char* name = "TensorStats";
    static constexpr std::tuple all{Field{"count", &TensorStats::count}, Field{"min", &TensorStats::min},
                                    Field{"max", &TensorStats::max},     Field{"max_abs", &TensorStats::max_abs},
                                    Field{"mean", &TensorStats::mean},   Field{"std", &TensorStats::std},
                                    Field{"nan", &TensorStats::nan},     Field{"inf", &TensorStats::inf}};
};
template <>
struct Fields<NumericSample> {
    static constexpr const char* name = "NumericSample";
    static constexpr std::tuple all{
        Field{"phase", &NumericSample::phase},         Field{"step", &NumericSample::step},
        Field{"attempt", &NumericSample::attempt},     Field{"branch", &NumericSample::branch},
        Field{"component", &NumericSample::component}, Field{"site", &NumericSample::site},
        Field{"kind", &NumericSample::kind},           Field{"precision", &NumericSample::precision},
        Field{"stats", &NumericSample::stats},         Field{"headroom_stops", &NumericSample::headroom_stops}};
};
template <>
struct Fields<Job> {
    static constexpr const char* name = "Job";
    static constexpr std::tuple all{
        Field{"id", &Job::id},       Field{"request", &Job::request},     Field{"state", &Job::state},
        Field{"step", &Job::step},   Field{"num_steps", &Job::num_steps}, Field{"created", &Job::created},
        Field{"error", &Job::error}, Field{"waits_for", &Job::waits_for}, Field{"output", &Job::output}};
};
template <>
struct Fields<GuardActed> {
    static constexpr const char* name = "GuardActed";
    static constexpr std::tuple all{Field{"phase", &GuardActed::phase},     Field{"step", &GuardActed::step},
                                    Field{"site", &GuardActed::site},       Field{"detector", &GuardActed::detector},
                                    Field{"found", &GuardActed::found},     Field{"action", &GuardActed::action},
                                    Field{"before", &GuardActed::before},   Field{"after", &GuardActed::after},
                                    Field{"attempt", &GuardActed::attempt}, Field{"seconds", &GuardActed::seconds}};
};
template <>
struct Fields<GuardDemoResult> {
    static constexpr const char* name = "GuardDemoResult";
    static constexpr std::tuple all{
        Field{"prompt", &GuardDemoResult::prompt},     Field{"site", &GuardDemoResult::site},
        Field{"exponent", &GuardDemoResult::exponent}, Field{"num_steps", &GuardDemoResult::num_steps},
        Field{"fps", &GuardDemoResult::fps},           Field{"frames", &GuardDemoResult::frames},
        Field{"actions", &GuardDemoResult::actions},   Field{"samples", &GuardDemoResult::samples},
        Field{"error", &GuardDemoResult::error},       Field{"seconds", &GuardDemoResult::seconds}};
};
template <>
struct Fields<VideoDescription> {
    static constexpr const char* name = "VideoDescription";
    static constexpr std::tuple all{
        Field{"width", &VideoDescription::width}, Field{"height", &VideoDescription::height},
        Field{"num_frames", &VideoDescription::num_frames}, Field{"fps", &VideoDescription::fps},
        Field{"stopped_after_step", &VideoDescription::stopped_after_step}};
};
template <>
struct Fields<ExportRequest> {
    static constexpr const char* name = "ExportRequest";
    static constexpr std::tuple all{Field{"video", &ExportRequest::video}, Field{"output", &ExportRequest::output}};
};
template <>
struct Fields<ExportResult> {
    static constexpr const char* name = "ExportResult";
    static constexpr std::tuple all{Field{"file", &ExportResult::file}, Field{"bytes", &ExportResult::bytes}};
};
template <>
struct Fields<ExportEstimate> {
    static constexpr const char* name = "ExportEstimate";
    static constexpr std::tuple all{Field{"bytes", &ExportEstimate::bytes},
                                    Field{"num_frames", &ExportEstimate::num_frames},
                                    Field{"num_tried", &ExportEstimate::num_tried}};
};
template <>
struct Fields<RunResult> {
    static constexpr const char* name = "RunResult";
    static constexpr std::tuple all{Field{"output", &RunResult::output},
                                    Field{"numeric_log", &RunResult::numeric_log},
                                    Field{"status", &RunResult::status},
                                    Field{"stopped_after_step", &RunResult::stopped_after_step},
                                    Field{"num_frames", &RunResult::num_frames},
                                    Field{"output_bytes", &RunResult::output_bytes},
                                    Field{"seconds", &RunResult::seconds},
                                    Field{"seconds_by_phase", &RunResult::seconds_by_phase},
                                    Field{"peak_memory_bytes", &RunResult::peak_memory_bytes},
                                    Field{"planned_memory_bytes", &RunResult::planned_memory_bytes},
                                    Field{"guard_actions", &RunResult::guard_actions},
                                    Field{"known_overrides", &RunResult::known_overrides},
                                    Field{"warnings", &RunResult::warnings}};
};
template <>
struct Fields<RunStarted> {
    static constexpr const char* name = "RunStarted";
    static constexpr std::tuple all{Field{"request", &RunStarted::request}, Field{"card", &RunStarted::card},
                                    Field{"policy", &RunStarted::policy}, Field{"part", &RunStarted::part}};
};
template <>
struct Fields<PhaseStarted> {
    static constexpr const char* name = "PhaseStarted";
    static constexpr std::tuple all{Field{"phase", &PhaseStarted::phase}, Field{"total", &PhaseStarted::total}};
};
template <>
struct Fields<PhaseProgress> {
    static constexpr const char* name = "PhaseProgress";
    static constexpr std::tuple all{Field{"phase", &PhaseProgress::phase}, Field{"done", &PhaseProgress::done},
                                    Field{"total", &PhaseProgress::total}, Field{"seconds", &PhaseProgress::seconds}};
};
template <>
struct Fields<StepCompleted> {
    static constexpr const char* name = "StepCompleted";
    static constexpr std::tuple all{Field{"step", &StepCompleted::step},
                                    Field{"num_steps", &StepCompleted::num_steps},
                                    Field{"timestep", &StepCompleted::timestep},
                                    Field{"sigma", &StepCompleted::sigma},
                                    Field{"seconds", &StepCompleted::seconds},
                                    Field{"latents", &StepCompleted::latents},
                                    Field{"noise_pred", &StepCompleted::noise_pred},
                                    Field{"latents_histogram", &StepCompleted::latents_histogram},
                                    Field{"histogram_min", &StepCompleted::histogram_min},
                                    Field{"histogram_max", &StepCompleted::histogram_max},
                                    Field{"prediction", &StepCompleted::prediction},
                                    Field{"preview_decoder", &StepCompleted::preview_decoder},
                                    Field{"preview_seconds", &StepCompleted::preview_seconds}};
};
template <>
struct Fields<PreviewReady> {
    static constexpr const char* name = "PreviewReady";
    static constexpr std::tuple all{Field{"kind", &PreviewReady::kind},
                                    Field{"step", &PreviewReady::step},
                                    Field{"first_frame", &PreviewReady::first_frame},
                                    Field{"num_frames", &PreviewReady::num_frames},
                                    Field{"frames_each", &PreviewReady::frames_each},
                                    Field{"final_size", &PreviewReady::final_size},
                                    Field{"frames", &PreviewReady::frames},
                                    Field{"decoder", &PreviewReady::decoder}};
};
template <>
struct Fields<NumericsReady> {
    static constexpr const char* name = "NumericsReady";
    static constexpr std::tuple all{Field{"samples", &NumericsReady::samples}};
};
template <>
struct Fields<RoundingMeasured> {
    static constexpr const char* name = "RoundingMeasured";
    static constexpr std::tuple all{
        Field{"phase", &RoundingMeasured::phase},      Field{"step", &RoundingMeasured::step},
        Field{"attempt", &RoundingMeasured::attempt},  Field{"component", &RoundingMeasured::component},
        Field{"site", &RoundingMeasured::site},        Field{"precision", &RoundingMeasured::precision},
        Field{"decibels", &RoundingMeasured::decibels}};
};
template <>
struct Fields<LogLine> {
    static constexpr const char* name = "LogLine";
    static constexpr std::tuple all{Field{"level", &LogLine::level}, Field{"text", &LogLine::text},
                                    Field{"topic", &LogLine::topic}};
};
template <>
struct Fields<RunFinished> {
    static constexpr const char* name = "RunFinished";
    static constexpr std::tuple all{Field{"result", &RunFinished::result}};
};
template <>
struct Fields<RunCancelled> {
    static constexpr const char* name = "RunCancelled";
    static constexpr std::tuple all{Field{"step", &RunCancelled::step}, Field{"output", &RunCancelled::output}};
};
template <>
struct Fields<RunPaused> {
    static constexpr const char* name = "RunPaused";
    static constexpr std::tuple all{Field{"step", &RunPaused::step}, Field{"memory_bytes", &RunPaused::memory_bytes}};
};
template <>
struct Fields<QueueChanged> {
    static constexpr const char* name = "QueueChanged";
    static constexpr std::tuple all{Field{"jobs", &QueueChanged::jobs}};
};
template <>
struct Fields<ExportProgress> {
    static constexpr const char* name = "ExportProgress";
    static constexpr std::tuple all{Field{"export_id", &ExportProgress::export_id},
                                    Field{"done", &ExportProgress::done}, Field{"total", &ExportProgress::total}};
};
template <>
struct Fields<EngineEnded> {
    static constexpr const char* name = "EngineEnded";
    static constexpr std::tuple all{Field{"cause", &EngineEnded::cause}, Field{"last_lines", &EngineEnded::last_lines},
                                    Field{"job", &EngineEnded::job},
                                    Field{"restart_failure", &EngineEnded::restart_failure}};
};

template <>
struct Fields<FinishRequest> {
    static constexpr const char* name = "FinishRequest";
    static constexpr std::tuple all{Field{"video", &FinishRequest::video},     Field{"steps", &FinishRequest::steps},
                                    Field{"output", &FinishRequest::output},   Field{"device", &FinishRequest::device},
                                    Field{"threads", &FinishRequest::threads}, Field{"tile", &FinishRequest::tile}};
};
template <>
struct Fields<FinishProgress> {
    static constexpr const char* name = "FinishProgress";
    static constexpr std::tuple all{Field{"finish_id", &FinishProgress::finish_id},
                                    Field{"done", &FinishProgress::done}, Field{"total", &FinishProgress::total},
                                    Field{"seconds", &FinishProgress::seconds}, Field{"stage", &FinishProgress::stage}};
};
template <>
struct Fields<FinishResult> {
    static constexpr const char* name = "FinishResult";
    static constexpr std::tuple all{Field{"file", &FinishResult::file},
                                    Field{"bytes", &FinishResult::bytes},
                                    Field{"width", &FinishResult::width},
                                    Field{"height", &FinishResult::height},
                                    Field{"num_frames", &FinishResult::num_frames},
                                    Field{"fps", &FinishResult::fps},
                                    Field{"num_scene_cuts", &FinishResult::num_scene_cuts},
                                    Field{"seconds", &FinishResult::seconds},
                                    Field{"peak_memory_bytes", &FinishResult::peak_memory_bytes},
                                    Field{"planned_memory_bytes", &FinishResult::planned_memory_bytes},
                                    Field{"notes", &FinishResult::notes}};
};
}  // namespace kinescope::protocol
