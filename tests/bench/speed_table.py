#!/usr/bin/env python3
"""Makes the manual's table of speed and memory anew on this computer, with the computer's peak beside it.

    python3 tests/bench/speed_table.py --cli build/bin/kinescope-cli --results speed.json --pairs 5
    python3 tests/bench/speed_table.py --cli build/bin/kinescope-cli --results avx2.json --pairs 5 --level avx2
    python3 tests/bench/speed_table.py --results speed.json --language zh_CN

Measures the cases of compare_shapes.py in turn until each has --pairs pairs. A case whose ratios differ by more than a
factor of 1.5 gets up to twice as many; if they still do, the table does not state the ratio and the exit code is 1. The
results file is saved after every pair, and a later call continues it. Needs the Python of make_environment.sh.
"""

from __future__ import annotations

import argparse
import re
import sys

from compare_shapes import CASES, diffusers_versions, load_results, make_parser, markdown, measure, pairs_of, parse
from compare_with_diffusers import is_steady, medians_of, ratio_cell, ratios_of, with_unit

# The parts in the table, with their words in each language.
WORDS = {
    "whole run": {"en": "start of the process to finished file", "zh_CN": "从进程启动到文件完成"},
    "step": {"en": "one step", "zh_CN": "一步"},
    "decode": {"en": "decoding", "zh_CN": "解码"},
    "vae encode": {"en": "encoding an image", "zh_CN": "编码一张图像"},
    "peak RSS, MiB": {"en": "peak memory", "zh_CN": "内存峰值"},
}
HEADS = {"en": ["Measured", "Kinescope", "diffusers", "Ratio"], "zh_CN": ["测量项", "Kinescope", "diffusers", "比值"]}
CHINESE = {"built-in model": "内置模型", "VAE of ": "VAE：", " blocks": " 块", "1 layer per level": "每级 1 层",
           "one pair": "一对", "not stated, spread": "未给出，离散度", ", ": "，", " (": "（", ")": "）"}


def listed_parts(name: str) -> list[str]:
    """The parts of a case that the table has. Only the built-in model's whole run is a run that somebody makes."""
    return [part for part in WORDS if part in CASES[name].parts and (part != "whole run" or not CASES[name].shape)]


def is_settled(name: str, results: dict, pairs: int) -> bool:
    """Returns true if a case needs no more pairs."""
    if len(results["cases"].get(name, {}).get("pairs", ())) < pairs:
        return False
    measured = pairs_of(name, results)
    all_steady = all(is_steady(ratios) for part in listed_parts(name) if (ratios := ratios_of(part, measured)))
    return all_steady or len(measured) >= 2 * pairs


def measure_all(names: list[str], arguments: argparse.Namespace, results: dict) -> None:
    """Measures one pair of each case in turn, so that a change of other load affects all of them."""
    one_pair = argparse.Namespace(cli=arguments.cli, results=arguments.results, models=arguments.models, pairs=1,
                                  count=False, profile=False)
    while waiting := [name for name in names if not is_settled(name, results, arguments.pairs)]:
        for name in waiting:
            print(f"{CASES[name].title} ...", file=sys.stderr)
            measure(name, one_pair, results)


def in_language(text: str, language: str) -> str:
    text = re.sub(r"(?<=\d)x(?=\d)", "×", text)
    if language == "zh_CN":
        for english, chinese in CHINESE.items():
            text = text.replace(english, chinese)
    return text


def rows_of_case(name: str, results: dict, language: str) -> list[list[str]]:
    """The case's first row has its title; the others follow with a dash."""
    rows, pairs = [], pairs_of(name, results)
    for part in listed_parts(name):
        ratios = ratios_of(part, pairs)
        if not ratios:
            continue
        comma = "，" if language == "zh_CN" else ", "
        title = f"– {WORDS[part][language]}" if rows else (
            in_language(CASES[name].title[0].upper() + CASES[name].title[1:]
                        if language == "en" else CASES[name].title, language) + comma + WORDS[part][language])
        cells = [with_unit(part, median) for median in medians_of(part, pairs)]
        rows.append([title, *cells, in_language(ratio_cell(ratios).replace("-", "–"), language)])
    return rows


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--language", choices=HEADS, default="en")
    arguments = parse(parser)
    names = arguments.cases.split(",")
    results = load_results(arguments, diffusers_versions())
    if arguments.cli:
        measure_all(names, arguments, results)
    names = [name for name in names if name in results["cases"]]
    print(markdown(HEADS[arguments.language],
                   [row for name in names for row in rows_of_case(name, results, arguments.language)]))
    limits = ", ".join(f"{name}: {value:.0f}" for name, value in results["machine"].items())
    conditions = ", ".join(f"{name}: {value}" for name, value in results["conditions"].items())
    print(f"Measured with {conditions}. Peak: {limits}. Pairs: "
          + ", ".join(f"{name} {len(results['cases'][name]['pairs'])}" for name in names) + ".")
    steady = all(is_steady(ratios) for name in names for part in listed_parts(name)
                 if (ratios := ratios_of(part, pairs_of(name, results))))
    return 0 if steady else 1


if __name__ == "__main__":
    sys.exit(main())
