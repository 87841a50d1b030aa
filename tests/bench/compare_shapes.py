#!/usr/bin/env python3
"""Time Kinescope against diffusers on models with the widths of Wan 2.1 1.3B, CogVideoX-2B, SVD and
LTX-Video 2B, all in one file.

    python3 tests/bench/compare_shapes.py --cli build/bin/kinescope-cli --results results.json --pairs 5 --count
    python3 tests/bench/compare_shapes.py --cli build/bin/kinescope-cli --results results.json --cases svd-step \\
        --pairs 0 --profile
    python3 tests/bench/compare_shapes.py --results results.json --markdown table.md

Each call adds its pairs to the results file, which is saved after every pair, so that a long measurement can be split
into several calls.  --count adds the number of operations of diffusers, to compare both sides with the machine's limit:
the fastest matrix product and copy measured by any call.  --profile adds the time by kind of work for a step and for
decoding.  make_model.py creates the models in --models, where they stay (5 GB in total).  In a case named "step" the
denoiser has the published widths and few layers, and the VAE is tiny; in a case named "vae" it is the reverse, so that
the memory of each part is visible.  Without guidance: one forward pass per step.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from compare_with_diffusers import (HEAD, LEVELS, PARTS, Pair, count_operations, flags_of, least_seconds, limit_level,
                                    machine, make_request, print_table, rows_of, run, run_pair, run_theirs,
                                    size_of_weights)

REPOSITORY = Path(__file__).resolve().parent.parent.parent
MAKE_MODEL = REPOSITORY / "tests/bench/make_model.py"
IMAGE = REPOSITORY / "tests/data/svd/image.png"


@dataclass(frozen=True)
class Case:
    title: str
    shape: str = ""  # in make_model.py; empty: the built-in model with its defaults
    published: str = "transformer"
    layers: int | None = None
    size: tuple[int, int, int] | tuple[None, None, None] = (None, None, None)  # width, height (px), frames
    steps: int | None = None
    has_image: bool = False

    @property
    def parts(self) -> tuple[str, ...]:
        """The measured parts that do not depend on tiny components."""
        if not self.shape:
            return PARTS
        own = ("vae encode", "decode") if self.published == "vae" else ("whole run", "load", "step")
        return (*own, "peak RSS, MiB")

    @property
    def folder(self) -> str:
        return f"{self.shape}-{self.published}-{self.layers or 'all'}"


CASES = {
    "built-in": Case("built-in model"),
    "wan-step": Case("Wan 2.1 1.3B, 4 blocks, 256x256x17", "wan-1.3b", layers=4, size=(256, 256, 17), steps=3),
    "wan-step-480": Case("Wan 2.1 1.3B, 4 blocks, 480x272x33", "wan-1.3b", layers=4, size=(480, 272, 33), steps=2),
    "wan-vae": Case("VAE of Wan 2.1, 256x256x5", "wan-1.3b-i2v", "vae", size=(256, 256, 5), steps=1, has_image=True),
    "cogvideox-step": Case("CogVideoX-2B, 4 blocks, 256x256x17", "cogvideox-2b", layers=4, size=(256, 256, 17),
                           steps=3),
    "cogvideox-vae": Case("VAE of CogVideoX, 128x128x9", "cogvideox-2b-i2v", "vae", size=(128, 128, 9), steps=1,
                          has_image=True),
    "svd-step": Case("SVD, 1 layer per level, 256x256x14", "svd", "unet", layers=1, size=(256, 256, 14), steps=2,
                     has_image=True),
    "svd-vae": Case("VAE of SVD, 256x256x4", "svd", "vae", size=(256, 256, 4), steps=1, has_image=True),
    "ltx-step": Case("LTX-Video 2B, 4 blocks, 512x320x25", "ltx-2b", layers=4, size=(512, 320, 25), steps=3),
    "ltx-vae": Case("VAE of LTX-Video 0.9.5, 256x256x9", "ltx-2b-i2v", "vae", size=(256, 256, 9), steps=2,
                    has_image=True),
}


def model_of(case: Case, models: Path) -> Path:
    """Returns the model's folder. Creates it if it is missing."""
    if not case.shape:
        return REPOSITORY / "resources/demo_model"
    folder = models / case.folder
    if not folder.exists():
        unfinished = folder.with_suffix(".unfinished")
        layers = ["--layers", str(case.layers)] if case.layers else []
        # In another process, because LibTorch's memory in this one would count in the peak of those that it starts.
        run([sys.executable, str(MAKE_MODEL), case.shape, str(unfinished), "--published", case.published, *layers])
        unfinished.rename(folder)
    return folder


def request_of(case: Case, models: Path) -> dict:
    width, height, num_frames = case.size
    return make_request(str(model_of(case, models)), str(IMAGE) if case.has_image else None, width=width, height=height,
                        num_frames=num_frames, num_inference_steps=case.steps)


def our_sites(cli: str, request: dict) -> dict[str, dict[str, float]]:
    """Returns the seconds by kind of work, for a step and for decoding."""
    _, _, printed = run([cli, "bench", *flags_of(request), "--repeats", "1", "--json"])
    sites: dict[str, dict[str, float]] = {"step": {}, "decode": {}}
    for row in json.loads(printed)["rows"]:
        phase, _, site = row["name"].partition(": ")
        if site and phase == "denoise":
            sites["step"][site] = row["median_seconds"] / request["num_inference_steps"]
        elif site and phase == "decode":
            sites["decode"][site] = row["median_seconds"]
    return sites


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def load_results(arguments: argparse.Namespace, peer: dict[str, str]) -> dict:
    """The results of earlier calls. Calls that measure must all have the same level, processor and peer."""
    results = {"conditions": {}, "machine": {}, "cases": {}}
    if arguments.results.exists():
        results |= json.loads(arguments.results.read_text())
    if arguments.cli:
        conditions = {"level": arguments.level, "processor": processor()} | peer
        if (results["conditions"] or conditions) != conditions:
            raise SystemExit(f"{arguments.results} was measured with {results['conditions']}; name another file for "
                             f"{conditions}.")
        results["conditions"] = conditions
    return results


def diffusers_versions() -> dict[str, str]:
    return {name: version(name) for name in ("diffusers", "torch")}


def measure(name: str, arguments: argparse.Namespace, results: dict) -> None:
    """Adds measurements to the case's results and saves them."""
    request = request_of(CASES[name], arguments.models)
    kept = results["cases"].setdefault(name, {"pairs": [], "flops": {}, "sites": {}})
    kept |= {"request": request, "bytes": size_of_weights(Path(request["model"]))}
    for _ in range(arguments.pairs):
        kept["pairs"].append(run_pair(arguments.cli, request))
        write(arguments.results, results)
    if arguments.count and not kept["flops"]:
        kept["flops"] = count_operations(request)
    if arguments.profile:
        kept["sites"] = {"Kinescope": our_sites(arguments.cli, request),
                         "diffusers": run_theirs(request | {"profile": True})["sites"]}
    for limit, value in machine(request["threads"]).items():
        results["machine"][limit] = max(value, results["machine"].get(limit, 0))
    write(arguments.results, results)


def write(file: Path, results: dict) -> None:
    unfinished = file.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(results, indent=1))
    unfinished.rename(file)


def pairs_of(name: str, results: dict) -> list[Pair]:
    """The case's pairs, without the parts that depend on tiny components."""
    return [tuple({part: side[part] for part in CASES[name].parts if part in side} for side in pair)
            for pair in results["cases"][name]["pairs"]]


def table_of(name: str, results: dict) -> list[list[str]]:
    kept, limits, pairs = results["cases"][name], results["machine"], pairs_of(name, results)
    return rows_of(pairs, least_seconds(limits, kept["flops"], kept["bytes"], kept["request"]["num_inference_steps"]))


def site_rows(kept: dict) -> list[list[str]]:
    """Phase, kind of work, and each side's seconds and share of the phase."""
    rows = []
    for phase in ("step", "decode"):
        sides = [kept["sites"].get(side, {}).get(phase, {}) for side in ("Kinescope", "diffusers")]
        for site in sorted(set().union(*sides), key=lambda site: -max(side.get(site, 0) for side in sides)):
            cells = [f"{side[site]:.3f} s ({side[site] / sum(side.values()):.0%})" if site in side else ""
                     for side in sides]
            rows.append([phase, site, *cells])
    return rows


def markdown(head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *rows)]
    return "\n".join(lines) + "\n"


def document(results: dict) -> str:
    rows = [[CASES[name].title, *row] for name in results["cases"] for row in table_of(name, results)]
    text = markdown(["model", *HEAD], rows)
    text += "\n" + ", ".join(f"{name}: {value:.0f}" for name, value in results["machine"].items()) + "\n"
    for name, kept in results["cases"].items():
        if kept["sites"]:
            text += f"\n{CASES[name].title}\n\n"
            text += markdown(["phase", "work", "Kinescope", "diffusers"], site_rows(kept))
    return text


def make_parser(description: str) -> argparse.ArgumentParser:
    """A parser with the common options of measurements that are saved in a file."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", help="required for measurements")
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--models", type=Path, default=Path(tempfile.gettempdir()) / "kinescope-bench")
    parser.add_argument("--pairs", type=int, default=1, help="pairs per case or size")
    parser.add_argument("--level", choices=LEVELS, default="all", help="instructions that both sides may use")
    return parser


def parse(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Parses the options of make_parser and limits this process and its children to the level."""
    arguments = parser.parse_args()
    limit_level(arguments.level)
    return arguments


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--markdown", type=Path)
    arguments = parse(parser)
    results = load_results(arguments, diffusers_versions())
    for name in arguments.cases.split(",") if arguments.cli else ():
        measure(name, arguments, results)
        print(f"\n{CASES[name].title}")
        print_table(table_of(name, results))
    if arguments.markdown:
        arguments.markdown.write_text(document(results))


if __name__ == "__main__":
    main()
