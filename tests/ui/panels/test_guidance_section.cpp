#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QtTest>

#include "tests/support/fake_engine.h"
#include "ui/models/request_model.h"
#include "ui/models/vary_seed.h"
#include "ui/panels/decoder_section.h"
#include "ui/panels/guidance_section.h"
#include "ui/panels/variation_field.h"
#include "ui/text/guidance_words.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/theme.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

/// Offers a model with all guidance methods and a tiny decoder, and one without.
class GuidedEngine : public kinescope::testing::FakeEngine {
public:
    using FakeEngine::card;
    using FakeEngine::FakeEngine;

    std::vector<ModelCard> models() override { return {guided(), FakeEngine::card(kPlain)}; }
    ModelCard card(const std::string& model) override { return model == kPlain ? FakeEngine::card(model) : guided(); }

    static constexpr auto kPlain = "/models/two";

private:
    ModelCard guided() {
        ModelCard card = FakeEngine::card("builtin");
        card.guidance_methods = {GuidanceMethod::standard, GuidanceMethod::cfg_zero_star, GuidanceMethod::apg,
                                 GuidanceMethod::skip_layer, GuidanceMethod::nag};
        card.offers_variations = true;
        card.num_blocks = 30;
        card.default_skip_layers = {9};
        card.tiny_decoders = {"taew2_1"};
        return card;
    }
};

}  // namespace

class TestGuidanceSection : public QObject {
    Q_OBJECT

    Theme theme_;
    std::unique_ptr<EngineBridge> bridge_;
    std::unique_ptr<RequestModel> model_;
    std::unique_ptr<GuidanceSection> section_;
    std::unique_ptr<DecoderSection> decoders_;

    QDoubleSpinBox* spin(const char* name) { return section_->findChild<QDoubleSpinBox*>(QLatin1String(name)); }
    QComboBox* methods() { return section_->findChild<QComboBox*>(QStringLiteral("guidanceMethodCombo")); }
    QLineEdit* blocks() { return section_->findChild<QLineEdit*>(QStringLiteral("skipBlocksEdit")); }

    void choose(GuidanceMethod method) {
        methods()->setCurrentIndex(methods()->findData(static_cast<int>(method)));
        Q_EMIT methods()->activated(methods()->currentIndex());
    }

private Q_SLOTS:
    void init() {
        chooseLanguage(QStringLiteral("en"));
        bridge_ = std::make_unique<EngineBridge>([](RunObserver& observer) {
            return std::make_unique<GuidedEngine>(kinescope::testing::healthyRun(), observer);
        });
        model_ = std::make_unique<RequestModel>(*bridge_);
        section_ = std::make_unique<GuidanceSection>(theme_, *model_);
        decoders_ = std::make_unique<DecoderSection>(theme_, *model_);
        section_->setExpanded(true);
        decoders_->setExpanded(true);
        bridge_->askModels();
        QTRY_VERIFY(model_->hasCard());
        section_->show();
        decoders_->show();
    }

    void cleanup() {
        section_.reset();
        decoders_.reset();
        model_.reset();
        bridge_.reset();
    }

    void standardIsTheDefaultAndShowsNoFields() {
        QCOMPARE(section_->value(), QStringLiteral("Standard"));
        QVERIFY(!model_->request().guidance_method);
        for (const char* name : {"apg_etaSpin", "nag_scaleSpin", "zero_init_stepsSpin"})
            QVERIFY2(!spin(name)->isVisible(), name);
        QVERIFY(!blocks()->isVisible());
    }

    void aMethodShowsItsOwnFieldsWithDefaults() {
        choose(GuidanceMethod::apg);
        QVERIFY(model_->request().guidance_method == GuidanceMethod::apg);
        QVERIFY(spin("apg_etaSpin")->isVisible() && !spin("nag_scaleSpin")->isVisible());
        QCOMPARE(spin("apg_momentumSpin")->value(), -0.5);
        spin("apg_etaSpin")->setValue(0.25);
        QCOMPARE(model_->request().apg_eta, std::optional(0.25));
        QVERIFY(model_->faults().empty());
        choose(GuidanceMethod::cfg_zero_star);
        QVERIFY(!model_->request().apg_eta);
        QCOMPARE(section_->value(), QStringLiteral("CFG-Zero*"));
        choose(GuidanceMethod::standard);
        QVERIFY(!model_->request().guidance_method && model_->faults().empty());
    }

    void nagRunsWithoutOtherGuidance() {
        model_->edit([](VideoRequest& request) { request.guidance_scale = 5; });
        choose(GuidanceMethod::nag);
        QVERIFY(model_->faults().empty());
        QCOMPARE(*model_->resolved().guidance_scale, 1.0);
        model_->edit([](VideoRequest& request) { request.guidance_scale = 5; });
        QVERIFY(model_->faultOf("guidance_scale"));
    }

    void blocksAreTypedAsNumbers() {
        choose(GuidanceMethod::skip_layer);
        QCOMPARE(blocks()->text(), QStringLiteral("9"));
        blocks()->setText(QStringLiteral("9, 10"));
        Q_EMIT blocks()->editingFinished();
        QCOMPARE(*model_->request().skip_layer_guidance_layers, (std::vector{9, 10}));
        blocks()->setText(QStringLiteral("30"));
        Q_EMIT blocks()->editingFinished();
        QVERIFY(model_->faultOf("skip_layer_guidance_layers"));
        QCOMPARE(blocksFrom(QStringLiteral(" 3;4 x,5")), (std::vector{3, 4, 5}));
        QCOMPARE(blocksText({3, 4}), QStringLiteral("3, 4"));
    }

    void aDraftAndPreviewsAreChosen() {
        QVERIFY(decoders_->isVisible());
        auto* draft = decoders_->findChild<QCheckBox*>(QStringLiteral("draftCheck"));
        draft->setChecked(true);
        QVERIFY(model_->request().decode == DecodeMode::draft);
        QCOMPARE(decoders_->value(), QStringLiteral("Draft"));
        auto* previews = decoders_->findChild<QComboBox*>(QStringLiteral("previewsCombo"));
        previews->setCurrentIndex(1);
        Q_EMIT previews->activated(1);
        QVERIFY(model_->request().previews == PreviewMode::latent);
        draft->setChecked(false);
        QVERIFY(model_->request().decode == DecodeMode::full);
    }

    void aVariationShowsItsStrengthAndEnds() {
        VariationField field(theme_, *model_);
        auto* strength = field.findChild<QDoubleSpinBox*>(QStringLiteral("variationStrengthSpin"));
        QVERIFY(field.isHidden());
        varySeed(*model_, 42);
        QVERIFY(!field.isHidden() && !model_->request().seed);
        QCOMPARE(model_->request().variation_of, std::optional<std::uint64_t>(42));
        QCOMPARE(strength->value(), 0.2);
        strength->setValue(0.5);
        QCOMPARE(model_->request().variation_strength, std::optional(0.5));
        auto* message = field.findChild<MessageLine*>(QStringLiteral("variationStrengthMessage"));
        QCOMPARE(message->text(), QStringLiteral("Variation of seed 42"));
        Q_EMIT message->fixActivated();
        QVERIFY(!model_->request().variation_of && !model_->request().variation_strength);
        QVERIFY(field.isHidden() && model_->faults().empty());
    }

    void aModelWithoutThemHidesTheSections() {
        choose(GuidanceMethod::apg);
        model_->chooseModel(GuidedEngine::kPlain);
        QTRY_COMPARE(model_->card().id, std::string(GuidedEngine::kPlain));
        QVERIFY(!section_->isVisible() && !decoders_->isVisible());
        QVERIFY(!model_->request().guidance_method && model_->faults().empty());
    }
};

QTEST_MAIN(TestGuidanceSection)
#include "test_guidance_section.moc"
