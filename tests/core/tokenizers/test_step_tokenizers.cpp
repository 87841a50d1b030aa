#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <fstream>

#include "core/api/error.h"
#include "core/base/json.h"
#include "core/tokenizers/bert_words.h"
#include "core/tokenizers/step_tokenizer.h"
#include "core/tokenizers/word_piece_tokenizer.h"

using namespace kinescope;

namespace {

namespace fs = std::filesystem;

fs::path case_folder() {
    return fs::path(KINESCOPE_TEST_DATA) / "stepvideo_t2v";
}

std::string text_of(const Json& row) {
    std::string text;
    for (int i = 0; i < row["times"].get<int>(); ++i) text += row["text"].get<std::string>();
    return text;
}

std::string shown(const Json& row) {
    return row.dump(-1, ' ', true).substr(0, 300);
}

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
}

}  // namespace

/// Compares the tokenizers of Step-Video with sentencepiece and transformers.BertTokenizer on difficult texts.
class TestStepTokenizers : public QObject {
    Q_OBJECT

    const Json rows_ = read_json(case_folder() / "tokenizer_cases.json");
    const StepTokenizer step_{case_folder() / "model/step_llm/step1_chat_tokenizer.model"};
    const WordPieceTokenizer bert_{case_folder() / "model/hunyuan_clip/tokenizer"};

private Q_SLOTS:
    void step_ids_equal_sentencepiece() {
        for (const Json& row : rows_)
            QVERIFY2(step_.encode(text_of(row), 320) == row["step"].get<std::vector<std::int64_t>>(),
                     shown(row).c_str());
        QCOMPARE(step_.pad_id(), std::int64_t{2});
    }

    void words_equal_bert() {
        QVERIFY(std::any_of(rows_.begin(), rows_.end(), [](const Json& row) { return row.contains("words"); }));
        for (const Json& row : rows_) {
            if (!row.contains("words")) continue;
            const auto words = split_bert_words(text_of(row), Letters::lower_case_without_accents);
            QVERIFY2(words == row["words"].get<std::vector<std::string>>(), shown(row).c_str());
        }
    }

    void ids_equal_bert() {
        for (const Json& row : rows_)
            QVERIFY2(bert_.encode(text_of(row), 77) == row["bert"].get<std::vector<std::int64_t>>(),
                     shown(row).c_str());
        QCOMPARE(bert_.pad_id(), std::int64_t{0});
    }

    void capitals_are_kept_if_the_config_says_so() {
        QCOMPARE(split_bert_words("Ab É,c", Letters::as_written), (std::vector<std::string>{"Ab", "É", ",", "c"}));
    }

    void short_maximum_lengths_truncate() {
        QCOMPARE(step_.encode("a red panda", 2), (std::vector<std::int64_t>{1, 2}));
        QCOMPARE(bert_.encode("a red panda", 1), (std::vector<std::int64_t>{102}));
        QVERIFY_EXCEPTION_THROWN(step_.encode("a", 0), Error);
    }

    void invalid_utf8_is_refused() {
        QVERIFY_EXCEPTION_THROWN(step_.encode("a\xFF", 320), Error);
        QVERIFY_EXCEPTION_THROWN(bert_.encode("\xC0\x80", 77), Error);
    }

    void damaged_files_are_refused() {
        QTemporaryDir dir;
        const fs::path root = dir.path().toStdString();
        write(root / "a/vocab.txt", "");
        write(root / "b/vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n");
        write(root / "c/vocab.txt", std::string(100'000, 'x'));
        write(root / "d/vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n");
        write(root / "d/tokenizer_config.json", R"({"do_lower_case": "yes"})");
        for (const char* folder : {"a", "b", "c", "d", "nowhere"})
            QVERIFY_EXCEPTION_THROWN(WordPieceTokenizer(root / folder), Error);
        write(root / "tiny.model", "not a model");
        QVERIFY_EXCEPTION_THROWN(StepTokenizer(root / "tiny.model"), Error);
    }
};

QTEST_GUILESS_MAIN(TestStepTokenizers)
#include "test_step_tokenizers.moc"
