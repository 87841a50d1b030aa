#include "ui/models/log_table.h"
#include "ui/models/json_object.h"

#include <QByteArrayList>
#include <QJsonObject>
#include <array>

namespace kinescope::ui {
namespace {

constexpr std::array kColumns{"phase", "step", "attempt", "branch", "component", "site", "dtype", "count",
                              "min",   "max",  "max_abs", "mean",   "std",       "nan",  "inf",   "headroom_stops"};

QByteArray cell(const QJsonValue& value) {
    if (value.isDouble()) return QByteArray::number(value.toDouble(), 'g', 17);
    QByteArray text = value.toString().toUtf8();
    if (!text.contains(',') && !text.contains('"') && !text.contains('\n')) return text;
    return '"' + text.replace("\"", "\"\"") + '"';
}

QByteArray row(const QJsonObject& record) {
    QByteArrayList cells;
    for (const char* column : kColumns) cells << cell(record.value(QLatin1String(column)));
    return cells.join(',');
}

}  // namespace

QByteArray csvOfLog(const QByteArray& jsonLines) {
    QByteArray table = QByteArrayList(kColumns.begin(), kColumns.end()).join(',') + '\n';
    for (const QByteArray& line : jsonLines.split('\n')) {
        const QJsonObject record = readJsonObject(line);
        if (record.value(QLatin1String("record")).toString() == QLatin1String("stat")) table += row(record) + '\n';
    }
    return table;
}

}  // namespace kinescope::ui
