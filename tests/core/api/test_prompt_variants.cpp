#include <QtTest>

#include "core/api/error.h"
#include "core/api/prompt_variants.h"

using namespace kinescope;

class TestPromptVariants : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void alternatives_are_combined_data() {
        QTest::addColumn<QString>("prompt");
        QTest::addColumn<QStringList>("variants");
        const auto row = [](const char* name, const char* prompt, const QStringList& variants) {
            QTest::newRow(name) << prompt << variants;
        };
        row("none", "a cat", {"a cat"});
        row("empty", "", {""});
        row("two", "a {red|blue} car", {"a red car", "a blue car"});
        row("the last changes fastest", "{a|b}{1|2}", {"a1", "a2", "b1", "b2"});
        row("empty alternative", "a {|very }big cat", {"a big cat", "a very big cat"});
        row("nested", "{a|b{1|2}}", {"a", "b1", "b2"});
        row("without a choice", "a {b} c", {"a {b} c"});
        row("choice in plain braces", "a {b {c|d}} e", {"a {b c} e", "a {b d} e"});
        row("unclosed", "a {b|c", {"a {b|c"});
        row("unopened", "a b|c} d", {"a b|c} d"});
        row("bar outside of braces", "a | b", {"a | b"});
        row("Chinese", "{红|蓝}色", {"红色", "蓝色"});
    }
    void alternatives_are_combined() {
        QFETCH(const QString, prompt);
        QFETCH(const QStringList, variants);
        QStringList found;
        for (const std::string& variant : prompt_variants(prompt.toStdString()))
            found += QString::fromStdString(variant);
        QCOMPARE(found, variants);
    }

    void mistyped_alternatives_are_found() {
        for (const char* prompt : {"{a|b", "a|b}", "a {b|{c|d} e", "}a|b{", "{a}|b}"})
            QVERIFY2(has_unpaired_alternatives(prompt), prompt);
        for (const char* prompt : {"", "a cat", "{a|b}", "{a|b{1|2}}", "a | b", "a {b", ":-}", "{a} | {b}"})
            QVERIFY2(!has_unpaired_alternatives(prompt), prompt);
    }

    void too_many_combinations_are_refused() {
        std::string prompt;
        for (int i = 0; i < 10; ++i) prompt += "{a|b}";
        QVERIFY_THROWS_EXCEPTION(Error, prompt_variants(prompt));
        QCOMPARE(prompt_variants(prompt.substr(5)).size(), std::size_t{512});
    }

    void hostile_prompts_end() {
        QCOMPARE(prompt_variants(std::string(20'000, '{')).size(), std::size_t{1});
        QCOMPARE(prompt_variants(std::string(20'000, '|')).size(), std::size_t{1});
        QCOMPARE(prompt_variants(std::string(10'000, '{') + std::string(10'000, '}')).size(), std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(TestPromptVariants)
#include "test_prompt_variants.moc"
