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
    std::string_view name;  ///< without the ampersand: "eacute;", also "eacute" if HTML5 makes the semicolon optional
    std::u32string_view text;
};

/// Python's html.entities.html5: the named character references of HTML5.
std::span<const HtmlEntity> html5_entities();
/// Upper-case names that ftfy accepts in addition ("NTILDE;").
std::span<const HtmlEntity> capital_entities();

struct CharacterRange {
    char32_t first;
    char32_t last;
};
/// Characters that BERT's tokenizer removes: control and format characters, private use.
std::span<const CharacterRange> bert_removed();
/// Accents that it removes after canonical decomposition.
std::span<const CharacterRange> bert_marks();
/// Characters that each become one word.
std::span<const CharacterRange> bert_punctuation();

struct LowerCase {
    char32_t from;
    char32_t to;
};
/// Letters with a lower-case form, in ascending order of `from`.
std::span<const LowerCase> bert_lower_case();

}  // namespace kinescope::tables
