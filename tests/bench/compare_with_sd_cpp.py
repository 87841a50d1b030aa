#!/usr/bin/env python3
"""Time Kinescope against stable-diffusion.cpp on the same files with the widths of Wan 2.1 1.3B.

    tests/bench/build_sd_cpp.sh ~/stable-diffusion.cpp /tmp/sd-build
    python3 tests/bench/make_model.py wan-1.3b /tmp/wan --published transformer,vae,text_encoder --names comfyui
    python3 tests/bench/compare_with_sd_cpp.py --cli build/bin/kinescope-cli --sd-cli /tmp/sd-build/bin/sd-cli \\
        --model /tmp/wan --results sd.json --pairs 3

Each run is a new process that generates one video without guidance. The programs take turns. In "8 bit", Kinescope uses
int8; in "q8_0", both programs read the same GGUF file. For each precision class and size, the table has the time of a
step (the fastest except the first, in which stable-diffusion.cpp loads weights), of decoding, and the peak resident
memory. A ratio whose largest value is more than 1.5 times the smallest is not printed.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import gguf
from safetensors.torch import load_file

from compare_shapes import load_results, make_parser, parse, write
from compare_with_diffusers import Pair, medians_of, ratio_cell, ratios_of, run, run_ours, with_unit

sys.path.append(str(Path(__file__).resolve().parents[1] / "gpu"))
from make_formats import write_gguf  # noqa: E402

PARTS = ("step", "decode", "peak RSS, MiB")
SIZES = {"256x256x17": (256, 256, 17), "480x272x33": (480, 272, 33)}
STEPS = 3


@dataclass(frozen=True)
class Precision:
    """The weights of the denoiser in both programs."""

    theirs: str  # --type
    ours: str  # --storage
    denoiser: str = "wan2.1_bf16.safetensors"  # in diffusion_models


GGUF = "wan2.1_q8_0.gguf"
PRECISIONS = {"f32": Precision("f32", "fp32"), "16 bit": Precision("f16", "auto"), "8 bit": Precision("q8_0", "int8"),
              "q8_0": Precision("q8_0", "auto", GGUF)}


def denoiser_of(model: Path, precision: Precision) -> Path:
    return model / "diffusion_models" / precision.denoiser


def files_of(model: Path, precision: Precision) -> dict[str, str]:
    """The options of stable-diffusion.cpp for the files that make_model.py writes with --names comfyui."""
    return {"--diffusion-model": str(denoiser_of(model, precision)),
            "--t5xxl": str(model / "text_encoders/umt5_bf16.safetensors"),
            "--vae": str(model / "vae/wan_2.1_vae.safetensors")}


def run_sd(arguments: argparse.Namespace, size: tuple[int, int, int], precision: Precision) -> dict[str, float]:
    width, height, frames = (str(number) for number in size)
    with tempfile.TemporaryDirectory() as folder:
        options = files_of(arguments.model, precision) | {
            "-M": "vid_gen", "--prompt": "a red ball", "--cfg-scale": "1", "--steps": str(STEPS), "--seed": "1",
            "--width": width, "--height": height, "--video-frames": frames, "--threads": str(arguments.threads),
            "--type": precision.theirs, "--output": f"{folder}/theirs.avi"}
        command = [arguments.sd_cli, *(text for option in options.items() for text in option), *arguments.sd_flags.split()]
        _, peak, printed = run(command)
    speeds = re.findall(rf"\d+/{STEPS} - ([\d.]+)(s/it|it/s)", printed)
    seconds = [float(number) if unit == "s/it" else 1 / float(number) for number, unit in speeds]
    decoding = re.search(r"decode_first_stage completed, taking ([\d.]+)s", printed)
    if len(seconds) != STEPS or not decoding:
        sys.exit(f"sd-cli did not print the times of {STEPS} steps and of decoding:\n{printed[-2000:]}")
    return {"step": min(seconds[1:]), "decode": float(decoding[1]), "peak RSS, MiB": peak}


def peer_of(arguments: argparse.Namespace) -> dict[str, str]:
    version = subprocess.run([arguments.sd_cli, "--version"], capture_output=True, text=True, check=True).stdout
    return {"stable-diffusion.cpp": version.strip(), "flags": arguments.sd_flags, "threads": str(arguments.threads)}


def request_of(arguments: argparse.Namespace, size: tuple[int, int, int], precision: Precision) -> dict:
    width, height, frames = size
    return {"model": str(denoiser_of(arguments.model, precision)), "image": None,
            "threads": arguments.threads, "storage": precision.ours, "width": width, "height": height,
            "num_frames": frames, "num_inference_steps": STEPS, "prompt": "a red ball", "decode_chunk_size": None,
            "guidance_scale": 1.0, "min_guidance_scale": None, "max_guidance_scale": None}


def rows_of(results: dict) -> list[list[str]]:
    rows = []
    for name, kept in results.items():
        pairs: list[Pair] = [tuple(pair) for pair in kept]
        for part in PARTS:
            cells = [with_unit(part, median) for median in medians_of(part, pairs)]
            rows.append([name, part.removesuffix(", MiB"), *cells, ratio_cell(ratios_of(part, pairs)), str(len(pairs))])
    return rows


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--sd-cli", help="required for measurements")
    parser.add_argument("--sd-flags", default="--diffusion-fa", help="more options of stable-diffusion.cpp")
    parser.add_argument("--model", type=Path, help="required for measurements")
    parser.add_argument("--sizes", default=",".join(SIZES))
    parser.add_argument("--precisions", default=",".join(PRECISIONS))
    parser.add_argument("--threads", type=int, default=2)
    arguments = parse(parser)
    results = load_results(arguments, peer_of(arguments) if arguments.cli else {})
    for _ in range(arguments.pairs if arguments.cli else 0):
        for size in arguments.sizes.split(","):
            for precision in arguments.precisions.split(","):
                wanted = SIZES[size], PRECISIONS[precision]
                if not (target := denoiser_of(arguments.model, wanted[1])).exists():
                    write_gguf(load_file(denoiser_of(arguments.model, PRECISIONS["f32"])), target,
                               gguf.GGMLQuantizationType.Q8_0)
                pair = run_ours(arguments.cli, request_of(arguments, *wanted)), run_sd(arguments, *wanted)
                results["cases"].setdefault(f"{size}, {precision}", []).append(pair)
                write(arguments.results, results)
    for row in [["", "part", "Kinescope", "sd.cpp", "ratio", "pairs"], *rows_of(results["cases"])]:
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
