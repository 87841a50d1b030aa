#!/usr/bin/env python3
"""Fails if a text of the window has no finished translation, or if the placeholders of a translation differ.

usage: check_translations.py LUPDATE SOURCE_DIR TS_FILE...
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

PLACE = re.compile(r"%(?:L?\d+|L?n)")
KEY = re.compile(r"&(\S)")


def is_english(ts_file):
    """The sources are in English, so the English file contains only plural forms."""
    return ts_file.stem.endswith("_en")


def updated(lupdate, source, ts_file):
    """The .ts file updated by lupdate from the sources. The file itself does not change."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / ts_file.name
        copy.write_bytes(ts_file.read_bytes())
        command = [lupdate, "-silent", "-I", source, f"{source}/ui", f"{source}/app", "-locations", "none"]
        command += (["-pluralonly"] if is_english(ts_file) else []) + ["-ts", copy]
        subprocess.run(command, check=True, cwd=source, stderr=subprocess.DEVNULL)
        return ElementTree.parse(copy).getroot()


def texts_of(translation):
    forms = [form.text or "" for form in translation.findall("numerusform")]
    return forms or [translation.text or ""]


def fault_of(message):
    source = message.findtext("source") or ""
    translation = message.find("translation")
    if translation.get("type") in ("vanished", "obsolete"):
        return None  # no longer in the sources; harmless until the file is cleaned up
    texts = texts_of(translation)
    if translation.get("type") == "unfinished" or not all(text.strip() for text in texts):
        return "not translated"
    for text in texts:
        if set(PLACE.findall(text)) != set(PLACE.findall(source)):
            return f"different placeholders in '{text}'"
        if bool(KEY.search(source)) != bool(KEY.search(text)):
            return f"a menu key is missing or was added in '{text}'"
    return None


def faults(root):
    for context in root.findall("context"):
        for message in context.findall("message"):
            if fault := fault_of(message):
                yield f"{context.findtext('name')}: '{message.findtext('source')}': {fault}"


def main():
    lupdate, source = sys.argv[1:3]
    found = []
    for ts_file in map(pathlib.Path, sys.argv[3:]):
        found += [f"{ts_file.name}: {fault}" for fault in faults(updated(lupdate, source, ts_file))]
    for line in found:
        print(line)
    print(f"{len(found)} of the texts need a translator")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
