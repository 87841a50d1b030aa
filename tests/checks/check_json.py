#!/usr/bin/env python3
"""Only core/api/bounded_json.cpp may parse JSON, because it limits depth, size and time. Other parsers are faults: an
untrusted file could exhaust the stack, the memory or the time.

    check_json.py [ROOT]
"""
import pathlib
import re
import sys

READER = "core/api/bounded_json.cpp"
FOLDERS = ("core", "ui", "app")
FORBIDDEN = re.compile(
    r"\w*json\w*(?:<[^>]*>)?\s*::\s*(?:parse|accept|sax_parse|parser|from_(?:cbor|msgpack|ubjson|bson|bjdata))\s*[(<]"
    r"|\bQ(?:Json|Cbor)\w+\s*::\s*from(?:Json|RawData|Cbor)\s*\("
    r"|\"_json(?:_pointer)?\b"
    r"|>>\s*(?:json|document)\w*\s*;",
    re.I,
)


def without_comments(text):
    """Replaces comments by spaces and keeps the line numbers."""
    blank = lambda match: re.sub(r"[^\n]", " ", match[0])
    return re.sub(r"//[^\n]*|/\*.*?\*/", blank, text, flags=re.S)


def check(root):
    root = pathlib.Path(root)
    faults = []
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            path = file.relative_to(root).as_posix()
            if file.suffix not in (".h", ".cpp") or path == READER:
                continue
            for number, line in enumerate(without_comments(file.read_text()).split("\n"), 1):
                if FORBIDDEN.search(line):
                    faults.append(f"{path}:{number}: parses JSON; use parse_json of core/api/bounded_json.h")
    return faults


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])
    if not (root / READER).is_file():
        sys.exit(f"{READER} does not exist: update READER in this check")
    faults = check(root)
    print("\n".join(faults) if faults else f"only {READER} parses JSON")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
