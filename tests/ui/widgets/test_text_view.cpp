#include <QTextEdit>
#include <QtTest>

#include "ui/widgets/text_view.h"

using namespace kinescope;
using namespace kinescope::ui;

class TestTextView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void largerTextNeedsMoreHeight() {
        TextView view;
        view.showText(QStringLiteral("a red ball moving left "));
        view.show();
        const int before = view.height();
        QFont larger = view.font();
        larger.setPixelSize(3 * view.fontMetrics().height());
        view.setFont(larger);
        QTRY_VERIFY(view.height() > 2 * before);
        QVERIFY(view.viewport()->height() >= static_cast<int>(view.document()->size().height()));
    }

    void theKeyboardSelects() {
        TextView view;
        view.showText(QStringLiteral("a red ball"));
        view.show();
        view.moveCursor(QTextCursor::Start);
        for (int letter = 0; letter < 5; ++letter) QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(view.textCursor().selectedText(), QStringLiteral("a red"));
    }

    void theSameTextKeepsTheSelection() {
        TextView view;
        view.showText(QStringLiteral("a red ball"));
        view.selectAll();
        view.showText(QStringLiteral("a red ball"));
        QCOMPARE(view.textCursor().selectedText(), QStringLiteral("a red ball"));
        view.showText(QStringLiteral("a blue ball"));
        QVERIFY(!view.textCursor().hasSelection());
    }
};

QTEST_MAIN(TestTextView)
#include "test_text_view.moc"
