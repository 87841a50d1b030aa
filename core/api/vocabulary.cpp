#include "core/api/vocabulary.h"

#include <algorithm>
#include <set>

#include "core/api/utf8.h"

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

/// Returns true for characters of scripts that are written without spaces, such as Chinese: U+3000 and above.
bool needs_no_space(char first_byte) {
    return static_cast<unsigned char>(first_byte) >= 0xE3;
}

struct KnownWords {
    std::set<std::string> words;
    std::size_t longest = 0;  ///< bytes of the longest word
};

KnownWords known_words(const ModelCard& card) {
    KnownWords known;
    for (const auto* texts : {&card.vocabulary.words, &card.example_prompts}) {
        for (const std::string& text : *texts) {
            for (std::string& word : words_of(text)) {
                known.longest = std::max(known.longest, word.size());
                known.words.insert(std::move(word));
            }
        }
    }
    return known;
}

/// Returns the end of the longest known word that starts at `at`, or `at` if there is none.
std::size_t end_of_known_word(std::string_view text, std::size_t at, const KnownWords& known) {
    std::size_t best = at;
    for (std::size_t end = at; end < text.size() && end - at < known.longest;) {
        end = next_character(text, end);
        if (known.words.contains(std::string(text.substr(at, end - at)))) best = end;
    }
    return best;
}

/// Splits a word that contains characters of scripts without spaces. Returns the parts that consist of no known words.
std::vector<std::string> unknown_parts(std::string_view word, const KnownWords& known) {
    std::vector<std::string> parts(1);
    for (std::size_t at = 0; at < word.size();) {
        std::size_t end = end_of_known_word(word, at, known);
        if (end > at) {
            if (!parts.back().empty()) parts.emplace_back();
        } else {
            end = next_character(word, at);
            parts.back().append(word.substr(at, end - at));
        }
        at = end;
    }
    if (parts.back().empty()) parts.pop_back();
    return parts;
}

}  // namespace

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

std::vector<std::string> unknown_words(std::string_view prompt, const ModelCard& card) {
    std::vector<std::string> unknown;
    if (card.vocabulary.words.empty()) return unknown;
    const KnownWords known = known_words(card);
    std::set<std::string> seen = known.words;
    for (const std::string& word : words_of(prompt)) {
        const bool has_parts = std::any_of(word.begin(), word.end(), needs_no_space);
        for (std::string& part : has_parts ? unknown_parts(word, known) : std::vector{word})
            if (seen.insert(part).second) unknown.push_back(std::move(part));
    }
    return unknown;
}

std::string vocabulary_hint(std::string_view prompt, const ModelCard& card) {
    const std::vector<std::string> unknown = unknown_words(prompt, card);
    if (unknown.empty()) return {};
    std::string named;
    for (std::size_t i = 0; i < std::min(unknown.size(), kWordsNamed); ++i)
        named.append(i == 0 ? "\"" : ", \"").append(unknown[i]).append("\"");
    const std::string& hint = card.vocabulary.hint;
    return "this small model was not trained on " + named + ". " + hint.substr(0, hint.find('\n'));
}

}  // namespace kinescope
