#include "core/tokenizers/bert_words.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/tokenizers/normalize.h"
#include "core/tokenizers/tables/tables.h"
#include "core/tokenizers/utf8.h"

namespace kinescope {
namespace {

using tables::CharacterRange;

/// The blocks of Chinese characters listed in the original BERT code.
constexpr std::array<CharacterRange, 7> kChinese{{{0x3400, 0x4DBF},
                                                  {0x4E00, 0x9FFF},
                                                  {0xF900, 0xFAFF},
                                                  {0x20000, 0x2A6DF},
                                                  {0x2A700, 0x2B81F},
                                                  {0x2B920, 0x2CEAF},
                                                  {0x2F800, 0x2FA1F}}};

bool contains(std::span<const CharacterRange> ranges, char32_t c) {
    const auto found =
        std::partition_point(ranges.begin(), ranges.end(), [c](const auto& range) { return range.last < c; });
    return found != ranges.end() && found->first <= c;
}

char32_t lower_case(char32_t c) {
    const auto all = tables::bert_lower_case();
    const auto found = std::partition_point(all.begin(), all.end(), [c](const auto& row) { return row.from < c; });
    return found != all.end() && found->from == c ? found->to : c;
}

/// Removes control characters, replaces whitespace by spaces, and inserts spaces around Chinese characters.
std::u32string cleaned(const std::u32string& text) {
    std::u32string out;
    out.reserve(text.size());
    for (const char32_t c : text) {
        if (contains(tables::bert_removed(), c)) continue;
        if (contains(kChinese, c))
            out.append({U' ', c, U' '});
        else
            out += is_unicode_space(c) ? U' ' : c;
    }
    return out;
}

/// Removes accents and converts letters to lower case.
std::u32string simplified(const std::u32string& text) {
    auto out = normalize_nfd(text);
    std::erase_if(out, [](char32_t c) { return contains(tables::bert_marks(), c); });
    std::transform(out.begin(), out.end(), out.begin(), lower_case);
    return out;
}

}  // namespace

std::vector<std::string> split_bert_words(std::string_view text, Letters letters) {
    auto normal = cleaned(decode_utf8(text));
    if (letters == Letters::lower_case_without_accents) normal = simplified(normal);
    std::vector<std::string> words;
    bool inside = false;
    for (const char32_t c : normal) {
        const bool alone = contains(tables::bert_punctuation(), c);
        if (c != U' ' && (alone || !inside)) words.emplace_back();
        if (c != U' ') words.back() += encode_utf8({&c, 1});
        inside = c != U' ' && !alone;
    }
    return words;
}

}  // namespace kinescope
