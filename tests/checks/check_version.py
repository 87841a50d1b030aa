#!/usr/bin/env python3
"""The version in CMakeLists.txt must be the newest version in the changelog and in the AppStream metadata.

    check_version.py [ROOT]
"""
import pathlib
import re
import sys

SOURCES = {
    "CMakeLists.txt": re.compile(r"project\(Kinescope VERSION (\S+)"),
    "CHANGELOG.md": re.compile(r"^## \[(\d[^\]]*)\]", re.MULTILINE),
    "installer/kinescope.metainfo.xml": re.compile(r'<release version="([^"]+)"'),
}


def check(root):
    versions = {}
    for name, pattern in SOURCES.items():
        found = pattern.search((pathlib.Path(root) / name).read_text(encoding="utf-8"))
        versions[name] = found[1] if found else "none"
    if len(set(versions.values())) == 1:
        return []
    return [f"{name}: version {version}" for name, version in versions.items()]


def main():
    faults = check(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])
    print("\n".join(faults) if faults else "all versions are the same")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
