#include "ui/text/message_form.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace kinescope::ui {

QString valueOf(const LocalizableMessage& sentence, const char* name) {
    const auto found = sentence.values.find(name);
    return found == sentence.values.end() ? QString() : QString::fromStdString(found->second);
}

QString filled(const QString& text, const QStringList& values) {
    QString result;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool isPlace = text[i] == QLatin1Char('%') && i + 1 < text.size() && text[i + 1].isDigit();
        if (isPlace)
            result += values.value(text[++i].digitValue() - 1);
        else
            result += text[i];
    }
    return result;
}

QString translatedText(const char* context, std::span<const MessageForm> forms, const LocalizableMessage& sentence) {
    const auto form = std::ranges::find_if(forms, [&](const MessageForm& each) { return sentence.code == each.code; });
    if (form == forms.end()) return QString::fromStdString(sentence.text);
    QStringList values;
    for (const char* name : form->values)
        if (name != nullptr) values << valueOf(sentence, name);
    return filled(QCoreApplication::translate(context, form->text), values);
}

}  // namespace kinescope::ui
