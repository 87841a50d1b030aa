#include <QTest>

#include "core/api/color_hints.h"

using namespace kinescope;

namespace {

struct Prompt {
    const char* text;
    const char* color;  ///< of the unknown background; empty: there is none
};

constexpr Prompt kPrompts[] = {
    {"a red ball on a yellow background", "yellow"},
    {"A red ball on a YELLOW background.", "yellow"},
    {"yellow background", "yellow"},
    {"yellow background, blue ball moving left", "yellow"},
    {"purple background with a red ball", "purple"},
    {"a ball on a bright red background", "red"},
    {"a red ball on a violet background", "purple"},
    {"a white ball, moving left, background yellow", "yellow"},
    {"a white ball, background: yellow", "yellow"},
    {"the background is yellow and the ball is red", "yellow"},
    {"the ball is red, the background is purple", "purple"},
    {"a white ball with a background of red", "red"},
    {"a white ball with a background that is red", "red"},
    {"红色的球，黄色背景", "黄色"},
    {"红色的球，黄背景", "黄色"},
    {"紅色的球，黃色背景", "黄色"},
    {"一个红色的球在黄色的背景上向左移动", "黄色"},
    {"一个白色的球，背景是红色的", "红色"},
    {"白色的球，背景：紫色", "紫色"},
    {"白色的球，背景的颜色是紫色", "紫色"},

    {"", ""},
    {"a red ball", ""},
    {"a red ball on a background", ""},
    {"a red ball on a blue background", ""},
    {"a red ball on a grey background", ""},
    {"a yellow ball on a blue background", ""},
    {"a white ball and a yellow square on a black background", ""},
    {"blue background, yellow ball moving left", ""},
    {"blue background with a yellow ball", ""},
    {"blue background yellow ball", ""},
    {"background blue, yellow ball", ""},
    {"the background is blue and the ball is yellow", ""},
    {"the ball is yellow and the background is blue", ""},
    {"the ball in the background is yellow", ""},
    {"a ball in yellow on a blue background", ""},
    {"a red ball on a yellow square", ""},
    {"a red ball on yellow squares", ""},
    {"a ball over red, blue and green squares", ""},
    {"a ball on yellow and a white background", ""},
    {"a red ball without a yellow background", ""},
    {"a red ball, no yellow background", ""},
    {"a red ball over a yellow ball on a white background", ""},
    {"a red ball on an orange background", ""},  // a word outside of the vocabulary
    {"黄色的球，蓝色背景", ""},
    {"黃色的球，藍色的背景", ""},
    {"蓝色背景黄色的球", ""},
    {"蓝色背景上，一个黄色的球向左移动", ""},
    {"黄色的球，背景是灰色的", ""},
    {"背景上有一个黄色的球", ""},
};

constexpr Prompt kShapes[] = {
    {"a black ball", "black"},
    {"a black ball on a blue background", "black"},
    {"a red ball and a small GREY square moving left", "gray"},
    {"black background with a black shiny ball", "black"},
    {"the ball is black, the background is blue", "black"},
    {"the ball is black and moves left on a blue background", "black"},
    {"the background is blue and the ball is black", "black"},
    {"the ball is black on a blue background", "black"},
    {"a ball that is black", "black"},
    {"a ball that is black on a blue background", "black"},
    {"a square which is grey, moving left over a white background", "gray"},
    {"two balls that are black and move left", "black"},
    {"黑色的球，蓝色背景", "黑色"},
    {"小黑球向左移动", "黑色"},
    {"黑色的小球", "黑色"},
    {"一个灰色方块在黑色背景上", "灰色"},
    {"球是黑色的，向左移动，背景是蓝色的", "黑色"},

    {"", ""},
    {"black", ""},
    {"a red ball on black", ""},
    {"a ball circling on black", ""},
    {"a red ball on a black background", ""},
    {"black background, red ball moving left", ""},
    {"black background with a red ball", ""},
    {"black background red ball", ""},
    {"background black, red ball", ""},
    {"the background is black and the ball is red", ""},
    {"the ball is red and the background is black", ""},
    {"a red ball, no black ball", ""},
    {"a red ball on a background that is black", ""},
    {"a ball that is red on a black background", ""},
    {"a ball that is red and a background that is black", ""},
    {"a ball that is not black", ""},
    {"that is black", ""},
    {"an orange ball", ""},  // a word outside of the vocabulary
    {"红色的球，黑色背景", ""},
    {"在黑色背景前，红色的球正变大", ""},
    {"黑色背景上，一个红色的球", ""},
    {"黑色的背景上有一个红色的球", ""},
    {"球是红色的，背景是黑色的", ""},
    {"背景是黑色的球是红色的", ""},
    {"视频：红色的球往左边移动，黑色的背景", ""},
};

ModelCard small_card() {
    ModelCard card;
    card.vocabulary.words = {"ball",
                             "blue",
                             "red",
                             "yellow",
                             "purple",
                             "black background",
                             "blue background",
                             "gray background",
                             "green background",
                             "white background",
                             "white"};
    return card;
}

}  // namespace

class TestColorHints : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void only_colors_of_shapes_are_unknown_backgrounds() {
        for (const auto& [text, color] : kPrompts) {
            const auto unknown = unknown_background(text, small_card());
            const std::string found = unknown ? unknown->color : std::string();
            QVERIFY2(found == color, (std::string(text) + ": " + found).c_str());
        }
    }

    void only_colors_of_backgrounds_are_unknown_shapes() {
        ModelCard card = small_card();
        card.vocabulary.words.emplace_back("grey");  // among the words of backgrounds
        for (const auto& [text, color] : kShapes) {
            const auto unknown = unknown_shape_color(text, card);
            const std::string found = unknown ? unknown->color : std::string();
            QVERIFY2(found == color, (std::string(text) + ": " + found).c_str());
        }
        QCOMPARE(unknown_shape_color("黑色的球", card)->known,
                 (std::vector<std::string>{"蓝色", "红色", "黄色", "紫色", "白色"}));
        QVERIFY(!unknown_shape_color("a black ball", ModelCard()));
    }

    void the_known_backgrounds_are_named_in_the_language_of_the_prompt() {
        using Words = std::vector<std::string>;
        QCOMPARE(unknown_background("yellow background", small_card())->known,
                 (Words{"black", "blue", "gray", "green", "white"}));
        QCOMPARE(unknown_background("黄色背景", small_card())->known, (Words{"黑色", "蓝色", "灰色", "绿色", "白色"}));
        QCOMPARE(
            background_hint("a purple background", small_card()),
            std::string("this small model was not trained on purple backgrounds, only on these: black, blue, gray, "
                        "green, white"));
        QCOMPARE(background_hint("a yellow ball", small_card()), std::string());
    }

    void models_without_a_list_of_backgrounds_accept_every_color() {
        ModelCard card;
        QVERIFY(!unknown_background("yellow background", card));
        card.vocabulary.words = {"yellow", "background"};
        QVERIFY(!unknown_background("yellow background", card));
    }
};

QTEST_GUILESS_MAIN(TestColorHints)
#include "test_color_hints.moc"
