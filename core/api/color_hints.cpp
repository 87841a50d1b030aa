#include "core/api/color_hints.h"

#include <algorithm>

#include "core/api/joined.h"
#include "core/api/prompt_colors.h"
#include "core/api/vocabulary.h"

namespace kinescope {

namespace {

using Colors = std::vector<const ColorWords*>;

bool is_among(const ColorWords* color, const Colors& colors) {
    return std::ranges::find(colors, color) != colors.end();
}

/// Returns the colors among the vocabulary's phrases such as "blue background".
Colors known_backgrounds(const ModelCard& card) {
    Colors known;
    for (const std::string& phrase : card.vocabulary.words) {
        const std::vector<std::string> words = words_of(phrase);
        if (words.size() != 2 || words[1] != "background") continue;
        if (const ColorWords* color = english_color(words[0])) known.push_back(color);
    }
    return known;
}

/// Returns the colors that the vocabulary lists as words: those of shapes. "grey" is another word for a background.
Colors known_shape_colors(const ModelCard& card) {
    Colors known;
    for (const std::string& word : card.vocabulary.words)
        if (const ColorWords* color = english_color(word); color != nullptr && word == color->english)
            known.push_back(color);
    return known;
}

bool has_word(const ModelCard& card, const ColorWords& color) {
    return std::ranges::any_of(card.vocabulary.words,
                               [&color](const std::string& word) { return english_color(word) == &color; });
}

std::string name_of(const ColorWords& color, PromptLanguage language) {
    return language == PromptLanguage::english ? std::string(color.english) : std::string(color.simplified) + "色";
}

/// Returns the first of the colors that `is_unknown`, or nullopt.
template <class IsUnknown>
std::optional<UnknownColor> first_unknown(const std::vector<FoundColor>& named, const Colors& known,
                                          const IsUnknown& is_unknown) {
    const auto first = std::ranges::find_if(named, [&](const FoundColor& found) { return is_unknown(found.color); });
    if (first == named.end()) return std::nullopt;
    UnknownColor result{.color = name_of(*first->color, first->language)};
    for (const ColorWords* color : known) result.known.push_back(name_of(*color, first->language));
    return result;
}

std::string hint_of(const std::optional<UnknownColor>& unknown, const char* where) {
    if (!unknown) return {};
    return "this small model was not trained on " + unknown->color + " " + where +
           ", only on these: " + joined(unknown->known, ", ");
}

}  // namespace

std::optional<UnknownColor> unknown_background(std::string_view prompt, const ModelCard& card) {
    const Colors known = known_backgrounds(card);
    if (known.empty()) return std::nullopt;
    return first_unknown(backgrounds_of(prompt), known,
                         [&](const ColorWords* color) { return has_word(card, *color) && !is_among(color, known); });
}

std::optional<UnknownColor> unknown_shape_color(std::string_view prompt, const ModelCard& card) {
    const Colors backgrounds = known_backgrounds(card), known = known_shape_colors(card);
    if (known.empty()) return std::nullopt;
    return first_unknown(shape_colors_of(prompt), known, [&](const ColorWords* color) {
        return is_among(color, backgrounds) && !is_among(color, known);
    });
}

std::string background_hint(std::string_view prompt, const ModelCard& card) {
    return hint_of(unknown_background(prompt, card), "backgrounds");
}

std::string shape_color_hint(std::string_view prompt, const ModelCard& card) {
    return hint_of(unknown_shape_color(prompt, card), "shapes");
}

}  // namespace kinescope
