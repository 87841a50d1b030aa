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

QStringList unknownWords(const QString& prompt, const Vocabulary& vocabulary) {
    if (vocabulary.words.empty()) return {};
    QSet<QString> known;
    for (const std::string& word : vocabulary.words) known.insert(QString::fromStdString(word).toLower());
    QStringList unknown;
    for (const QString& word : wordsOf(prompt)) {
        if (!known.contains(word) && !unknown.contains(word)) unknown << word;
    }
    return unknown;
}

QString vocabularyHint(const QString& prompt, const Vocabulary& vocabulary) {
    QStringList unknown = unknownWords(prompt, vocabulary);
    if (unknown.isEmpty()) return {};
    for (QString& word : unknown) word = QStringLiteral("“%1”").arg(word);
    const QString named = unknown.mid(0, kWordsNamed).join(QStringLiteral(", "));
    const QString hint = QString::fromStdString(vocabulary.hint);
    return Words::tr("This small model does not know %1. %2").arg(named, hint).trimmed();
}

}  // namespace kinescope::ui
