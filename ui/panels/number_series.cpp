#include "ui/panels/number_series.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/text/guard_words.h"
#include "ui/text/site_name.h"

namespace kinescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(NumbersPanel)
};

constexpr double kFloat16Max = 65504;
constexpr double kFloat16Axis = 10;  ///< minimum height of the axis in stops (powers of two)
constexpr double kActStops = 1;
// Default range of the axis of ratios. Larger and smaller values extend it.
constexpr double kLeastRatio = 0.25;
constexpr double kMostRatio = 2;
constexpr double kHighRatio = 8;  ///< growth at which the guard reports a finding
// Default range of the axis of rounding errors in dB. Larger and smaller values extend it.
constexpr double kLeastDecibels = 30;
constexpr double kMostDecibels = 70;
constexpr double kCoarseDecibels = 40;  ///< below it, the guard raises the op

bool isFloat16(const NumbersModel& numbers) {
    return !numbers.points().empty() && numbers.points().back().precision == ComputePrecision{ElementType::float16};
}

QString number(double value) {
    return QLocale().toString(value, 'f', value < 10 ? 2 : value < 100 ? 1 : 0);
}

double powerBelow(double value) {
    return std::exp2(std::floor(std::log2(value)));
}

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Replaces 0, which means "not measured", by NaN.
double positive(double value) {
    return value > 0 ? value : kNaN;
}

/// Returns the points (step, value) of all steps. `value` returns NaN for steps without a value.
template <class Value>
QList<QPointF> lineOf(const std::vector<StepPoint>& points, Value value) {
    QList<QPointF> line;
    for (const StepPoint& point : points) {
        if (const double y = value(point); std::isfinite(y)) line.append({point.step + 1.0, y});
    }
    std::sort(line.begin(), line.end(), [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); });
    return line;
}

template <class Value>
QList<DiscardedPoint> ringsOf(const NumbersModel& numbers, Value value) {
    QList<DiscardedPoint> rings;
    for (const StepPoint& point : numbers.discarded()) {
        rings.append({point.step + 1, value(point), Words::tr("%1, discarded").arg(number(value(point)))});
    }
    return rings;
}

std::pair<double, double> rangeOf(const QList<QPointF>& line, double low, double high) {
    for (const QPointF& point : line) {
        low = std::min(low, point.y());
        high = std::max(high, point.y());
    }
    return {low, high};
}

}  // namespace

PlotContent peakContent(const NumbersModel& numbers) {
    PlotContent content;
    const auto peak = [](const StepPoint& point) { return positive(point.peak); };
    content.first = lineOf(numbers.points(), peak);
    content.discarded = ringsOf(numbers, peak);
    content.spec.axis = PlotSpec::Axis::log2;
    content.spec.y_min = 1;
    content.spec.y_max = 1024;
    if (!content.first.isEmpty()) {
        const auto [low, high] = rangeOf(content.first, content.first.front().y(), content.first.front().y());
        content.spec.y_min = powerBelow(low) / 2;
        content.spec.y_max = powerBelow(high) * 8;
        content.value = number(content.first.back().y());
        if (const auto& precision = numbers.points().back().precision) content.remark = precisionLabel(*precision);
    }
    if (isFloat16(numbers)) {
        content.spec.limit = kFloat16Max;
        content.spec.y_max = 2 * kFloat16Max;
        content.spec.bands = {{kFloat16Max / 2, kFloat16Max, ColorRole::error}};
        content.remark = Words::tr("fp16 limit %1").arg(QLocale().toString(kFloat16Max, 'f', 0));
    }
    content.spec.ticks = log2Ticks(content.spec.y_min, content.spec.y_max, 4);
    return content;
}

namespace {

PlotContent fp16Content(const NumbersModel& numbers) {
    PlotContent content;
    const auto stops = [](const StepPoint& point) { return point.precision ? point.headroomStops : kNaN; };
    content.first = lineOf(numbers.points(), stops);
    content.discarded = ringsOf(numbers, stops);
    content.spec.fill = PlotSpec::Fill::below;
    content.spec.first_color = 2;
    // The axis must include the largest value, which can exceed kFloat16Axis.
    content.spec.y_max = std::ceil(rangeOf(content.first, 0, kFloat16Axis).second);
    content.spec.ticks = linearTicks(0, content.spec.y_max, 3);
    content.spec.unit = Words::tr("stops");
    if (numbers.numSites() > 0) content.remark = Words::tr("lowest of %1 sites").arg(numbers.numSites());
    content.spec.bands = {{0, kActStops, ColorRole::error}, {kActStops, kWatchStops, ColorRole::warn}};
    content.spec.note = Words::tr("guard records below 2, raises below 1");
    if (content.first.isEmpty()) return content;
    const double newest = content.first.back().y();
    content.value = Words::tr("%1 stops").arg(QLocale().toString(newest, 'f', 1));
    content.role = newest < kActStops ? ColorRole::error : newest < kWatchStops ? ColorRole::warn : ColorRole::ok;
    return content;
}

QList<PlotTick> ratioTicks(double low, double high) {
    QList<PlotTick> ticks;
    for (const double ratio : {1.0 / 16, 0.25, 1.0, 4.0, 16.0, 64.0, 256.0})
        if (ratio >= low && ratio <= high)
            ticks.append({ratio, Words::tr("%1 ×").arg(QLocale().toString(ratio, 'g', 3))});
    return ticks;
}

PlotContent usualContent(const NumbersModel& numbers) {
    PlotContent content;
    content.first = lineOf(numbers.points(), [](const StepPoint& point) { return positive(point.usualRatio); });
    const auto [low, high] = rangeOf(content.first, kLeastRatio, kMostRatio);
    content.spec.axis = PlotSpec::Axis::log2;
    content.spec.first_color = 2;
    content.spec.y_min = powerBelow(low);
    content.spec.y_max = powerBelow(high) * 2;
    content.spec.ticks = ratioTicks(content.spec.y_min, content.spec.y_max);
    content.spec.limit = content.spec.y_max > kHighRatio ? std::optional(kHighRatio) : std::nullopt;
    content.spec.unit = Words::tr("× usual");
    content.remark = numbers.usualSource() == UsualSource::runs
                         ? Words::tr("against %Ln earlier runs", nullptr, numbers.usualRuns())
                         : Words::tr("against the first steps");
    if (content.first.isEmpty()) return content;
    const double newest = content.first.back().y();
    content.value = Words::tr("%1 × usual").arg(number(newest));
    content.role = newest > kHighRatio ? ColorRole::warn : ColorRole::ok;
    return content;
}

}  // namespace

PlotContent headroomContent(const NumbersModel& numbers) {
    return numbers.comparesWithUsual() ? usualContent(numbers) : fp16Content(numbers);
}

PlotContent roundingContent(const NumbersModel& numbers) {
    PlotContent content;
    for (const RoundingPoint& point : numbers.rounding()) content.first.append({point.step + 1.0, point.decibels});
    const auto [low, high] = rangeOf(content.first, kLeastDecibels, kMostDecibels);
    content.spec.first_color = 3;
    content.spec.y_min = std::floor(low / 10) * 10;
    content.spec.y_max = std::ceil(high / 10) * 10;
    content.spec.ticks = linearTicks(content.spec.y_min, content.spec.y_max, 4);
    content.spec.bands = {{content.spec.y_min, kCoarseDecibels, ColorRole::error}};
    content.spec.unit = Words::tr("dB");
    if (content.first.isEmpty()) return content;
    const RoundingPoint& newest = numbers.rounding().back();
    content.value = Words::tr("%1 dB").arg(QLocale().toString(newest.decibels, 'f', 0));
    content.role = newest.decibels < kCoarseDecibels ? ColorRole::error : ColorRole::ok;
    content.remark = siteName(newest.site);
    return content;
}

PlotContent spreadContent(const NumbersModel& numbers) {
    PlotContent content;
    content.first = lineOf(numbers.points(), [](const StepPoint& point) { return positive(point.latentsStd); });
    const auto expected = lineOf(numbers.points(), [](const StepPoint& point) {
        return point.spreadRatio > 0 ? positive(point.latentsStd / point.spreadRatio) : kNaN;
    });
    const auto velocity = [](const StepPoint& point) { return positive(point.velocityStd); };
    content.second = expected.isEmpty() ? lineOf(numbers.points(), velocity) : expected;
    content.spec.series_names = {Words::tr("latents"),
                                 expected.isEmpty() ? Words::tr("velocity") : Words::tr("expected")};
    if (!expected.isEmpty() && numbers.points().back().spreadRatio > 0)
        content.remark = Words::tr("%1 × expected").arg(number(numbers.points().back().spreadRatio));
    content.spec.y_min = 0;
    const auto [low, high] = rangeOf(content.second, 0, rangeOf(content.first, 0, 1).second);
    content.spec.y_max = std::ceil((high + 0.1) * 2) / 2;
    content.spec.ticks = linearTicks(low, content.spec.y_max, 3);
    if (!content.first.isEmpty()) content.value = number(content.first.back().y());
    return content;
}

QList<qint64> nonFiniteCounts(const NumbersModel& numbers) {
    QList<qint64> counts(std::max(1, numbers.numSteps()), -1);
    for (const StepPoint& point : numbers.points()) {
        if (point.step >= 0 && point.step < counts.size()) counts[point.step] = point.nonFinite;
    }
    return counts;
}

QSet<qsizetype> uncountedSteps(const NumbersModel& numbers) {
    QSet<qsizetype> steps;
    for (const StepPoint& point : numbers.points())
        if (!point.isCounted) steps.insert(point.step);
    return steps;
}

}  // namespace kinescope::ui
