#include <QtTest>

#include "core/api/color_hints.h"
#include "core/api/vocabulary.h"
#include "core/models/model_family.h"
#include "core/tokenizers/tokenizer.h"
#include "tests/support/golden.h"

using namespace kinescope;

namespace {

constexpr std::int64_t kUnknown = 2;
constexpr std::int64_t kMostTokens = 512;

struct Translation {
    const char* chinese;
    const char* english;
};

/// Phrasings, with and without spaces, in simplified and traditional characters, and what the model reads them as.
const Translation kTranslations[] = {
    {"红色的球向左移动，蓝色背景", "red ball moving left, blue background"},
    {"紅色的球向左移動，藍色背景", "red ball moving left, blue background"},
    {"红色的球 向左移动 ，蓝色的背景", "red ball moving left, blue background"},
    {"一个黄色方块往上移动，黑色背景", "a yellow square moving up, black background"},
    {"绿色的三角形从左向右移动，白色背景。", "green triangle moving right, white background."},
    {"小白球慢慢向下移动，灰色背景", "small white ball slowly moving down, gray background"},
    {"大紫色圆形快速朝右边移动，绿色背景", "big purple ball quickly moving right, green background"},
    {"黄色的方块逐渐变大，黑色背景", "yellow square growing, black background"},
    {"一个白色的球在绿色背景上绕圈", "a white ball on green background circling"},
    {"红色的球和白色的方块向左移动，蓝色背景", "red ball and white square moving left, blue background"},
};

}  // namespace

class TestDemoModel : public QObject {
    Q_OBJECT

    ModelFiles files_ = read_model_files(KINESCOPE_SOURCE_DIR "/resources/demo_model");
    ModelCard card_ = find_family(files_).card(files_);
    std::unique_ptr<Tokenizer> tokenizer_ = load_tokenizer(files_.root / "tokenizer");

    /// Returns the embeddings of the tokens of a prompt.
    Tensor embeddings(const char* prompt) const {
        const auto ids = tokenizer_->encode(prompt, kMostTokens);
        return files_.open_weights("text_encoder")->read("shared.weight").index_select(0, at::tensor(ids));
    }

private Q_SLOTS:
    void chinese_prompts_are_read_as_english_ones() {
        for (const auto& [chinese, english] : kTranslations)
            QVERIFY2(embeddings(chinese).equal(embeddings(english)), chinese);
    }

    void chinese_words_are_known() {
        for (const auto& [chinese, english] : kTranslations) {
            const auto ids = tokenizer_->encode(chinese, kMostTokens);
            QVERIFY2(std::find(ids.begin(), ids.end(), kUnknown) == ids.end(), chinese);
            QCOMPARE(vocabulary_hint(chinese, card_), std::string());
        }
        QCOMPARE(unknown_words("红色的小猫向左移动", card_), std::vector<std::string>{"猫"});
    }

    void backgrounds_of_other_colors_are_noted() {
        const std::string known =
            "this small model was not trained on yellow backgrounds, only on these: black, blue, "
            "gray, green, white";
        QCOMPARE(background_hint("a red ball on a yellow background", card_), known);
        QCOMPARE(unknown_words("a gray ball on a black background", card_), std::vector<std::string>());
        for (const auto& [chinese, english] : kTranslations) {
            QCOMPARE(background_hint(chinese, card_), std::string());
            QCOMPARE(background_hint(english, card_), std::string());
        }
        for (const std::string& prompt : card_.example_prompts) QCOMPARE(background_hint(prompt, card_), std::string());
    }

    void shapes_of_other_colors_are_noted() {
        const std::string known = " shapes, only on these: blue, green, purple, red, white, yellow";
        QCOMPARE(shape_color_hint("a black ball", card_), "this small model was not trained on black" + known);
        QCOMPARE(shape_color_hint("a grey ball on a blue background", card_),
                 "this small model was not trained on gray" + known);
        for (const auto& [chinese, english] : kTranslations) {
            QCOMPARE(shape_color_hint(chinese, card_), std::string());
            QCOMPARE(shape_color_hint(english, card_), std::string());
        }
        for (const std::string& prompt : card_.example_prompts)
            QCOMPARE(shape_color_hint(prompt, card_), std::string());
    }

    void both_files_of_the_tokenizer_agree() {
        const auto other = load_tokenizer(files_.root / "tokenizer/tokenizer.json");
        for (const auto& [chinese, english] : kTranslations) {
            QCOMPARE(other->encode(chinese, kMostTokens), tokenizer_->encode(chinese, kMostTokens));
            QCOMPARE(other->encode(english, kMostTokens), tokenizer_->encode(english, kMostTokens));
        }
    }

    void examples_use_known_words() {
        QVERIFY(!card_.example_prompts.empty());
        for (const std::string& prompt : card_.example_prompts) {
            const auto ids = tokenizer_->encode(prompt, kMostTokens);
            QVERIFY2(std::find(ids.begin(), ids.end(), kUnknown) == ids.end(), prompt.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestDemoModel)
#include "test_demo_model.moc"
