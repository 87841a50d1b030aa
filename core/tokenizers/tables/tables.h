#pragma once

// Generated tables, sorted for binary search: make_tables.py reads Python's html module, make_bert_tables.py probes
// Hugging Face's tokenizers.
//
// ICU provides the other Unicode data (normalize.h). It cannot replace these tables: it has no HTML entities, and no
// Unicode version reproduces BERT's character classes (general categories of Unicode 8 with five exceptions, lower-case
// letters of Unicode 16 or later).

#include <span>
#include <string_view>

namespace kinescope::tables {

struct HtmlEntity {
    std::string_view
        name;  ///< without the ampersand: "eacute;", and "eacute" if HTML5 allows the name without a semicolon
    std::u32string_view text;
};

/// Returns the named character references of HTML5 (Python's html.entities.html5).
std::span<const HtmlEntity> html5_entities();
/// Returns the upper-case names of character references, such as "NTILDE;", that ftfy accepts in addition to those of
/// HTML5.
std::span<const HtmlEntity> capital_entities();

struct CharacterRange {
    char32_t first;
    char32_t last;
};
/// Returns the characters that BERT's tokenizer removes: control, format and private-use characters.
std::span<const CharacterRange> bert_removed();
/// Returns the accents that BERT's tokenizer removes after canonical decomposition.
std::span<const CharacterRange> bert_marks();
/// Returns the punctuation characters, each of which BERT's tokenizer treats as one word.
std::span<const CharacterRange> bert_punctuation();

struct LowerCase {
    char32_t from;
    char32_t to;
};
/// Returns the letters that have a lower-case form, in ascending order of `from`.
std::span<const LowerCase> bert_lower_case();

}  // namespace kinescope::tables
