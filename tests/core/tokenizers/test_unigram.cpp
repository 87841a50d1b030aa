#include <QTest>

#include "core/base/json.h"
#include "core/tokenizers/special_tokens.h"
#include "core/tokenizers/unigram.h"
#include "core/tokenizers/unigram_tokenizer.h"

using namespace kinescope;

using Ids = std::vector<std::int64_t>;

class TestUnigram : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_best_segmentation_wins_data() {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("ids");
        QTest::newRow("empty text") << ""
                                    << "[]";
        QTest::newRow("whole piece beats its halves") << "ab"
                                                      << "[3]";
        QTest::newRow("halves beat a costly whole") << "bc"
                                                    << "[2,4]";
        QTest::newRow("the longest match is not the best") << "abc"
                                                           << "[3,4]";
        QTest::newRow("unknown character between pieces") << "a?b"
                                                          << "[1,0,2]";
        QTest::newRow("consecutive unknown characters are one token") << "a☂?☂b"
                                                                      << "[1,0,2]";
        QTest::newRow("unknown at both ends") << "☂a☂"
                                              << "[0,1,0]";
        QTest::newRow("a piece of two characters, neither known") << "☃☃"
                                                                  << "[6]";
        QTest::newRow("two runs") << "?a?"
                                  << "[0,1,0]";
    }
    void the_best_segmentation_wins() {
        QFETCH(QString, word);
        QFETCH(QString, ids);
        const Unigram model({{"<unk>", 0}, {"a", -2}, {"b", -2}, {"ab", -3}, {"c", -1}, {"bc", -9}, {"☃☃", -4}}, 0);
        Ids found;
        model.encode(word.toStdString(), found);
        QCOMPARE(QString::fromStdString(Json(found).dump()), ids);
    }

    void words_start_with_the_space_mark_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("t5");
        QTest::addColumn<QString>("umt5");
        QTest::newRow("empty text") << ""
                                    << "[]"
                                    << "[]";
        QTest::newRow("one word") << "a"
                                  << R"(["▁a"])"
                                  << R"(["▁a"])";
        QTest::newRow("two words") << "a b"
                                   << R"(["▁a","▁b"])"
                                   << R"(["▁a","▁b"])";
        QTest::newRow("surrounding spaces") << "  a  b "
                                            << R"(["▁a","▁b"])"
                                            << R"(["▁a","▁b","▁"])";
        QTest::newRow("space mark in the text") << "▁a▁b"
                                                << R"(["▁a","▁b"])"
                                                << R"(["▁a","▁b"])";
        QTest::newRow("other spaces") << "a\u00a0b\tc"
                                      << R"(["▁a","▁b","▁c"])"
                                      << "[\"▁a\u00a0b\\tc\"]";
    }
    void words_start_with_the_space_mark() {
        QFETCH(QString, text);
        QFETCH(QString, t5);
        QFETCH(QString, umt5);
        QCOMPARE(QString::fromStdString(Json(split_words(text.toStdString(), Spaces::drop_all)).dump()), t5);
        QCOMPARE(QString::fromStdString(Json(split_words(text.toStdString(), Spaces::collapse)).dump()), umt5);
    }

    void special_tokens_are_separate_parts() {
        const SpecialTokens tokens({{"</s>", 1}, {"<e>", 5}, {"<e>x", 6}, {"", 9}});
        std::string seen;
        for (const auto& part : tokens.split("a<e>x</s></s> <e> </")) {
            seen += part.id ? "#" + std::to_string(*part.id) : "'" + std::string(part.text) + "'";
        }
        QCOMPARE(seen, std::string("'a'#6#1#1' '#5' </'"));
        QVERIFY(tokens.split("").empty());
        QCOMPARE(SpecialTokens().split("plain").size(), std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(TestUnigram)
#include "test_unigram.moc"
