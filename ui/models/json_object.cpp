#include "ui/models/json_object.h"

#include <QJsonArray>
#include <limits>

#include "core/api/bounded_json.h"

namespace kinescope::ui {
namespace {

using Document = nlohmann::json;

constexpr auto kLargestInteger = static_cast<std::uint64_t>(std::numeric_limits<qint64>::max());

Document parsed(const QByteArray& text) {
    return try_parse_json({text.constData(), static_cast<std::size_t>(text.size())});
}

QJsonObject objectOf(const Document& json);

/// Converts a parsed document. The recursion is limited, because bounded_json.h limits the depth of the document.
QJsonValue valueOf(const Document& json) {
    if (json.is_boolean()) return json.get<bool>();
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > kLargestInteger) return json.get<double>();
    if (json.is_number_integer()) return json.get<qint64>();
    if (json.is_number_float()) return json.get<double>();
    if (json.is_string()) return QString::fromStdString(json.get_ref<const std::string&>());
    if (json.is_object()) return objectOf(json);
    if (!json.is_array()) return {};
    QJsonArray array;
    for (const Document& value : json) array.append(valueOf(value));
    return array;
}

QJsonObject objectOf(const Document& json) {
    QJsonObject object;
    for (const auto& [key, value] : json.items()) object.insert(QString::fromStdString(key), valueOf(value));
    return object;
}

}  // namespace

QJsonObject readJsonObject(const QByteArray& text) {
    const Document json = parsed(text);
    return json.is_object() ? objectOf(json) : QJsonObject();
}

bool isJsonObject(const QByteArray& text) {
    return parsed(text).is_object();
}

}  // namespace kinescope::ui
