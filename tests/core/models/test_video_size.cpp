#include "core/models/video_size.h"

#include <QtTest>

#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

class TestVideoSize : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sizes_that_fit_are_accepted() {
        QVERIFY(!error_of([] { check_video_size({.width = 48, .height = 32, .num_frames = 1}, 16); }));
    }

    void the_message_names_what_is_wrong_data() {
        QTest::addColumn<ResolvedContent>("content");
        QTest::addColumn<QString>("message");
        const QString size = QStringLiteral("A video of %1 cannot be made: width and height must be multiples of 16");
        QTest::newRow("width") << ResolvedContent{.width = 40, .height = 32, .num_frames = 9} << size.arg("40x32");
        QTest::newRow("height") << ResolvedContent{.width = 48, .height = 0, .num_frames = 9} << size.arg("48x0");
        QTest::newRow("frames") << ResolvedContent{.width = 48, .height = 32, .num_frames = 0}
                                << QStringLiteral("num_frames is 0; it must be at least 1");
        QTest::newRow("both") << ResolvedContent{.width = 40, .height = 32, .num_frames = 0} << size.arg("40x32");
    }
    void the_message_names_what_is_wrong() {
        QFETCH(ResolvedContent, content);
        const Error error = thrown_by([&] { check_video_size(content, 16); });
        QCOMPARE(error.code(), ErrorCode::bad_request);
        QTEST(QString::fromStdString(error.message()), "message");
    }
};

QTEST_GUILESS_MAIN(TestVideoSize)
#include "test_video_size.moc"
