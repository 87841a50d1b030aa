#include <QtTest>

#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include "tests/support/window_fixture.h"
#include "ui/models/request_model.h"
#include "ui/panels/preview_panel.h"
#include "ui/widgets/image_tile.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/notice_strip.h"
#include "ui/widgets/section.h"

using namespace kinescope;
using testing::WindowFixture;

class TestRequestForm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aChangedFieldStaysLevelWithItsNeighbor() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.find<ui::Section>("qualitySection")->setExpanded(true);
        auto* steps = fixture.find<QSpinBox>("stepsSpin");
        auto* guidance = fixture.find<QWidget>("guidanceSpin");
        fixture.window->request().edit([](VideoRequest& request) { request.num_inference_steps = 3; });
        QTRY_VERIFY(fixture.find<QToolButton>("stepsResetButton")->isVisible());
        QTest::qWait(50);
        QCOMPARE(steps->mapTo(fixture.window.get(), QPoint()).y(), guidance->mapTo(fixture.window.get(), QPoint()).y());
    }

    void fieldsOutOfRangeShowAMessage_data() {
        QTest::addColumn<QByteArray>("spin");
        QTest::addColumn<int>("value");
        QTest::addColumn<QByteArray>("message");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("fix");
        QTest::addColumn<int>("repaired");
        QTest::newRow("width") << QByteArray("widthSpin") << 130 << QByteArray("widthMessage")
                               << "Must be a multiple of 16."
                               << "Use 128" << 128;
        QTest::newRow("height too large")
            << QByteArray("heightSpin") << 4000 << QByteArray("heightMessage") << "Must be between 16 and 256."
            << "Use 256" << 256;
        QTest::newRow("length") << QByteArray("framesSpin") << 60 << QByteArray("framesMessage")
                                << "Must be between 1 and 49."
                                << "Use 49" << 49;
        QTest::newRow("no steps") << QByteArray("stepsSpin") << 0 << QByteArray("stepsMessage")
                                  << "Must be between 1 and 1,000."
                                  << "Use 1" << 1;
        QTest::newRow("frame rate") << QByteArray("fpsSpin") << 500 << QByteArray("fpsMessage")
                                    << "Must be between 1 and 120."
                                    << "Use 120" << 120;
    }

    void fieldsOutOfRangeShowAMessage() {
        QFETCH(QByteArray, spin);
        QFETCH(int, value);
        QFETCH(QByteArray, message);
        QFETCH(QString, text);
        QFETCH(QString, fix);
        QFETCH(int, repaired);
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* field = fixture.find<QSpinBox>(spin.constData());
        field->setValue(value);
        auto* line = fixture.find<ui::MessageLine>(message.constData());
        QVERIFY(line);
        QCOMPARE(line->severity(), ui::Severity::error);
        QCOMPARE(line->text(), text);
        QCOMPARE(line->fix(), fix);
        QVERIFY(field->property("fault").toBool());
        QVERIFY(!fixture.find<QPushButton>("generateButton")->isEnabled());
        QVERIFY(fixture.find<QLabel>("generateAdviceLabel")->text().endsWith(": " + text));
        Q_EMIT line->fixActivated();
        QCOMPARE(field->value(), repaired);
        QVERIFY2(line->severity() != ui::Severity::error, "a valid value may still be unusual");
        QVERIFY(fixture.find<QPushButton>("generateButton")->isEnabled());
    }

    void anInvalidLengthIsRounded() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* frames = fixture.find<QSpinBox>("framesSpin");
        auto* line = fixture.find<ui::MessageLine>("framesMessage");
        frames->setValue(30);
        QCOMPARE(frames->value(), 29);
        QCOMPARE(line->severity(), ui::Severity::info);
        QCOMPARE(line->text(), QStringLiteral("30 was rounded to 29: this model generates 4n + 1 frames."));
        QVERIFY(fixture.find<QPushButton>("generateButton")->isEnabled());
        QCOMPARE(line->fix(), QStringLiteral("Undo"));
        Q_EMIT line->fixActivated();
        QCOMPARE(frames->value(), 25);
        QCOMPARE(line->severity(), ui::Severity::none);
        frames->setValue(24);
        QCOMPARE(line->text(), QStringLiteral("24 was rounded to 25: this model generates 4n + 1 frames."));
        QCOMPARE(line->fix(), QString());
    }

    void aTypedLengthStaysUntilTheFieldIsLeft() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.find<ui::Section>("videoSection")->setExpanded(true);
        fixture.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(fixture.window.get()));
        auto* frames = fixture.find<QSpinBox>("framesSpin");
        frames->setFocus();
        frames->selectAll();
        QTest::keyClicks(frames, "30");
        QCOMPARE(frames->value(), 30);
        QCOMPARE(fixture.window->request().request().num_frames, 29);
        QTest::keyClick(frames, Qt::Key_Return);
        QCOMPARE(frames->value(), 29);
        Q_EMIT fixture.find<ui::MessageLine>("framesMessage")->fixActivated();
        QCOMPARE(fixture.window->request().request().num_frames, 25);
    }

    void aTypedSeedIsTheSeedOfTheRequest_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("shown");
        QTest::newRow("largest") << "18446744073709551615"
                                 << "18446744073709551615";
        QTest::newRow("a digit too many") << "184467440737095516150"
                                          << "18446744073709551615";
        QTest::newRow("too large") << "18446744073709551616"
                                   << "1844674407370955161";
        QTest::newRow("negative") << "-7"
                                  << "7";
        QTest::newRow("space around") << " 7 "
                                      << "7";
    }
    void aTypedSeedIsTheSeedOfTheRequest() {
        QFETCH(QString, typed);
        QFETCH(QString, shown);
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* field = fixture.find<QLineEdit>("seedEdit");
        field->clear();
        QTest::keyClicks(field, typed);
        QCOMPARE(field->text(), shown);
        QCOMPARE(fixture.window->request().request().seed, std::optional<std::uint64_t>(shown.toULongLong()));
    }

    void aPastedNumberThatIsNoSeedIsNotEntered() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* field = fixture.find<QLineEdit>("seedEdit");
        fixture.window->request().edit([](VideoRequest& request) { request.seed = 7; });
        QGuiApplication::clipboard()->setText(QStringLiteral("18446744073709551616"));
        field->selectAll();
        field->paste();
        QCOMPARE(field->text(), QStringLiteral("7"));
        QCOMPARE(fixture.window->request().request().seed, std::optional<std::uint64_t>(7));
    }

    void anUnusualSizeIsHintedAtBeforeTheRun() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* hint = fixture.find<ui::MessageLine>("generateHint");
        QCOMPARE(hint->severity(), ui::Severity::none);
        fixture.window->request().edit([](VideoRequest& request) {
            request.width = 240;
            request.height = 160;
        });
        QCOMPARE(hint->severity(), ui::Severity::warning);
        QVERIFY(hint->text().startsWith(
            QStringLiteral("Size: This is much larger than the sizes that the model was trained on.")));
        QCOMPARE(hint->fix(), QStringLiteral("Use 160 × 96"));
        QCOMPARE(fixture.find<ui::MessageLine>("sizeMessage")->severity(), ui::Severity::warning);
        QVERIFY(fixture.find<QPushButton>("generateButton")->isEnabled());
        Q_EMIT hint->fixActivated();
        QCOMPARE(fixture.window->request().request().width, 160);
        QCOMPARE(hint->severity(), ui::Severity::none);
    }

    void anotherModelOffersTheDroppedSettings() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        ui::RequestModel& request = fixture.window->request();
        auto* strip = fixture.find<ui::NoticeStrip>("noticeStrip");
        request.edit([](VideoRequest& form) { form.num_frames = 41; });
        request.chooseModel(testing::kTilingModel);
        QTRY_COMPARE(request.card().id, std::string(testing::kTilingModel));
        QCOMPARE(request.resolved().num_frames, 25);
        QTRY_VERIFY(strip->isVisible());
        QTRY_VERIFY(strip->accessibleName().contains(QStringLiteral("starts with its own size")));
        Q_EMIT strip->actionTriggered();
        QTRY_COMPARE(request.card().id, std::string("builtin"));
        QTRY_COMPARE(request.resolved().num_frames, 41);
    }

    void settingsThatTheModelDoesNotHaveAreHidden() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* quality = fixture.find<ui::Section>("qualitySection");
        quality->setExpanded(true);
        auto* shift = fixture.find<QDoubleSpinBox>("shiftSpin");
        auto* guidance = fixture.find<QDoubleSpinBox>("guidanceSpin");
        auto* scheduler = fixture.find<QComboBox>("schedulerCombo");
        QVERIFY(shift->isVisible() && guidance->isVisible());
        const auto level = [&](QWidget* field) { return field->mapTo(quality, QPoint()).y(); };
        QTRY_VERIFY(level(scheduler) > level(guidance));
        fixture.window->request().chooseModel(testing::kOtherVariant);
        QTRY_VERIFY(!shift->isVisible());
        QVERIFY(!guidance->isVisible());
        QVERIFY2(quality->value().endsWith(QStringLiteral(" steps")), qPrintable(quality->value()));
        QTRY_COMPARE(level(scheduler), level(fixture.find<QSpinBox>("stepsSpin")));  // it moves into the gap
        fixture.window->request().chooseModel("builtin");
        QTRY_VERIFY(shift->isVisible() && guidance->isVisible());
        QTRY_VERIFY(level(scheduler) > level(guidance));
    }

    void promptHints() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* prompt = fixture.find<QPlainTextEdit>("promptEdit");
        auto* line = fixture.find<ui::MessageLine>("promptMessage");
        prompt->setPlainText("A purple ball");
        QCOMPARE(line->severity(), ui::Severity::info);
        QVERIFY(line->text().contains(QString::fromUtf8("“purple”")));
        QVERIFY(fixture.find<QPushButton>("generateButton")->isEnabled());
        prompt->clear();
        QCOMPARE(line->text(), QStringLiteral("Enter a prompt."));
        QVERIFY(!fixture.find<QPushButton>("generateButton")->isEnabled());
    }

    void imageFieldsDependOnTheModel() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        QVERIFY(!fixture.find<QWidget>("imageFields")->isVisible());
        fixture.window->request().chooseModel(testing::kImageModel);
        auto* tile = fixture.find<ui::ImageTile>("startImageTile");
        QVERIFY(QTest::qWaitFor([&] { return tile->isVisible(); }));
        QVERIFY(fixture.find<QWidget>("lastImageTile")->isVisible());

        const QString file = fixture.folder.filePath(QStringLiteral("first.png"));
        QImage picture(64, 32, QImage::Format_RGB32);
        picture.fill(Qt::red);
        QVERIFY(picture.save(file));
        Q_EMIT tile->fileGiven(file);
        QCOMPARE(QString::fromStdString(fixture.window->request().request().image->string()), file);
        QVERIFY(QTest::qWaitFor([&] { return tile->hasThumbnail(); }));
        fixture.find<QToolButton>("removeStartImageButton")->click();
        QVERIFY(!fixture.window->request().request().image);
        fixture.window->request().chooseModel("builtin");
        QVERIFY(QTest::qWaitFor([&] { return !tile->isVisible(); }));
    }

    /// Edit > Paste takes Ctrl+V before the tile gets the key.
    void theEditMenuPastesIntoATile() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.window->request().chooseModel(testing::kImageModel);
        auto* tile = fixture.find<ui::ImageTile>("startImageTile");
        QTRY_VERIFY(tile->isVisible());
        fixture.window->activateWindow();
        tile->setFocus();
        QTRY_VERIFY(tile->hasFocus());
        const auto image = [&] {
            return QString::fromStdString(fixture.window->request().request().image.value_or("").string());
        };
        const QString file = fixture.folder.filePath(QStringLiteral("first.png"));
        QImage picture(64, 32, QImage::Format_RGB32);
        picture.fill(Qt::red);
        QVERIFY(picture.save(file));
        auto* data = new QMimeData;  // owned by the clipboard
        data->setUrls({QUrl::fromLocalFile(file)});
        QApplication::clipboard()->setMimeData(data);
        fixture.action("actionPaste")->trigger();
        QCOMPARE(image(), file);

        picture.fill(Qt::blue);
        QApplication::clipboard()->setImage(picture);
        fixture.action("actionPaste")->trigger();
        QTRY_VERIFY(image() != file);
        QCOMPARE(QImage(image()).pixelColor(0, 0), QColor(Qt::blue));
        QTRY_VERIFY(tile->hasThumbnail());
    }

    /// A job that waits reads its start image when it starts.
    void aFrameAsStartImageKeepsTheOneOfAnotherJob() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        QImage frame(64, 32, QImage::Format_RGB32);
        const auto choose = [&](Qt::GlobalColor color) {
            ui::RequestModel& model = fixture.window->request();
            model.edit([](VideoRequest& request) { request.image.reset(); });
            frame.fill(color);
            Q_EMIT fixture.find<ui::PreviewPanel>("previewPanel")->startImageChosen(frame);
            if (model.request().image) return QStringLiteral("saved before the call returned");
            const bool isSaved = QTest::qWaitFor([&model] { return model.request().image.has_value(); });
            return isSaved ? QString::fromStdString(model.request().image->string()) : QString();
        };
        const QString first = choose(Qt::red);
        QVERIFY(first.endsWith(".png"));
        QVERIFY(choose(Qt::blue) != first);
        QCOMPARE(QImage(first).pixelColor(0, 0), QColor(Qt::red));
        QCOMPARE(choose(Qt::red), first);
    }

    void conditionImagesAreAddedChangedAndRemoved() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        ui::RequestModel& model = fixture.window->request();
        auto* fields = fixture.find<QWidget>("conditionFields");
        QVERIFY(!fields->isVisible());
        model.chooseModel(testing::kImageModel);
        QVERIFY(QTest::qWaitFor([&] { return fields->isVisible(); }));
        const QString file = fixture.folder.filePath(QStringLiteral("frame.png"));
        QVERIFY(QImage(64, 32, QImage::Format_RGB32).save(file));
        model.edit([&](VideoRequest& request) {
            request.image = file.toStdU16String();
            request.num_frames = 17;
        });
        auto* add = fixture.find<ui::ImageTile>("addConditionTile");
        Q_EMIT add->fileGiven(file);
        Q_EMIT add->fileGiven(file);
        const auto conditions = [&model] { return model.request().conditions; };
        QCOMPARE(conditions().size(), std::size_t{2});
        QCOMPARE(conditions()[0].frame_index, 16);
        QCOMPARE(conditions()[1].frame_index, 8);

        fixture.find<QDoubleSpinBox>("conditionStrengthSpin1")->setValue(0.4);
        QCOMPARE(conditions()[0].strength, 0.4);
        auto* frame = fixture.find<QSpinBox>("conditionFrameSpin2");
        auto* message = fixture.find<ui::MessageLine>("conditionsMessage");
        frame->setValue(16);
        QCOMPARE(message->text(), QStringLiteral("Two conditions have the same frame number."));
        frame->setValue(99);
        QCOMPARE(message->text(), QStringLiteral("Frame numbers must be between 0 and 16."));
        QVERIFY(!model.canRun());
        fixture.find<QToolButton>("removeConditionButton1")->click();
        QCOMPARE(conditions().size(), std::size_t{1});
        QCOMPARE(conditions()[0].frame_index, 99);
        QVERIFY(!fixture.find<QWidget>("conditionRow2"));
        QCOMPARE(fixture.find<QSpinBox>("conditionFrameSpin1")->value(), 99);
        frame = fixture.find<QSpinBox>("conditionFrameSpin1");
        frame->setValue(4);
        QVERIFY(model.canRun());
    }

    /// The images stay after a change of the model, so that the user can remove them.
    void conditionImagesOfAnotherModelCanBeRemoved() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.window->request().edit([](VideoRequest& request) { request.conditions = {{"/frames/a.png", 8}}; });
        auto* fields = fixture.find<QWidget>("conditionFields");
        QVERIFY(QTest::qWaitFor([&] { return fields->isVisible(); }));
        QVERIFY(!fixture.find<QWidget>("addConditionTile")->isVisible());
        QCOMPARE(fixture.find<ui::MessageLine>("conditionsMessage")->text(),
                 QStringLiteral("This model does not support this setting."));
        fixture.find<QToolButton>("removeConditionButton1")->click();
        QVERIFY(!fields->isVisible());
        QVERIFY(fixture.window->request().canRun());
    }

    void extraFieldsDependOnTheModel() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        QVERIFY(!fixture.find<QWidget>("extraFields")->isVisible());
        fixture.window->resize(1440, 1200);
        fixture.window->request().chooseModel(testing::kImageModel);
        QVERIFY(QTest::qWaitFor([&] { return fixture.find<QWidget>("extraFields")->isVisible(); }));
        QVERIFY(!fixture.find<QPlainTextEdit>("promptEdit")->isVisible());
        auto* motion = fixture.find<QDoubleSpinBox>("motion_bucket_idSpin");
        QCOMPARE(motion->value(), 127.0);
        motion->setValue(200);
        QCOMPARE(fixture.window->request().request().motion_bucket_id, std::optional(200));
        auto* noise = fixture.find<QDoubleSpinBox>("decode_noise_scaleSpin");
        QCOMPARE(noise->value(), -1.0);
        QCOMPARE(noise->text(), QStringLiteral("Automatic"));
        noise->setValue(0.025);
        QCOMPARE(fixture.window->request().request().decode_noise_scale, std::optional(0.025));
        fixture.find<QDoubleSpinBox>("guidance2Spin")->setValue(2.5);
        QCOMPARE(fixture.window->request().request().guidance_scale_2, std::optional(2.5));
        fixture.window->request().chooseModel("builtin");
        QVERIFY(QTest::qWaitFor([&] { return !fixture.find<QWidget>("extraFields")->isVisible(); }));
        QVERIFY(!fixture.window->request().request().motion_bucket_id);
        QVERIFY(!fixture.window->request().request().guidance_scale_2);
    }
};

QTEST_MAIN(TestRequestForm)
#include "test_request_form.moc"
