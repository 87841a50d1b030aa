#include "ui/models/vocabulary_rule.h"

#include <QCoreApplication>
#include <QStringList>

#include "core/api/vocabulary.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(VocabularyRule)
};

}  // namespace

QStringList unknownWords(const QString& prompt, const ModelCard& card) {
    QStringList unknown;
    for (const std::string& word : unknown_words(prompt.toStdString(), card)) unknown << QString::fromStdString(word);
    return unknown;
}

QString vocabularyText(const ModelCard& card) {
    if (card.vocabulary.words.empty()) return {};
    QStringList words;
    for (const std::string& word : card.vocabulary.words) words << QString::fromStdString(word);
    return Tr::tr("Words this model knows: %1.").arg(words.join(QStringLiteral(", ")));
}

QString vocabularyHint(const QString& prompt, const ModelCard& card) {
    QStringList unknown = unknownWords(prompt, card);
    if (unknown.isEmpty()) return {};
    for (QString& word : unknown) word = QStringLiteral("“%1”").arg(word);
    return Tr::tr("Words unknown to this model: %1.").arg(unknown.mid(0, kWordsNamed).join(QStringLiteral(", ")));
}

}  // namespace kinescope::ui
