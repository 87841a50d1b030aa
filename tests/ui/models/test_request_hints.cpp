#include <QtTest>

#include "tests/support/fake_engine.h"
#include "ui/models/request_hints.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

/// Returns a request with the defaults of a card: sizes 128 x 128, 160 x 96 and 96 x 160; 25 frames at 12 fps; 12
/// steps.
VideoRequest usual() {
    return with_defaults({}, kinescope::testing::demoCard());
}

QStringList fieldsOf(const std::vector<RequestHint>& hints) {
    QStringList fields;
    for (const RequestHint& hint : hints) fields << QString::fromStdString(hint.field);
    return fields;
}

}  // namespace

class TestRequestHints : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theModelsOwnValuesNeedNoHint() {
        const ModelCard card = kinescope::testing::demoCard();
        VideoRequest request = usual();
        QCOMPARE(fieldsOf(requestHints(request, card)), QStringList());
        for (const Size size : card.sizes) {
            request.width = size.width;
            request.height = size.height;
            QCOMPARE(fieldsOf(requestHints(request, card)), QStringList());
        }
    }

    void unusualSizes_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("warns");
        QTest::addColumn<HintCode>("code");
        QTest::newRow("far too large") << QSize(480, 320) << true << HintCode::largeFrame;
        QTest::newRow("a little larger") << QSize(160, 128) << false << HintCode::largeFrame;
        QTest::newRow("far too small") << QSize(64, 64) << true << HintCode::smallFrame;
        QTest::newRow("a little smaller") << QSize(128, 96) << false << HintCode::smallFrame;
        QTest::newRow("a strip") << QSize(256, 64) << true << HintCode::otherShape;
        QTest::newRow("a column") << QSize(64, 256) << true << HintCode::otherShape;
    }
    void unusualSizes() {
        QFETCH(QSize, size);
        QFETCH(bool, warns);
        QFETCH(HintCode, code);
        VideoRequest request = usual();
        request.width = size.width();
        request.height = size.height();
        const auto hints = requestHints(request, kinescope::testing::demoCard());
        QCOMPARE(!hints.empty(), warns);
        if (!warns) return;
        QCOMPARE(hints.front().field, std::string("size"));
        QCOMPARE(hints.front().code, code);
        applyHint(request, hints.front());
        QVERIFY(requestHints(request, kinescope::testing::demoCard()).empty());
    }

    void theSuggestedSizeHasTheNearestShape() {
        VideoRequest request = usual();
        request.width = 480;
        request.height = 320;
        QCOMPARE(requestHints(request, kinescope::testing::demoCard()).front().size, (Size{160, 96}));
    }

    void unusualNumbers_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<int>("value");
        QTest::addColumn<bool>("warns");
        QTest::addColumn<HintCode>("code");
        QTest::newRow("twice as long") << "num_frames" << 49 << true << HintCode::longVideo;
        QTest::newRow("a little longer") << "num_frames" << 33 << false << HintCode::longVideo;
        QTest::newRow("very short") << "num_frames" << 5 << true << HintCode::shortVideo;
        QTest::newRow("an image") << "num_frames" << 1 << false << HintCode::shortVideo;
        QTest::newRow("fast") << "fps" << 24 << true << HintCode::fastPlayback;
        QTest::newRow("slow") << "fps" << 6 << true << HintCode::slowPlayback;
        QTest::newRow("nearly as trained") << "fps" << 15 << false << HintCode::fastPlayback;
        QTest::newRow("three steps") << "num_inference_steps" << 3 << true << HintCode::fewSteps;
        QTest::newRow("four steps") << "num_inference_steps" << 4 << false << HintCode::fewSteps;
    }
    void unusualNumbers() {
        QFETCH(QString, field);
        QFETCH(int, value);
        QFETCH(bool, warns);
        QFETCH(HintCode, code);
        VideoRequest request = usual();
        if (field == QLatin1String("num_frames")) request.num_frames = value;
        if (field == QLatin1String("fps")) request.fps = value;
        if (field == QLatin1String("num_inference_steps")) request.num_inference_steps = value;
        const auto hints = requestHints(request, kinescope::testing::demoCard());
        QCOMPARE(fieldsOf(hints), warns ? QStringList{field} : QStringList());
        if (!warns) return;
        QCOMPARE(hints.front().code, code);
        applyHint(request, hints.front());
        QVERIFY(requestHints(request, kinescope::testing::demoCard()).empty());
    }

    void fewStepsDependOnTheModel() {
        ModelCard card = kinescope::testing::demoCard();
        card.default_num_inference_steps = 50;
        VideoRequest request = with_defaults({}, card);
        request.num_inference_steps = 8;
        QCOMPARE(fieldsOf(requestHints(request, card)), QStringList{"num_inference_steps"});
        request.loras = {{"lightx2v.safetensors", 1}};
        QCOMPARE(fieldsOf(requestHints(request, card)), QStringList());
        card.default_num_inference_steps = 4;  // distilled
        request.loras.clear();
        request.num_inference_steps = 2;
        QCOMPARE(fieldsOf(requestHints(request, card)), QStringList());
    }

    void highGuidanceHasNoFix() {
        VideoRequest request = usual();
        request.guidance_scale = 15;
        const auto hints = requestHints(request, kinescope::testing::demoCard());
        QCOMPARE(fieldsOf(hints), QStringList{"guidance_scale"});
        QCOMPARE(hints.front().value, 0);
    }

    void framesAreRounded_data() {
        QTest::addColumn<int>("typed");
        QTest::addColumn<int>("multiple");
        QTest::addColumn<int>("offset");
        QTest::addColumn<int>("rounded");
        QTest::newRow("valid") << 25 << 4 << 1 << 25;
        QTest::newRow("up") << 24 << 4 << 1 << 25;
        QTest::newRow("down") << 26 << 4 << 1 << 25;
        QTest::newRow("middle") << 23 << 4 << 1 << 25;
        QTest::newRow("one") << 1 << 4 << 1 << 1;
        QTest::newRow("zero") << 0 << 4 << 1 << 1;
        QTest::newRow("negative") << -8 << 4 << 1 << 1;
        QTest::newRow("too many") << 900 << 4 << 1 << 49;
        QTest::newRow("no rule") << 14 << 1 << 0 << 14;
        QTest::newRow("eight") << 20 << 8 << 0 << 24;
    }
    void framesAreRounded() {
        QFETCH(int, typed);
        QFETCH(int, multiple);
        QFETCH(int, offset);
        QFETCH(int, rounded);
        ModelCard card = kinescope::testing::demoCard();
        card.num_frames_multiple = multiple;
        card.num_frames_offset = offset;
        QCOMPARE(nearestFrames(typed, card), rounded);
        VideoRequest request;
        request.prompt = "a ball";
        request.num_frames = nearestFrames(typed, card);
        QVERIFY(validate(request, card).empty());
    }
};

QTEST_MAIN(TestRequestHints)
#include "test_request_hints.moc"
