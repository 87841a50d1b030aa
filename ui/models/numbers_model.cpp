#include "ui/models/numbers_model.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

#include "ui/models/overloaded.h"
#include "ui/text/guard_words.h"
#include "ui/text/site_name.h"

namespace kinescope::ui {
namespace {

StepPoint pointOf(const StepNumbers& numbers) {
    StepPoint point;
    point.step = numbers.step;
    point.attempt = numbers.attempt;
    point.nonFinite = numbers.nonFinite();
    point.isCounted = numbers.isCounted();
    if (const SiteNumbers* place = numbers.tightest()) {
        point.peak = place->maxAbs;
        point.headroomStops = place->headroomStops;
        point.precision = place->precision;
        point.site = place->site;
    }
    return point;
}

/// Number of first steps whose peaks count as usual if there are no earlier runs of the model.
constexpr int kFirstSteps = 3;
constexpr std::string_view kSpreadSite = "latents.spread";

/// Returns true for sites that record a ratio or a share instead of values of the model.
bool isDerived(std::string_view site) {
    return site.starts_with("latents.") || site == "guidance";
}

std::string nameOf(const SiteNumbers& place) {
    return place.component + "." + place.site;
}

void learnPeaks(const StepNumbers& numbers, SitePeaks& peaks) {
    for (const SiteNumbers& place : numbers.sites) {
        if (place.nonFinite > 0 || isDerived(place.site)) continue;
        double& peak = peaks[nameOf(place)];
        peak = std::max(peak, place.maxAbs);
    }
}

/// Returns the latest point of a step, or nullptr if the step is unknown.
StepPoint* find(std::vector<StepPoint>& points, int step) {
    const auto found =
        std::find_if(points.rbegin(), points.rend(), [step](const StepPoint& point) { return point.step == step; });
    return found == points.rend() ? nullptr : &*found;
}

}  // namespace

NumbersModel::NumbersModel(EngineBridge& bridge, const QString& usualFile, QObject* parent)
    : QObject(parent), bridge_(bridge), usualPeaks_(usualFile) {
    updateLine();
    connect(&bridge, &EngineBridge::eventsArrived, this, &NumbersModel::onEvents);
}

std::int64_t NumbersModel::nonFinite() const {
    return std::accumulate(points_.begin(), points_.end(), std::int64_t{0},
                           [](std::int64_t sum, const StepPoint& point) { return sum + point.nonFinite; });
}

bool NumbersModel::isCounted() const {
    return std::ranges::all_of(points_, &StepPoint::isCounted);
}

bool NumbersModel::comparesWithUsual() const {
    const auto& precision = points_.empty() ? std::nullopt : points_.back().precision;
    return precision && precision->dtype != ElementType::float16;
}

void NumbersModel::onEvents(const std::vector<WindowEvent>& events) {
    for (const WindowEvent& event : events) apply(event);
    updateLine();
    Q_EMIT changed();
}

void NumbersModel::apply(const WindowEvent& event) {
    std::visit(overloaded{[this](const RunStarted& run) { begin(run); },
                          [this](const PhaseStarted& phase) {
                              if (phase.phase == Phase::denoise) numSteps_ = phase.total;
                          },
                          [this](const StepNumbers& numbers) { addStep(numbers); },
                          [this](const StepCompleted& step) { completeStep(step); },
                          [this](const RoundingMeasured& measured) { addRounding(measured); },
                          [this](const GuardActed& action) { addGuardAction(action); },
                          [this](const RunFinished& finished) { learnRun(finished.result); },
                          [this](const RunFailed& failed) { fail(failed.error); }, [](const auto&) {}},
               event);
    if (endsRun(event) && !std::holds_alternative<RunPaused>(event)) open_ = 0;
}

/// A run also starts again, without a pause before, if its engine has ended.
void NumbersModel::begin(const RunStarted& run) {
    const JobId job = bridge_.activeJob();
    startsAgain_ = std::exchange(open_, job) == job;
    if (!startsAgain_) reset(run);
}

/// Forgets the steps that a run repeats, because its last checkpoint was made before them. `step` is the first step
/// with statistics since the run has started again.
void NumbersModel::forgetRepeated(int step) {
    if (!std::exchange(startsAgain_, false)) return;
    const auto isRepeated = [step](const auto& point) { return point.step >= step; };
    ++repeats_;
    std::erase_if(points_, isRepeated);
    std::erase_if(discarded_, isRepeated);
    std::erase_if(blocks_, isRepeated);
    std::erase_if(discardedBlocks_, isRepeated);
    std::erase_if(rounding_, isRepeated);
}

void NumbersModel::reset(const RunStarted& run) {
    points_.clear();
    discarded_.clear();
    blocks_.clear();
    latents_ = {};
    guardEvents_.clear();
    ++run_;
    numSteps_ = run.request.num_inference_steps.value_or(0);
    discardedBlocks_.clear();
    blockNames_.clear();
    rounding_.clear();
    seen_ = {};
    seen_.guard = run.request.guard;
    usualKey_ = UsualPeaks::keyOf(run.request);
    usual_ = usualPeaks_.of(usualKey_);
    runPeaks_.clear();
}

void NumbersModel::addStep(const StepNumbers& numbers) {
    if (numbers.phase != Phase::denoise) return;
    forgetRepeated(numbers.step);
    const int firstStep = points_.empty() ? numbers.step : points_.front().step;
    if (usual_.count == 0 && numbers.step < firstStep + kFirstSteps) learnPeaks(numbers, usual_.peaks);
    learnPeaks(numbers, runPeaks_);
    StepPoint point = pointOf(numbers);
    compareWithUsual(numbers, point);
    StepPoint* earlier = find(points_, numbers.step);
    if (earlier && earlier->attempt != numbers.attempt) discarded_.push_back(*earlier);
    if (earlier)
        *earlier = point;
    else
        points_.push_back(point);
    seen_.usualRatio = usual_.count > 0 ? point.usualRatio : 0;
    seen_.latest = numbers;
    seen_.repairing.reset();
    seen_.repeating.reset();
    addBlocks(numbers);
}

void NumbersModel::addBlocks(const StepNumbers& numbers) {
    std::map<int, BlockPoint> lowest;
    for (const SiteNumbers& place : numbers.sites) {
        const std::string_view name = blockName(place.site);
        if (name.empty()) continue;
        const int block = rowOf(name);
        const BlockPoint seen{numbers.step,    block,      place.headroomStops, place.maxAbs,
                              place.nonFinite, place.site, usualRatioOf(place)};
        const auto [known, added] = lowest.try_emplace(block, seen);
        const double ratio = std::max(seen.usualRatio, known->second.usualRatio);
        if (!added && seen.headroomStops < known->second.headroomStops) known->second = seen;
        known->second.usualRatio = ratio;
    }
    for (const auto& [block, point] : lowest) blocks_.push_back(point);
}

/// Keeps the coarsest op of the latest attempt at each step.
void NumbersModel::addRounding(const RoundingMeasured& measured) {
    if (measured.phase != Phase::denoise) return;
    forgetRepeated(measured.step);
    const RoundingPoint point{measured.step, measured.attempt, measured.decibels, measured.site};
    const auto place = std::ranges::lower_bound(rounding_, point.step, {}, &RoundingPoint::step);
    if (place == rounding_.end() || place->step != point.step)
        rounding_.insert(place, point);
    else if (place->attempt != point.attempt || point.decibels < place->decibels)
        *place = point;
}

/// Returns the ratio of a site's peak to its usual peak, or 0 if the usual peak is unknown.
double NumbersModel::usualRatioOf(const SiteNumbers& place) const {
    const auto usual = usual_.peaks.find(nameOf(place));
    const bool isKnown = place.nonFinite == 0 && usual != usual_.peaks.end() && usual->second > 0;
    return isKnown ? place.maxAbs / usual->second : 0;
}

void NumbersModel::compareWithUsual(const StepNumbers& numbers, StepPoint& point) const {
    for (const SiteNumbers& place : numbers.sites) {
        if (place.site == kSpreadSite) point.spreadRatio = place.maxAbs;
        if (isDerived(place.site)) continue;
        const double ratio = usualRatioOf(place);
        if (ratio <= point.usualRatio) continue;
        point.usualRatio = ratio;
        point.usualSite = place.site;
    }
}

/// Learns the usual peaks of the model from a finished run. Ignores runs in which something was found.
void NumbersModel::learnRun(const RunResult& result) {
    const bool isClean =
        result.status == RunStatus::completed && result.warnings.empty() && guardEvents_.empty() && nonFinite() == 0;
    if (isClean && !runPeaks_.empty()) usualPeaks_.learn(usualKey_, runPeaks_);
}

int NumbersModel::rowOf(std::string_view block) {
    const auto known = std::find(blockNames_.begin(), blockNames_.end(), block);
    if (known != blockNames_.end()) return static_cast<int>(known - blockNames_.begin());
    blockNames_.emplace_back(block);
    return numBlocks() - 1;
}

/// Marks the cell of the site that made the guard repeat the step.
void NumbersModel::discardOffender(const GuardActed& action) {
    if (!seen_.latest || action.phase != Phase::denoise) return;
    for (const SiteNumbers& place : seen_.latest->sites) {
        const std::string_view name = blockName(place.site);
        if (name.empty() || place.component + "." + place.site != action.site) continue;
        discardedBlocks_.push_back(
            {action.step, rowOf(name), place.headroomStops, place.maxAbs, place.nonFinite, place.site});
        return;
    }
}

void NumbersModel::completeStep(const StepCompleted& step) {
    forgetRepeated(step.step);
    numSteps_ = step.num_steps;
    latents_ = {step.latents_histogram, step.histogram_min, step.histogram_max};
    StepPoint* point = find(points_, step.step);
    if (!point) {
        point = &points_.emplace_back();
        point->step = step.step;
    }
    point->latentsStd = step.latents.std;
    point->velocityStd = step.noise_pred.std;
}

void NumbersModel::addGuardAction(const GuardActed& action) {
    if (isKnown(action)) return;
    const SiteNumbers place{action.site, {}, {}, 0, 0, 0};
    if (action.action == GuardAction::stop) {
        seen_.stop = NumericStop{.site = action.site,
                                 .step = action.phase == Phase::denoise ? action.step + 1 : 0,
                                 .onlyObserved = seen_.guard == GuardMode::observe};
        if (isObserved(action)) return;  // the run went on after the finding, which has its event
    }
    if (action.action == GuardAction::learned) ++seen_.knownOverrides;
    if (is_warning(action)) seen_.finding = action;
    if (is_repair(action.action)) countRepair(action);
    if (runsAgain(action.action)) {
        discardOffender(action);
        (is_repair(action.action) ? seen_.repairing : seen_.repeating) = place;
    }
    guardEvents_.push_back({action, QTime::currentTime()});
}

/// Returns true for an override that is reported again, because the run goes on.
bool NumbersModel::isKnown(const GuardActed& action) const {
    return action.action == GuardAction::learned && std::ranges::any_of(guardEvents_, [&](const GuardEvent& event) {
               return event.action.action == GuardAction::learned && event.action.site == action.site;
           });
}

/// Returns true if the guard has found the same before and only observed it.
bool NumbersModel::isObserved(const GuardActed& action) const {
    return std::ranges::any_of(guardEvents_, [&](const GuardEvent& event) {
        const GuardActed& seen = event.action;
        return seen.action == GuardAction::observe && seen.phase == action.phase && seen.step == action.step &&
               seen.site == action.site;
    });
}

/// Counts a healed step. A step that needs several attempts counts once.
void NumbersModel::countRepair(const GuardActed& action) {
    const bool counted = std::ranges::any_of(guardEvents_, [&](const GuardEvent& event) {
        return is_repair(event.action.action) && isSameStep(event.action, action);
    });
    if (!counted) ++seen_.repairs;
    seen_.lastRepair = action.step;
}

void NumbersModel::fail(const Error& error) {
    if (error.code() == ErrorCode::not_finite && !seen_.stop) seen_.stop = stopOf(error);
}

void NumbersModel::retranslate() {
    updateLine();
    Q_EMIT changed();
}

void NumbersModel::updateLine() {
    NumbersLine line = trafficLight(seen_);
    if (line == line_) return;
    line_ = std::move(line);
    Q_EMIT lineChanged();
}

}  // namespace kinescope::ui
