#include <QTextEdit>
#include <QtTest>

#include "ui/panels/error_card.h"
#include "ui/widgets/theme.h"

using namespace kinescope;
using namespace kinescope::ui;

class TestErrorCard : public QObject {
    Q_OBJECT

private Q_SLOTS:
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

QTEST_MAIN(TestErrorCard)
#include "test_error_card.moc"
