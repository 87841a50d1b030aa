#!/usr/bin/env python3
"""Time Kinescope against diffusers on the same model folder and the same request, in the same run.

    tests/bench/make_environment.sh /tmp/environment
    /tmp/environment/bin/python tests/bench/compare_with_diffusers.py --cli build/bin/kinescope-cli \\
        --model resources/demo_model

Each run is a new process that loads the model in float32, generates one video and writes it as MP4.  The two sides take
turns, so that other load on the machine affects both.  For each part, the table contains both medians, the ratio of a
pair (median, minimum, maximum), and the share of the machine's limit that each side reaches.  A ratio whose largest
value is more than 1.5 times the smallest says more about other load than about the programs and is not printed.  The
limit is based on the operations of diffusers for both sides.  For several models and a results file use
compare_shapes.py; for the manual's table speed_table.py; for test models make_model.py.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PEER = Path(__file__).resolve().parent / "peer.py"

# "load": Kinescope's denoiser, but diffusers' whole pipeline. "text encode": for SVD the image encoder. The encode
# parts contain only computing; "decode" includes Kinescope's loading of the VAE.
PARTS = ("whole run", "load", "text encode", "vae encode", "step", "decode", "peak RSS, MiB")

Pair = tuple[dict[str, float], dict[str, float]]  # the parts of Kinescope and of diffusers

MOST_SPREAD = 1.5  # of the ratios of a part: the largest divided by the smallest

# The instructions that both sides may use, as in core/device/cpu_level.cpp.
LEVELS = {
    "all": {},
    "avx2": {"KINESCOPE_CPU": "avx2", "ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2",
             "MKL_ENABLE_INSTRUCTIONS": "AVX2"},
    "avx2_vnni": {"KINESCOPE_CPU": "avx2_vnni", "ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2_VNNI",
                  "MKL_ENABLE_INSTRUCTIONS": "AVX2"},
    "avx512": {"KINESCOPE_CPU": "avx512", "ATEN_CPU_CAPABILITY": "avx512", "ONEDNN_MAX_CPU_ISA": "AVX512_CORE_FP16",
               "MKL_ENABLE_INSTRUCTIONS": "AVX512"},
}


def limit_level(level: str) -> None:
    """Limits this process and its children to a level, whatever the shell's variables say."""
    for variable in LEVELS["avx2"]:
        os.environ.pop(variable, None)
    os.environ.update(LEVELS[level])


def run(command: list[str]) -> tuple[float, float, str]:
    """Run a command. Return its wall-clock seconds, its peak resident memory in MiB and its output."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)
        printed = process.stdout.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            sys.exit(f"{' '.join(command)} failed:\n{errors.read().decode(errors='replace')[-2000:]}")
    return seconds, usage.ru_maxrss / 1024, printed


def flags_of(request: dict) -> list[str]:
    """The request as options of kinescope-cli."""
    flags = ["--model", request["model"], "--seed", "1", "--threads", str(request["threads"]), "--storage",
             request["storage"]]
    for name in ("width", "height", "num_frames", "num_inference_steps", "decode_chunk_size", "image", "prompt",
                 "guidance_scale", "min_guidance_scale", "max_guidance_scale"):
        if request[name] is not None:
            flags += ["--" + name.replace("_", "-"), str(request[name])]
    return flags


def run_ours(cli: str, request: dict) -> dict[str, float]:
    """Measures Kinescope: the seconds of each part, and the peak resident memory in MiB."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "numeric.jsonl"
        seconds, peak, _ = run([cli, "generate", *flags_of(request), "--quiet", "--output", f"{folder}/ours.mp4",
                                "--numeric-log", str(log)])
        records = [json.loads(line) for line in log.read_text().splitlines()]
    steps = [record["seconds"] for record in records if record["record"] == "step"]
    phases = next(record for record in records if record["record"] == "summary")["seconds"]
    parts = {name: phases[name] for name in PARTS if name in phases}
    for record in records:
        if record["record"] == "encode":
            part = "vae encode" if record["component"] == "vae" else "text encode"
            parts[part] = parts.get(part, 0) + record["seconds"]
    return parts | {"step": min(steps[1:] or steps), "whole run": seconds, "peak RSS, MiB": peak}


def run_theirs(request: dict) -> dict:
    """Measures diffusers in the same way. Includes the additional results of peer.py that the request selects."""
    with tempfile.TemporaryDirectory() as folder:
        seconds, peak, printed = run([sys.executable, str(PEER), json.dumps(request), f"{folder}/theirs.mp4"])
    parts = json.loads(printed.splitlines()[-1])
    return parts | {"whole run": seconds, "peak RSS, MiB": peak}


def run_pair(cli: str, request: dict) -> Pair:
    ours, theirs = run_ours(cli, request), run_theirs(request)
    return ours, {name: theirs[name] for name in PARTS if name in theirs}


def count_operations(request: dict) -> dict[str, float]:
    """Multiplications and additions of diffusers for a step, encoding and decoding."""
    return run_theirs(request | {"count": True})["flops"]


def best_seconds(work) -> float:
    work()
    times = []
    for _ in range(8):
        begin = time.monotonic()
        work()
        times.append(time.monotonic() - begin)
    return min(times)


def machine(threads: int) -> dict[str, float]:
    """The speed of this machine. Measured in another process, because LibTorch's memory in this one would count in the
    peak of each process that it starts later."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(measure_machine, (threads,))


def measure_machine(threads: int) -> dict[str, float]:
    """The largest of several measured float32 matrix products and copies (read and written bytes)."""
    import torch

    torch.set_num_threads(threads)
    weight, x = torch.randn(2048, 2048), torch.randn(2048, 2048)
    packed = torch.ops.mkl._mkl_reorder_linear_weight(weight, 2048)
    source = torch.empty(1 << 26)
    target = torch.zeros_like(source)
    products = min(best_seconds(lambda: x @ weight),
                   best_seconds(lambda: torch.ops.mkl._mkl_linear(x, packed, weight, None, 2048)))
    copy = best_seconds(lambda: target.copy_(source))
    return {"sgemm, GFLOP/s": 2 * 2048**3 / products / 1e9, "copy, GB/s": 8 * source.numel() / copy / 1e9}


def size_of_weights(model: Path) -> int:
    """Size of all weights in bytes."""
    return sum(file.stat().st_size for file in model.rglob("*.safetensors"))


def least_seconds(limits: dict[str, float], flops: dict[str, float], num_bytes: int, steps: int) -> dict[str, float]:
    """The minimum times on this machine: matrix products at full speed, and one copy of the weights for loading."""
    least = {name: count / limits["sgemm, GFLOP/s"] / 1e9 for name, count in flops.items()}
    least["load"] = 2 * num_bytes / limits["copy, GB/s"] / 1e9
    if flops:
        least["whole run"] = least["load"] + sum(
            seconds * (steps if name == "step" else 1) for name, seconds in least.items() if name in flops)
    return least


def ratios_of(part: str, pairs: list[Pair]) -> list[float]:
    return [ours[part] / theirs[part] for ours, theirs in pairs if part in ours and theirs.get(part)]


def medians_of(part: str, pairs: list[Pair]) -> list[float]:
    """Both sides' medians of a part."""
    values = [(ours[part], theirs[part]) for ours, theirs in pairs if part in ours and theirs.get(part)]
    return [statistics.median(side) for side in zip(*values)]


def is_steady(ratios: list[float]) -> bool:
    return max(ratios) <= MOST_SPREAD * min(ratios)


def ratio_cell(ratios: list[float]) -> str:
    """Median, minimum and maximum, unless they differ too much."""
    if not is_steady(ratios):
        return f"not stated, spread {max(ratios) / min(ratios):.1f}"
    if len(ratios) == 1:
        return f"{ratios[0]:.2f} (one pair)"
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})"


def with_unit(part: str, value: float) -> str:
    return f"{value:.0f} MiB" if "MiB" in part else f"{value:.3g} s"


def rows_of(pairs: list[Pair], least: dict[str, float]) -> list[list[str]]:
    """Part, Kinescope, diffusers, their ratio, the number of pairs, and the share of the limit that each reaches."""
    rows = []
    for part in PARTS:
        ratios = ratios_of(part, pairs)
        if not ratios:
            continue
        medians = medians_of(part, pairs)
        reached = [f"{least[part] / median:.2f}" if part in least else "" for median in medians]
        rows.append([part.removesuffix(", MiB"), *(with_unit(part, median) for median in medians),
                     ratio_cell(ratios), str(len(ratios)), *reached])
    return rows


HEAD = ["part", "Kinescope", "diffusers", "ratio", "pairs", "of limit", "diffusers'"]


def print_table(rows: list[list[str]]) -> None:
    for row in [HEAD, *rows]:
        print(f"{row[0]:11}{row[1]:>11}{row[2]:>11}{row[3]:>24}{row[4]:>6}{row[5]:>9}{row[6]:>11}")


def text_tokens_of(config: dict) -> int:
    """The text tokens that a model is trained with, from its denoiser's config."""
    return 128 if config.get("_class_name", "").startswith("LTX") else config.get("max_text_seq_length", 512)


def make_request(model: str, image: str | None = None, **wanted: object) -> dict:
    """The request for both sides: the given values, else the model's defaults. Without guidance unless given."""
    hints_file = Path(model) / "kinescope.json"
    hints = json.loads(hints_file.read_text())["defaults"] if hints_file.exists() else {}
    index = json.loads((Path(model) / "model_index.json").read_text())
    has_prompt = "text_encoder" in index
    config = json.loads((Path(model) / ("transformer" if has_prompt else "unet") / "config.json").read_text())
    request = {"model": model, "image": image, "threads": 2, "storage": "auto", "width": None, "height": None,
               "num_frames": None, "num_inference_steps": None,
               "prompt": "a red ball moving left on a blue background" if has_prompt else None,
               "max_sequence_length": text_tokens_of(config),
               "guidance_scale": 1.0 if has_prompt else None, "min_guidance_scale": None if has_prompt else 1.0,
               "max_guidance_scale": None if has_prompt else 1.0, "decode_chunk_size": None if has_prompt else 2}
    return request | {name: hints[name] for name in request if name in hints and name != "guidance_scale"} | {
        name: value for name, value in wanted.items() if value is not None}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--prompt")
    parser.add_argument("--image", help="for image-to-video models")
    for name in ("width", "height", "num-frames", "num-inference-steps", "decode-chunk-size", "threads"):
        parser.add_argument(f"--{name}", type=int)
    parser.add_argument("--guidance-scale", type=float)
    parser.add_argument("--storage", help="storage of Kinescope's denoiser, such as int8; diffusers uses float32")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--count", action="store_true", help="also count operations, to compare with the machine's limit")
    parser.add_argument("--level", choices=LEVELS, default="all", help="instructions that both sides may use")
    arguments = vars(parser.parse_args())
    cli, num_pairs, counts, level = (arguments.pop(name) for name in ("cli", "pairs", "count", "level"))
    limit_level(level)
    request = make_request(**arguments)
    pairs = [run_pair(cli, request) for _ in range(num_pairs)]
    limits = machine(request["threads"])
    flops = count_operations(request) if counts else {}
    print_table(rows_of(pairs, least_seconds(limits, flops, size_of_weights(Path(request["model"])),
                                             request["num_inference_steps"])))
    print(json.dumps({name: round(value, 1) for name, value in limits.items()}))


if __name__ == "__main__":
    main()
