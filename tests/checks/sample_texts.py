#!/usr/bin/env python3
"""Prints random comments and user-visible strings for a reading test.

    sample_texts.py [--count 100] [--seed 1] [ROOT]

Someone who knows nothing else reads them: each must be clear on its own. A comment is shown with the line of code
that follows it, a string with its file.
"""
import argparse
import pathlib
import random
import re
import xml.etree.ElementTree as xml

COMMENT = re.compile(r"(?:^[ \t]*//[^\n]*\n)+", re.MULTILINE)
# A string literal of core or app that reads like a sentence: three words or more.
LITERAL = re.compile(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+')


def comments(root):
    for folder in ("app", "core", "ui", "tests"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".h", ".cpp"):
                continue
            text = file.read_text(encoding="utf-8")
            for found in COMMENT.finditer(text):
                code = text[found.end():].split("\n", 1)[0].strip()
                words = " ".join(line.strip().lstrip("/").strip() for line in found[0].splitlines())
                yield f"{file.relative_to(root)}:{text.count(chr(10), 0, found.start()) + 1}", f"// {words}", code


def strings(root):
    """Texts of the window, and messages of core and app."""
    for source in xml.parse(root / "resources/translations/kinescope_zh_CN.ts").iter("message"):
        if len(source.findtext("source").split()) > 2:
            yield source.find("location").get("filename") if source.find("location") is not None else "ui", source.findtext("source"), ""
    for folder in ("app", "core"):
        for file in sorted((root / folder).rglob("*.cpp")):
            text = file.read_text(encoding="utf-8")
            for found in LITERAL.finditer(text):
                joined = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', found[0]))
                if len(joined.split()) > 3:
                    yield f"{file.relative_to(root)}:{text.count(chr(10), 0, found.start()) + 1}", joined, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).parents[2])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    for title, texts in (("COMMENTS", list(comments(options.root))), ("STRINGS", list(strings(options.root)))):
        print(f"{title}: {options.count} of {len(texts)}\n")
        for number, (place, text, code) in enumerate(draw.sample(texts, min(options.count, len(texts))), 1):
            print(f"{number}. {place}\n   {text}" + (f"\n   {code}" if code else "") + "\n")


main()
