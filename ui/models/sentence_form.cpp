#include "ui/models/sentence_form.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace kinescope::ui {

QString valueOf(const Sentence& sentence, const char* name) {
    const auto found = sentence.values.find(name);
    return found == sentence.values.end() ? QString() : QString::fromStdString(found->second);
}

QString filled(const QString& words, const QStringList& values) {
    QString said;
    for (qsizetype i = 0; i < words.size(); ++i) {
        const bool isPlace = words[i] == QLatin1Char('%') && i + 1 < words.size() && words[i + 1].isDigit();
        if (isPlace)
            said += values.value(words[++i].digitValue() - 1);
        else
            said += words[i];
    }
    return said;
}

QString sayIn(const char* context, std::span<const SentenceForm> forms, const Sentence& sentence) {
    const auto form = std::ranges::find_if(forms, [&](const SentenceForm& each) { return sentence.code == each.code; });
    if (form == forms.end()) return QString::fromStdString(sentence.text);
    QStringList values;
    for (const char* name : form->values)
        if (name != nullptr) values << valueOf(sentence, name);
    return filled(QCoreApplication::translate(context, form->words), values);
}

}  // namespace kinescope::ui
