#!/usr/bin/env python3
"""Measures the quality of faster settings: compares frames with --step-cache, a guidance interval or int8 to the full run.

    python3 tests/bench/measure_savings.py --cli build/bin/kinescope-cli
    python3 tests/bench/measure_savings.py --cli build/bin/kinescope-cli --model FOLDER --flags "--width 256 ..."

Prints for each setting the denoising time relative to the full run (median over the prompts; the full run is measured
before and after the others), the number of steps that reused an earlier prediction, and the minimum and maximum PSNR and
SSIM of the frames over the prompts.  Uses the model's defaults except for --flags.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import tempfile
import typing
from pathlib import Path

import cv2
import numpy
from compare_with_diffusers import run
from safetensors.numpy import load_file

SETTINGS = ("--step-cache 0.05", "--step-cache 0.1", "--step-cache 0.2", "--guidance-start 0.2 --guidance-stop 0.8",
            "--guidance-stop 0.6", "--step-cache 0.1 --guidance-stop 0.6", "--storage int8")
PROMPTS = ("a red ball moving left on a blue background", "a green square moving up on a white background",
           "a yellow triangle moving right on a black background", "a purple triangle moving right on a white background",
           "a yellow square moving up on a black background", "a white ball moving down on a green background",
           "a blue ball moving right on a gray background", "a green triangle moving down on a blue background",
           "ball", "square")


class Run(typing.NamedTuple):
    seconds: float  # of denoising
    reused: int  # steps
    frames: numpy.ndarray  # [F, H, W, 3] of 0..1


def generate(arguments: argparse.Namespace, prompt: str, setting: str) -> Run:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run([arguments.cli, "generate", "--model", arguments.model, "--prompt", prompt, "--seed", "1", "--quiet",
             *arguments.flags.split(), *setting.split(), "--numeric-log", str(folder / "log.jsonl"), "--frames",
             str(folder / "frames.safetensors"), "--output", str(folder / "video.mp4")])
        records = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
        frames = load_file(folder / "frames.safetensors")["frames"].astype(numpy.float64)
    reused = sum(record.get("prediction") == "reused" for record in records)
    return Run(records[-1]["seconds"]["denoise"], reused, frames)


def psnr(frames: numpy.ndarray, full: numpy.ndarray) -> float:
    error = ((frames - full) ** 2).mean()
    return math.inf if error == 0 else -10 * math.log10(error)


def ssim(frames: numpy.ndarray, full: numpy.ndarray) -> float:
    """Mean over frames and channels, Gaussian window of 11 px with sigma 1.5 (Wang et al. 2004)."""
    def blurred(image: numpy.ndarray) -> numpy.ndarray:
        return cv2.GaussianBlur(image, (11, 11), 1.5)

    values = []
    for a, b in zip(frames, full):
        mean_a, mean_b = blurred(a), blurred(b)
        variances = blurred(a * a) - mean_a**2 + blurred(b * b) - mean_b**2
        covariance = blurred(a * b) - mean_a * mean_b
        values.append(((2 * mean_a * mean_b + 0.01**2) * (2 * covariance + 0.03**2) /
                       ((mean_a**2 + mean_b**2 + 0.01**2) * (variances + 0.03**2))).mean())
    return float(numpy.mean(values))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--model", default="builtin")
    parser.add_argument("--flags", default="", help="options for every run")
    parser.add_argument("--settings", default="|".join(SETTINGS), help="separated by |")
    parser.add_argument("--prompts", default="|".join(PROMPTS), help="separated by |")
    arguments = parser.parse_args()
    settings = arguments.settings.split("|")
    results: dict[str, list[tuple[float, int, float, float]]] = {setting: [] for setting in settings}
    generate(arguments, PROMPTS[0], "")  # warms up the page cache
    for prompt in arguments.prompts.split("|"):
        before = generate(arguments, prompt, "")
        less = [generate(arguments, prompt, setting) for setting in settings]
        full_seconds = (before.seconds + generate(arguments, prompt, "").seconds) / 2
        for setting, part in zip(settings, less):
            results[setting].append((part.seconds / full_seconds, part.reused, psnr(part.frames, before.frames),
                                     ssim(part.frames, before.frames)))
    print("| setting | denoising time | steps reused | PSNR, dB | SSIM |\n|---|---|---|---|---|")
    for setting, rows in results.items():
        ratios, reused, decibels, similarities = zip(*rows)
        print(f"| `{setting}` | {statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f}) "
              f"| {min(reused)}-{max(reused)} "
              f"| {min(decibels):.1f}-{max(decibels):.1f} | {min(similarities):.4f}-{max(similarities):.4f} |")


if __name__ == "__main__":
    main()
