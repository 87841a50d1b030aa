#include "ui/models/log_differences.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonObject>
#include <QMap>
#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "ui/models/json_object.h"
#include "ui/text/site_name.h"

namespace kinescope::ui {
namespace {

constexpr double kFloatBits = 24;
constexpr int kMostSteps = 10'000;  ///< limits memory for invalid logs

struct Place {
    int step = 0;
    QString block;
    QString site;
    QString key;                   ///< step, branch and site
    std::array<double, 4> values;  ///< min, max, mean, std
    double maxAbs = 0;
    qint64 count = 0;
};

struct ReadLog {
    QList<Place> places;  ///< in log order
    QHash<QString, qsizetype> byKey;
    QMap<int, LatentsPair> latents;  ///< only `a` is set
    int numSteps = 0;
};

double numberOf(const QJsonValue& value) {
    return value.isDouble() ? value.toDouble() : std::numeric_limits<double>::quiet_NaN();  // "nan", "inf"
}

void addStat(const QJsonObject& record, ReadLog& log) {
    const std::string site = record.value(QLatin1String("site")).toString().toStdString();
    const std::string_view block = blockName(site);
    const int step = record.value(QLatin1String("step")).toInt(-1);
    if (record.value(QLatin1String("phase")).toString() != QLatin1String("denoise") || block.empty()) return;
    if (step < 0 || step >= kMostSteps) return;
    Place place;
    place.step = step;
    place.block = QString::fromUtf8(block.data(), static_cast<qsizetype>(block.size()));
    place.site = QString::fromStdString(site);
    place.key = QStringLiteral("%1 %2 %3").arg(step).arg(record.value(QLatin1String("branch")).toString(), place.site);
    place.values = {numberOf(record.value(QLatin1String("min"))), numberOf(record.value(QLatin1String("max"))),
                    numberOf(record.value(QLatin1String("mean"))), numberOf(record.value(QLatin1String("std")))};
    place.maxAbs = numberOf(record.value(QLatin1String("max_abs")));
    place.count = record.value(QLatin1String("count")).toInteger();
    log.numSteps = std::max(log.numSteps, step + 1);
    if (const auto known = log.byKey.constFind(place.key); known != log.byKey.constEnd()) {
        log.places[*known] = place;  // a later attempt replaces an earlier one
    } else {
        log.byKey.insert(place.key, log.places.size());
        log.places << place;
    }
}

void addStep(const QJsonObject& record, ReadLog& log) {
    const QJsonObject bins = record.value(QLatin1String("latents_histogram")).toObject();
    const int step = record.value(QLatin1String("step")).toInt(-1);
    if (step < 0 || step >= kMostSteps) return;
    log.numSteps = std::max(log.numSteps, step + 1);
    LatentsPair& latents = log.latents[step];
    latents.low = bins.value(QLatin1String("min")).toDouble();
    latents.high = bins.value(QLatin1String("max")).toDouble();
    latents.a.clear();
    const QJsonArray counts = bins.value(QLatin1String("counts")).toArray();
    for (const auto count : counts) latents.a << count.toInteger();
}

ReadLog readLog(const QByteArray& lines) {
    ReadLog log;
    for (const QByteArray& line : lines.split('\n')) {
        const QJsonObject record = readJsonObject(line);
        const QString kind = record.value(QLatin1String("record")).toString();
        if (kind == QLatin1String("stat")) addStat(record, log);
        if (kind == QLatin1String("step")) addStep(record, log);
    }
    return log;
}

/// Returns the difference relative to the larger max |x|. A non-finite value differs maximally from a finite one, and
/// not at all from another non-finite one.
double relativeDifference(const Place& a, const Place& b) {
    const double scale = std::max({a.maxAbs, b.maxAbs, std::numeric_limits<double>::min()});
    double largest = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        const bool odd_a = std::isnan(a.values[i]);
        const bool odd_b = std::isnan(b.values[i]);
        if (odd_a != odd_b) return 1;
        if (!odd_a) largest = std::max(largest, std::abs(a.values[i] - b.values[i]) / scale);
    }
    return largest;
}

QList<LatentsPair> pairLatents(const ReadLog& a, const ReadLog& b, int numSteps) {
    QList<LatentsPair> pairs;
    for (int step = 0; step < numSteps; ++step) {
        LatentsPair pair = a.latents.value(step);
        const LatentsPair other = b.latents.value(step);
        const bool alike = pair.low == other.low && pair.high == other.high && pair.a.size() == other.a.size();
        if (alike) pair.b = other.a;
        pairs << pair;
    }
    return pairs;
}

}  // namespace

LogDifferences logDifferences(const QByteArray& a, const QByteArray& b) {
    const ReadLog left = readLog(a);
    const ReadLog right = readLog(b);
    LogDifferences found;
    found.numSteps = std::min(left.numSteps, right.numSteps);
    QMap<BlockStep, BlockDifference> cells;
    std::set<BlockStep> other_size;
    for (const Place& place : left.places) {
        const auto other = right.byKey.constFind(place.key);
        if (other == right.byKey.constEnd()) continue;
        if (!found.blocks.contains(place.block)) found.blocks << place.block;
        const int row = static_cast<int>(found.blocks.indexOf(place.block));
        const BlockStep at{row, place.step};
        // Tensors with different sizes or padding have different statistics even if the values agree.
        if (right.places[*other].count != place.count) {
            other_size.insert(at);
            continue;
        }
        const double difference = relativeDifference(place, right.places[*other]);
        const auto cell = cells.find(at);
        if (cell == cells.end() || difference > cell->relative)
            cells.insert(at, {row, place.step, difference, place.site});
    }
    for (const BlockStep& at : other_size)
        if (!cells.contains(at)) found.otherSize << at;
    found.cells = cells.values();
    found.latents = pairLatents(left, right, found.numSteps);
    return found;
}

double sharedBits(double relative) {
    if (!(relative > 0)) return kFloatBits;
    return std::clamp(-std::log2(relative), 0.0, kFloatBits);
}

}  // namespace kinescope::ui
