#include <QtTest>

#include "tests/support/fake_engine.h"
#include "ui/models/export_name.h"
#include "ui/models/output_name.h"
#include "ui/models/unique_names.h"
#include "ui/models/vocabulary_rule.h"
#include "ui/text/site_name.h"
#include "ui/text/words.h"

using namespace kinescope;
using namespace kinescope::ui;

class TestNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void modelsAreNamedByTheirVariant() {
        ModelCard card;
        card.id = "/hub/models--Wan-AI--Wan2.1-T2V-1.3B-Diffusers/snapshots/0fad780a";
        card.name = "0fad780a";
        card.variant = "Wan 2.1 T2V 1.3B";
        QCOMPARE(modelName(card), QStringLiteral("Wan 2.1 T2V 1.3B"));
        QCOMPARE(modelNameWithFolder(card), QStringLiteral("Wan 2.1 T2V 1.3B (Wan2.1-T2V-1.3B-Diffusers)"));
        card.variant.clear();
        QCOMPARE(modelName(card), QStringLiteral("0fad780a"));
        QCOMPARE(modelFolderName("/models/wan_2.1_14B.safetensors"), QStringLiteral("wan_2.1_14B"));
        QCOMPARE(modelFolderName("/models/Wan2.1-T2V-1.3B/"), QStringLiteral("Wan2.1-T2V-1.3B"));
    }

    void sites_data() {
        QTest::addColumn<QString>("site");
        QTest::addColumn<QString>("words");
        QTest::newRow("feed-forward") << "blocks.31.ffn"
                                      << "Block 31, feed-forward output";
        QTest::newRow("diffusers name") << "blocks.31.ff.out"
                                        << "Block 31, feed-forward output";
        QTest::newRow("self attention") << "blocks.0.attn1"
                                        << "Block 0, attention output";
        QTest::newRow("cross attention") << "blocks.7.attn2"
                                         << "Block 7, cross-attention";
        QTest::newRow("block itself") << "blocks.7"
                                      << "Block 7, output";
        QTest::newRow("under a component") << "transformer.blocks.2.ffn"
                                           << "Block 2, feed-forward output";
        QTest::newRow("middle of the feed-forward") << "transformer_blocks.3.ff.net.0.proj"
                                                    << "Block 3, feed-forward hidden layer";
        QTest::newRow("values") << "blocks.2.attn1.to_v"
                                << "Block 2, attention values";
        QTest::newRow("over time") << "unet.down_blocks.0.attentions.1.temporal_transformer_blocks.0.attn1"
                                   << "Block down_blocks.0.attentions.1, temporal attention";
        QTest::newRow("latents") << "latents"
                                 << "Latents";
        QTest::newRow("latents of a component") << "transformer.latents"
                                                << "Latents";
        QTest::newRow("unknown site") << "time_embedder"
                                      << "time_embedder";
        QTest::newRow("invalid block number") << "blocks.x.ffn"
                                              << "blocks.x.ffn";
    }

    void sites() {
        QFETCH(QString, site);
        QFETCH(QString, words);
        QCOMPARE(siteName(site.toStdString()), words);
    }

    void blocksAreRowsOfTheHeatMap() {
        const std::map<std::string, std::string> names = {
            {"blocks.31.ffn.net.2", "blocks.31"},
            {"blocks.31", "blocks.31"},
            {"transformer_blocks.0.attn1.to_v", "transformer_blocks.0"},
            {"down_blocks.0.attentions.1.temporal_transformer_blocks.0.attn1", "down_blocks.0.attentions.1"},
            {"mid_block.resnets.0.conv1", "mid_block.resnets.0"},
            {"proj_out", ""},
            {"blocks.x", ""},
            {"blocks.", ""},
            {"", ""}};
        for (const auto& [site, block] : names) QCOMPARE(std::string(blockName(site)), block);
    }

    void sitesInsideASentence() {
        QCOMPARE(siteNameInSentence("blocks.12.attn1"), QStringLiteral("block 12, attention output"));
        QCOMPARE(siteNameInSentence("Odd.name"), QStringLiteral("Odd.name"));
    }

    void outputNames_data() {
        QTest::addColumn<QString>("prompt");
        QTest::addColumn<QString>("name");
        QTest::newRow("words") << "A red ball bounces"
                               << "2026-03-01-a-red-ball-bounces-7";
        QTest::newRow("cut at a word") << "A lighthouse on a rocky cliff at dusk, its beam sweeping"
                                       << "2026-03-01-a-lighthouse-on-a-rocky-cliff-at-7";
        QTest::newRow("path characters") << "../../etc/passwd: \\ * ?"
                                         << "2026-03-01-etc-passwd-7";
        QTest::newRow("no usable characters") << "??? ///"
                                              << "2026-03-01-7";
        QTest::newRow("empty") << ""
                               << "2026-03-01-7";
        QTest::newRow("Chinese") << QString::fromUtf8("光之塔，黄昏") << QString::fromUtf8("2026-03-01-光之塔-黄昏-7");
    }

    void outputNames() {
        QFETCH(QString, prompt);
        QFETCH(QString, name);
        QCOMPARE(outputName({QDate(2026, 3, 1), prompt, 7}), name);
    }

    void longNamesFitIntoTheBytesOfAFileName_data() {
        QTest::addColumn<QString>("prompt");
        QTest::addColumn<QString>("end");
        QTest::newRow("one byte") << QString(300, 'a') << QString("a");
        QTest::newRow("three bytes") << QString::fromUtf8("塔").repeated(128) << QString::fromUtf8("塔");
        QTest::newRow("four bytes, two UTF-16 units")
            << QString::fromUtf8("\xf0\xa0\x80\x80").repeated(128) << QString::fromUtf8("\xf0\xa0\x80\x80");
        QTest::newRow("mixed") << QString::fromUtf8("aé塔").repeated(100) << QString();
    }

    void longNamesFitIntoTheBytesOfAFileName() {
        QFETCH(QString, prompt);
        QFETCH(QString, end);
        const QString name = outputName({QDate(2026, 3, 1), prompt, 7}, QStringLiteral("{prompt:240}-{seed}"));
        const auto bytes = name.toUtf8().size();
        QVERIFY2(bytes <= 180 && bytes > 170, qPrintable(QString::number(bytes)));
        QVERIFY(name.isValidUtf16());
        QVERIFY2(name.endsWith(end), qPrintable(name));
    }

    void existingNamesAreAvoided() {
        QTemporaryDir folder;
        const QDir dir(folder.path());
        const QStringList endings{".mp4", ".jsonl"};
        QCOMPARE(freeStem(dir, "a", endings), dir.filePath("a"));
        QVERIFY(QFile(dir.filePath("a.mp4")).open(QIODevice::WriteOnly));
        QCOMPARE(freeStem(dir, "a", endings), dir.filePath("a-2"));
        QVERIFY(QFile(dir.filePath("a-2.jsonl")).open(QIODevice::WriteOnly));
        QCOMPARE(freeStem(dir, "a", endings), dir.filePath("a-3"));
    }

    void noTwoJobsWriteTheSameFile() {
        Job waits;
        waits.request.output.file = "/nowhere/ball.mp4";
        VideoRequest request;
        request.output.file = "/nowhere/ball.mp4";
        request.output.numeric_log = "/nowhere/ball.jsonl";
        makeNamesUnique(request, outputsOf({waits}));
        QCOMPARE(request.output.file.string(), std::string("/nowhere/ball-2.mp4"));
        QCOMPARE(request.output.numeric_log.string(), std::string("/nowhere/ball-2.jsonl"));
        waits.state = JobState::finished;
        request.output.file = "/nowhere/ball.mp4";
        makeNamesUnique(request, outputsOf({waits}));
        QCOMPARE(request.output.file.string(), std::string("/nowhere/ball.mp4"));
    }

    /// The engine reports such a path.
    void aNameThatCannotBeExaminedIsKept() {
        VideoRequest request;
        request.output.file = "/tmp/" + std::string(300, 'a') + ".mp4";
        const std::filesystem::path asked = request.output.file;
        makeNamesUnique(request, {});
        QCOMPARE(request.output.file, asked);
    }

    void exportNamesGetTheExtensionOfTheFormat_data() {
        QTest::addColumn<QString>("chosen");
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QString>("name");
        QTest::newRow("matching extension") << "a.mp4"
                                            << "mp4"
                                            << "a.mp4";
        QTest::newRow("upper case") << "a.MP4"
                                    << "mp4"
                                    << "a.MP4";
        QTest::newRow("other extension") << "a.webm"
                                         << "mp4"
                                         << "a.mp4";
        QTest::newRow("no extension") << "frame"
                                      << "png"
                                      << "frame.png";
        QTest::newRow("period in the name") << "take 1.5"
                                            << "png"
                                            << "take 1.5.png";
        QTest::newRow("frames folder") << "frames"
                                       << ""
                                       << "frames";
    }

    void exportNamesGetTheExtensionOfTheFormat() {
        QFETCH(QString, chosen);
        QFETCH(QString, ending);
        QFETCH(QString, name);
        const QTemporaryDir folder;
        QCOMPARE(exportName(folder.filePath(chosen), ending), folder.filePath(name));
    }

    /// The user confirmed overwriting the chosen name, but not the name with the changed extension.
    void aChangedExportNameAvoidsExistingFiles() {
        const QTemporaryDir folder;
        QVERIFY(QFile(folder.filePath("a.mp4")).open(QIODevice::WriteOnly));
        QCOMPARE(exportName(folder.filePath("a.webm"), "mp4"), folder.filePath("a-2.mp4"));
        QCOMPARE(exportName(folder.filePath("a.mp4"), "mp4"), folder.filePath("a.mp4"));
    }

    void wordsOutsideTheVocabularyAreListed() {
        const ModelCard known = testing::demoCard();
        QCOMPARE(unknownWords("A RED ball, bounces!", known), QStringList());
        QCOMPARE(unknownWords("A purple ball and a purple dog", known), (QStringList{"purple", "and", "dog"}));
        QCOMPARE(vocabularyHint("A purple ball", known), QString::fromUtf8("Words unknown to this model: “purple”."));
        QVERIFY(vocabularyHint("anything at all", {}).isEmpty());
    }

    void aBackgroundThatTheModelKnowsOnlyForShapesIsNamed() {
        ModelCard card;
        card.vocabulary.words = {"a",  "ball", "black background", "blue background", "on", "yellow", "球",
                                 "的", "黄色"};
        QCOMPARE(vocabularyHint("a ball on a yellow background", card),
                 QString("This model knows no yellow background, only these: black, blue."));
        QCOMPARE(vocabularyHint("a cat on a yellow background", card),
                 QString::fromUtf8("Words unknown to this model: “cat”. "
                                   "This model knows no yellow background, only these: black, blue."));
        QCOMPARE(vocabularyHint(QString::fromUtf8("球，黄色的背景"), card).count(QString::fromUtf8("黑色, 蓝色")), 1);
        QVERIFY(vocabularyHint("a yellow ball on a blue background", card).isEmpty());
    }

    void aShapeWithTheColorOfABackgroundIsNamed() {
        ModelCard card;
        card.vocabulary.words = {"a", "ball", "black background", "on", "yellow", "red", "球", "的", "黑色"};
        QCOMPARE(vocabularyHint("a black ball", card),
                 QString("This model knows no black shapes, only these colors: yellow, red."));
        QCOMPARE(vocabularyHint(QString::fromUtf8("黑色的球"), card).count(QString::fromUtf8("黄色, 红色")), 1);
        QVERIFY(vocabularyHint("a red ball on a black background", card).isEmpty());
    }

    void examplesAndWordsFollowTheLanguage() {
        const QLocale before;
        const auto restore = qScopeGuard([&before] { QLocale::setDefault(before); });
        ModelCard card;
        card.example_prompts = {"a red ball", "红色的球", "a blue ball"};
        card.vocabulary.words = {"ball", "red", "球", "红色"};
        QLocale::setDefault(QLocale(QLocale::English));
        QCOMPARE(examplePrompts(card), (QStringList{"a red ball", "a blue ball"}));
        QCOMPARE(vocabularyText(card), QString("Words this model knows: ball, red."));
        QCOMPARE(vocabularySummary(card), vocabularyText(card));
        QLocale::setDefault(QLocale(QLocale::Chinese));
        QCOMPARE(examplePrompts(card), QStringList{QString::fromUtf8("红色的球")});
        QCOMPARE(vocabularyText(card), QString::fromUtf8("Words this model knows: 球, 红色."));
        QCOMPARE(vocabularySummary(card), vocabularyText(card));
        card.vocabulary.hint = "Try a ball.\n试试球。";
        QCOMPARE(vocabularySummary(card), QString::fromUtf8("试试球。"));
        card.example_prompts.erase(card.example_prompts.begin() + 1);
        QCOMPARE(examplePrompts(card), (QStringList{"a red ball", "a blue ball"}));
        QVERIFY(examplePrompts({}).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestNames)
#include "test_names.moc"
