#!/usr/bin/env python3
"""Compares the time that `plan` predicts after one run with that of runs of other sizes.

    python3 tests/bench/measure_times.py --cli build/bin/kinescope-cli [--only wan]

For each model of compare_shapes.py with the published widths of denoiser and VAE and few layers: runs the first size
with an empty cache, so that it is the only known run, then plans and runs the other sizes.  Prints the predicted and the
measured seconds and their ratio, for the denoiser, for decoding and for the whole run.  Other programs must be idle.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from compare_shapes import IMAGE, Case, model_of

Size = tuple[int, int, int]  # width, height (px), frames


@dataclass(frozen=True)
class Series:
    model: Case
    known: Size
    others: tuple[Size, ...]


SERIES = {
    "wan": Series(Case("Wan 2.1 1.3B, 4 blocks", "wan-1.3b", "transformer,vae", layers=4), (256, 256, 17),
                  ((320, 320, 33), (480, 272, 49))),
    "cogvideox": Series(Case("CogVideoX-2B, 4 blocks", "cogvideox-2b", "transformer,vae", layers=4), (256, 256, 17),
                        ((192, 192, 9), (384, 256, 33))),
    "ltx": Series(Case("LTX-Video 2B, 4 blocks", "ltx-2b", "transformer,vae", layers=4), (512, 320, 25),
                  ((320, 320, 17), (640, 448, 65))),
    "svd": Series(Case("SVD, 1 layer per level", "svd", "unet,vae", layers=1, has_image=True), (256, 256, 14),
                  ((320, 192, 14), (512, 320, 14))),
}
PHASES = ("denoise", "decode")


def flags_of(model: Path, case: Case, size: Size) -> list[str]:
    width, height, num_frames = (str(number) for number in size)
    image = ["--image", str(IMAGE)] if case.has_image else ["--prompt", "a red ball"]
    return ["--model", str(model), *image, "--width", width, "--height", height, "--num-frames", num_frames, "--steps",
            "3", "--guidance-scale", "1", "--json", "--quiet"]


def answer_of(command: list[str], cache: str) -> dict:
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"XDG_CACHE_HOME": cache})
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: {done.stdout.strip()} {done.stderr.strip()}")
    return json.loads(done.stdout)


def planned(cli: str, flags: list[str], cache: str) -> dict[str, float]:
    plan = answer_of([cli, "plan", *flags], cache)
    seconds = {phase["phase"]: phase["seconds"] for phase in plan["phases"] if phase["phase"] in PHASES}
    return seconds | {"whole": plan["seconds"]}


def measured(cli: str, flags: list[str], cache: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        seconds = answer_of([cli, "generate", *flags, "--output", f"{folder}/video.mp4"], cache)["seconds_by_phase"]
    return {phase: seconds[phase] for phase in PHASES} | {"whole": sum(seconds.values())}


def measure(cli: str, series: Series, models: Path) -> None:
    model = model_of(series.model, models)
    for size in series.others:
        with tempfile.TemporaryDirectory() as cache:
            measured(cli, flags_of(model, series.model, series.known), cache)
            flags = flags_of(model, series.model, size)
            predicted, real = planned(cli, flags, cache), measured(cli, flags, cache)
        cells = [f"{part} {predicted[part]:.1f} / {real[part]:.1f} = {predicted[part] / real[part]:.2f}" for part in real]
        print(f"{series.model.title}, {size[0]}x{size[1]}x{size[2]} after {series.known}: " + ", ".join(cells), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--models", type=Path, default=Path(tempfile.gettempdir()) / "kinescope-bench")
    parser.add_argument("--only", choices=SERIES)
    arguments = parser.parse_args()
    for name, series in SERIES.items():
        if arguments.only in (None, name):
            measure(arguments.cli, series, arguments.models)


if __name__ == "__main__":
    main()
