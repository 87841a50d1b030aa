#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QtTest>

#include "tests/support/fake_engine.h"
#include "ui/models/preset_model.h"
#include "ui/models/request_model.h"
#include "ui/models/settings_restorer.h"
#include "ui/panels/memory_section.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/theme.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

/// A fake engine whose plans name `limit` as the reason why less memory is free than the system reports.
class LimitedEngine final : public kinescope::testing::FakeEngine {
public:
    LimitedEngine(RunObserver& observer, LocalizableMessage limit)
        : FakeEngine(kinescope::testing::healthyRun(), observer), limit_(std::move(limit)) {}
    Plan plan(const VideoRequest& request) override {
        Plan plan = FakeEngine::plan(request);
        plan.free_memory_limit = limit_;
        return plan;
    }

private:
    LocalizableMessage limit_;
};

}  // namespace

class TestMemorySection : public QObject {
    Q_OBJECT

private:
    Theme theme_;
    std::unique_ptr<EngineBridge> bridge_;
    std::unique_ptr<RequestModel> model_;
    std::unique_ptr<MemorySection> section_;

    template <class Widget>
    Widget* find(const char* name) {
        return section_->findChild<Widget*>(QLatin1String(name));
    }
    QDoubleSpinBox* limit() { return find<QDoubleSpinBox>("maxMemorySpin"); }
    QComboBox* offload() { return find<QComboBox>("offloadCombo"); }
    QCheckBox* tiling() { return find<QCheckBox>("vaeTilingCheck"); }
    MessageLine* message() { return find<MessageLine>("maxMemoryMessage"); }

    void choose(int index) {
        offload()->setCurrentIndex(index);
        Q_EMIT offload()->activated(index);
    }

    void open(const EngineFactory& engine) {
        chooseLanguage(QStringLiteral("en"));
        bridge_ = std::make_unique<EngineBridge>(engine);
        model_ = std::make_unique<RequestModel>(*bridge_);
        section_ = std::make_unique<MemorySection>(theme_, *model_);
        section_->setExpanded(true);
        section_->show();
        bridge_->askModels();
        QTRY_VERIFY(model_->hasCard());
    }

private Q_SLOTS:
    void init() {
        open([](RunObserver& observer) {
            return std::make_unique<kinescope::testing::FakeEngine>(kinescope::testing::healthyRun(), observer);
        });
    }

    void cleanup() {
        section_.reset();
        model_.reset();
        bridge_.reset();
    }

    void settingsAreAutomaticByDefault() {
        QCOMPARE(limit()->text(), QStringLiteral("Automatic"));
        QCOMPARE(offload()->currentText(), QStringLiteral("Automatic"));
        QVERIFY(!model_->request().max_memory_bytes && !model_->request().vae_tiling);
        QVERIFY(model_->request().offload == OffloadMode::automatic);
    }

    void aLimitReachesRequestAndPlan() {
        limit()->setValue(8);
        QCOMPARE(*model_->request().max_memory_bytes, 8 * kGiB);
        QTRY_VERIFY(model_->plan() && model_->plan()->request.max_memory_bytes == 8 * kGiB);
        QCOMPARE(section_->value(), QStringLiteral("305.2 MiB, limit 8.0 GiB"));
        limit()->setValue(0);
        QVERIFY(!model_->request().max_memory_bytes);
        QTRY_VERIFY(!section_->value().contains("limit"));
    }

    void aLimitThatIsTooLowShowsTheNeededMemory() {
        limit()->setValue(0.1);  // the fake engine's plan needs more
        QTRY_COMPARE(message()->severity(), Severity::error);
        QCOMPARE(message()->text(), QStringLiteral("Needs at least 305.2 MiB."));
        limit()->setValue(1);
        QTRY_COMPARE(message()->severity(), Severity::none);
    }

    void restrictionsOfFreeMemoryAreShown_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("english");
        QTest::newRow("control group") << "cgroup_limit"
                                       << "Control group /docker/abc is limited to 4.0 GiB; 1.0 GiB in use.";
        QTest::newRow("address space") << "address_space_limit"
                                       << "The address space is limited to 4.0 GiB (ulimit -v); 1.0 GiB in use.";
        QTest::newRow("data segment") << "data_segment_limit"
                                      << "The data segment is limited to 4.0 GiB (ulimit -d); 1.0 GiB in use.";
    }
    void restrictionsOfFreeMemoryAreShown() {
        QFETCH(QString, code);
        QFETCH(QString, english);
        cleanup();
        const LocalizableMessage limit{
            .code = code.toStdString(),
            .values = {{"group", "/docker/abc"}, {"limit", std::to_string(4 * kGiB)}, {"used", std::to_string(kGiB)}},
            .text = "in the engine's words"};
        open([limit](RunObserver& observer) { return std::make_unique<LimitedEngine>(observer, limit); });
        auto* line = find<QLabel>("memoryLine");
        QTRY_COMPARE(line->text(), english);
        QVERIFY(!line->isHidden());
        chooseLanguage(QStringLiteral("zh_CN"));
        QTRY_VERIFY(line->text() != english);
    }

    void streamingFollowsTheSelection() {
        choose(1);
        QVERIFY(model_->request().offload == OffloadMode::blocks);
        choose(2);
        QVERIFY(model_->request().offload == OffloadMode::none);
        model_->edit([](VideoRequest& request) { request.offload = OffloadMode::components; });
        QCOMPARE(offload()->currentText(), QStringLiteral("Never"));
        choose(0);
        QVERIFY(model_->request().offload == OffloadMode::automatic);
    }

    void tilingIsHiddenUnlessSupported() {
        QVERIFY(!tiling()->isVisible());
        model_->chooseModel(kinescope::testing::kTilingModel);
        QTRY_VERIFY(tiling()->isVisible());
        tiling()->click();
        QCOMPARE(model_->request().vae_tiling, std::optional(true));
        tiling()->click();
        QVERIFY(!model_->request().vae_tiling);
    }

    void aRestoredRequestIsShown() {
        VideoRequest kept = model_->request();
        kept.model = kinescope::testing::kTilingModel;
        kept.max_memory_bytes = 800LL << 20;
        kept.offload = OffloadMode::blocks;
        kept.vae_tiling = true;
        SettingsRestorer restorer(*model_);
        restorer.restore(kept);
        QTRY_COMPARE(offload()->currentText(), QStringLiteral("Always"));
        QCOMPARE(limit()->text(), QStringLiteral("0.8 GiB"));
        QVERIFY(tiling()->isChecked());
        QCOMPARE(*model_->request().max_memory_bytes, 800LL << 20);  // displaying the value does not change the request
        const QByteArray preset = presetDocument("mine", model_->request(), {}, model_->card());
        for (const char* key : {"\"max_memory\"", "\"offload\"", "\"vae_tiling\""}) QVERIFY2(preset.contains(key), key);
    }

    void everyControlIsNamedAndTranslated() {
        for (QWidget* widget :
             {static_cast<QWidget*>(limit()), static_cast<QWidget*>(offload()), static_cast<QWidget*>(tiling())}) {
            QVERIFY(!widget->accessibleName().isEmpty() && !widget->toolTip().isEmpty());
            QVERIFY(widget->focusPolicy() & Qt::TabFocus);
            const QString english = widget->toolTip();
            chooseLanguage(QStringLiteral("zh_CN"));
            QTRY_VERIFY(widget->toolTip() != english);
            chooseLanguage(QStringLiteral("en"));
            QTRY_COMPARE(widget->toolTip(), english);
        }
    }
};

QTEST_MAIN(TestMemorySection)
#include "test_memory_section.moc"
