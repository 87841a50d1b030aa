#include "ui/models/manual.h"

#include <QFile>
#include <QRegularExpression>
#include <QTextDocument>
#include <algorithm>

/// Registers the resources of the manual. Q_INIT_RESOURCE must be used outside of all namespaces.
static void initManual() {
    Q_INIT_RESOURCE(manual);
}

namespace kinescope::ui {
namespace {

QString fileText(const QString& name) {
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString plainText(const QString& markdown) {
    QTextDocument document;
    document.setMarkdown(markdown);
    return document.toPlainText();
}

bool containsAll(const QString& text, const QStringList& words) {
    return std::all_of(words.begin(), words.end(),
                       [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

bool containsAny(const QString& text, const QStringList& words) {
    return std::any_of(words.begin(), words.end(),
                       [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

}  // namespace

Manual::Manual(const QString& language) {
    initManual();
    for (const QString& page : pages()) read(page, fileText(QStringLiteral(":/manual/%1/%2.md").arg(language, page)));
}

QStringList Manual::pages() {
    return {QStringLiteral("first-video"),     QStringLiteral("models"),    QStringLiteral("video-input"),
            QStringLiteral("memory"),          QStringLiteral("precision"), QStringLiteral("numbers"),
            QStringLiteral("queue"),           QStringLiteral("library"),   QStringLiteral("command-line"),
            QStringLiteral("numeric-log"),     QStringLiteral("speed"),     QStringLiteral("quality"),
            QStringLiteral("troubleshooting"), QStringLiteral("privacy")};
}

void Manual::read(const QString& page, const QString& source) {
    static const QRegularExpression anchorLine(QStringLiteral("^<a id=\"([a-z0-9-]+)\"></a>$"));
    static const QRegularExpression headingLine(QStringLiteral("^(#{1,3}) (.+)$"));
    QStringList kept;
    QStringList body;
    QString anchor;
    bool fenced = false;
    const qsizetype first = sections_.size();
    const auto finishSection = [&] {
        if (sections_.size() > first) sections_.back().text = plainText(body.join(QLatin1Char('\n')));
        body.clear();
    };
    for (const QString& line : source.split(QLatin1Char('\n'))) {
        if (line.startsWith(QLatin1String("```"))) fenced = !fenced;
        const auto marked = anchorLine.match(line);
        const auto heading = fenced ? QRegularExpressionMatch() : headingLine.match(line);
        if (!fenced && marked.hasMatch()) {
            anchor = marked.captured(1);
            continue;
        }
        kept << line;
        if (!heading.hasMatch()) {
            body << line;
            continue;
        }
        finishSection();
        sections_.append(
            {page, anchor, plainText(heading.captured(2)), static_cast<int>(heading.capturedLength(1)), {}});
        anchor.clear();
    }
    finishSection();
    markdown_ << kept.join(QLatin1Char('\n'));
}

QString Manual::markdown(const QString& page) const {
    return markdown_.value(pages().indexOf(page));
}

QList<ManualSection> Manual::sectionsOf(const QString& page) const {
    QList<ManualSection> found;
    std::copy_if(sections_.begin(), sections_.end(), std::back_inserter(found),
                 [&](const ManualSection& section) { return section.page == page; });
    return found;
}

const ManualSection* Manual::find(const QString& address) const {
    const auto found = std::find_if(sections_.begin(), sections_.end(),
                                    [&](const ManualSection& section) { return section.address() == address; });
    return found == sections_.end() ? nullptr : &*found;
}

QList<ManualSection> Manual::search(const QString& query) const {
    const QStringList words = query.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (words.isEmpty()) return {};
    QList<ManualSection> found;
    std::copy_if(sections_.begin(), sections_.end(), std::back_inserter(found), [&](const ManualSection& section) {
        return containsAll(section.title + QLatin1Char('\n') + section.text, words);
    });
    std::stable_partition(found.begin(), found.end(),
                          [&](const ManualSection& section) { return containsAny(section.title, words); });
    return found;
}

}  // namespace kinescope::ui
