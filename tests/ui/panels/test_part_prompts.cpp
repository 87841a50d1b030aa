#include <QPushButton>
#include <QToolButton>
#include <QtTest>

#include "tests/support/fake_engine.h"
#include "ui/models/request_model.h"
#include "ui/models/settings_restorer.h"
#include "ui/panels/part_prompts.h"
#include "ui/panels/prompt_edit.h"
#include "ui/panels/video_section.h"
#include "ui/widgets/eta_format.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/theme.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

/// Offers a model that can continue a video, and one that can't.
class ContinuingEngine : public kinescope::testing::FakeEngine {
public:
    using FakeEngine::card;
    using FakeEngine::FakeEngine;

    std::vector<ModelCard> models() override { return {card("builtin"), card(kPlain)}; }
    ModelCard card(const std::string& model) override {
        ModelCard card = FakeEngine::card(model);
        card.continuation = model == kPlain ? Continuation::none : Continuation::last_frame;
        return card;
    }

    static constexpr auto kPlain = "/models/two";
};

}  // namespace

class TestPartPrompts : public QObject {
    Q_OBJECT

    Theme theme_;
    std::unique_ptr<EngineBridge> bridge_;
    std::unique_ptr<RequestModel> model_;
    std::unique_ptr<PartPrompts> parts_;

    PromptEdit* edit(int part) { return parts_->findChild<PromptEdit*>(QStringLiteral("partPromptEdit%1").arg(part)); }
    QPushButton* addButton() { return parts_->findChild<QPushButton*>(QStringLiteral("addPartButton")); }
    QToolButton* removeButton(int part) {
        return parts_->findChild<QToolButton*>(QStringLiteral("removePartButton%1").arg(part));
    }
    MessageLine* message() { return parts_->findChild<MessageLine*>(QStringLiteral("partsMessage")); }

private Q_SLOTS:
    void init() {
        chooseLanguage(QStringLiteral("en"));
        bridge_ = std::make_unique<EngineBridge>([](RunObserver& observer) {
            auto engine = std::make_unique<ContinuingEngine>(kinescope::testing::healthyRun(), observer);
            engine->describe("/videos/clip.mp4", {.width = 64, .height = 64, .num_frames = 30, .fps = 10});
            engine->describe("/videos/odd.mp4", {.width = 64, .height = 64, .num_frames = 30, .fps = 14.5});
            engine->describe("/videos/fast.mp4", {.width = 64, .height = 64, .num_frames = 30, .fps = 240});
            return engine;
        });
        model_ = std::make_unique<RequestModel>(*bridge_);
        parts_ = std::make_unique<PartPrompts>(theme_, *model_);
        bridge_->askModels();
        QTRY_VERIFY(model_->hasCard());
        parts_->show();
        QVERIFY(QTest::qWaitForWindowActive(parts_.get()));
    }

    void cleanup() {
        parts_.reset();
        model_.reset();
        bridge_.reset();
    }

    void aPartIsAddedWithTheKeyboard() {
        addButton()->setFocus();
        QTest::keyClick(addButton(), Qt::Key_Space);
        QVERIFY(edit(2) && edit(2)->hasFocus());
        QCOMPARE(message()->text(), QStringLiteral("Enter a prompt for each part."));
        QVERIFY(!model_->canRun());
        QTest::keyClicks(edit(2), QStringLiteral("It turns"));
        QCOMPARE(model_->request().next_prompts, std::vector<std::string>{"It turns"});
        QVERIFY(message()->text().isEmpty() && model_->canRun());
        QTest::keyClick(edit(2), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(model_->request().next_prompts.front().empty());
    }

    void theTabKeyVisitsThePartsInTheirOrder() {
        model_->edit([](VideoRequest& request) { request.next_prompts = {"two"}; });
        addButton()->click();
        QWidget* next = edit(2);
        for (QWidget* expected : {static_cast<QWidget*>(removeButton(2)), static_cast<QWidget*>(edit(3)),
                                  static_cast<QWidget*>(removeButton(3)), static_cast<QWidget*>(addButton())}) {
            do next = next->nextInFocusChain();
            while (!(next->focusPolicy() & Qt::TabFocus));
            QCOMPARE(next->objectName(), expected->objectName());
        }
    }

    void theLengthOfTheWholeVideoIsShown() {
        const VideoSection section(theme_, *model_);
        model_->edit([](VideoRequest& request) {
            request.num_frames = 25;
            request.fps = 10;
        });
        QVERIFY2(section.value().endsWith(QStringLiteral(", 25 frames, 2.5 s")), qPrintable(section.value()));
        model_->edit([](VideoRequest& request) { request.next_prompts = {"two", "three"}; });
        QVERIFY2(section.value().endsWith(QStringLiteral(", 3 parts, 73 frames, 7.3 s")), qPrintable(section.value()));
        const auto notice = [&section] {
            QStringList texts;
            for (const MessageLine* line : section.findChildren<MessageLine*>()) texts << line->text();
            return texts.join('|');
        };
        QVERIFY2(notice().contains(QStringLiteral("Whole video: 3 parts, 73 frames, 7.3 s")), qPrintable(notice()));
        model_->edit([](VideoRequest& request) { request.continue_video = "/videos/clip.mp4"; });
        QTRY_VERIFY2(section.value().endsWith(QStringLiteral(", 3 parts, 102 frames, 10.2 s")),
                     qPrintable(section.value()));
    }

    void theRateOfAContinuedVideoIsAWholeNumber() {
        const VideoSection section(theme_, *model_);
        model_->edit([](VideoRequest& request) {
            request.num_frames = 25;
            request.fps.reset();
            request.continue_video = "/videos/odd.mp4";
        });
        QTRY_VERIFY2(section.value().endsWith(QStringLiteral(", 54 frames, 3.6 s")), qPrintable(section.value()));
        model_->edit([](VideoRequest& request) { request.continue_video = "/videos/fast.mp4"; });
        const QString length = formatClipLength(54.0 / *model_->resolved().fps);
        QTRY_VERIFY2(section.value().endsWith(QStringLiteral(", 54 frames, ") + length), qPrintable(section.value()));
    }

    void aPartIsRemoved() {
        model_->edit([](VideoRequest& request) { request.next_prompts = {"two", "three", "four"}; });
        QCOMPARE(edit(4)->toPlainText(), QStringLiteral("four"));
        removeButton(3)->click();
        QCOMPARE(model_->request().next_prompts, (std::vector<std::string>{"two", "four"}));
        QVERIFY(!edit(4));
        QVERIFY(edit(3)->hasFocus());
        removeButton(3)->click();
        removeButton(2)->click();
        QVERIFY(model_->request().next_prompts.empty());
        QVERIFY(addButton()->hasFocus());
    }

    void openedSettingsShowAllPrompts() {
        VideoRequest made = model_->request();
        made.next_prompts = {"two", "three"};
        SettingsRestorer restorer(*model_);
        restorer.restore(made);
        QCOMPARE(edit(3)->toPlainText(), QStringLiteral("three"));
        restorer.undo();
        QVERIFY(!edit(2));
    }

    void aModelThatCannotContinueOffersNone() {
        model_->chooseModel(ContinuingEngine::kPlain);
        QTRY_COMPARE(model_->card().id, std::string(ContinuingEngine::kPlain));
        QVERIFY(!parts_->isVisible());
        model_->edit([](VideoRequest& request) { request.next_prompts = {"two"}; });
        QVERIFY(parts_->isVisible() && !addButton()->isVisible());
        QVERIFY(message()->text().endsWith(QStringLiteral("cannot continue a video.")));
        removeButton(2)->click();
        QVERIFY(!parts_->isVisible());
    }
};

QTEST_MAIN(TestPartPrompts)
#include "test_part_prompts.moc"
