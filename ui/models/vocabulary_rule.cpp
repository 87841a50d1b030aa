#include "ui/models/vocabulary_rule.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>

#include "core/api/color_hints.h"
#include "core/api/vocabulary.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(VocabularyRule)
};

bool isChinese(const QString& text) {
    return std::any_of(text.begin(), text.end(), [](QChar c) { return c.script() == QChar::Script_Han; });
}

/// Returns the texts in the language of the window, English or Chinese.
QStringList inCurrentLanguage(QStringList texts) {
    const bool chinese = QLocale().language() == QLocale::Chinese;
    texts.removeIf([chinese](const QString& text) { return isChinese(text) != chinese; });
    return texts;
}

/// Returns the texts in the language of the window, or all texts if there are none.
QStringList preferCurrentLanguage(const std::vector<std::string>& texts) {
    QStringList all;
    for (const std::string& text : texts) all << QString::fromStdString(text);
    const QStringList chosen = inCurrentLanguage(all);
    return chosen.isEmpty() ? all : chosen;
}

QString unknownWordsHint(const QString& prompt, const ModelCard& card) {
    QStringList unknown = unknownWords(prompt, card);
    if (unknown.isEmpty()) return {};
    for (QString& word : unknown) word = QStringLiteral("“%1”").arg(word);
    return Tr::tr("Words unknown to this model: %1.").arg(unknown.mid(0, kWordsNamed).join(QStringLiteral(", ")));
}

QString withColors(const QString& sentence, const UnknownColor& unknown) {
    QStringList known;
    for (const std::string& color : unknown.known) known << QString::fromStdString(color);
    return sentence.arg(QString::fromStdString(unknown.color), known.join(QStringLiteral(", ")));
}

QString backgroundHint(const QString& prompt, const ModelCard& card) {
    const auto unknown = unknown_background(prompt.toStdString(), card);
    return unknown ? withColors(Tr::tr("This model knows no %1 background, only these: %2.", "color, colors"), *unknown)
                   : QString();
}

QString shapeColorHint(const QString& prompt, const ModelCard& card) {
    const auto unknown = unknown_shape_color(prompt.toStdString(), card);
    return unknown
               ? withColors(Tr::tr("This model knows no %1 shapes, only these colors: %2.", "color, colors"), *unknown)
               : QString();
}

}  // namespace

QStringList examplePrompts(const ModelCard& card) {
    return preferCurrentLanguage(card.example_prompts);
}

QStringList unknownWords(const QString& prompt, const ModelCard& card) {
    QStringList unknown;
    for (const std::string& word : unknown_words(prompt.toStdString(), card)) unknown << QString::fromStdString(word);
    return unknown;
}

QString vocabularyText(const ModelCard& card) {
    if (card.vocabulary.words.empty()) return {};
    const QStringList words = preferCurrentLanguage(card.vocabulary.words);
    return Tr::tr("Words this model knows: %1.").arg(words.join(QStringLiteral(", ")));
}

QString vocabularySummary(const ModelCard& card) {
    const QStringList lines = QString::fromStdString(card.vocabulary.hint).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    return inCurrentLanguage(lines).value(0, vocabularyText(card));
}

QString vocabularyHint(const QString& prompt, const ModelCard& card) {
    QStringList hints{unknownWordsHint(prompt, card), backgroundHint(prompt, card), shapeColorHint(prompt, card)};
    hints.removeAll(QString());
    return hints.join(QLatin1Char(' '));
}

}  // namespace kinescope::ui
