#include <QDoubleSpinBox>
#include <QtTest>

#include "tests/support/fake_engine.h"
#include "ui/models/request_model.h"
#include "ui/panels/saving_section.h"
#include "ui/text/saving_words.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/theme.h"

using namespace kinescope;
using namespace kinescope::ui;

class TestSavingSection : public QObject {
    Q_OBJECT

private:
    Theme theme_;
    std::unique_ptr<EngineBridge> bridge_;
    std::unique_ptr<RequestModel> model_;
    std::unique_ptr<SavingSection> section_;

    QDoubleSpinBox* spin(const char* name) { return section_->findChild<QDoubleSpinBox*>(QLatin1String(name)); }
    MessageLine* line(const char* name) { return section_->findChild<MessageLine*>(QLatin1String(name)); }

private Q_SLOTS:
    void init() {
        chooseLanguage(QStringLiteral("en"));
        bridge_ = std::make_unique<EngineBridge>([](RunObserver& observer) {
            return std::make_unique<kinescope::testing::FakeEngine>(kinescope::testing::healthyRun(), observer);
        });
        model_ = std::make_unique<RequestModel>(*bridge_);
        section_ = std::make_unique<SavingSection>(theme_, *model_);
        section_->setExpanded(true);
        section_->show();
        bridge_->askModels();
        QTRY_VERIFY(model_->hasCard());
    }

    void cleanup() {
        section_.reset();
        model_.reset();
        bridge_.reset();
    }

    void isOffByDefault() {
        QCOMPARE(section_->value(), QStringLiteral("Off"));
        QCOMPARE(spin("stepCacheSpin")->text(), QStringLiteral("Off"));
        QVERIFY(!model_->request().step_cache);
        QCOMPARE(line("stepCacheMessage")->text(), QStringLiteral("Off: every step is computed."));
    }

    void theCacheShowsItsCost() {
        spin("stepCacheSpin")->setValue(0.05);
        QCOMPARE(model_->request().step_cache, std::optional(0.05));
        QCOMPARE(line("stepCacheMessage")->text(), stepCacheText(0.05));
        QVERIFY(line("stepCacheMessage")->text().contains("skips up to 5 of 12 steps"));
        QCOMPARE(section_->value(), QStringLiteral("step cache 0.05"));
        spin("stepCacheSpin")->setValue(0.1);
        QVERIFY(line("stepCacheMessage")->text().contains("skips up to 6 of 12 steps"));
        spin("stepCacheSpin")->setValue(0.3);
        QVERIFY(line("stepCacheMessage")->text().startsWith("Not measured"));
        spin("stepCacheSpin")->setValue(2);
        QCOMPARE(line("stepCacheMessage")->severity(), Severity::error);
        QCOMPARE(line("stepCacheMessage")->text(), QStringLiteral("Must be between 0 and 1."));
        Q_EMIT line("stepCacheMessage")->fixActivated();
        QCOMPARE(model_->request().step_cache, std::optional(1.0));
        spin("stepCacheSpin")->setValue(0);
        QVERIFY(!model_->request().step_cache);
    }

    void theIntervalIsHiddenWithoutGuidance() {
        model_->edit([](VideoRequest& request) { request.guidance_scale = 1; });
        QVERIFY(!spin("guidanceStartSpin")->isVisible());
        model_->edit([](VideoRequest& request) { request.guidance_scale = 5; });
        QVERIFY(spin("guidanceStartSpin")->isVisible());
        QCOMPARE(spin("guidanceStopSpin")->value(), 100.0);
        spin("guidanceStartSpin")->setValue(10);
        spin("guidanceStopSpin")->setValue(80);
        QCOMPARE(model_->request().guidance_start, std::optional(0.1));
        QCOMPARE(model_->request().guidance_stop, std::optional(0.8));
        QCOMPARE(section_->value(), QStringLiteral("guided 10 to 80 %"));
        spin("guidanceStopSpin")->setValue(5);
        QCOMPARE(line("guidanceStopMessage")->text(), QStringLiteral("Must not be less than the start of guidance."));
        spin("guidanceStartSpin")->setValue(0);
        spin("guidanceStopSpin")->setValue(100);
        QVERIFY(!model_->request().guidance_start && !model_->request().guidance_stop);
    }

    void anotherModelResetsTheSettings() {
        spin("stepCacheSpin")->setValue(0.05);
        model_->chooseModel("/models/two");
        QTRY_COMPARE(model_->card().id, std::string("/models/two"));
        QVERIFY(!model_->request().step_cache);
        QCOMPARE(spin("stepCacheSpin")->value(), 0.0);
    }
};

QTEST_MAIN(TestSavingSection)
#include "test_saving_section.moc"
