#pragma once

// Tables that make_tables.py writes from Python's html and unicodedata modules, and make_bert_tables.py from Hugging
// Face's tokenizers. Sorted for binary search.

#include <span>
#include <string_view>

namespace kinescope::tables {

struct HtmlEntity {
    std::string_view name;  ///< without the ampersand: "eacute;", and "eacute" where HTML5 allows it bare
    std::u32string_view text;
};

/// Python's html.entities.html5: the named character references of HTML5.
std::span<const HtmlEntity> html5_entities();
/// The names in capitals that ftfy understands besides ("NTILDE;").
std::span<const HtmlEntity> capital_entities();

struct Replacement {
    char32_t from;
    std::u32string_view to;
};

/// U+FF01 ... U+FFEF and their NFKC forms, where they differ.
std::span<const Replacement> width_forms();

/// One step of canonical decomposition. `second` is 0 for a single character.
struct Decomposition {
    char32_t composed;
    char32_t first;
    char32_t second;
};
/// Sorted by `composed`. Hangul syllables are computed, not listed.
std::span<const Decomposition> decompositions();
/// Those that NFC composes again, sorted by (first, second).
std::span<const Decomposition> compositions();

struct CombiningRange {
    char32_t first;
    char32_t last;
    unsigned char combining_class;
};
/// Ranges of characters whose canonical combining class is not 0.
std::span<const CombiningRange> combining_ranges();

struct CharacterRange {
    char32_t first;
    char32_t last;
};
/// What BERT's tokenizer drops: control and format characters, private use.
std::span<const CharacterRange> bert_removed();
/// What it strips as accents, after canonical decomposition.
std::span<const CharacterRange> bert_marks();
/// What it makes a word of its own.
std::span<const CharacterRange> bert_punctuation();

struct SmallLetter {
    char32_t from;
    char32_t to;
};
std::span<const SmallLetter> bert_small_letters();

}  // namespace kinescope::tables
