#include "ui/models/log_table.h"
#include "ui/models/json_object.h"

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
    QByteArray line;
    for (const char* column : kColumns) {
        if (column != kColumns.front()) line += ',';
        line += cell(record.value(QLatin1String(column)));
    }
    return line;
}

}  // namespace

QByteArray csvOfLog(const QByteArray& jsonLines) {
    QByteArray table;
    for (const char* column : kColumns) table += (table.isEmpty() ? QByteArray() : QByteArray(",")) + column;
    table += '\n';
    for (const QByteArray& line : jsonLines.split('\n')) {
        const QJsonObject record = readJsonObject(line);
        if (record.value(QLatin1String("record")).toString() == QLatin1String("stat")) table += row(record) + '\n';
    }
    return table;
}

}  // namespace kinescope::ui
