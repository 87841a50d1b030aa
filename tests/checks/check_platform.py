#!/usr/bin/env python3
"""Checks that headers of the operating system are included only by core/base/platform_*, and by core/api/platform_*,
which cannot use core/base.

    check_platform.py [ROOT]

platform_debt.txt beside this file lists the files that still include some, one "path: header header" per line. The list
may only shrink: an entry that is not needed any more is a fault, too. Every fault is printed as file:line; the exit code
is 1 when there is one.
"""
import pathlib
import re
import sys

FOLDERS = ("core", "ui", "app")
HOME = "core/base/platform_"
HOMES = (HOME, "core/api/platform_")
DEBT = "tests/checks/platform_debt.txt"
INCLUDE = re.compile(r"^\s*#\s*include\s*<([^>]+)>")
# Headers of POSIX, Linux, glibc, macOS and Windows. The C and C++ standard libraries are not among them.
SYSTEM = re.compile(
    r"(sys|linux|mach|mach-o|arpa|netinet|net)/.+\.h$"
    r"|(unistd|fcntl|dlfcn|malloc|spawn|poll|pwd|grp|sched|pthread|semaphore|termios|dirent|execinfo|link|syscall|ucontext"
    r"|netdb|glob|fnmatch|wordexp|utime|mqueue|aio|libgen|strings|langinfo|nl_types|iconv|windows|winsock2|io|direct"
    r"|process|psapi|shlobj|tlhelp32)\.h$")


def read_debt(root):
    """{path: set of headers}"""
    file = root / DEBT
    debt = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        if line and not line.startswith("#"):
            path, headers = line.split(":", 1)
            debt[path] = set(headers.split())
    return debt


def system_includes(file):
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        include = INCLUDE.match(line)
        if include and SYSTEM.fullmatch(include[1]):
            yield number, include[1]


def check(root):
    """All faults in a tree, ordered by file."""
    root = pathlib.Path(root).resolve()
    debt = read_debt(root)
    faults = []
    used = {}
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            path = file.relative_to(root).as_posix()
            if file.suffix not in (".h", ".cpp") or path.startswith(HOMES):
                continue
            for number, header in system_includes(file):
                used.setdefault(path, set()).add(header)
                if header not in debt.get(path, ()):
                    faults.append(f"{path}:{number}: <{header}> belongs in {HOME}*")
    for path, headers in sorted(debt.items()):
        for header in sorted(headers - used.get(path, set())):
            faults.append(f"{DEBT}: {path} does not include <{header}> any more")
    return faults


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]
    faults = check(root)
    print("\n".join(faults) if faults else f"only {'*, '.join(HOMES)}* and the files of the list include headers of the system")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
