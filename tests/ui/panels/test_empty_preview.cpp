#include <QLabel>
#include <QtTest>

#include "tests/support/fake_engine.h"
#include "ui/models/request_model.h"
#include "ui/panels/empty_preview.h"
#include "ui/panels/example_card.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"

using namespace kinescope::ui;

namespace {

/// A fake engine whose model knows two languages.
class BilingualEngine final : public kinescope::testing::FakeEngine {
public:
    using FakeEngine::FakeEngine;
    std::vector<kinescope::ModelCard> models() override {
        kinescope::ModelCard card = kinescope::testing::demoCard();
        card.example_prompts = {"a red ball", "a blue ball", "红色的球"};
        card.vocabulary = {.words = {"a", "ball", "blue", "red", "球", "红色的"}, .hint = "Try a ball.\n试试球。"};
        return {card};
    }
};

}  // namespace

class TestEmptyPreview : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { chooseLanguage(QStringLiteral("en")); }

    void examplesAndHintFollowTheLanguage() {
        Theme theme;
        theme.install();
        EngineBridge bridge([](kinescope::RunObserver& observer) {
            return std::make_unique<BilingualEngine>(kinescope::testing::healthyRun(), observer);
        });
        RequestModel request(bridge);
        EmptyPreview preview(theme, request);
        bridge.askModels();
        QTRY_VERIFY(request.hasCard());
        const auto examples = [&preview] {
            QStringList texts;
            for (const auto* card : preview.findChildren<ExampleCard*>()) texts << card->text();
            return texts;
        };
        const auto* hint = preview.findChild<QLabel*>(QStringLiteral("vocabularyLabel"));
        QCOMPARE(examples(), (QStringList{"a red ball", "a blue ball"}));
        QCOMPARE(hint->text(), QStringLiteral("Try a ball."));
        QCOMPARE(request.request().prompt, std::string("a red ball"));

        chooseLanguage(QStringLiteral("zh_CN"));
        QTRY_COMPARE(examples(), QStringList{QString::fromUtf8("红色的球")});
        QCOMPARE(hint->text(), QString::fromUtf8("试试球。"));
        request.resetToDefaults();
        QCOMPARE(request.request().prompt, std::string("红色的球"));
    }
};

QTEST_MAIN(TestEmptyPreview)
#include "test_empty_preview.moc"
