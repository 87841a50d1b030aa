#include "core/numerics/numerics_probe.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/device/dtype.h"
#include "core/device/host_copy.h"

namespace kinescope {

namespace {

/// Returns true for the first evaluation of a step; the others run the same ops.
bool is_first_branch(std::string_view branch) {
    return branch.empty() || branch == "cond";
}

}  // namespace

NumericsProbe::NumericsProbe(Monitoring monitoring, GuardMode guard) : monitoring_(monitoring), guard_(guard) {
    if (monitoring_ == Monitoring::off) watch_ = Watch::sites;
}

void NumericsProbe::observe(const Observation& seen) {
    if (monitoring_ == Monitoring::off) return;
    DeviceMoment begin = DeviceMoment::now(seen.value.device());
    // The first step of each component is watched op by op. A second expert starts in the middle of a run.
    if (!components_.contains(seen.component)) {
        components_.emplace(seen.component);
        look(Watch::ops);
    }
    shadow_turns_.add_site(seen.component, seen.site);
    monitor_.observe(seen);
    if (is_output(seen)) output_ = seen.value.clone();
    seconds_.add(std::move(begin), DeviceMoment::now(seen.value.device()));
}

bool NumericsProbe::is_output(const Observation& seen) const {
    return output_site_ && seen.site == output_site_->site && seen.component == output_site_->component &&
           is_first_branch(scope_.branch);
}

/// In a step, the last of these values is what the denoiser returns.
bool NumericsProbe::may_be_output(const NumericSample& sample) const {
    if (scope_.phase != Phase::denoise) return true;
    return is_first_branch(sample.branch) && sample.kind == SiteKind::block && !is_in_block(sample.site);
}

/// Only this value is copied: the others of a decoder are as large as the memory that is left on a device.
void NumericsProbe::keep_output(const Samples& samples) {
    const auto last = std::find_if(samples.rbegin(), samples.rend(),
                                   [this](const NumericSample& sample) { return may_be_output(sample); });
    if (last != samples.rend()) output_site_ = {last->component, last->site};
}

void NumericsProbe::look(Watch watch) {
    watch_ = watch;
    scope_.non_finite = watch == Watch::ops ? NonFinite::counts : NonFinite::presence;
    monitor_.enter(scope_);
}

/// The outer blocks of a decoder run several times in one chunk, frame by frame. The first time is enough.
bool NumericsProbe::wants_shadow(std::string_view component, std::string_view site) const {
    const bool is_decoding = scope_.phase == Phase::decode;
    const bool is_in_turn =
        is_decoding ? !has_shadow(component, site) : scope_.phase == Phase::denoise && is_first_branch(scope_.branch);
    return makes_checks() && is_in_turn &&
           shadow_turns_.is_due(component, site, is_decoding ? transactions_ : scope_.step);
}

bool NumericsProbe::has_shadow(std::string_view component, std::string_view site) const {
    return std::ranges::any_of(shadows_, [&](const PendingShadow& pending) {
        return pending.sample.component == component && pending.sample.site == site;
    });
}

/// Returns true if rounding is measured now. This depends on the step number, so that a resumed run measures in the
/// same steps as an uninterrupted one.
bool NumericsProbe::measures_rounding(std::string_view component) const {
    const int turn = scope_.phase == Phase::denoise ? scope_.step : transactions_;
    return monitoring_ == Monitoring::every_op || scope_.phase == Phase::encode || scope_.attempt > 0 ||
           turn % kShadowStride == 0 || !measured_.contains(component);
}

RoundingListener* NumericsProbe::rounding_listener(std::string_view component, std::string_view site,
                                                   const OpPrecision& op) {
    if (!makes_checks() || !measures_rounding(component) || !is_first_branch(scope_.branch)) return nullptr;
    NumericSample sample = sample_at(component, site);
    sample.precision = compute_precision(op);
    return &roundings_.emplace_back(std::move(sample), seconds_);
}

NumericSample NumericsProbe::sample_at(std::string_view component, std::string_view site) const {
    NumericSample sample{
        .phase = scope_.phase, .step = scope_.step, .attempt = scope_.attempt, .branch = scope_.branch};
    sample.component = component;
    sample.site = site;
    return sample;
}

namespace {

/// Compares the findings about two products of one op: raising the component, raising the op, doubt.
bool is_graver(const std::vector<Finding>& a, const std::vector<Finding>& b) {
    const auto rank = [](const std::vector<Finding>& found) {
        if (found.empty()) return 0;
        if (found.front().weight == Finding::Weight::raise_component) return 3;
        return found.front().weight == Finding::Weight::doubt ? 1 : 2;
    };
    return rank(a) > rank(b);
}

/// Adds the op, or replaces its component's op if that one lost less. Skips results without an error, and measurements
/// of rounding before the op.
void keep_coarsest(const RoundingFacts& facts, std::vector<RoundingMeasured>& coarsest) {
    const double decibels = 10 * std::log10(facts.size / facts.error);
    if (facts.channels == 0 || !std::isfinite(decibels)) return;
    const NumericSample& sample = facts.sample;
    const auto known = std::ranges::find(coarsest, sample.component, &RoundingMeasured::component);
    if (known != coarsest.end() && known->decibels <= decibels) return;
    RoundingMeasured& kept = known != coarsest.end() ? *known : coarsest.emplace_back();
    kept = {.phase = sample.phase,
            .step = sample.step,
            .attempt = sample.attempt,
            .component = sample.component,
            .site = sample.site,
            .precision = sample.precision,
            .decibels = decibels};
}

}  // namespace

RoundingReport NumericsProbe::measure_rounding() {
    constexpr std::ptrdiff_t kRowSize = 5;  // see RoundingListener
    std::vector<Tensor> rows;
    for (const OpRounding& op : roundings_) rows.insert(rows.end(), op.rows.begin(), op.rows.end());
    const std::deque<OpRounding> ops = std::exchange(roundings_, {});
    if (rows.empty()) return {};
    const Tensor table = at::stack(rows).to(at::kCPU).contiguous();
    const float* row = table.const_data_ptr<float>();
    RoundingReport report;
    for (const OpRounding& op : ops) {
        std::vector<Finding> of_op;
        for (std::size_t i = 0; i < op.rows.size(); ++i, row += kRowSize) {
            const RoundingFacts facts{.sample = op.sample,
                                      .error = row[0],
                                      .size = row[1],
                                      .lost = row[2],
                                      .channels = row[3],
                                      .inherited = row[4]};
            auto of_product = find_rounding(facts);
            if (of_op.empty() || is_graver(of_product, of_op)) of_op.swap(of_product);
            keep_coarsest(facts, report.coarsest);
        }
        report.findings.insert(report.findings.end(), of_op.begin(), of_op.end());
    }
    return report;
}

void NumericsProbe::shadow(const Observation& seen, ShadowPart part) {
    if (!part.actual.defined()) return;
    NumericSample sample = sample_at(seen.component, seen.site);
    const bool is_planned = seen.op.level == PrecisionLevel::planned;
    // Not Observation::range(): on the scaled level, that is float32, but the operands are rounded to 16 bits.
    sample.precision = {.dtype = element_type(is_planned && part.rounded_to ? *part.rounded_to : seen.op.compute)};
    shadows_.push_back({std::move(sample), std::move(part)});
}

std::vector<Finding> NumericsProbe::compute_shadows() {
    std::vector<Finding> found;
    const std::vector<PendingShadow> shadows = std::exchange(shadows_, {});
    std::vector<Tensor> parts;
    for (const PendingShadow& pending : shadows) parts.push_back(pending.part.actual);
    const std::vector<Tensor> actuals = fetched(parts);
    for (std::size_t i = 0; i < shadows.size(); ++i) {
        const PendingShadow& pending = shadows[i];
        const Tensor actual = actuals[i].to(at::kFloat);
        const Tensor expected = pending.part.reference();
        const double error = (actual - expected).abs().max().item<double>();
        const double largest = expected.abs().max().item<double>();
        for (Finding& finding :
             find_shadow({.sample = pending.sample, .relative_error = largest > 0 ? error / largest : error}))
            found.push_back(std::move(finding));
    }
    return found;
}

void NumericsProbe::enter(MonitorScope scope) {
    if (scope.phase != scope_.phase) transactions_ = 0;
    scope.attempt = scope_.attempt;
    scope.non_finite = scope_.non_finite;
    scope_ = scope;
    monitor_.enter(std::move(scope));
}

void NumericsProbe::begin_attempt(int attempt) {
    if (monitoring_ == Monitoring::off) return;
    const Watch planned = watch_level({.phase = scope_.phase,
                                       .step = scope_.phase == Phase::denoise ? scope_.step : transactions_,
                                       .attempt = attempt});
    shadows_.clear();
    roundings_.clear();
    scope_.attempt = attempt;
    look(monitoring_ == Monitoring::every_op ? Watch::ops : planned);
}

void NumericsProbe::end_transaction() {
    measured_.insert(components_.begin(), components_.end());
    drop_output();
    scope_.attempt = 0;
    ++transactions_;
}

void NumericsProbe::drop_output() {
    output_site_.reset();
    output_ = Tensor();
}

void NumericsProbe::drop_attempt() {
    monitor_.drop();
    seconds_.drop();
    shadows_.clear();
    roundings_.clear();
}

void NumericsProbe::restore(Phase phase, const std::map<std::string, int, std::less<>>& last_blocks,
                            const std::set<std::string, std::less<>>& components) {
    scope_.phase = phase;
    shadow_turns_.restore(last_blocks);
    components_ = components;
    measured_ = components;
}

}  // namespace kinescope
