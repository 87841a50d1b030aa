#include <QtTest>

#include "tests/support/fake_engine.h"
#include "ui/models/numbers_model.h"
#include "ui/panels/number_series.h"
#include "ui/text/site_name.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

/// Returns a run whose peaks are `factor` times the usual ones at step `step` (0-based).
kinescope::testing::Script runWithPeak(int step, double factor) {
    return [=](const VideoRequest& request) {
        std::vector<RunEvent> events = kinescope::testing::healthyRun()(request);
        for (RunEvent& event : events) {
            auto* ready = std::get_if<NumericsReady>(&event);
            if (!ready) continue;
            NumericSample spread = ready->samples.front();
            spread.site = "latents.spread";
            spread.stats.max_abs = 0.5;
            ready->samples.push_back(spread);
            for (NumericSample& sample : ready->samples)
                if (sample.step == step && sample.site == "blocks.7.ffn") sample.stats.max_abs *= factor;
        }
        return events;
    };
}

class Run {
public:
    Run(const kinescope::testing::Script& script, const QString& usualFile)
        : bridge_([script](RunObserver& observer) {
              return std::make_unique<kinescope::testing::FakeEngine>(script, observer);
          }),
          numbers_(bridge_, usualFile) {
        VideoRequest request = with_defaults({}, kinescope::testing::demoCard());
        request.output.file = folder_.filePath("a.mp4").toStdString();
        QObject::connect(&bridge_, &EngineBridge::eventsArrived, &numbers_,
                         [this](const std::vector<WindowEvent>& events) {
                             for (const WindowEvent& event : events)
                                 ended_ = ended_ || std::holds_alternative<RunFinished>(event);
                         });
        bridge_.submit(request);
        ok_ = QTest::qWaitFor([this] { return ended_; }, 10'000);
    }

    bool ok() const { return ok_; }
    const NumbersModel& numbers() const { return numbers_; }

private:
    QTemporaryDir folder_;
    EngineBridge bridge_;
    NumbersModel numbers_;
    bool ended_ = false;
    bool ok_ = false;
};

}  // namespace

class TestNumberSeries : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void float32ComparesWithTheFirstSteps() {
        const Run run(runWithPeak(5, 3), {});
        QVERIFY(run.ok());
        QVERIFY(run.numbers().comparesWithUsual());
        const PlotContent content = headroomContent(run.numbers());
        QCOMPARE(content.first.size(), 12);
        QCOMPARE(content.first[0].y(), 1.0);
        QVERIFY2(content.first[5].y() > 2 && content.first[5].y() < 4,
                 qPrintable(QString::number(content.first[5].y())));
        QCOMPARE(run.numbers().points()[5].usualSite, std::string("blocks.7.ffn"));
        QCOMPARE(content.remark, QStringLiteral("against the first steps"));
        QVERIFY(content.value.endsWith(QStringLiteral("× usual")));
        QVERIFY(content.spec.y_max >= content.first[5].y());
    }

    void laterRunsCompareWithEarlierOnes() {
        QTemporaryDir folder;
        const QString file = folder.filePath("usual.json");
        QVERIFY(Run(runWithPeak(0, 1), file).ok());
        QVERIFY(QThreadPool::globalInstance()->waitForDone(5000));
        const Run second(runWithPeak(1, 16), file);
        QVERIFY(second.ok());
        QCOMPARE(second.numbers().usualSource(), UsualSource::runs);
        const PlotContent content = headroomContent(second.numbers());
        QVERIFY2(content.first[1].y() > 8, "the first steps are compared, too");
        QVERIFY(content.spec.limit);
        QVERIFY(content.remark.contains(QStringLiteral("1 earlier run")));
    }

    void onlyCleanRunsTellWhatIsUsual() {
        QTemporaryDir folder;
        const QString file = folder.filePath("usual.json");
        QVERIFY(Run(kinescope::testing::warnedRun(), file).ok());
        QVERIFY(Run(kinescope::testing::healedRun(3), file).ok());
        QVERIFY(QThreadPool::globalInstance()->waitForDone(5000));
        QVERIFY(!QFile::exists(file));
    }

    void fp16KeepsItsHeadroom() {
        const Run run(kinescope::testing::healedRun(3), {});
        QVERIFY(run.ok());
        QVERIFY(!run.numbers().comparesWithUsual());
        const PlotContent content = headroomContent(run.numbers());
        QCOMPARE(content.spec.unit, QStringLiteral("stops"));
        for (const QPointF& point : content.first) QVERIFY(point.y() <= content.spec.y_max);
    }

    void theCoarsestOpOfEachMeasuredStepIsShown() {
        const auto measured = [](int step, int attempt, double decibels, Phase phase = Phase::denoise) {
            return RoundingMeasured{phase,   step, attempt, "transformer", "blocks.7.ffn", {ElementType::bfloat16},
                                    decibels};
        };
        const Run run(
            [=](const VideoRequest& request) {
                std::vector<RunEvent> events = kinescope::testing::healthyRun()(request);
                const std::vector<RunEvent> rounding{measured(0, 0, 38), measured(0, 1, 47), measured(0, 1, 52),
                                                     measured(10, 0, 55), measured(0, 0, 20, Phase::decode)};
                events.insert(events.end() - 1, rounding.begin(), rounding.end());
                return events;
            },
            {});
        QVERIFY(run.ok());
        const PlotContent content = roundingContent(run.numbers());
        // The second attempt replaces the first one. Of two components, the one that lost more counts.
        QCOMPARE(content.first, (QList<QPointF>{{1, 47}, {11, 55}}));
        QCOMPARE(content.value, QStringLiteral("55 dB"));
        QCOMPARE(content.remark, siteName("blocks.7.ffn"));
        QVERIFY(content.spec.y_min < 40 && content.spec.y_max >= 55);
    }

    void theSpreadIsShownAgainstTheSchedule() {
        const Run run(runWithPeak(0, 1), {});
        QVERIFY(run.ok());
        const PlotContent content = spreadContent(run.numbers());
        QCOMPARE(content.spec.series_names, (QStringList{"latents", "expected"}));
        QCOMPARE(content.second[3].y(), 2 * content.first[3].y());
        QCOMPARE(content.remark, QStringLiteral("0.50 × expected"));
    }

    void withoutTheScheduleTheVelocityIsShown() {
        const Run run(kinescope::testing::healthyRun(), {});
        QVERIFY(run.ok());
        QCOMPARE(spreadContent(run.numbers()).spec.series_names.back(), QStringLiteral("velocity"));
    }
};

QTEST_MAIN(TestNumberSeries)
#include "test_number_series.moc"
