#include "ui/models/vocabulary_rule.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QSet>

namespace kinescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(VocabularyRule)
};

constexpr int kWordsNamed = 3;

QStringList wordsOf(const QString& prompt) {
    static const QRegularExpression separators(QStringLiteral("[^\\p{L}\\p{M}\\p{N}']+"));
    return prompt.toLower().split(separators, Qt::SkipEmptyParts);
}

}  // namespace

QStringList unknownWords(const QString& prompt, const ModelCard& card) {
    if (card.vocabulary.words.empty()) return {};
    QSet<QString> known;
    for (const std::vector<std::string>& texts : {card.vocabulary.words, card.example_prompts}) {
        for (const std::string& text : texts) {
            for (const QString& word : wordsOf(QString::fromStdString(text))) known.insert(word);
        }
    }
    QStringList unknown;
    for (const QString& word : wordsOf(prompt)) {
        if (!known.contains(word) && !unknown.contains(word)) unknown << word;
    }
    return unknown;
}

QString vocabularyHint(const QString& prompt, const ModelCard& card) {
    QStringList unknown = unknownWords(prompt, card);
    if (unknown.isEmpty()) return {};
    for (QString& word : unknown) word = QStringLiteral("“%1”").arg(word);
    return Words::tr("This small model does not know %1.").arg(unknown.mid(0, kWordsNamed).join(QStringLiteral(", ")));
}

}  // namespace kinescope::ui
