#include "core/numerics/step_guard.h"

#include <ATen/ATen.h>

#include <cmath>
#include <new>
#include <string_view>
#include <utility>

#include "core/base/stopwatch.h"
#include "core/device/backend.h"
#include "core/device/device_fault.h"
#include "core/numerics/guard_record.h"
#include "core/numerics/stop_error.h"
#include "core/numerics/time_into.h"

namespace kinescope {

namespace {

/// The ratio of a reference to the difference from it, in dB. NaN if the values cannot be compared.
double agreement_db(const Tensor& actual, const Tensor& reference) {
    if (!actual.defined() || actual.sizes() != reference.sizes()) return std::nan("");
    const Tensor difference = actual.to(at::kFloat) - reference.to(at::kFloat);
    const auto size = reference.to(at::kFloat).square().sum(), error = difference.square().sum();
    return 10 * std::log10(size.item<double>() / error.item<double>());
}

GuardActed raised_to_float32(const Finding& cause, GuardAction action) {
    GuardActed record = guard_acted(cause);
    record.action = action;
    record.after = ComputePrecision{.dtype = ElementType::float32, .level = PrecisionLevel::float32};
    return record;
}

/// Returns true if the same work may succeed with narrower dtypes.
bool is_shortage(const std::exception& error) {
    const auto* known = dynamic_cast<const Error*>(&error);
    // LibTorch reports that the system refuses memory with an error without a type of its own.
    const bool is_of_system = std::string_view(error.what()).find("DefaultCPUAllocator") != std::string_view::npos;
    return (known != nullptr && known->code() == ErrorCode::out_of_memory) || is_of_system ||
           dynamic_cast<const std::bad_alloc*>(&error) != nullptr || device_fault(error) == DeviceFault::out_of_memory;
}

}  // namespace

StepGuard::StepGuard(GuardSetup setup, NumericsProbe& probe, NumericsJournal& journal)
    : setup_(std::move(setup)), probe_(probe), journal_(journal) {}

PrecisionLevel StepGuard::level(std::string_view component, std::string_view site) const {
    return overrides_.level(component, site);
}

void StepGuard::transact(const std::function<void()>& work) {
    if (std::exchange(phase_, probe_.phase()) != probe_.phase()) {
        previous_.clear();
        trusted_.clear();  // the encoder and the decoder of a VAE are one component
    }
    const Comparison comparison{*this};
    Repeated repeated;
    for (int attempt = 0;; ++attempt) {
        probe_.begin_attempt(attempt);
        const Stopwatch watch;
        run(work);
        Samples samples = probe_.collect();  // waits for the device
        repeated.seconds = watch.seconds();
        const TimeInto judging(seconds_);
        journal_.publish(samples);
        if (judge(samples, repeated) == Verdict::run_again) {
            if (!doubt_.components.empty() && !doubt_.reference.defined()) compute_reference(work, attempt, samples);
            continue;
        }
        if (judge_against_reference() == Verdict::run_again) continue;
        if (phase_ == Phase::encode && !samples.empty())
            journal_.log().write(encode_record(samples.front().component, repeated.seconds));
        previous_ = comparable_with_next(std::move(previous_), std::move(samples));
        break;
    }
    probe_.end_transaction();
}

StepGuard::Comparison::~Comparison() {
    guard.doubt_ = {};
    guard.probe_.drop_output();
}

void StepGuard::run(const std::function<void()>& work) {
    try {
        work();
    } catch (...) {
        probe_.drop_attempt();
        throw;
    }
}

StepGuard::Verdict StepGuard::judge(const Samples& samples, Repeated& repeated) {
    if (setup_.mode == GuardMode::off) return Verdict::accepted;
    const GuardDecision decision = decide({.samples = samples,
                                           .overrides = overrides_,
                                           .watch = probe_.watch(),
                                           .kernels = setup_.kernels,
                                           .half_accumulation = setup_.half_accumulation,
                                           .failures = static_cast<int>(repeated.failures.size())});
    if (decision.action == GuardDecision::Action::go_on) {
        const RoundingReport rounding = probe_.measure_rounding();
        for (const RoundingMeasured& op : rounding.coarsest) journal_.publish(op);
        if (heal_rounding(rounding.findings, repeated) == Verdict::run_again) {
            ++repeated.coarse;
            return Verdict::run_again;
        }
        note(find_in_step(previous_, samples));
        note(probe_.compute_shadows());
        return Verdict::accepted;
    }
    GuardActed record = guard_acted(decision);
    record.seconds = repeated.seconds;
    if (setup_.mode == GuardMode::observe) {
        journal_.write_down(as_observed(std::move(record)));
        return Verdict::accepted;
    }
    journal_.write_down(record);
    if (decision.action == GuardDecision::Action::stop)
        throw not_finite_error({.offender = *decision.offender,
                                .samples = samples,
                                .tried = repeated.failures,
                                .device = setup_.device,
                                .libraries = setup_.libraries});
    repeated.failures.push_back(attempt_in_words(record));
    act(decision);
    return Verdict::run_again;
}

void StepGuard::act(const GuardDecision& decision) {
    if (decision.action == GuardDecision::Action::safe_switches) {
        setup_.half_accumulation = HalfAccumulation::forbidden;
        apply_numeric_settings(HalfAccumulation::forbidden);
    }
    if (decision.raise) overrides_.raise(*decision.raise);
}

StepGuard::Verdict StepGuard::heal_rounding(const std::vector<Finding>& findings, const Repeated& repeated) {
    if (setup_.mode != GuardMode::heal) {
        note(findings);
        return Verdict::accepted;
    }
    Verdict verdict = Verdict::accepted;
    for (const Finding& finding : findings)
        if (heal_rounding(finding, repeated) == Verdict::run_again) verdict = Verdict::run_again;
    std::erase_if(doubt_.components, [&](const auto& component) {
        return overrides_.level_of_all(component.first) == PrecisionLevel::float32;
    });
    return verdict;
}

StepGuard::Verdict StepGuard::heal_rounding(const Finding& finding, const Repeated& repeated) {
    const std::string& component = finding.sample.component;
    if (finding.weight == Finding::Weight::warning) {
        note({finding});
        return Verdict::accepted;
    }
    if (finding.weight == Finding::Weight::doubt) {
        if (trusted_.contains(component) || doubt_.reference.defined()) return Verdict::accepted;
        doubt_.components.emplace(component, finding);
        return Verdict::run_again;
    }
    const bool is_whole = finding.weight == Finding::Weight::raise_component || repeated.coarse >= kMaxAttempts;
    const std::string site = is_whole ? std::string() : finding.sample.site;
    // An op that ran several times in one attempt has several findings.
    if (overrides_.level(component, site) == PrecisionLevel::float32) return Verdict::accepted;
    overrides_.raise({component, site, PrecisionLevel::float32});
    GuardActed record = raised_to_float32(finding, is_whole ? GuardAction::raise_component : GuardAction::raise);
    record.seconds = repeated.seconds;
    journal_.write_down(record);
    if (!is_whole) doubt_.components.emplace(component, finding);
    return Verdict::run_again;
}

void StepGuard::compute_reference(const std::function<void()>& work, int attempt, const Samples& samples) {
    const PrecisionOverrides before = overrides_;
    for (const auto& [component, cause] : doubt_.components) overrides_.raise({component, "", PrecisionLevel::float32});
    probe_.begin_attempt(attempt);
    probe_.keep_output(samples);
    try {
        run(work);
    } catch (const std::exception& error) {
        overrides_ = before;
        if (!is_shortage(error)) throw;
        return trust_without_reference();
    } catch (...) {
        overrides_ = before;
        throw;
    }
    doubt_.reference = probe_.take_output();
    probe_.drop_attempt();
    overrides_ = before;
    if (!doubt_.reference.defined()) raise_without_reference();
}

/// Without a value outside of blocks there is nothing to compare, and the doubt would return in every attempt. The work
/// has just run in float32, so the next attempt can do so, too.
void StepGuard::raise_without_reference() {
    for (const auto& [component, cause] : doubt_.components) {
        overrides_.raise({component, "", PrecisionLevel::float32});
        journal_.write_down(raised_to_float32(cause, GuardAction::raise_component));
    }
    doubt_ = {};
}

/// The attempt in float32 left its own values behind, so the work runs once more.
void StepGuard::trust_without_reference() {
    for (const auto& [component, cause] : doubt_.components) {
        trusted_.insert(component);
        journal_.write_down(guard_not_compared(guard_acted(cause)));
    }
    doubt_ = {};
    probe_.drop_output();
}

StepGuard::Verdict StepGuard::judge_against_reference() {
    if (!doubt_.reference.defined()) return Verdict::accepted;
    const double decibels = agreement_db(probe_.take_output(), doubt_.reference);
    Verdict verdict = Verdict::accepted;
    for (const auto& [component, cause] : doubt_.components) {
        trusted_.insert(component);
        const RoundingLimits limits = rounding_limits(cause.sample.precision.dtype);
        if (!(decibels < limits.steady)) continue;
        if (decibels >= limits.trust) {
            journal_.write_down(guard_unsteady(guard_acted(cause), decibels));
            continue;
        }
        overrides_.raise({component, "", PrecisionLevel::float32});
        journal_.write_down(guard_mistrusted(guard_acted(cause), decibels));
        verdict = Verdict::run_again;
    }
    doubt_ = {};
    return verdict;
}

/// Returns true if the op of a finding is not yet raised as far as the finding requires.
bool StepGuard::raises(const Finding& finding) const {
    const NumericSample& sample = finding.sample;
    return setup_.mode == GuardMode::heal && finding.weight == Finding::Weight::raise &&
           overrides_.level(sample.component, sample.site) < raised_level(sample);
}

void StepGuard::note(const std::vector<Finding>& findings) {
    if (setup_.mode == GuardMode::off) return;
    for (const Finding& finding : findings) {
        if (finding.weight == Finding::Weight::doubt) continue;
        const bool is_new = journal_.is_new(finding);
        if (!is_new && !raises(finding)) continue;  // a warning may become a reason to raise the op
        const GuardActed record = guard_acted(finding);
        // With Weight::avoided, the loader has already kept the weight in a wider dtype, regardless of the mode.
        const bool is_pending = finding.weight != Finding::Weight::avoided;
        if (setup_.mode == GuardMode::observe && is_pending) {
            journal_.write_down(as_observed(record));
            continue;
        }
        if (finding.weight == Finding::Weight::raise)
            overrides_.raise({finding.sample.component, finding.sample.site, raised_level(finding.sample)});
        journal_.write_down(record);
    }
}

void StepGuard::apply_learned(const std::vector<PrecisionOverride>& learned) {
    if (setup_.mode != GuardMode::heal) return;
    for (const PrecisionOverride& override : learned) {
        overrides_.raise(override);
        journal_.write_down(guard_learned(override));
    }
}

void StepGuard::move_to_cpu(const NumericError& error) {
    previous_.clear();
    GuardActed record = guard_acted(error, GuardAction::move_to_cpu);
    record.before = OnDevice{.device = setup_.device};
    record.after = OnDevice{.device = "cpu", .precision = ComputePrecision{}};
    journal_.write_down(record);
}

GuardState StepGuard::state() const {
    return {.overrides = overrides_.list(),
            .half_accumulation = setup_.half_accumulation,
            .previous = previous_,
            .trusted = trusted_};
}

void StepGuard::restore(const GuardState& state) {
    phase_ = probe_.phase();
    for (const PrecisionOverride& override : state.overrides) overrides_.raise(override);
    if (state.half_accumulation != setup_.half_accumulation) apply_numeric_settings(state.half_accumulation);
    setup_.half_accumulation = state.half_accumulation;
    previous_ = state.previous;
    trusted_ = state.trusted;
}

}  // namespace kinescope
