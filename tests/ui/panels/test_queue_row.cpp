#include <QListView>
#include <QStandardItemModel>
#include <QtTest>

#include "ui/models/queue_model.h"
#include "ui/panels/queue_delegate.h"
#include "ui/panels/queue_row.h"
#include "ui/widgets/theme.h"

using namespace kinescope::ui;
using Part = QueueRowLine::Part;

namespace {

/// The fonts of the window.
QueueRowFonts fonts() {
    static Theme theme;
    return {.prompt = theme.font(Type::strong), .others = theme.font(Type::caption)};
}

QString textOf(const std::vector<QueueRowLine>& lines, Part part) {
    QStringList words;
    for (const QueueRowLine& line : lines)
        if (line.part == part) words << line.text;
    return words.join(QLatin1Char(' '));
}

int widthOf(const QString& text, const QFont& font) {
    return QFontMetrics(font).horizontalAdvance(text);
}

}  // namespace

class TestQueueRow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWideRowShowsEverything() {
        const QueueRowTexts texts{.prompt = "A red ball",
                                  .facts = "Demo, 96 x 64",
                                  .computer = {},
                                  .state = "Step 8 of 12",
                                  .aside = "21 s left",
                                  .shortAside = "21 s",
                                  .reason = {}};
        const auto lines = queueRowLines(texts, fonts(), 600);
        QCOMPARE(lines.size(), std::size_t{4});
        QCOMPARE(lines[2].place.top(), lines[3].place.top());  // state and aside
        QCOMPARE(lines[3].place.right(), 599);
        QCOMPARE(textOf(lines, Part::facts), texts.facts);
    }

    void aNarrowRowKeepsPromptAndState() {
        const QueueRowTexts texts{.prompt = "A red ball bounces",
                                  .facts = "On studio: demo, 96 x 64",
                                  .computer = "On studio",
                                  .state = "Interrupted at step 12 of 50",
                                  .aside = "Continue",
                                  .shortAside = "Continue",
                                  .reason = {}};
        const int width = widthOf(texts.state, fonts().others) * 2 / 3;
        const auto lines = queueRowLines(texts, fonts(), width);
        QCOMPARE(textOf(lines, Part::prompt), texts.prompt);
        QCOMPARE(textOf(lines, Part::state), texts.state);
        QCOMPARE(textOf(lines, Part::aside), texts.aside);
        QCOMPARE(textOf(lines, Part::facts), texts.computer);
        for (const QueueRowLine& line : lines) {
            const QFont font = line.part == Part::prompt ? fonts().prompt : fonts().others;
            QVERIFY2(widthOf(line.text, font) <= width, qPrintable(line.text));
        }
        for (std::size_t i = 1; i < lines.size(); ++i) QVERIFY(lines[i].place.top() > lines[i - 1].place.bottom());
        QCOMPARE(heightOf(lines), lines.back().place.bottom() + 1);
    }

    void longTextsEndWithAnEllipsis() {
        const QString prompt = QStringLiteral("A red ball bounces past a blue box ").repeated(9);
        const auto lines = queueRowLines({.prompt = prompt,
                                          .facts = {},
                                          .computer = {},
                                          .state = "waiting",
                                          .aside = {},
                                          .shortAside = {},
                                          .reason = "waits for free resources of the cluster " + prompt},
                                         fonts(), 200);
        QCOMPARE(lines.size(), std::size_t{6});
        for (const std::size_t last : {1, 5}) QVERIFY(lines[last].text.endsWith(QChar(0x2026)));
        QCOMPARE(heightOf({}), 0);
    }

    /// The delegate keeps the lines of a job.
    void aRowIsMeasuredAgainAfterAChange() {
        Theme theme;
        const QueueDelegate delegate(theme, nullptr);
        QListView view;
        view.resize(1200, 300);
        view.show();
        QStandardItemModel model(1, 1);
        const QModelIndex row = model.index(0, 0);
        model.setData(row, 7, Qt::UserRole);
        model.setData(row, QStringLiteral("A red ball"), Qt::DisplayRole);
        QStyleOptionViewItem option;
        option.widget = &view;
        const auto height = [&] { return delegate.sizeHint(option, row).height(); };
        const QString reason = QStringLiteral("no space is left on the disk ");
        const int plain = height();
        model.setData(row, reason.repeated(30), QueueModel::ReasonRole);
        QVERIFY(height() > plain);
        model.setData(row, reason.repeated(3), QueueModel::ReasonRole);
        const int wide = height();
        view.resize(300, 300);
        const int narrow = height();
        QVERIFY(narrow > wide);
        theme.setTextScalePercent(150);
        QVERIFY(height() > narrow);
    }
};

QTEST_MAIN(TestQueueRow)
#include "test_queue_row.moc"
