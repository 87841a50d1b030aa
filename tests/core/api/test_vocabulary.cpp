#include <QTest>

#include "core/api/vocabulary.h"

using namespace kinescope;

using Words = std::vector<std::string>;

namespace {

ModelCard small_card() {
    ModelCard card;
    card.vocabulary = {.words = {"red", "ball", "moving left"}, .hint = "Try a red ball."};
    card.example_prompts = {"a red ball on a blue background"};
    return card;
}

}  // namespace

class TestVocabulary : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void known_words_pass() {
        QCOMPARE(unknown_words("A RED ball, moving  left on (a) blue background.", small_card()), Words{});
        QVERIFY(vocabulary_hint("a red ball", small_card()).empty());
        QVERIFY(vocabulary_hint("", small_card()).empty());
    }

    void unknown_words_are_listed_once_in_order() {
        QCOMPARE(unknown_words("a Dragon eats a dragon's ball", small_card()), (Words{"dragon", "eats", "dragon's"}));
    }

    void words_of_other_scripts_are_recognized() {
        QCOMPARE(unknown_words("“red” ball，小熊猫。café", small_card()), (Words{"小熊猫", "café"}));
        QCOMPARE(unknown_words("red \xE2\x80", small_card()), Words{});
    }

    void text_without_spaces_is_split_into_known_words() {
        ModelCard card = small_card();
        for (const char* word : {"红色", "的", "球", "向左", "蓝色背景"}) card.vocabulary.words.emplace_back(word);
        QCOMPARE(unknown_words("红色的球向左，蓝色背景。", card), Words{});
        QCOMPARE(unknown_words("red红色ball的球", card), Words{});
        QCOMPARE(unknown_words("红色的小猫向左移动，蓝色背景", card), (Words{"小猫", "移动"}));
        QCOMPARE(unknown_words("蓝色的球", card), Words{"蓝色"});
        QCOMPARE(unknown_words("球\xE7\x90", card), Words{"\xE7\x90"});
    }

    void models_without_a_vocabulary_accept_every_word() { QCOMPARE(unknown_words("a dragon", {}), Words{}); }

    void the_hint_lists_the_first_words() {
        QCOMPARE(vocabulary_hint("one two three four", small_card()),
                 std::string(R"(this small model was not trained on "one", "two", "three". Try a red ball.)"));
        ModelCard card = small_card();
        card.vocabulary.hint = "Try a red ball.\n试试红色的球。";
        QVERIFY(vocabulary_hint("one", card).ends_with("\"one\". Try a red ball."));
    }
};

QTEST_GUILESS_MAIN(TestVocabulary)
#include "test_vocabulary.moc"
