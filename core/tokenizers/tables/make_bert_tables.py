#!/usr/bin/env python3
"""Writes bert_characters.cpp to its own folder: how BERT treats each character. Needs Hugging Face's tokenizers.

Tests each character with the reference itself, because its Unicode data come from several versions of Unicode.
"""

import tokenizers
from make_tables import CODE_POINTS, FOLDER, table, accessor
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

HEAD = """// Written by make_bert_tables.py (tokenizers {version}); do not edit.
#include "core/tokenizers/tables/tables.h"

namespace kinescope::tables {{
namespace {{

// clang-format off
"""


def normalizer(**wanted):
    options = {"clean_text": False, "handle_chinese_chars": False, "strip_accents": False, "lowercase": False}
    return BertNormalizer(**{**options, **wanted})


def is_punctuation(char):
    return len(BertPreTokenizer().pre_tokenize_str(f"a{char}b")) == 3


def ranges(chars):
    found = []
    for code in map(ord, chars):
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return [f"{{0x{first:x}, 0x{last:x}}}" for first, last in found]


def single_lowercase():
    """Leaves out U+0130, the only character whose lower-case form has two characters: its accent is removed earlier."""
    lowercase = normalizer(lowercase=True)
    pairs = [(char, lowercase.normalize_str(char)) for char in CODE_POINTS]
    return [f"{{0x{ord(a):x}, 0x{ord(b):x}}}" for a, b in pairs if a != b and len(b) == 1]


def main():
    clean, strip = normalizer(clean_text=True), normalizer(strip_accents=True)
    body = table("CharacterRange", "kRemoved", ranges(c for c in CODE_POINTS if not clean.normalize_str(c)))
    body += table("CharacterRange", "kMarks", ranges(c for c in CODE_POINTS if not strip.normalize_str(c)))
    body += table("CharacterRange", "kPunctuation", ranges(filter(is_punctuation, CODE_POINTS)))
    body += table("LowerCase", "kLowerCase", single_lowercase())
    text = HEAD.format(version=tokenizers.__version__) + body + "// clang-format on\n\n}  // namespace\n\n"
    text += accessor("CharacterRange", "bert_removed", "kRemoved")
    text += accessor("CharacterRange", "bert_marks", "kMarks")
    text += accessor("CharacterRange", "bert_punctuation", "kPunctuation")
    text += accessor("LowerCase", "bert_lower_case", "kLowerCase")
    (FOLDER / "bert_characters.cpp").write_text(text + "}  // namespace kinescope::tables\n")


if __name__ == "__main__":
    main()
