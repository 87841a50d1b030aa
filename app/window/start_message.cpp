#include "app/window/start_message.h"

#include <algorithm>
#include <string>

#include "core/base/json.h"

namespace kinescope {
namespace {

constexpr int kFormat = 1;
constexpr JsonLimits kLimits{.bytes = kMostStartBytes, .depth = 4, .values = 10'000};
constexpr int kLargestSide = 1 << 15;  ///< px

QByteArray line(const Json& json) {
    return QByteArray::fromStdString(json.dump(-1, ' ', false, Json::error_handler_t::replace)) + '\n';
}

Json parsed(const QByteArray& text) {
    return try_parse_json({text.constData(), static_cast<std::size_t>(text.size())}, kLimits);
}

QString text(const Json& json) {
    return QString::fromStdString(json.get_ref<const std::string&>());
}

bool isText(const Json& message, const char* name) {
    return message.contains(name) && message[name].is_string();
}

bool isListOfTexts(const Json& message, const char* name) {
    return message.contains(name) && message[name].is_array() &&
           std::ranges::all_of(message[name], [](const Json& value) { return value.is_string(); });
}

/// Returns the size; an invalid one for everything else.
QSize sizeOf(const Json& message) {
    const auto side = [&message](const char* name) {
        if (!message.contains(name) || !message[name].is_number_unsigned()) return 0;
        return static_cast<int>(std::min<std::uint64_t>(message[name].get<std::uint64_t>(), kLargestSide));
    };
    const QSize size(side("width"), side("height"));
    return size.isEmpty() ? QSize() : size;
}

}  // namespace

QByteArray startMessage(const WindowOptions& options) {
    Json files = Json::array();
    for (const QString& file : options.files) files.push_back(file.toStdString());
    return line({{"format", kFormat},
                 {"files", files},
                 {"model", options.model.toStdString()},
                 {"theme", options.theme.toStdString()},
                 {"width", std::max(0, options.size.width())},
                 {"height", std::max(0, options.size.height())},
                 {"activation_token", options.activationToken.toStdString()}});
}

std::optional<WindowOptions> readStartMessage(const QByteArray& line) {
    const Json message = parsed(line);
    if (!message.is_object() || !message.contains("format") || message["format"] != kFormat) return std::nullopt;
    if (!isListOfTexts(message, "files")) return std::nullopt;
    for (const char* name : {"model", "theme", "activation_token"})
        if (!isText(message, name)) return std::nullopt;
    WindowOptions options;
    for (const Json& file : message["files"]) options.files << text(file);
    options.model = text(message["model"]);
    options.theme = text(message["theme"]);
    options.size = sizeOf(message);
    options.activationToken = text(message["activation_token"]).toUtf8();
    return options;
}

QByteArray answerMessage(StartAnswer answer) {
    return line({{"accepted", answer == StartAnswer::accepted}});
}

StartAnswer readAnswer(const QByteArray& line) {
    const Json message = parsed(line);
    const bool isAccepted = message.is_object() && message.contains("accepted") && message["accepted"] == true;
    return isAccepted ? StartAnswer::accepted : StartAnswer::refused;
}

}  // namespace kinescope
