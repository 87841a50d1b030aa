#!/usr/bin/env python3
"""Writes html_entities.cpp to its own folder. Needs only Python (the file here was written with 3.11).

The tables are those of ftfy and Python's html.unescape, so that cleaned prompts equal those of the reference.
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
    """Returns the names that ftfy.chardata adds: upper-case forms of lower-case names that are not entities."""
    small = {n: c for n, c in html.entities.html5.items() if n.endswith(";") and n == n.lower()}
    return {n.upper(): c.upper() for n, c in small.items() if html.unescape("&" + n.upper()) == "&" + n.upper()}


def write_entities():
    body = table("HtmlEntity", "kHtml5", entity_rows(html.entities.html5))
    body += table("HtmlEntity", "kCapitals", entity_rows(capital_entities()))
    accessors = accessor("HtmlEntity", "html5_entities", "kHtml5")
    accessors += accessor("HtmlEntity", "capital_entities", "kCapitals")
    write("html_entities.cpp", body, accessors)


if __name__ == "__main__":
    write_entities()
