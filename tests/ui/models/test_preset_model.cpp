#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "tests/support/fake_engine.h"
#include "ui/models/preset_model.h"
#include "ui/models/request_model.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

using kinescope::testing::kOtherVariant;

/// An engine with two more presets. "small" makes the video smaller and gives it the shape of the start image; all
/// images are upright. "ink" has a LoRA that does not fit kOtherVariant.
class PresetEngine : public kinescope::testing::FakeEngine {
public:
    using FakeEngine::FakeEngine;
    std::vector<PresetInfo> presets(const VideoRequest& request) override {
        std::vector<PresetInfo> rows = FakeEngine::presets(request);
        const bool isSized = request.width.has_value();
        const std::string size = request.image ? R"("width":64,"height":96)" : R"("width":96,"height":64)";
        rows.push_back({.name = "small", .fields = isSized ? "{}" : "{" + size + "}"});
        const std::string ink = R"({"loras":[{"path":"/loras/ink.safetensors","scale":0.5}],"num_inference_steps":9})";
        const bool takesInk = request.model != kOtherVariant;
        rows.push_back(
            {.name = "ink", .fields = takesInk ? ink : R"({"num_inference_steps":9})", .written = ink, .own = true});
        return rows;
    }
};

const LoraRequest kInk{.path = "/loras/ink.safetensors", .scale = 0.5};

}  // namespace

class TestPresetModel : public QObject {
    Q_OBJECT

private:
    QTemporaryDir config_;
    std::unique_ptr<EngineBridge> bridge_;
    std::unique_ptr<RequestModel> model_;

    PresetModel& presets() { return model_->presets(); }
    QSize size() { return {model_->request().width.value_or(0), model_->request().height.value_or(0)}; }
    void useImage(const std::optional<std::filesystem::path>& image) {
        model_->edit([&image](VideoRequest& request) { request.image = image; });
    }
    QJsonObject saved(const QString& name) {
        QFile file(QDir(PresetModel::folder()).filePath(name + ".json"));
        return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
    }
    /// Calls `start` and waits for the preset that it saves.
    static SavedPreset outcomeOf(const std::function<void(const PresetModel::Saved&)>& start) {
        std::optional<SavedPreset> outcome;
        start([&outcome](const SavedPreset& preset) { outcome = preset; });
        const bool isDone = QTest::qWaitFor([&outcome] { return outcome.has_value(); });
        return isDone ? *outcome : SavedPreset{{}, "no answer"};
    }
    SavedPreset save(const QString& name, ExistingPreset existing) {
        return outcomeOf([&](const PresetModel::Saved& done) { presets().save(name, existing, done); });
    }
    SavedPreset importPreset(const QString& file) {
        return outcomeOf([&](const PresetModel::Saved& done) {
            presets().importFrom(PresetModel::read(file), ExistingPreset::keep, done);
        });
    }

private Q_SLOTS:
    void init() {
        qputenv("XDG_CONFIG_HOME", QFile::encodeName(config_.path()));
        bridge_ = std::make_unique<EngineBridge>([](RunObserver& observer) {
            return std::make_unique<PresetEngine>(kinescope::testing::healthyRun(), observer);
        });
        model_ = std::make_unique<RequestModel>(*bridge_);
        bridge_->askModels();
        QTRY_VERIFY(model_->hasCard());
        QTRY_VERIFY(!presets().presets().empty());
    }

    void cleanup() {
        model_.reset();
        bridge_.reset();
    }

    void theBuiltInModelKeepsItsDefaults() {
        QVERIFY(!presets().chosen());
        QVERIFY(!presets().isChanged());
        QCOMPARE(model_->request().dtype, DtypeChoice::automatic);
    }

    void anotherModelGetsTheBestPreset() {
        model_->chooseModel(kinescope::testing::kImageModel);
        QTRY_VERIFY(presets().chosen());
        QCOMPARE(presets().chosen()->name, std::string("cpu"));
        QCOMPARE(model_->request().dtype, DtypeChoice::fp32);
        QCOMPARE(model_->request().num_inference_steps, std::optional(20));
        bridge_->askDevices();
        QTRY_VERIFY(!presets().reason().isEmpty());
        QCOMPARE(presets().reason(), QStringLiteral("Suits this computer: CPU, 8 cores, 14.9 GiB, AVX2"));
    }

    /// The presets of a model arrive after its card. Settings that the user changes until then stay.
    void aLatePresetKeepsEarlyChanges() {
        connect(model_.get(), &RequestModel::cardChanged, this,
                [this] { model_->edit([](VideoRequest& request) { request.num_inference_steps = 7; }); });
        model_->chooseModel(kinescope::testing::kImageModel);
        QTRY_VERIFY(presets().chosen());
        QCOMPARE(model_->request().dtype, DtypeChoice::fp32);
        QCOMPARE(model_->request().num_inference_steps, std::optional(7));
        QVERIFY(presets().isChanged("num_inference_steps"));
    }

    void doubtsAboutAPresetAreShown() {
        QVERIFY(presets().doubt().isEmpty());
        presets().choose("cpu");
        QVERIFY(presets().doubt().isEmpty());
        presets().choose("gpu-12gb");
        QVERIFY(presets().doubt().startsWith("This preset is for another type of device"));
        model_->edit([](VideoRequest& request) { request.storage = DtypeChoice::int8; });
        QVERIFY(presets().doubt().contains("int8 saves memory but not time"));
        presets().choose("wan-few-steps");
        QVERIFY(presets().doubt().contains("Without one, the frames stay noisy"));
        model_->edit([](VideoRequest& request) { request.loras = {{.path = "lightx2v.safetensors"}}; });
        QVERIFY(presets().doubt().isEmpty());
    }

    void changesAreReportedAndCanBeReset() {
        presets().choose("cpu");
        QVERIFY(!presets().isChanged());
        model_->edit([](VideoRequest& request) { request.num_inference_steps = 7; });
        QVERIFY(presets().isChanged());
        presets().reset();
        QVERIFY(!presets().isChanged());
        QCOMPARE(model_->request().num_inference_steps, std::optional(20));
    }

    /// A preset that makes the video smaller must not crop an upright image to a wide video.
    void theSizeOfAPresetFollowsTheStartImage() {
        presets().choose("small");
        QCOMPARE(size(), QSize(96, 64));
        useImage("upright.png");
        QTRY_COMPARE(size(), QSize(64, 96));
        QVERIFY(!presets().isChanged());
        useImage({});
        QTRY_COMPARE(size(), QSize(96, 64));
        QVERIFY(!presets().isChanged());
    }

    void aSizeThatTheUserHasChosenStays() {
        presets().choose("small");
        model_->edit([](VideoRequest& request) { request.width = 128; });
        useImage("upright.png");
        QTRY_VERIFY(presets().chosen()->fields.find(R"("width":64)") != std::string::npos);
        QCOMPARE(size(), QSize(128, 64));
        QVERIFY(presets().isChanged("size"));
    }

    void aRestoredSizeStays() {
        presets().choose("small");
        VideoRequest restored = model_->request();
        restored.image = "upright.png";
        model_->restore(restored);
        QTRY_VERIFY(presets().chosen()->fields.find(R"("width":64)") != std::string::npos);
        QCOMPARE(size(), QSize(96, 64));
    }

    void aPresetReplacesThePreviousOneCompletely_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        for (const char* before : {"", "cpu", "cpu-fast", "gpu-12gb", "wan-few-steps"})
            for (const char* after : {"", "cpu", "cpu-fast", "gpu-12gb", "wan-few-steps"})
                QTest::addRow("'%s' then '%s'", before, after) << before << after;
    }

    void aPresetReplacesThePreviousOneCompletely() {
        QFETCH(QString, before);
        QFETCH(QString, after);
        presets().choose(after);
        const VideoRequest fresh = model_->request();
        QVERIFY(!presets().isChanged());
        presets().choose(before);
        presets().choose(after);
        QVERIFY(model_->request() == fresh);
        QVERIFY(!presets().isChanged());
    }

    void anotherModelDropsThePreviousPreset() {
        const VideoRequest own = model_->request();
        model_->chooseModel(kinescope::testing::kImageModel);
        QTRY_VERIFY(presets().chosen());
        QCOMPARE(model_->request().dtype, DtypeChoice::fp32);
        model_->chooseModel("builtin");
        QTRY_COMPARE(model_->card().id, std::string("builtin"));
        QTRY_VERIFY(!presets().presets().empty());
        QCOMPARE(model_->request().dtype, own.dtype);
        QCOMPARE(model_->request().num_inference_steps, own.num_inference_steps);
        QVERIFY(!presets().chosen() && !presets().isChanged());
    }

    void theModelsDefaultsCanBeChanged() {
        QVERIFY(!presets().isChanged());
        model_->edit([](VideoRequest& request) {
            request.num_inference_steps = 7;
            request.width = 160;
            request.height = 96;
            request.prompt = "another one";
        });
        QVERIFY(presets().isChanged() && presets().isChanged("num_inference_steps") && presets().isChanged("size"));
        QVERIFY(!presets().isChanged("fps") && !presets().isChanged("prompt"));
        presets().resetField("num_inference_steps");
        QVERIFY(!presets().isChanged("num_inference_steps") && presets().isChanged("size"));
        QCOMPARE(model_->request().width, std::optional(160));
        presets().resetField("size");
        QVERIFY(!presets().isChanged());
        QCOMPARE(model_->request().prompt, std::string("another one"));
    }

    void aValueEqualToTheModelsDefaultIsNotAChange() {
        model_->edit([this](VideoRequest& request) {
            request.num_inference_steps = model_->card().default_num_inference_steps;
        });
        QVERIFY(!presets().isChanged());
    }

    void savesOnlyFieldsOfPresets() {
        model_->edit([](VideoRequest& request) {
            request.prompt = "a secret";
            request.seed = 5;
            request.num_inference_steps = 9;
            request.offload = OffloadMode::blocks;
            request.components = {{"vae", "/x/vae.safetensors"}};
            request.preview_decoder = "/x/tiny.safetensors";
            request.video = request.mask = request.continue_video = "/x/clip.mp4";
            request.reference_images = {"/x/picture.png"};
            request.strength = request.variation_strength = 0.5;
            request.conditioning_scale = {0.5};
            request.variation_of = 4;
        });
        QCOMPARE(save("My / own", ExistingPreset::keep).fault, QString());
        const QJsonObject preset = saved("My - own");
        QCOMPARE(preset["name"].toString(), QStringLiteral("My / own"));
        const QJsonObject request = preset["request"].toObject();
        QCOMPARE(request["num_inference_steps"].toInt(), 9);
        QCOMPARE(request["offload"].toString(), QStringLiteral("blocks"));
        for (const char* key :
             {"prompt", "seed", "model", "output", "vae", "preview_decoder", "video", "mask", "continue_video",
              "reference_images", "strength", "conditioning_scale", "variation_of", "variation_strength"})
            QVERIFY2(!request.contains(QLatin1String(key)), key);
        QVERIFY(!save("  ", ExistingPreset::keep).fault.isEmpty());
    }

    void aSavedPresetKeepsTheLoras() {
        model_->edit([](VideoRequest& request) { request.loras = {kInk}; });
        QCOMPARE(save("Ink drawing", ExistingPreset::keep).fault, QString());
        const QJsonObject preset = saved("Ink drawing");
        const QJsonObject lora = preset["request"].toObject()["loras"].toArray()[0].toObject();
        QCOMPARE(lora["path"].toString(), QStringLiteral("/loras/ink.safetensors"));
        QCOMPARE(lora["scale"].toDouble(), 0.5);
        QCOMPARE(preset["lora_model"].toObject()["family"].toString(), QStringLiteral("wan"));
        QCOMPARE(preset["lora_model"].toObject()["variant"].toString(), QStringLiteral("Wan 2.1, small"));
    }

    void lorasOfAPresetComeAndGoWithIt() {
        const LoraRequest own{.path = "/loras/own.safetensors", .scale = 1};
        model_->edit([&own](VideoRequest& request) { request.loras = {own}; });
        presets().choose("cpu");
        QCOMPARE(model_->request().loras, std::vector{own});
        presets().choose("ink");
        QCOMPARE(model_->request().loras, std::vector{kInk});
        QVERIFY(!presets().isChanged());
        model_->edit([](VideoRequest& request) { request.loras[0].scale = 0.7; });
        QVERIFY(presets().isChanged("loras"));
        presets().reset();
        QCOMPARE(model_->request().loras, std::vector{kInk});
        presets().choose("cpu");
        QVERIFY(model_->request().loras.empty());
    }

    void lorasOfAnotherModelAreLeftOutAndNamed() {
        model_->chooseModel(kOtherVariant);
        QTRY_COMPARE(model_->card().id, std::string(kOtherVariant));
        QTRY_VERIFY(!presets().presets().empty());
        presets().choose("ink");
        QCOMPARE(model_->request().num_inference_steps, std::optional(9));
        QVERIFY(model_->request().loras.empty());
        QCOMPARE(presets().doubt(), QStringLiteral("LoRAs of another model are left out: ink 0.5."));
        presets().choose("cpu");
        QVERIFY(presets().doubt().isEmpty());
    }

    /// The list would show it as "Automatic".
    void theNameOfTheAutomaticPresetIsRefused() {
        QVERIFY(save("auto", ExistingPreset::keep).fault.contains("“auto”"));
        QVERIFY(saved("auto").isEmpty());
    }

    void aPresetOfTheSameNameIsKeptUnlessReplaced() {
        const auto steps = [this] { return saved("A-B")["request"].toObject()["num_inference_steps"].toInt(); };
        const auto saveSteps = [this](const char* name, int count, ExistingPreset existing) {
            model_->edit([count](VideoRequest& request) { request.num_inference_steps = count; });
            return save(name, existing);
        };
        QVERIFY(!saveSteps("A/B", 7, ExistingPreset::keep).isTaken);
        const SavedPreset second = saveSteps("A-B", 8, ExistingPreset::keep);
        QVERIFY(second.isTaken && second.fault.isEmpty());
        QCOMPARE(steps(), 7);
        QVERIFY(!saveSteps("A-B", 8, ExistingPreset::replace).isTaken);
        QCOMPARE(steps(), 8);
    }

    /// The folder may be on a network drive that does not respond.
    void theFilesOfPresetsAreWrittenInTheBackground() {
        int numSaved = 0;
        const auto count = [&numSaved](const SavedPreset& preset) { numSaved += preset.isWritten() ? 1 : 0; };
        for (const int steps : {5, 6, 7}) {
            model_->edit([steps](VideoRequest& request) { request.num_inference_steps = steps; });
            presets().save("Night", ExistingPreset::replace, count);
        }
        QCOMPARE(numSaved, 0);
        QTRY_COMPARE(numSaved, 3);
        QCOMPARE(saved("Night")["request"].toObject()["num_inference_steps"].toInt(), 7);
        QString fault = "none yet";
        presets().restore({.name = "Night", .file = QDir(PresetModel::folder()).filePath("Night.json")},
                          [&fault](const QString& words) { fault = words; });
        QCOMPARE(fault, QString("none yet"));
        QTRY_COMPARE(fault, QString::fromUtf8("You already have a preset “Night”."));
    }

    void aPresetThatIsSelectedMeanwhileStaysSelected() {
        presets().choose("cpu");
        int numSaved = 0;
        presets().save("Late", ExistingPreset::replace, [&numSaved](const SavedPreset&) { ++numSaved; });
        presets().choose("ink");
        QTRY_COMPARE(numSaved, 1);
        QVERIFY(presets().chosen());
        QCOMPARE(presets().chosen()->name, std::string("ink"));
    }

    void exportedPresetsCanBeImported() {
        const QString file = config_.filePath("shared.kinescope.json");
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        VideoRequest request = model_->resolved();
        request.loras = {kInk};
        out.write(presetDocument("Shared", request, {}, model_->card()));
        out.close();
        QCOMPARE(importPreset(file).fault, QString());
        QCOMPARE(saved("Shared")["name"].toString(), QStringLiteral("Shared"));
        QCOMPARE(saved("Shared")["request"].toObject()["loras"].toArray().size(), 1);
    }

    void refusesFilesOtherThanPresets_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("invalid JSON") << QByteArray("hello") << "not valid JSON";
        QTest::newRow("other JSON") << QByteArray("{\"a\": 1}") << "not a Kinescope preset";
        QTest::newRow("an unknown key") << QByteArray("{\"request\": {\"stepz\": 1}}") << "stepz";
        QTest::newRow("a wrong value") << QByteArray("{\"request\": {\"fps\": \"x\"}}") << "fps";
        QTest::newRow("a name of the wrong type") << QByteArray(R"({"name":5,"request":{}})") << "“name”";
        QTest::newRow("a match of the wrong type") << QByteArray(R"({"match":"x","request":{}})") << "“match”";
        QTest::newRow("a family of the wrong type")
            << QByteArray(R"({"match":{"family":5},"request":{}})") << "“family”";
        QTest::newRow("a model of LoRAs of the wrong type")
            << QByteArray(R"({"lora_model":{"variant":5},"request":{}})") << "“variant”";
        QTest::newRow("an unknown family")
            << QByteArray(R"({"match":{"family":"mochi"},"request":{}})") << "for models of the family “mochi”";
        QTest::newRow("an unknown device") << QByteArray(R"({"match":{"device":"tpu"},"request":{}})") << "“device”";
        QTest::newRow("an unknown size") << QByteArray(R"({"match":{"memory_from":"lots"},"request":{}})")
                                         << "“memory_from”";
        QTest::newRow("a list") << QByteArray("[]") << "not a JSON object";
    }

    void refusesFilesOtherThanPresets() {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        const QString file = config_.filePath("bad.json");
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly | QIODevice::Truncate));
        out.write(text);
        out.close();
        const QString problem = importPreset(file).fault;
        QVERIFY2(problem.contains(says), qPrintable(problem));
        QVERIFY(saved("bad").isEmpty());
    }

    /// A preset may come from anybody, and from an engine of another version.
    void aPresetSetsNothingButSettings() {
        PresetInfo foreign;
        foreign.name = "foreign";
        foreign.fields = R"({"num_inference_steps":9,"prompt":"theirs","latents":"/x","overwrite":true,"seed":4})";
        Q_EMIT bridge_->presetsFound({foreign});
        VideoRequest expected = model_->request();
        expected.num_inference_steps = 9;
        presets().choose("foreign");
        QVERIFY(model_->request() == expected);
    }

    /// The form does not show these files.
    void hiddenOutputsAreNotSubmitted() {
        QTemporaryDir folder;
        model_->edit([](VideoRequest& request) {
            request.output.latents = "/x";
            request.output.overwrite = OverwriteMode::overwrite;
        });
        const OutputRequest output = model_->naming(model_->request(), folder.path())();
        QVERIFY(output.latents.empty() && output.overwrite == OverwriteMode::refuse);
    }

    void onlyUserPresetsCanBeDeleted() {
        QString fault;
        presets().remove("cpu", [&fault](const DeletedPreset& deleted) { fault = deleted.fault; });
        QVERIFY(!fault.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestPresetModel)
#include "test_preset_model.moc"
