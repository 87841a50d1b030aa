#include <QTest>

#include "core/api/error.h"
#include "core/base/json.h"
#include "core/tokenizers/tokenizer.h"

using namespace kinescope;

class TestCleanPrompt : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Compares several hundred difficult prompts with the reference (tests/data/tokenizers/make_fixtures.py).
    void cleaned_prompts_match_the_reference() {
        const Json rows = read_json(KINESCOPE_TEST_DATA "/tokenizers/prompts.json");
        QVERIFY(rows.size() > 300);
        for (const Json& row : rows) {
            const auto cleaned = clean_prompt(row["prompt"].get<std::string>());
            const auto about = "prompt " + row["prompt"].dump() + " became " + Json(cleaned).dump() + " instead of " +
                               row["cleaned"].dump();
            QVERIFY2(cleaned == row["cleaned"], about.c_str());
        }
    }

    void a_cleaned_prompt_does_not_change() {
        for (const char* prompt : {"a red fox, running", "色调艳丽,过曝", "50% & more"})
            QCOMPARE(clean_prompt(prompt), std::string(prompt));
    }

    void a_very_long_prompt_is_cleaned_data() {
        QTest::addColumn<QByteArray>("unit");
        QTest::addColumn<QByteArray>("cleaned_unit");
        QTest::newRow("words") << QByteArray("red fox, ") << QByteArray("red fox, ");
        QTest::newRow("full width") << QByteArray("，") << QByteArray(",");
        QTest::newRow("bare ampersands") << QByteArray("&") << QByteArray("&");
        QTest::newRow("open references") << QByteArray("&#1234567890") << QByteArray("\uFFFD");
        QTest::newRow("marks") << QByteArray("\u0301") << QByteArray("\u0301");
        QTest::newRow("spaces in a word") << QByteArray("a   b") << QByteArray("a b");
    }
    void a_very_long_prompt_is_cleaned() {
        QFETCH(QByteArray, unit);
        QFETCH(QByteArray, cleaned_unit);
        const qsizetype count = 100'000 / unit.size();
        const auto cleaned = clean_prompt(unit.repeated(count).toStdString());
        QCOMPARE(QByteArray::fromStdString(cleaned), cleaned_unit.repeated(count).trimmed());
    }

    /// Nested escapes must be resolved in one pass, because one pass per nesting level would be slow.
    void nested_references_are_resolved() {
        QCOMPARE(clean_prompt("&" + QByteArray("amp;").repeated(25'000).toStdString() + "lt;"), std::string("<"));
    }

    void invalid_utf8_is_refused_data() {
        QTest::addColumn<QByteArray>("prompt");
        QTest::addColumn<QString>("place");
        QTest::newRow("lone continuation") << QByteArray("ab\x80") << "byte 3 of 3";
        QTest::newRow("cut off") << QByteArray("ab\xe8\x89") << "byte 3 of 4";
        QTest::newRow("Latin-1") << QByteArray("caf\xe9 noir") << "byte 4";
        QTest::newRow("overlong slash") << QByteArray("\xc0\xaf") << "byte 1";
        QTest::newRow("overlong euro") << QByteArray("\xf0\x82\x82\xac") << "byte 1";
        QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << "byte 1";
        QTest::newRow("above Unicode") << QByteArray("\xf4\x90\x80\x80") << "byte 1";
        QTest::newRow("five bytes") << QByteArray("\xf8\x88\x80\x80\x80") << "byte 1";
        QTest::newRow("UTF-16") << QByteArray(
                                       "\xff\xfe"
                                       "a\0",
                                       4)
                                << "byte 1 of 4";
    }
    void invalid_utf8_is_refused() {
        QFETCH(QByteArray, prompt);
        QFETCH(QString, place);
        try {
            clean_prompt(prompt.toStdString());
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::bad_request);
            QVERIFY2(QString(error.what()).contains(place), error.what());
        }
    }
};

QTEST_GUILESS_MAIN(TestCleanPrompt)
#include "test_clean_prompt.moc"
