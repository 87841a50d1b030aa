#include "core/api/prompt_colors.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <string>

#include "core/api/vocabulary.h"

namespace kinescope {

namespace {

constexpr std::string_view kBackground = "background";
constexpr std::string_view kChineseBackground = "背景";

constexpr std::array kColorWords{
    ColorWords{"red", "", "红", "紅"},  ColorWords{"yellow", "", "黄", "黃"},     ColorWords{"green", "", "绿", "綠"},
    ColorWords{"blue", "", "蓝", "藍"}, ColorWords{"purple", "violet", "紫", ""}, ColorWords{"white", "", "白", ""},
    ColorWords{"black", "", "黑", ""},  ColorWords{"gray", "grey", "灰", ""},
};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Splits a prompt at punctuation. A colon does not separate, as in "background: yellow".
std::vector<std::string> clauses_of(std::string_view prompt) {
    static constexpr std::array<std::string_view, 13> kMarks{",",  ".",  ";",  "!",  "?",  "\n", "，",
                                                             "。", "；", "、", "！", "？", "．"};
    std::vector<std::string> clauses(1);
    while (!prompt.empty()) {
        const auto mark = std::ranges::find_if(kMarks, [prompt](std::string_view m) { return prompt.starts_with(m); });
        if (mark == kMarks.end()) {
            clauses.back().push_back(prompt.front());
            prompt.remove_prefix(1);
        } else {
            clauses.emplace_back();
            prompt.remove_prefix(mark->size());
        }
    }
    return clauses;
}

/// The words of a clause. Positions outside of it have an empty word.
class Clause {
public:
    explicit Clause(std::string_view text) : words_(words_of(text)) {}

    std::size_t size() const { return words_.size(); }
    std::string_view at(std::size_t i) const { return i < words_.size() ? std::string_view(words_[i]) : ""; }

    /// Returns whether the color at `i` stands alone. Otherwise it is that of the shape after it: "background yellow
    /// squares".
    bool stands_alone(std::size_t i) const {
        const std::string_view next = at(i + 1);
        if (next == "and") return !english_color(at(i + 2));
        return next.empty() || next.ends_with("ing") || next.ends_with("ly") ||
               is_one_of(next, {"a", "an", "the", "with", "while", "that", "which", "as", "is", "are", "it", "there",
                                "in", "at", "to", "from", "moves", "goes"});
    }

private:
    std::vector<std::string> words_;
};

/// Returns the color beside the word "background" at `i`.
const ColorWords* color_beside(const Clause& clause, std::size_t i) {
    if (const ColorWords* before = i > 0 ? english_color(clause.at(i - 1)) : nullptr) return before;
    if (i > 1 && clause.at(i - 2) == "in" && clause.at(i - 1) == "the") return nullptr;  // where a shape is
    std::size_t after = i + 1;
    while (is_one_of(clause.at(after), {"is", "are", "that", "of", "in", "the", "a", "color", "colour", "colored"}))
        ++after;
    return clause.stands_alone(after) ? english_color(clause.at(after)) : nullptr;
}

const ColorWords* english_background(const Clause& clause) {
    for (std::size_t i = 0; i < clause.size(); ++i) {
        if (is_one_of(clause.at(i), {"no", "not", "without"})) return nullptr;
        if (!clause.at(i).starts_with(kBackground)) continue;  // or "backgrounds"
        if (const ColorWords* color = color_beside(clause, i)) return color;
    }
    return nullptr;
}

void remove_end(std::string_view& text, std::string_view end) {
    if (text.ends_with(end)) text.remove_suffix(end.size());
}

void remove_beginning(std::string_view& text, std::string_view beginning) {
    if (text.starts_with(beginning)) text.remove_prefix(beginning.size());
}

/// Returns the color whose Chinese word `fits`.
template <class Fits>
const ColorWords* chinese_color(const Fits& fits) {
    const auto is_there = [&fits](const ColorWords& color) {
        return fits(color.simplified) || (!color.traditional.empty() && fits(color.traditional));
    };
    const auto found = std::ranges::find_if(kColorWords, is_there);
    return found == kColorWords.end() ? nullptr : &*found;
}

/// Returns the color at the end of a text, such as "在黄色的".
const ColorWords* color_at_end(std::string_view text) {
    for (const char* end : {" ", "的", "色"}) remove_end(text, end);
    return chinese_color([text](std::string_view word) { return text.ends_with(word); });
}

/// Returns the color at the beginning of a text, such as "是黄色的", unless a shape follows it.
const ColorWords* color_at_beginning(std::string_view text) {
    for (const char* word : {" ", "的", "颜色", "顏色", "是", "为", "為", ":", "：", " "}) remove_beginning(text, word);
    const ColorWords* color = chinese_color([text](std::string_view word) { return text.starts_with(word); });
    if (!color) return nullptr;
    text.remove_prefix(color->simplified.size());  // all have three bytes
    for (const char* word : {"色", "的", " "}) remove_beginning(text, word);
    return text.empty() ? color : nullptr;
}

const ColorWords* chinese_background(std::string_view clause) {
    for (std::size_t at = clause.find(kChineseBackground); at != clause.npos;
         at = clause.find(kChineseBackground, at + 1)) {
        if (const ColorWords* color = color_at_end(clause.substr(0, at))) return color;
        if (const ColorWords* color = color_at_beginning(clause.substr(at + kChineseBackground.size()))) return color;
    }
    return nullptr;
}

bool is_shape(std::string_view word) {
    return is_one_of(word, {"ball", "balls", "square", "squares", "triangle", "triangles", "circle", "circles",
                            "sphere", "disc", "disk", "dot", "box", "cube", "shape", "shapes"});
}

/// Returns whether the word at `i` says something about the shape before it: "the ball is black", "a ball that is
/// black".
bool is_said_of_shape(const Clause& clause, std::size_t i) {
    if (i < 2 || !is_one_of(clause.at(i - 1), {"is", "are"})) return false;
    const std::size_t distance = is_one_of(clause.at(i - 2), {"that", "which"}) ? 3 : 2;
    return i >= distance && is_shape(clause.at(i - distance));
}

/// Returns whether the color at `i` is that of a shape: "black ball", "small black shiny ball", "the ball is black".
bool colors_shape(const Clause& clause, std::size_t i) {
    if (is_said_of_shape(clause, i))
        return clause.stands_alone(i) || is_one_of(clause.at(i + 1), {"on", "over", "across", "against"});
    std::size_t after = i + 1;
    while (is_one_of(clause.at(after), {"small", "big", "large", "little", "shiny", "bright"})) ++after;
    return is_shape(clause.at(after));
}

/// Returns the colors of the shapes in a clause, unless it says that something is missing.
std::vector<FoundColor> english_shapes(const Clause& clause) {
    std::vector<FoundColor> found;
    for (std::size_t i = 0; i < clause.size(); ++i) {
        if (is_one_of(clause.at(i), {"no", "not", "without"})) return {};
        const ColorWords* color = english_color(clause.at(i));
        if (color != nullptr && colors_shape(clause, i)) found.push_back({color, PromptLanguage::english});
    }
    return found;
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [text](std::string_view word) { return text.starts_with(word); });
}

bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [text](std::string_view word) { return text.ends_with(word); });
}

/// Returns whether a Chinese color is that of a shape: "黑色的小球", "球是黑色的".
bool colors_chinese_shape(std::string_view before, std::string_view after) {
    for (const char* word : {"色", "的", " "}) remove_beginning(after, word);
    for (const char* word : {" ", "是", " "}) remove_end(before, word);
    if (before.ends_with(kChineseBackground) || after.starts_with(kChineseBackground)) return false;
    for (const char* word : {"小", "大", "的"}) remove_beginning(after, word);
    const bool precedes = starts_with_any(after, {"球", "圆", "圓", "方", "正方", "三角"});
    return precedes || (after.empty() && ends_with_any(before, {"球", "圆", "圓", "形", "块", "塊", "三角"}));
}

std::vector<FoundColor> chinese_shapes(std::string_view clause) {
    constexpr std::size_t kBytes = 3;  // of each word for a color
    std::vector<FoundColor> found;
    for (std::size_t at = 0; at + kBytes <= clause.size(); ++at) {
        const std::string_view here = clause.substr(at);
        const ColorWords* color = chinese_color([here](std::string_view word) { return here.starts_with(word); });
        if (color != nullptr && colors_chinese_shape(clause.substr(0, at), here.substr(kBytes)))
            found.push_back({color, PromptLanguage::chinese});
    }
    return found;
}

}  // namespace

const ColorWords* english_color(std::string_view word) {
    const auto is_named = [word](const ColorWords& color) {
        return !word.empty() && (word == color.english || word == color.other_english);
    };
    const auto found = std::ranges::find_if(kColorWords, is_named);
    return found == kColorWords.end() ? nullptr : &*found;
}

std::vector<FoundColor> backgrounds_of(std::string_view prompt) {
    std::vector<FoundColor> found;
    for (const std::string& clause : clauses_of(prompt)) {
        if (const ColorWords* color = english_background(Clause(clause)))
            found.push_back({color, PromptLanguage::english});
        if (const ColorWords* color = chinese_background(clause)) found.push_back({color, PromptLanguage::chinese});
    }
    return found;
}

std::vector<FoundColor> shape_colors_of(std::string_view prompt) {
    std::vector<FoundColor> found;
    for (const std::string& clause : clauses_of(prompt)) {
        std::ranges::move(english_shapes(Clause(clause)), std::back_inserter(found));
        std::ranges::move(chinese_shapes(clause), std::back_inserter(found));
    }
    return found;
}

}  // namespace kinescope
