#!/usr/bin/env python3
"""Texts use plain technical English: a short list of phrases that this project should not use.

    check_language.py [ROOT]    prints every hit as file:line with a better phrase, and fails if there is one
"""
import pathlib
import re
import sys

# Phrase, and what to write.
PHRASES = {
    r"numbers? (?:that|which) (?:is|are) none": "NaN or infinity; invalid values",
    r"what is not a number": "NaN",
    r"(?<!there )\b(?:is|are) no [a-z]+ that\b": "say what it is not, or what is expected",
    r"\bin vain\b": "without effect",
    r"\btakes? another way\b": "falls back to",
    r"\bin whose(?:ver)? hands\b": "possibly locked by another process",
    r"\bput down as\b": "marked as",
    r"\bas there\b(?! (?:is|are|was|were))": "as in <name>",
    r"\bis asked for\b|\bwas asked for\b|\bas asked for\b": "requested",
    r"\bgoes? on with\b": "continues, resumes",
    r"\b(?:mak|mad)es? known\b": "registers",
    r"\bsa(?:ys|id) aloud\b": "reports",
    r"\bhear[sd]? of it\b": "is notified",
    r"\bcan(?:not)? be had\b": "is (not) available",
    r"\bin mid-run\b": "during a run",
    r"\bmade anew\b|\bbegins? anew\b": "again, from the start",
    r"\bunasked\b": "without asking",
    r"\bdoes the like\b": "does the same",
    r"\bso many of them\b": "name the number",
    r"\bwent silent\b": "stalled",
    r"\bwishes\b": "options, requested values",
    r"\bstrangers'?\b": "untrusted files",
    r"\bin place of\b": "instead of",
    r"\bholds? no\b": "contains no, has no",
    r"\bthat nobody\b": "unknown, unused, missing",
    r"\bways? around\b": "workaround",
    r"\bso many\b": "name the number",
    r"(?<!there )\b(?:is|are) no (?!longer\b|more\b|[a-z]+ that\b)[a-z]+\b": "is not a, are not",
    r"\bbears\b": "supports, is safe in",
    r"\bas (?:it|they) stands?\b": "unchanged",
    r"\bhowever (?:long|many|far|large|small|much)\b": "regardless of",
    r"\bforetells?\b": "predicts",
    r"\bgives? back\b|\bgiven back\b": "returns, releases",
    r"\b(?:comes?|came) twice\b": "occurs twice",
    r"\bat the most\b": "at most",
    r"\bgoes on behind\b|\bgo on behind\b": "continues after",
}
SUFFIXES = {".md", ".h", ".cpp", ".py", ".sh", ".cmake", ".txt", ".ts", ".json", ".yml", ".qss"}
SKIPPED = re.compile(r"(?:build[^/]*|\.git|tests/data|tests/fuzz/corpus|resources/demo_model|tests/checks/(?:check_language\.py|test_checks\.py))(?:/|$)")
PATTERN = re.compile("|".join(f"(?:{phrase})" for phrase in PHRASES), re.IGNORECASE)


def advice(text):
    return next(better for phrase, better in PHRASES.items() if re.fullmatch(phrase, text, re.IGNORECASE))


def hits(root):
    """(path, line number, phrase) of every hit."""
    for file in sorted(root.rglob("*")):
        path = file.relative_to(root).as_posix()
        if file.suffix not in SUFFIXES or SKIPPED.match(path) or not file.is_file() or file.is_symlink():
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        for found in PATTERN.finditer(text):
            yield path, text.count("\n", 0, found.start()) + 1, found[0]


def check(root):
    return [f"{path}:{line}: '{phrase}': {advice(phrase)}" for path, line, phrase in hits(pathlib.Path(root).resolve())]


def main():
    faults = check(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])
    print("\n".join(faults) if faults else "none of the phrases to avoid")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
