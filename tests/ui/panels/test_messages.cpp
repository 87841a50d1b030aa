#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include "core/api/byte_size.h"
#include "tests/support/canary_codes.h"
#include "tests/support/chinese.h"
#include "ui/models/download_words.h"
#include "ui/text/compare_words.h"
#include "ui/text/device_words.h"
#include "ui/text/doctor_words.h"
#include "ui/text/guard_words.h"
#include "ui/text/message_form.h"
#include "ui/text/model_text.h"
#include "ui/text/site_name.h"
#include "ui/text/words.h"
#include "ui/widgets/language.h"

using namespace kinescope;
using namespace kinescope::ui;
using kinescope::testing::isChinese;

namespace {

constexpr const char* kCoreText = "the engine's own English words stand here";

LocalizableMessage sentence(const char* code, std::map<std::string, std::string> values = {}) {
    return {.code = code, .values = std::move(values), .text = kCoreText};
}

QJsonArray rows(const char* file, const char* key) {
    QFile json(QStringLiteral(KINESCOPE_SOURCE_DIR "/resources/") + QLatin1String(file));
    if (!json.open(QIODevice::ReadOnly)) return {};
    return QJsonDocument::fromJson(json.readAll()).object().value(QLatin1String(key)).toArray();
}

}  // namespace

class TestMessages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numericSwitchesAreWords() {
        for (const char* name : {"float16_accumulation", "float16_reduction", "bfloat16_reduction",
                                 "half_reduction_in_attention", "tf32_matmul", "tf32_convolution", "cudnn_attention",
                                 "cudnn", "cudnn_benchmark", "onednn", "blas_backend"}) {
            const QString words = ui::numericSwitchText(name);
            QVERIFY2(words != QLatin1String(name) && !words.contains(QLatin1Char('_')), name);
        }
    }

    void cleanup() { chooseLanguage(QStringLiteral("en")); }

    void placeholdersAreReplacedByTheirValues() {
        QCOMPARE(filled(QStringLiteral("%2 of %1 and 5 %"), {QStringLiteral("%2"), QStringLiteral("x")}),
                 QStringLiteral("x of %2 and 5 %"));
        QCOMPARE(filled(QStringLiteral("%3"), {QStringLiteral("a")}), QString());
    }

    void findingsAreDescribedInWords() {
        QCOMPARE(foundText(sentence("near_limit", {{"largest", "39810"}, {"share", "61 %"}})),
                 QStringLiteral("peak 39,810, 61 % of the fp16 range"));
        QCOMPARE(foundText(sentence("not_finite", {{"nan", "2"}, {"inf", "0"}, {"count", "4096"}})),
                 QStringLiteral("2 NaN and 0 Inf in 4,096 values"));
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        const QString german =
            foundText(sentence("growth", {{"from", "812.5"}, {"to", "39810"}, {"other", "blocks.3"}}));
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        QCOMPARE(german, QStringLiteral("peak grew from 812,5 to 39.810 in one step"));
        const LoggedPlace latents{
            .phase = "denoise", .step = 2, .branch = "cond", .component = "transformer", .site = "latents"};
        QCOMPARE(firstDifferenceText(StatisticDifference{latents, Statistic::max_abs, 7874, 7875.5}),
                 QStringLiteral("step 3, latents: peak 7,874 vs. 7,875.5"));
        QCOMPARE(firstDifferenceText(StatisticDifference{latents, Statistic::nan, std::nullopt, 0}),
                 QStringLiteral("step 3, latents: NaN count ≥ 1 vs. 0"));
        QCOMPARE(numberText(QStringLiteral("1.0.2")), QStringLiteral("1.0.2"));
        QCOMPARE(foundText(sentence("a code of tomorrow")), QString::fromLatin1(kCoreText));
    }

    void everySentenceIsChinese_data() {
        QTest::addColumn<int>("kind");
        const auto add = [](int kind, std::initializer_list<const char*> codes) {
            for (const char* code : codes) QTest::newRow(code) << kind;
        };
        add(0,
            {"near_limit",    "growth",          "dead_guidance", "velocity",     "spread",         "unchanged",
             "latents_jump",  "equal_words",     "equal_prompts", "int8_coarse",  "kernel_differs", "float8_end",
             "float8_zero",   "underflow",       "rounding",      "mistrusted",   "sensitive",      "float32_coarse",
             "frames_equal",  "frames_extreme",  "frames_black",  "frames_empty", "frames_dark",    "zero_prediction",
             "learned",       "not_finite",      "out_of_memory", "not_compared", "seam_colors",    "growth_in_steps",
             "equal_patches", "zero_embeddings", "unsteady"});
        add(1, {"wan_transformer",
                "wan_vace_module",
                "cogvideox_transformer",
                "svd_unet",
                "wan_vae",
                "wan_vae_2_2",
                "cogvideox_vae",
                "svd_vae",
                "t5",
                "umt5",
                "clip_vision",
                "tokenizer_within",
                "pipeline",
                "denoiser_class",
                "lora_base",
                "lora_unknown",
                "unrecognized",
                "only_a_part",
                "upscaler",
                "interpolator",
                "tiny_decoder",
                "tensors_unknown",
                "error"});
        add(2, {"no_folder", "no_file", "no_expert", "no_tokenizer", "not_listed", "error"});
        add(3, {"card_too_old", "cuda_not_loaded", "driver_too_old", "canary_failed", "canary_environment"});
    }
    void everySentenceIsChinese() {
        QFETCH(int, kind);
        chooseLanguage(QStringLiteral("zh_CN"));
        const LocalizableMessage said =
            sentence(QTest::currentDataTag(), {{"component", "vae"},
                                               {"wheel", "torch==2.11.0+cu126"},
                                               {"file", "a.safetensors"},
                                               {"naming", "the original authors' tensor names"},
                                               {"prefix", "model."},
                                               {"dtype", "float16"},
                                               {"shape", "2x4"},
                                               {"error", "checkpoint_truncated"}});
        const QString words = kind == 0   ? foundText(said)
                              : kind == 1 ? recognitionText(said)
                              : kind == 2 ? missingText(said)
                                          : unusableText(said);
        QVERIFY2(isChinese(words), qPrintable(words));
    }

    void everyDeviceCheckIsChinese() {
        chooseLanguage(QStringLiteral("zh_CN"));
        for (const char* code : testing::kCanaryCodes) {
            const QString words = probeText(sentence(code, {{"model", "Wan"}, {"dtype", "float16"}, {"shape", "2x4"}}));
            QVERIFY2(isChinese(words) && words.endsWith(QStringLiteral("2x4")), qPrintable(code + (": " + words)));
        }
        for (int each = 0; each <= static_cast<int>(CanaryFallback::plain_ops); ++each) {
            const QString words = fallbackText({static_cast<CanaryFallback>(each)});
            QVERIFY2(isChinese(words), qPrintable(words));
        }
        const QString two = fallbackText({CanaryFallback::plain_cublas, CanaryFallback::no_cudnn});
        QVERIFY2(two.contains(fallbackText({CanaryFallback::no_cudnn})), qPrintable(two));
        chooseLanguage(QStringLiteral("en"));
        QCOMPARE(probeText(sentence("a code of tomorrow", {{"dtype", "float16"}, {"shape", "2x4"}})),
                 QString::fromLatin1(kCoreText));
    }

    /// The window and the command line show the same size in the same unit, and the language decides the rest.
    void sizesAreBinary_data() {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("german");
        QTest::newRow("bytes") << qint64{512} << "512 B";
        QTest::newRow("a million") << qint64{1'000'000} << "976,6 KiB";
        QTest::newRow("many of one unit") << (qint64{1020} << 20) << "1.020,0 MiB";
        QTest::newRow("a card of 24 GB") << (qint64{24} << 30) << "24,0 GiB";
    }
    void sizesAreBinary() {
        QFETCH(qint64, bytes);
        QFETCH(QString, german);
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        const QString there = bytesText(bytes);
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        QCOMPARE(there, german);
        QCOMPARE(bytesText(bytes).remove(QLatin1Char(',')), QString::fromStdString(format_byte_size(bytes)));
    }

    void everySchedulerHasItsUsualName() {
        for (const char* name : {"unipc", "flow_match_euler", "euler", "dpmpp_2m", "cogvideox_ddim", "cogvideox_dpm",
                                 "flow_match_discrete"})
            QVERIFY2(schedulerName(name) != QLatin1String(name), name);
        QCOMPARE(schedulerName("dpmpp_2m"), QStringLiteral("DPM++ 2M"));
        QCOMPARE(schedulerName("new"), QStringLiteral("new"));
    }

    void memoryAndSettingsAreTranslated() {
        chooseLanguage(QStringLiteral("zh_CN"));
        for (const char* part : {"weights", "activations", "program", "latents", "frames", "vae activations",
                                 "transformer activations", "text_encoder"})
            QVERIFY2(isChinese(memoryPartName(part)), part);
        QVERIFY(isChinese(settingName({"seed", {}, {}})));
        for (const SettingAspect aspect :
             {SettingAspect::compute, SettingAspect::storage, SettingAspect::device, SettingAspect::num_frames})
            QVERIFY(isChinese(settingName({"vae", {}, {}, aspect})));
        chooseLanguage(QStringLiteral("en"));
        QCOMPARE(memoryPartName("vae activations"), QStringLiteral("VAE, activations"));
        QCOMPARE(settingName({"transformer", {}, {}, SettingAspect::storage}),
                 QStringLiteral("Denoiser, storage precision"));
    }

    void loraMessagesAreTranslated() {
        chooseLanguage(QStringLiteral("zh_CN"));
        const QString words = recognitionText(sentence("lora", {{"rank", "8"}, {"modules", "96"}, {"naming", "PEFT"}}));
        QVERIFY2(isChinese(words) && words.contains("PEFT") && words.contains("96"), qPrintable(words));
    }

    void shippedTextsAreTranslated() {
        chooseLanguage(QStringLiteral("zh_CN"));
        const QJsonArray known = rows("known_bad.json", "entries");
        QVERIFY(known.size() > 5);
        for (const auto& row : known) {
            const KnownBad entry{.id = {},
                                 .what = row.toObject().value(QLatin1String("what")).toString().toStdString(),
                                 .fix = row.toObject().value(QLatin1String("fix")).toString().toStdString(),
                                 .link = {}};
            QVERIFY2(isChinese(knownBadText(entry)), entry.what.c_str());
            QVERIFY2(isChinese(knownBadFix(entry)), entry.fix.c_str());
        }
        const QJsonArray offers = rows("downloads.json", "downloads");
        QVERIFY(!offers.isEmpty());
        for (const auto& row : offers) {
            DownloadOffer offer;
            offer.note = row.toObject().value(QLatin1String("note")).toString();
            QVERIFY2(isChinese(downloadNote(offer)), qPrintable(offer.note));
        }
    }
};

QTEST_MAIN(TestMessages)
#include "test_messages.moc"
