#!/usr/bin/env python3
"""No file of the tree may contain absolute paths of a developer's machine.

    check_paths.py [ROOT]
"""
import pathlib
import re
import sys

FORBIDDEN = re.compile(rb"/(?:work|root|opt/ks)/")
# Folders that are not part of the source: build folders, version control, caches.
SKIPPED = re.compile(r"build.*|\..*|__pycache__")
KEPT = {".ci"}


def files_of(folder):
    for entry in sorted(folder.iterdir()):
        if entry.is_symlink():
            continue
        if entry.is_dir() and (entry.name in KEPT or not SKIPPED.fullmatch(entry.name)):
            yield from files_of(entry)
        elif entry.is_file() and entry.name != ".git":
            yield entry


def check(root):
    root = pathlib.Path(root)
    faults = []
    for file in files_of(root):
        for number, line in enumerate(file.read_bytes().split(b"\n"), 1):
            found = FORBIDDEN.search(line)
            if found and file.resolve() != pathlib.Path(__file__).resolve():
                faults.append(f"{file.relative_to(root)}:{number}: contains the machine's folder {found[0].decode()}")
    return faults


def main():
    faults = check(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])
    print("\n".join(faults) if faults else "no file contains a folder of this machine")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
