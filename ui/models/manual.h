#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace kinescope::ui {

/// A heading of the manual and the text below it, up to the next heading.
struct ManualSection {
    QString page;    ///< "numbers"
    QString anchor;  ///< "headroom"; empty for the title of the page
    QString title;
    int level = 1;
    QString text;  ///< without Markdown, for the search

    /// Returns the address of the section: "numbers#headroom", or "numbers" for the title of the page.
    QString address() const { return anchor.isEmpty() ? page : page + QLatin1Char('#') + anchor; }
};

/// The manual in one language, read from the program's resources. Headings below the title are preceded by a line
/// `<a id="anchor"></a>`, which GitHub understands and Qt's Markdown reader does not: Manual removes these lines.
class Manual {
public:
    /// `language` is "en" or "zh_CN".
    explicit Manual(const QString& language);

    /// Returns the ids of the pages in reading order.
    static QStringList pages();
    /// Returns the Markdown of a page, without the lines of the anchors, or an empty string if there is no such page.
    QString markdown(const QString& page) const;
    /// Returns all headings, in reading order.
    const QList<ManualSection>& sections() const { return sections_; }
    QList<ManualSection> sectionsOf(const QString& page) const;
    /// Returns the section with this address, or nullptr if there is none.
    const ManualSection* find(const QString& address) const;
    /// Returns the sections that contain all words of the query, ignoring case. Sections with a word in the title come
    /// first.
    QList<ManualSection> search(const QString& query) const;

private:
    void read(const QString& page, const QString& source);

    QStringList markdown_;  ///< in the order of pages()
    QList<ManualSection> sections_;
};

}  // namespace kinescope::ui
