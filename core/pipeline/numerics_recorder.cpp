#include "core/pipeline/numerics_recorder.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <utility>

#include "core/base/stopwatch.h"
#include "core/device/backend.h"
#include "core/device/dtype.h"

namespace kinescope {

namespace {

/// Adds the time until its end to a sum.
class TimeInto {
public:
    explicit TimeInto(double& sum) : sum_(sum) {}
    TimeInto(const TimeInto&) = delete;
    TimeInto& operator=(const TimeInto&) = delete;
    ~TimeInto() { sum_ += watch_.seconds(); }

private:
    double& sum_;
    Stopwatch watch_;
};

}  // namespace

NumericsRecorder::NumericsRecorder(RecorderSetup setup, const EventSink& emit)
    : setup_(std::move(setup)),
      emit_(emit),
      log_(setup_.numeric_log, setup_.numeric_csv, setup_.kept_log, [this](const std::string& words) {
          emit_(LogLine{"warning", words + "; the run goes on without it"});
      }) {
    if (setup_.monitoring == Monitoring::off) watch_ = Watch::sites;
}

void NumericsRecorder::observe(const Observation& seen) {
    if (setup_.monitoring == Monitoring::off) return;
    const TimeInto watching(watching_seconds_);
    // Its first step is looked at op by op, and a second expert begins in the middle of a run.
    if (!components_.contains(seen.component)) {
        components_.emplace(seen.component);
        look(Watch::ops);
    }
    shadow_turns_.heard_of(seen.component, seen.site);
    monitor_.observe(seen);
}

void NumericsRecorder::look(Watch watch) {
    watch_ = watch;
    scope_.non_finite = watch == Watch::ops ? NonFinite::counts : NonFinite::presence;
    monitor_.enter(scope_);
}

Rung NumericsRecorder::rung(std::string_view component, std::string_view site) const {
    return overrides_.rung(component, site);
}

bool NumericsRecorder::wants_shadow(std::string_view component, std::string_view site) const {
    const bool may = setup_.monitoring != Monitoring::off && setup_.guard != GuardMode::off;
    const bool is_in_turn =
        scope_.phase == Phase::decode || (scope_.phase == Phase::denoise && scope_.branch != "uncond");
    return may && is_in_turn &&
           shadow_turns_.is_due(component, site, scope_.phase == Phase::decode ? transactions_ : scope_.step);
}

/// A run that goes on after a pause measures in the same steps as an unbroken one. A second expert begins in the
/// middle.
bool NumericsRecorder::measures_rounding(std::string_view component) const {
    const int turn = scope_.phase == Phase::denoise ? scope_.step : transactions_;
    return setup_.monitoring == Monitoring::every_op || scope_.phase == Phase::encode || scope_.attempt > 0 ||
           turn % kShadowStride == 0 || !measured_.contains(component);
}

RoundingListener* NumericsRecorder::rounding_listener(std::string_view component, std::string_view site,
                                                      const OpPrecision& op) {
    const bool may = setup_.monitoring != Monitoring::off && setup_.guard != GuardMode::off;
    if (!may || !measures_rounding(component) || scope_.branch == "uncond") return nullptr;
    NumericSample sample = sample_at(component, site);
    sample.dtype = computed_in(op);
    return &roundings_.emplace_back(std::move(sample));
}

NumericSample NumericsRecorder::sample_at(std::string_view component, std::string_view site) const {
    NumericSample sample{
        .phase = scope_.phase, .step = scope_.step, .attempt = scope_.attempt, .branch = scope_.branch};
    sample.component = component;
    sample.site = site;
    return sample;
}

std::vector<Finding> NumericsRecorder::collect_roundings() {
    std::vector<Tensor> rows;
    for (const OpRounding& op : roundings_) rows.insert(rows.end(), op.rows.begin(), op.rows.end());
    const std::deque<OpRounding> ops = std::exchange(roundings_, {});
    if (rows.empty()) return {};
    const Tensor table = at::stack(rows).to(at::kCPU).contiguous();
    const float* row = table.const_data_ptr<float>();
    std::vector<Finding> found;
    for (const OpRounding& op : ops) {
        bool is_known = false;
        for (std::size_t i = 0; i < op.rows.size(); ++i, row += 4) {
            const auto of_product = find_rounding(
                {.sample = op.sample, .error = row[0], .size = row[1], .lost = row[2], .channels = row[3]});
            if (!std::exchange(is_known, is_known || !of_product.empty()))
                found.insert(found.end(), of_product.begin(), of_product.end());
        }
    }
    return found;
}

bool NumericsRecorder::heal_roundings(const std::vector<Finding>& findings, double seconds) {
    if (setup_.guard != GuardMode::heal) {
        note(findings);
        return false;
    }
    bool raises = false;
    for (const Finding& finding : findings) {
        const PrecisionOverride raise{finding.sample.component, finding.sample.site, Rung::float32};
        // Several runs of an op in one attempt raise it once.
        if (overrides_.rung(raise.component, raise.site) == Rung::float32) continue;
        overrides_.raise(raise);
        GuardActed record = guard_acted(finding);
        record.action = GuardAction::raise;
        record.after = dtype_name(at::kFloat);
        record.seconds = seconds;
        write_down(std::move(record));
        raises = has_healed_ = true;
    }
    return raises;
}

void NumericsRecorder::shadow(const Observation& seen, ShadowPart part) {
    if (!part.actual.defined()) return;
    NumericSample sample = sample_at(seen.component, seen.site);
    const bool is_planned = seen.op.rung == Rung::planned;
    sample.dtype = dtype_name(is_planned && part.rounded_to ? *part.rounded_to : seen.range());
    shadows_.push_back({std::move(sample), std::move(part)});
}

std::vector<Finding> NumericsRecorder::compute_shadows() {
    std::vector<Finding> found;
    for (const PendingShadow& pending : std::exchange(shadows_, {})) {
        const Tensor actual = pending.part.actual.to(at::kCPU, at::kFloat);
        const Tensor expected = pending.part.reference();
        const double error = (actual - expected).abs().max().item<double>();
        const double largest = expected.abs().max().item<double>();
        for (Finding& finding :
             find_shadow({.sample = pending.sample, .relative_error = largest > 0 ? error / largest : error}))
            found.push_back(std::move(finding));
    }
    return found;
}

void NumericsRecorder::enter(MonitorScope scope) {
    if (scope.phase != scope_.phase) {
        transactions_ = 0;
        previous_.clear();
    }
    scope.attempt = scope_.attempt;
    scope.non_finite = scope_.non_finite;
    scope_ = scope;
    monitor_.enter(std::move(scope));
}

void NumericsRecorder::begin_attempt(int attempt) {
    if (setup_.monitoring == Monitoring::off) return;
    const Watch level = watch_level({.phase = scope_.phase,
                                     .step = scope_.phase == Phase::denoise ? scope_.step : transactions_,
                                     .attempt = attempt});
    shadows_.clear();
    roundings_.clear();
    scope_.attempt = attempt;
    look(setup_.monitoring == Monitoring::every_op ? Watch::ops : level);
}

void NumericsRecorder::transact(const std::function<void()>& work) {
    std::vector<std::string> tried;
    for (int attempt = 0;; ++attempt) {
        begin_attempt(attempt);
        const Stopwatch watch;
        work();
        const TimeInto watching(watching_seconds_);
        const double seconds = watch.seconds();
        Samples samples = settle();
        if (judge(samples, seconds, tried)) continue;
        if (scope_.phase == Phase::encode && !samples.empty())
            log_.write(encode_record(samples.front().component, seconds));
        previous_ = std::move(samples);
        break;
    }
    measured_.insert(components_.begin(), components_.end());
    scope_.attempt = 0;
    ++transactions_;
}

bool NumericsRecorder::judge(const Samples& samples, double seconds, std::vector<std::string>& tried) {
    if (setup_.guard == GuardMode::off) return false;
    const GuardDecision decision = decide({.samples = samples,
                                           .overrides = overrides_,
                                           .watch = watch_,
                                           .kernels = setup_.kernels,
                                           .half_accumulation = setup_.half_accumulation});
    if (decision.action == GuardDecision::Action::go_on) {
        if (heal_roundings(collect_roundings(), seconds)) return true;
        note(find_in_step(previous_, samples));
        note(compute_shadows());
        return false;
    }
    GuardActed record = guard_acted(decision);
    record.seconds = seconds;
    if (setup_.guard == GuardMode::observe) {
        has_open_alarms_ = true;
        record.action = GuardAction::observe;
        record.after = record.before;
        write_down(std::move(record));
        return false;
    }
    tried.push_back(attempt_in_words(record));
    write_down(std::move(record));
    act(decision, samples, tried);
    return true;
}

void NumericsRecorder::act(const GuardDecision& decision, const Samples& samples, std::vector<std::string>& tried) {
    if (decision.action == GuardDecision::Action::stop) {
        tried.pop_back();
        throw not_finite_error({.offender = *decision.offender,
                                .samples = samples,
                                .tried = tried,
                                .device = setup_.device,
                                .libraries = setup_.libraries});
    }
    if (decision.action == GuardDecision::Action::safe_switches) {
        setup_.half_accumulation = HalfAccumulation::forbidden;
        apply_numeric_settings(HalfAccumulation::forbidden);
    }
    if (decision.raise) overrides_.raise(*decision.raise);
    has_healed_ = true;
}

bool NumericsRecorder::is_news(const Finding& finding) {
    if (setup_.guard == GuardMode::off) return false;
    return noted_.emplace(finding.detector, finding.sample.component, finding.sample.site).second;
}

void NumericsRecorder::note(const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) {
        if (!is_news(finding)) continue;
        const NumericSample& sample = finding.sample;
        GuardActed record = guard_acted(finding);
        const bool raises = finding.weight == Finding::Weight::raise && setup_.guard == GuardMode::heal;
        if (setup_.guard == GuardMode::observe) {
            record.action = GuardAction::observe;
            record.after = record.before;
        }
        if (raises) {
            overrides_.raise({sample.component, sample.site, next_rung(sample).value_or(Rung::float32)});
            has_healed_ = true;
        } else {
            has_open_alarms_ = true;
        }
        write_down(std::move(record));
    }
}

void NumericsRecorder::note(const std::vector<Float8Note>& weights) {
    for (const Float8Note& weight : weights) {
        const NumericSample sample{.phase = Phase::load,
                                   .component = weight.component,
                                   .site = weight.weight,
                                   .dtype = dtype_name(at::kFloat8_e4m3fn)};
        const auto found = find_float8({.sample = sample, .saturated = weight.saturated, .zero = weight.zero});
        if (c10::isFloat8Type(weight.kept))
            note(found);
        else
            note_kept_wide(found, dtype_name(weight.kept));
    }
}

void NumericsRecorder::note_kept_wide(const std::vector<Finding>& findings, const std::string& dtype) {
    for (const Finding& finding : findings) {
        if (!is_news(finding)) continue;
        GuardActed record = guard_acted(finding);
        record.action = GuardAction::raise_ahead;
        record.after = dtype;
        has_healed_ = true;
        write_down(std::move(record));
    }
}

void NumericsRecorder::apply_learned(const std::vector<PrecisionOverride>& learned) {
    if (setup_.guard != GuardMode::heal) return;
    for (const PrecisionOverride& override : learned) {
        overrides_.raise(override);
        ++known_overrides_;
        write_down(guard_learned(override));
    }
}

void NumericsRecorder::moved_to_cpu(const Error& error) {
    has_healed_ = true;
    previous_.clear();
    GuardActed record = acted_on_error(error, GuardAction::move_to_cpu);
    record.before = setup_.device;
    record.after = "cpu, float32";
    write_down(std::move(record));
}

RecorderState NumericsRecorder::snapshot() {
    return {.phase = scope_.phase,
            .overrides = overrides_.list(),
            .half_accumulation = setup_.half_accumulation,
            .previous = previous_,
            .last_block = shadow_turns_.last_blocks(),
            .noted = noted_,
            .guard_actions = guard_actions_,
            .known_overrides = known_overrides_,
            .has_healed = has_healed_,
            .has_open_alarms = has_open_alarms_,
            .warnings = warnings_,
            .log = log_.lengths()};
}

void NumericsRecorder::restore(const RecorderState& state) {
    scope_.phase = state.phase;
    for (const PrecisionOverride& override : state.overrides) overrides_.raise(override);
    if (state.half_accumulation != setup_.half_accumulation) apply_numeric_settings(state.half_accumulation);
    setup_.half_accumulation = state.half_accumulation;
    previous_ = state.previous;
    shadow_turns_.restore(state.last_block);
    for (const auto& [stem, last] : state.last_block) measured_.insert(stem.substr(0, stem.find(' ')));
    noted_ = state.noted;
    guard_actions_ = state.guard_actions;
    known_overrides_ = state.known_overrides;
    has_healed_ = state.has_healed;
    has_open_alarms_ = state.has_open_alarms;
    warnings_ = state.warnings;
}

Samples NumericsRecorder::settle() {
    Samples samples = monitor_.collect();
    if (samples.empty()) return samples;
    log_.write(samples);
    emit_(NumericsReady{samples});
    return samples;
}

void NumericsRecorder::keep_warning(const GuardActed& record) {
    const bool is_known = std::ranges::any_of(warnings_, [&](const GuardActed& other) {
        return other.detector == record.detector && other.site == record.site;
    });
    if (!is_known) warnings_.push_back(record);
}

void NumericsRecorder::write_down(GuardActed record) {
    if (is_warning(record)) keep_warning(record);
    if (record.action != GuardAction::warn && record.action != GuardAction::learned) ++guard_actions_;
    log_.write(guard_record(record));
    emit_(record);
}

}  // namespace kinescope
