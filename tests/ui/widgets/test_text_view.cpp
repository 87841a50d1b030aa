#include <QTextEdit>
#include <QtTest>

#include "ui/panels/error_card.h"
#include "ui/widgets/text_view.h"
#include "ui/widgets/theme.h"

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

    /// A name that is copied from the card must be found in a search.
    void anErrorNamesAFileAsItIs() {
        const QString name = QStringLiteral("wan2.1_i2v_480p_14B_fp8_scaled.safetensors");
        const std::string path = "/models/" + name.toStdString();
        const Theme theme;
        ErrorCard card(theme);
        card.setError(Error(ErrorCode::file_not_found, "There is no file " + path, {}, {{"path", path}}));
        for (const char* text : {"errorSentenceText", "errorDetailText"}) {
            auto* view = card.findChild<QTextEdit*>(QLatin1String(text));
            QVERIFY(view);
            view->selectAll();
            QVERIFY2(view->textCursor().selectedText().contains(name), text);
        }
        QVERIFY(card.minimumSizeHint().width() < 600);
    }
};

QTEST_MAIN(TestTextView)
#include "test_text_view.moc"
