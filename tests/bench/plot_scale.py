#!/usr/bin/env python3
"""Plot the time of a step against its tokens and the memory of a run against its frames, and print the fitted exponents.

    python3 tests/bench/plot_scale.py --cli build/bin/kinescope-cli --results scale.json --pairs 1
    python3 tests/bench/plot_scale.py --results scale.json --pictures resources/pictures

Both axes are logarithmic.  Tokens: a step of 4 blocks with the widths of Wan 2.1 1.3B and a tiny VAE.  Frames: the peak
resident memory of a run with Wan 2.1's VAE at 128x128 and a tiny denoiser.  The exponent comes from a least squares fit
to the medians.  The results file is saved after every pair; a later call continues an interrupted one until each size
has the requested number of pairs.
"""

from __future__ import annotations

import argparse
import statistics
from dataclasses import dataclass
from pathlib import Path

import numpy
from compare_shapes import Case, diffusers_versions, load_results, make_parser, parse, request_of, write
from compare_with_diffusers import run_pair

# Colors that are readable on light and on dark pages, on a transparent background.
SIDES = {"Kinescope": "#2f8fd6", "diffusers": "#d9702b"}
TEXT = "#808890"


@dataclass(frozen=True)
class Scale:
    part: str  # of a pair
    x_label: str
    y_label: str
    shape: Case  # without its size
    sizes: tuple[tuple[int, int, int], ...]  # width, height (px), frames

    def x_of(self, size: tuple[int, int, int]) -> int:
        width, height, frames = size
        latent_frames = (frames - 1) // 4 + 1
        return frames if self.part != "step" else width // 16 * (height // 16) * latent_frames


SCALES = {
    "tokens": Scale("step", "tokens", "seconds per step", Case("", "wan-1.3b", layers=4, steps=3),
                    ((128, 128, 5), (128, 128, 17), (256, 256, 9), (256, 256, 17), (384, 384, 17), (480, 272, 33),
                     (832, 480, 41), (832, 480, 81))),
    "frames": Scale("peak RSS, MiB", "frames", "peak memory in MiB", Case("", "wan-1.3b", "vae", steps=1),
                    ((128, 128, 5), (128, 128, 9), (128, 128, 17), (128, 128, 33), (128, 128, 65), (128, 128, 161))),
}


def measure(name: str, arguments: argparse.Namespace, results: dict) -> None:
    """Measures the missing pairs of each size and saves the results after each."""
    scale = SCALES[name]
    for size in scale.sizes:
        width, height, num_frames = size
        request = request_of(scale.shape, arguments.models) | dict(width=width, height=height, num_frames=num_frames)
        pairs = results["cases"].setdefault(name, {}).setdefault(str(scale.x_of(size)), [])
        while len(pairs) < arguments.pairs:
            ours, theirs = run_pair(arguments.cli, request)
            pairs.append([ours[scale.part], theirs[scale.part]])
            write(arguments.results, results)


def curve(points: dict[str, list], side: int) -> tuple[list[int], list[float], float]:
    """The values on both axes, and the exponent of y = a x^b."""
    x = sorted(int(value) for value, pairs in points.items() if pairs)
    y = [statistics.median(pair[side] for pair in points[str(value)]) for value in x]
    return x, y, float(numpy.polyfit(numpy.log(x), numpy.log(y), 1)[0])


def draw(name: str, points: dict[str, list], folder: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

    scale = SCALES[name]
    pyplot.rcParams |= dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), TEXT)
    figure, axes = pyplot.subplots(figsize=(6.4, 3.9), dpi=100, layout="constrained")
    for side, (label, color) in enumerate(SIDES.items()):
        x, y, exponent = curve(points, side)
        print(f"{name}: {label} {scale.part} grows with exponent {exponent:.2f}: " +
              ", ".join(f"{a}: {b:.3g}" for a, b in zip(x, y)))
        axes.loglog(x, y, "o-", color=color, linewidth=2, label=f"{label}, exponent {exponent:.2f}")
    axes.set_xlabel(scale.x_label, fontsize=13)
    axes.set_ylabel(scale.y_label, fontsize=13)
    axes.set_xticks(x)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.tick_params(labelsize=10)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=12, framealpha=0)
    figure.savefig(folder / f"scale-{name}.png", transparent=True)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--scales", default=",".join(SCALES))
    parser.add_argument("--pictures", type=Path, help="output folder for scale-*.png")
    arguments = parse(parser)
    results = load_results(arguments, diffusers_versions())
    for name in arguments.scales.split(",") if arguments.cli else ():
        measure(name, arguments, results)
    for name, points in results["cases"].items() if arguments.pictures else ():
        draw(name, points, arguments.pictures)


if __name__ == "__main__":
    main()
