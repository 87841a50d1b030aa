#!/usr/bin/env python3
"""Writes html_entities.cpp and unicode_forms.cpp beside itself. Needs nothing but Python (3.11 wrote the files here).

The tables are those that ftfy and Python's html.unescape work with, so that cleaned prompts equal the reference's.
"""

import html
import html.entities
import pathlib
import sys
import unicodedata

FOLDER = pathlib.Path(__file__).parent
HEAD = """// Written by make_tables.py; do not edit. Unicode {version}.
#include "core/tokenizers/tables/tables.h"

namespace kinescope::tables {{
namespace {{

// clang-format off
"""
CODE_POINTS = [chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c <= 0xDFFF]


def literal(text):
    return 'U"' + "".join(f"\\U{ord(c):08x}" if ord(c) > 0xFFFF else f"\\x{ord(c):x}" for c in text) + '"'


def hexadecimal(char):
    return f"0x{ord(char):x}" if char else "0"


def table(kind, name, rows):
    lines, line = [], "   "
    for row in rows:
        if len(line) + len(row) > 116:
            lines.append(line)
            line = "   "
        line += f" {row},"
    lines.append(line)
    return f"constexpr {kind} {name}[] = {{\n" + "\n".join(lines) + "\n};\n\n"


def accessor(kind, function, name):
    return f"std::span<const {kind}> {function}() {{\n    return {name};\n}}\n\n"


def write(file, body, accessors):
    text = HEAD.format(version=unicodedata.unidata_version) + body + "// clang-format on\n\n}  // namespace\n\n"
    text += accessors + "}  // namespace kinescope::tables\n"
    (FOLDER / file).write_text(text)


def entity_rows(entities):
    return [f'{{"{name}", {literal(text)}}}' for name, text in sorted(entities.items())]


def capital_entities():
    """As ftfy.chardata builds them: small names whose capitals are no entity of their own."""
    small = {n: c for n, c in html.entities.html5.items() if n.endswith(";") and n == n.lower()}
    return {n.upper(): c.upper() for n, c in small.items() if html.unescape("&" + n.upper()) == "&" + n.upper()}


def write_entities():
    body = table("HtmlEntity", "kHtml5", entity_rows(html.entities.html5))
    body += table("HtmlEntity", "kCapitals", entity_rows(capital_entities()))
    accessors = accessor("HtmlEntity", "html5_entities", "kHtml5")
    accessors += accessor("HtmlEntity", "capital_entities", "kCapitals")
    write("html_entities.cpp", body, accessors)


def decompositions():
    found = []
    for char in CODE_POINTS:
        mapping = unicodedata.decomposition(char)
        if mapping and not mapping.startswith("<"):
            parts = [chr(int(part, 16)) for part in mapping.split()]
            found.append((char, parts[0], parts[1] if len(parts) == 2 else ""))
    return found


def combining_ranges():
    ranges = []
    for char in CODE_POINTS:
        value = unicodedata.combining(char)
        if not value:
            continue
        if ranges and ord(ranges[-1][1]) == ord(char) - 1 and ranges[-1][2] == value:
            ranges[-1] = (ranges[-1][0], char, value)
        else:
            ranges.append((char, char, value))
    return ranges


def pair_rows(rows):
    return [f"{{{hexadecimal(a)}, {hexadecimal(b)}, {hexadecimal(c)}}}" for a, b, c in rows]


def write_forms():
    widths = [(chr(c), unicodedata.normalize("NFKC", chr(c))) for c in range(0xFF01, 0xFFF0)]
    apart = decompositions()
    together = [row for row in apart if row[2] and unicodedata.normalize("NFC", row[1] + row[2]) == row[0]]
    together.sort(key=lambda row: (row[1], row[2]))
    body = table("Replacement", "kWidths", [f"{{{hexadecimal(a)}, {literal(b)}}}" for a, b in widths if a != b])
    body += table("Decomposition", "kDecompositions", pair_rows(apart))
    body += table("Decomposition", "kCompositions", pair_rows(together))
    ranges = [f"{{{hexadecimal(a)}, {hexadecimal(b)}, {value}}}" for a, b, value in combining_ranges()]
    body += table("CombiningRange", "kCombining", ranges)
    accessors = accessor("Replacement", "width_forms", "kWidths")
    accessors += accessor("Decomposition", "decompositions", "kDecompositions")
    accessors += accessor("Decomposition", "compositions", "kCompositions")
    accessors += accessor("CombiningRange", "combining_ranges", "kCombining")
    write("unicode_forms.cpp", body, accessors)


if __name__ == "__main__":
    write_entities()
    write_forms()
