#include "core/api/vocabulary.h"

#include <algorithm>
#include <set>

namespace kinescope {

namespace {

/// Returns the length in bytes of the separator at `i`, or 0 inside a word. Outside ASCII, only general, CJK and
/// full-width punctuation separates words.
std::size_t separator_bytes(std::string_view text, std::size_t i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x80)
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '\'' ? 0 : 1;
    const std::string_view start = text.substr(i, 2);
    return start == "\xE2\x80" || start == "\xE3\x80" || start == "\xEF\xBC" ? std::min<std::size_t>(3, text.size() - i)
                                                                             : 0;
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words(1);
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t separator = separator_bytes(text, i);
        if (separator == 0)
            words.back().push_back(lower(text[i++]));
        else if (i += separator; !words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

std::set<std::string> known_words(const ModelCard& card) {
    std::set<std::string> known;
    for (const auto* texts : {&card.vocabulary.words, &card.example_prompts})
        for (const std::string& text : *texts)
            for (std::string& word : words_of(text)) known.insert(std::move(word));
    return known;
}

}  // namespace

std::vector<std::string> unknown_words(std::string_view prompt, const ModelCard& card) {
    std::vector<std::string> unknown;
    if (card.vocabulary.words.empty()) return unknown;
    std::set<std::string> seen = known_words(card);
    for (const std::string& word : words_of(prompt))
        if (seen.insert(word).second) unknown.push_back(word);
    return unknown;
}

std::string vocabulary_hint(std::string_view prompt, const ModelCard& card) {
    const std::vector<std::string> unknown = unknown_words(prompt, card);
    if (unknown.empty()) return {};
    std::string named;
    for (std::size_t i = 0; i < std::min(unknown.size(), kWordsNamed); ++i)
        named.append(i == 0 ? "\"" : ", \"").append(unknown[i]).append("\"");
    return "this small model was not trained on " + named + ". " + card.vocabulary.hint;
}

}  // namespace kinescope
