#include "ui/models/numeric_log_model.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <cmath>
#include <limits>

#include "ui/models/json_object.h"

namespace kinescope::ui {
namespace {

constexpr qint64 kLongestLine = 16 << 20;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

QString word(const QJsonObject& record, const char* key) {
    return record.value(QLatin1String(key)).toString();
}

/// Reads a number. Non-finite values are strings in the log.
double number(const QJsonObject& record, const char* key) {
    const QJsonValue value = record.value(QLatin1String(key));
    if (value.toString() == QLatin1String("inf")) return std::numeric_limits<double>::infinity();
    return value.toDouble(kNone);
}

/// Returns the note of a record: "0.42 s" for a step, "completed" for the summary, finding and action for the guard,
/// "52.3 dB" for a rounding error.
QString noteOf(const QJsonObject& record) {
    const QString kind = word(record, "record");
    if (kind == QLatin1String("guard"))
        return QStringLiteral("%1: %2 → %3")
            .arg(word(record, "detector"), word(record, "found"), word(record, "action"));
    if (kind == QLatin1String("rounding"))
        return QLocale().toString(number(record, "decibels"), 'f', 1) + QStringLiteral(" dB");
    if (kind == QLatin1String("step"))
        return QLocale().toString(number(record, "seconds"), 'g', 3) + QStringLiteral(" s");
    if (kind == QLatin1String("summary")) return word(record, "status") + QLatin1Char(' ') + word(record, "reason");
    if (kind == QLatin1String("header"))
        return QStringLiteral("Kinescope %1, %2, %3")
            .arg(word(record, "version"), word(record, "device"), word(record, "started"));
    return {};
}

NumericLogRow rowOf(const QJsonObject& record, const QByteArray& line) {
    const QString component = word(record, "component");
    const QString site = word(record, "site");
    const QString branch = word(record, "branch");
    NumericLogRow row{.record = word(record, "record"),
                      .phase = word(record, "phase"),
                      .step = record.value(QLatin1String("step")).toInt(-1),
                      .site = component.isEmpty() ? site : component + QLatin1Char('.') + site,
                      .dtype = word(record, "dtype"),
                      .largest = number(record, "max_abs"),
                      .headroom = number(record, "headroom_stops"),
                      .note = noteOf(record).trimmed(),
                      .line = line};
    if (!branch.isEmpty()) row.site += QStringLiteral(" (%1)").arg(branch);
    if (row.record == QLatin1String("frame"))
        row.site = QStringLiteral("frame %1").arg(record.value(QLatin1String("index")).toInt() + 1);
    return row;
}

}  // namespace

NumericLogRows readNumericLog(const QString& name, int limit) {
    NumericLogRows log;
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly)) {
        log.problem = file.errorString();
        return log;
    }
    while (!file.atEnd()) {
        const QByteArray line = file.readLine(kLongestLine).trimmed();
        if (line.isEmpty()) continue;
        if (log.rows.size() >= limit) {
            log.isCut = true;
            break;
        }
        const QJsonObject record = readJsonObject(line);
        if (word(record, "record").isEmpty())
            ++log.numSkipped;
        else
            log.rows.append(rowOf(record, line));
    }
    return log;
}

void NumericLogModel::setRows(QList<NumericLogRow> rows) {
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

QString NumericLogModel::details(int row) const {
    if (row < 0 || row >= rows_.size()) return {};
    return QString::fromUtf8(QJsonDocument(readJsonObject(rows_[row].line)).toJson(QJsonDocument::Indented));
}

void NumericLogModel::retranslate() {
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, kColumns - 1);
}

int NumericLogModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int NumericLogModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QString NumericLogModel::text(const NumericLogRow& row, int column) const {
    const auto shown = [](double value) { return std::isnan(value) ? QString() : QLocale().toString(value, 'g', 5); };
    switch (column) {
        case recordColumn:
            return row.record;
        case phaseColumn:
            return row.phase;
        case stepColumn:
            return row.step < 0 ? QString() : QLocale().toString(row.step + 1);
        case siteColumn:
            return row.site;
        case dtypeColumn:
            return row.dtype;
        case largestColumn:
            return shown(row.largest);
        case headroomColumn:
            return shown(row.headroom);
        default:
            return row.note;
    }
}

QVariant NumericLogModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const NumericLogRow& row = rows_[index.row()];
    const bool number =
        index.column() == stepColumn || index.column() == largestColumn || index.column() == headroomColumn;
    if (role == Qt::DisplayRole) return text(row, index.column());
    if (role == Qt::TextAlignmentRole && number) return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role == kFindingRole) return row.record == QLatin1String("guard") || row.record == QLatin1String("summary");
    if (role == kTextRole) return row.record + QLatin1Char(' ') + row.site + QLatin1Char(' ') + row.note;
    return {};
}

QVariant NumericLogModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case recordColumn:
            return tr("Record");
        case phaseColumn:
            return tr("Phase");
        case stepColumn:
            return tr("Step");
        case siteColumn:
            return tr("Site");
        case dtypeColumn:
            return tr("Computed in");
        case largestColumn:
            return tr("Peak |x|");
        case headroomColumn:
            return tr("Headroom");
        default:
            return tr("Finding or note");
    }
}

}  // namespace kinescope::ui
