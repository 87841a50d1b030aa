#include <QtTest>

#include "tests/support/fake_engine.h"
#include "ui/models/log_folder.h"
#include "ui/models/request_model.h"

using namespace kinescope;
using namespace kinescope::ui;

class TestRequestModel : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<EngineBridge> bridge_;
    std::unique_ptr<RequestModel> model_;
    QTemporaryDir data_;

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_DATA_HOME", QFile::encodeName(data_.path())); }

    void init() {
        bridge_ = std::make_unique<EngineBridge>([](RunObserver& observer) {
            return std::make_unique<kinescope::testing::FakeEngine>(kinescope::testing::healthyRun(), observer);
        });
        model_ = std::make_unique<RequestModel>(*bridge_);
        bridge_->askModels();
        QTRY_VERIFY(model_->hasCard());
    }

    void cleanup() {
        model_.reset();
        bridge_.reset();
    }

    void startsWithTheFirstModelAndItsExample() {
        QCOMPARE(model_->request().prompt, model_->card().example_prompts.front());
        QVERIFY(model_->canRun());
        QTRY_VERIFY(model_->plan());
        QTRY_VERIFY(model_->tokens());
    }

    void severalKeystrokesLeadToOnePlan() {
        QTRY_VERIFY(model_->plan());
        model_->setPlanDelay(std::chrono::hours(1));
        int cards = 0;
        connect(bridge_.get(), &EngineBridge::cardRead, this, [&cards] { ++cards; });
        const auto areAnswered = [&] {
            bridge_->askCard("builtin");  // answered after the plans that were asked for before it
            return QTest::qWaitFor([&cards, expected = cards + 1] { return cards == expected; });
        };
        QVERIFY(areAnswered());
        int plans = 0;
        connect(bridge_.get(), &EngineBridge::planMade, this, [&plans] { ++plans; });
        for (const char* prompt : {"a", "a b", "a ball"}) {
            model_->edit([prompt](VideoRequest& request) { request.prompt = prompt; });
            QCoreApplication::processEvents();
            QVERIFY(areAnswered());
        }
        model_->setPlanDelay(std::chrono::milliseconds(0));
        QTRY_COMPARE(model_->plan()->request.prompt, std::string("a ball"));
        QCOMPARE(plans, 1);
    }

    void reportsEveryFault() {
        model_->edit([](VideoRequest& request) {
            request.width = 130;
            request.num_inference_steps = 0;
        });
        QVERIFY(!model_->canRun());
        QVERIFY(model_->faultOf("width"));
        QVERIFY(model_->faultOf("num_inference_steps"));
        QVERIFY(!model_->faultOf("height"));
    }

    void createsFolderAndFileNamesOfARun() {
        QTemporaryDir folder;
        const VideoRequest run = model_->forRun(folder.filePath("new"));
        QVERIFY(QFileInfo(folder.filePath("new")).isDir());
        QCOMPARE(run.output.file.extension(), ".mp4");
        QCOMPARE(run.output.numeric_log.extension(), ".jsonl");
        QCOMPARE(QString::fromStdString(run.output.numeric_log.parent_path().string()), logFolder());
        QVERIFY(QFile(QString::fromStdString(run.output.numeric_log.string())).open(QIODevice::WriteOnly));
        QVERIFY(model_->forRun(folder.filePath("new")).output.file != run.output.file);
    }

    void aSeedIsShownUntilTheNextRunNeedsAnother() {
        const auto seed = model_->request().seed;
        model_->prepareSeed();
        QCOMPARE(model_->request().seed, seed);  // the seed is not used yet
        model_->markSeedUsed();
        QCOMPARE(model_->request().seed, seed);
        model_->setSeedMode(SeedMode::locked);
        model_->prepareSeed();
        QCOMPARE(model_->request().seed, seed);
        model_->setSeedMode(SeedMode::newEachRun);
        model_->releaseSeed();
        model_->prepareSeed();
        QCOMPARE(model_->request().seed, seed);
        model_->markSeedUsed();
        model_->edit([](VideoRequest& request) { request.seed = 7; });
        model_->prepareSeed();
        QCOMPARE(model_->request().seed, std::optional<std::uint64_t>(7));
        model_->markSeedUsed();
        model_->edit([](VideoRequest& request) { request.seed.reset(); });
        model_->prepareSeed();
        QVERIFY(model_->request().seed);
    }

    void reducesMemoryByAFix() {
        model_->edit([](VideoRequest& request) {
            request.width = 256;
            request.height = 256;
        });
        model_->useSmallerSize();
        QCOMPARE(*model_->request().width * *model_->request().height, 128 * 128);
        model_->useFewerFrames();
        QCOMPARE(*model_->request().num_frames, 13);
        QVERIFY(model_->canRun());
    }

    void picturesAreCroppedToTheSizeOfTheVideo() {
        QCOMPARE(model_->cropSize(), QSize(128, 128));
        model_->edit([](VideoRequest& request) {
            request.width = 96;
            request.height = 176;
        });
        QCOMPARE(model_->cropSize(), QSize(96, 176));
        model_->edit([](VideoRequest& request) { request.image_fit = ImageFit::stretch; });
        QVERIFY(model_->cropSize().isEmpty());
    }

    void aSmallerSizeKeepsTheOrientation() {
        model_->edit([](VideoRequest& request) {
            request.width = 96;
            request.height = 176;
        });
        model_->useSmallerSize();
        QCOMPARE(model_->request().width, std::optional(96));
        QCOMPARE(model_->request().height, std::optional(160));
    }

    void theLastChosenModelWins() {
        model_->chooseModel("/models/one");
        model_->chooseModel("/models/two");
        QSignalSpy cards(model_.get(), &RequestModel::cardChanged);
        QTRY_COMPARE(model_->card().id, std::string("/models/two"));
        QCOMPARE(cards.count(), 1);
        QCOMPARE(model_->request().model, std::string("/models/two"));
    }

    void aModelThatReadsNoTextGetsNone() {
        const std::string before = model_->request().model;
        model_->edit([](VideoRequest& request) {
            request.prompt = "a {red|blue} ball";
            request.negative_prompt = "blur";
        });
        QCOMPARE(model_->numPrompts(), 2);
        model_->chooseModel(kinescope::testing::kImageModel);
        QTRY_COMPARE(model_->card().id, std::string(kinescope::testing::kImageModel));
        QCOMPARE(model_->numPrompts(), 1);
        QTemporaryDir folder;
        const VideoRequest run = model_->forRun(folder.path());
        QVERIFY(run.prompt.empty());
        QVERIFY(!run.negative_prompt);
        model_->chooseModel(before);
        QTRY_COMPARE(model_->card().id, before);
        QCOMPARE(model_->forRun(folder.path()).prompt, std::string("a {red|blue} ball"));
    }

    void resetsToTheModelsDefaults() {
        model_->edit([](VideoRequest& request) {
            request.prompt = "else";
            request.fps = 3;
        });
        model_->resetToDefaults();
        QCOMPARE(model_->request().prompt, model_->card().example_prompts.front());
        QCOMPARE(*model_->resolved().fps, model_->card().default_fps);
    }
};

QTEST_GUILESS_MAIN(TestRequestModel)
#include "test_request_model.moc"
