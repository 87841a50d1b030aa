#!/usr/bin/env python3
"""Checks the format of all C++ files with clang-format 14. Exit code 77 (skipped) if it is not installed.

    check_format.py [ROOT]
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

FOLDERS = ("app", "core", "tests", "ui")
FILES_PER_CALL = 40
SKIPPED = 77


def find_clang_format():
    """The name of clang-format 14, or None. Other versions format differently."""
    for name in ("clang-format-14", "clang-format"):
        if path := shutil.which(name):
            version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
            if re.search(r"version 14\.", version):
                return path
    return None


def files_of(root):
    return sorted(file for folder in FOLDERS for suffix in ("*.h", "*.cpp") for file in (root / folder).rglob(suffix))


def check(root, program):
    """One line for each file that clang-format would change."""
    root = pathlib.Path(root).resolve()
    files = files_of(root)
    groups = [files[i:i + FILES_PER_CALL] for i in range(0, len(files), FILES_PER_CALL)]

    def faults_of(group):
        result = subprocess.run([program, "--dry-run", *group], capture_output=True, text=True, cwd=root)
        return {line.split(":")[0] for line in result.stderr.splitlines() if "-Wclang-format-violations" in line}

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        names = set().union(*pool.map(faults_of, groups))
    return [f"{pathlib.Path(name).relative_to(root)}: run clang-format -i" for name in sorted(names)]


def main():
    program = find_clang_format()
    if program is None:
        print("clang-format 14 is not installed")
        return SKIPPED
    faults = check(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2], program)
    print("\n".join(faults) if faults else "all files are formatted")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
