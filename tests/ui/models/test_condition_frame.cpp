#include <QTest>

#include "ui/models/condition_frame.h"

using namespace kinescope;

class TestConditionFrame : public QObject {
    Q_OBJECT

    static ModelCard card() {
        ModelCard card;
        card.default_num_frames = 25;
        card.num_frames_multiple = 8;
        return card;
    }

private Q_SLOTS:
    void theNextFrame_data() {
        QTest::addColumn<bool>("image");
        QTest::addColumn<bool>("lastImage");
        QTest::addColumn<QList<int>>("conditions");
        QTest::addColumn<int>("frame");
        using Frames = QList<int>;
        QTest::newRow("none") << false << false << Frames{} << 0;
        QTest::newRow("start image") << true << false << Frames{} << 24;
        QTest::newRow("both ends") << true << true << Frames{} << 8;
        QTest::newRow("longest part") << true << true << Frames{8} << 16;
        QTest::newRow("between multiples") << true << true << Frames{8, 16} << 4;
        QTest::newRow("behind the end") << true << false << Frames{24, 90} << 8;
        QTest::newRow("first frame as condition") << false << false << Frames{0} << 24;
    }
    void theNextFrame() {
        QFETCH(bool, image);
        QFETCH(bool, lastImage);
        QFETCH(QList<int>, conditions);
        VideoRequest request;
        if (image) request.image = "a.png";
        if (lastImage) request.last_image = "b.png";
        for (const int frame : conditions) request.conditions.push_back({"c.png", frame});
        QTEST(ui::nextConditionFrame(request, card()), "frame");
    }
};

QTEST_APPLESS_MAIN(TestConditionFrame)
#include "test_condition_frame.moc"
