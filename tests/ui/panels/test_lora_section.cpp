#include <QDoubleSpinBox>
#include <QDropEvent>
#include <QMimeData>
#include <QPushButton>
#include <QToolButton>
#include <QUrl>
#include <QtTest>

#include "tests/support/fake_engine.h"
#include "ui/models/lora_files.h"
#include "ui/models/request_model.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/lora_section.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/theme.h"

using namespace kinescope;
using namespace kinescope::ui;

class TestLoraSection : public QObject {
    Q_OBJECT

private:
    Theme theme_;
    std::unique_ptr<EngineBridge> bridge_;
    std::unique_ptr<RequestModel> model_;
    std::unique_ptr<LoraSection> section_;

    template <class Widget>
    Widget* find(const char* name) {
        return section_->findChild<Widget*>(QLatin1String(name));
    }

    void drop(const QString& file) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file)});
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        enter.ignore();
        QCoreApplication::sendEvent(section_.get(), &enter);
        if (!enter.isAccepted()) return;
        QDropEvent event(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(section_.get(), &event);
    }

private Q_SLOTS:
    void init() {
        chooseLanguage(QStringLiteral("en"));
        bridge_ = std::make_unique<EngineBridge>([](RunObserver& observer) {
            return std::make_unique<kinescope::testing::FakeEngine>(kinescope::testing::healthyRun(), observer);
        });
        model_ = std::make_unique<RequestModel>(*bridge_);
        section_ = std::make_unique<LoraSection>(theme_, *model_);
        section_->show();
        bridge_->askModels();
        QTRY_VERIFY(model_->hasCard());
    }

    void cleanup() {
        section_.reset();
        model_.reset();
        bridge_.reset();
    }

    void addsChangesAndRemovesLoras() {
        QCOMPARE(section_->value(), QStringLiteral("None"));
        section_->add({QStringLiteral("/loras/ink.safetensors"),
                       QStringLiteral("/loras/rain/adapter_model.safetensors"),
                       QStringLiteral("/loras/ink.safetensors")});
        QCOMPARE(model_->request().loras.size(), std::size_t{2});
        QVERIFY(section_->isExpanded());
        QCOMPARE(find<ElidedLabel>("loraName1")->fullText(), QStringLiteral("ink"));
        QCOMPARE(find<ElidedLabel>("loraName2")->fullText(), QStringLiteral("rain"));
        find<QDoubleSpinBox>("loraStrengthSpin2")->setValue(-0.65);
        QCOMPARE(model_->request().loras[1].scale, -0.65);
        QCOMPARE(section_->value(), QStringLiteral("ink 1, rain -0.65"));
        find<QToolButton>("removeLoraButton1")->click();
        QCOMPARE(model_->request().loras.size(), std::size_t{1});
        QCOMPARE(find<ElidedLabel>("loraName1")->fullText(), QStringLiteral("rain"));
        QCOMPARE(find<QDoubleSpinBox>("loraStrengthSpin1")->value(), -0.65);
        QVERIFY(find<ElidedLabel>("loraName2") == nullptr);
        find<QToolButton>("removeLoraButton1")->click();
        QCOMPARE(section_->value(), QStringLiteral("None"));
    }

    void showsTheLorasOfARestoredRequest() {
        VideoRequest request = model_->request();
        request.loras = {{.path = "/loras/ink.safetensors", .scale = 12.5}};
        model_->restore(request);
        QCOMPARE(find<QDoubleSpinBox>("loraStrengthSpin1")->value(), 12.5);
        QCOMPARE(model_->request().loras, request.loras);
    }

    void acceptsDroppedFiles() {
        drop(QStringLiteral("/pictures/a.png"));
        QVERIFY(model_->request().loras.empty());
        drop(QStringLiteral("/loras/ink.safetensors"));
        QCOMPARE(model_->request().loras.size(), std::size_t{1});
    }

    void namesALoraOfAnotherModelAndRemovesIt() {
        section_->add(
            {QStringLiteral("/loras/ink.safetensors"), QString::fromLatin1(kinescope::testing::kForeignLora)});
        QTRY_VERIFY(model_->modelFault());
        QVERIFY(!model_->canRun());
        auto* message = find<MessageLine>("loraMessage2");
        QCOMPARE(message->severity(), Severity::error);
        QVERIFY2(message->text().contains(QLatin1String("None of the 480 modules")), qPrintable(message->text()));
        QVERIFY(find<MessageLine>("loraMessage1")->text().isEmpty());
        Q_EMIT message->fixActivated();
        QCOMPARE(model_->request().loras.size(), std::size_t{1});
        QTRY_VERIFY(model_->canRun());
    }

    /// A preset or a video may name a LoRA that was moved.
    void namesALoraThatIsMissing() {
        section_->add(
            {QStringLiteral("/loras/ink.safetensors"), QString::fromLatin1(kinescope::testing::kMissingLora)});
        QTRY_VERIFY(model_->modelFault());
        QVERIFY(!model_->canRun());
        QCOMPARE(find<MessageLine>("loraMessage2")->severity(), Severity::error);
        QVERIFY(!find<MessageLine>("loraMessage2")->text().isEmpty());
        QVERIFY(find<MessageLine>("loraMessage1")->text().isEmpty());
    }

    void anotherModelDropsTheLorasAndOffersThemBack() {
        section_->add({QStringLiteral("/loras/ink.safetensors")});
        QSignalSpy dropped(model_.get(), &RequestModel::settingsDropped);
        const std::string variant = model_->card().variant;
        model_->chooseModel("/models/same");  // has the variant of the first model
        QTRY_COMPARE(model_->card().id, std::string("/models/same"));
        QCOMPARE(model_->card().variant, variant);
        QCOMPARE(model_->request().loras.size(), std::size_t{1});
        QCOMPARE(dropped.count(), 0);
        model_->chooseModel(kinescope::testing::kOtherVariant);
        QTRY_COMPARE(model_->card().id, std::string(kinescope::testing::kOtherVariant));
        QVERIFY(model_->request().loras.empty());
        QCOMPARE(dropped.count(), 1);
        QCOMPARE(dropped.front().front().value<VideoRequest>().loras.size(), std::size_t{1});
    }

    void theDialogStartsBesideTheModel() {
        const QTemporaryDir root;
        QVERIFY(QDir(root.path()).mkpath(QStringLiteral("models/loras")));
        QVERIFY(QDir(root.path()).mkpath(QStringLiteral("models/diffusion_models")));
        VideoRequest request;
        QCOMPARE(loraFolder(request), QString());
        request.model = root.filePath(QStringLiteral("models/diffusion_models/wan.safetensors")).toStdString();
        QCOMPARE(loraFolder(request), root.filePath(QStringLiteral("models/loras")));
        request.loras = {{.path = "/styles/ink.safetensors", .scale = 1}};
        QCOMPARE(loraFolder(request), QStringLiteral("/styles"));
        request.loras.clear();
        request.model = "/absent/folder/wan.safetensors";
        QCOMPARE(loraFolder(request), QStringLiteral("/absent/folder"));
    }
};

QTEST_MAIN(TestLoraSection)
#include "test_lora_section.moc"
