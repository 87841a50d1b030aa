#!/usr/bin/env python3
"""Time Kinescope against diffusers on the same model folder and the same request, in the same run.

    python3 tests/bench/compare_with_diffusers.py --cli build/bin/kinescope-cli --model resources/demo_model
    python3 tests/bench/compare_with_diffusers.py --cli build/bin/kinescope-cli --model /tmp/wan --width 256 \\
        --height 256 --num-frames 17 --steps 2

Each side is a fresh process that loads the model in float32, makes one video and writes it as MP4; they take turns, so
that a busy machine is busy for both.  For each part the table has both medians and the ratio of a pair: median, least,
largest.  Parts: the whole run (process start to file), loading, prompt, one denoising step (the fastest but for the
first), encoding an image and decoding by the VAE, and the peak of resident memory.  Then come what the machine can do,
and with --count how much of it a step and the decoding use.  Models with few layers: make_reduced_model.py.  Needs:
torch, diffusers, transformers, opencv-python-headless.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PEER = '''
import contextlib, json, sys, time
import cv2, numpy, torch
from PIL import Image
from diffusers import DiffusionPipeline
from diffusers.utils import logging

request = json.loads(sys.argv[1])
torch.set_num_threads(request["threads"])
logging.disable_progress_bar()
began = time.monotonic()
pipeline = DiffusionPipeline.from_pretrained(request["model"], torch_dtype=torch.float32)
pipeline.set_progress_bar_config(disable=True)
parts = {"load": time.monotonic() - began}
calls, flops = {}, {}


def timed(owner, method, part):
    inner = getattr(owner, method)

    def call(*arguments, **named):
        counter = contextlib.nullcontext()
        if request["count"]:
            from torch.utils.flop_counter import FlopCounterMode
            counter = FlopCounterMode(display=False)
        begin = time.monotonic()
        with counter:
            result = inner(*arguments, **named)
        calls.setdefault(part, []).append(time.monotonic() - begin)
        if request["count"]:
            flops[part] = flops.get(part, 0) + counter.get_total_flops()
        return result

    setattr(owner, method, call)


denoiser = getattr(pipeline, "unet", None) or pipeline.transformer
timed(denoiser, "forward", "forward")
timed(pipeline.vae, "decode", "decode")
timed(pipeline.vae, "encode", "vae encode")
if hasattr(pipeline, "encode_prompt"):
    timed(pipeline, "encode_prompt", "prompt")
options = {name: request[name] for name in ("width", "height", "num_frames", "num_inference_steps")}
if request["image"]:
    options |= dict(image=Image.open(request["image"]),
                    min_guidance_scale=request["guidance_scale"], max_guidance_scale=request["guidance_scale"])
else:
    options |= dict(prompt=request["prompt"], negative_prompt="", guidance_scale=request["guidance_scale"],
                    max_sequence_length=request["max_sequence_length"])
if "decode_chunk_size" in request:
    options["decode_chunk_size"] = request["decode_chunk_size"]
with torch.no_grad():
    frames = pipeline(generator=torch.Generator("cpu").manual_seed(1), output_type="np", **options).frames[0]
writer = cv2.VideoWriter(sys.argv[2], cv2.VideoWriter_fourcc(*"mp4v"), 8, (request["width"], request["height"]))
for frame in frames:
    writer.write(cv2.cvtColor((frame * 255).round().astype(numpy.uint8), cv2.COLOR_RGB2BGR))
writer.release()
steps = calls.pop("forward")
each = len(steps) // request["num_inference_steps"]
steps = [sum(steps[i:i + each]) for i in range(0, len(steps), each)]
parts["step"] = min(steps[1:] or steps)
parts |= {name: sum(values) for name, values in calls.items()}
if request["count"]:
    parts["flops"] = {"step": flops["forward"] / len(steps), "decode": flops["decode"]}
print(json.dumps(parts))
'''

# What the numeric log calls the parts.
PHASES = {"load": "load", "encode": "prompt", "decode": "decode"}


def run(command: list[str]) -> tuple[float, float, str]:
    """Run a command to its end; return its wall-clock seconds, its peak resident memory in MiB and what it printed."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)
        printed = process.stdout.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            sys.exit(f"{command[0]} failed:\n{errors.read().decode(errors='replace')[-2000:]}")
    return seconds, usage.ru_maxrss / 1024, printed


def run_ours(cli: str, request: dict, folder: Path) -> dict[str, float]:
    log = folder / "ours.jsonl"
    command = [cli, "generate", "--model", request["model"], "--seed", "1", "--quiet", "--overwrite",
               "--threads", str(request["threads"]), "--storage", request["storage"],
               "--output", str(folder / "ours.mp4"), "--numeric-log", str(log)]
    for name in ("width", "height", "num_frames", "num_inference_steps", "decode_chunk_size"):
        if name in request:
            command += ["--" + name.replace("_", "-"), str(request[name])]
    if request["image"]:
        command += ["--image", request["image"], "--min-guidance-scale", str(request["guidance_scale"]),
                    "--max-guidance-scale", str(request["guidance_scale"])]
    else:
        command += ["--prompt", request["prompt"], "--guidance-scale", str(request["guidance_scale"])]
    seconds, peak, _ = run(command)
    records = [json.loads(line) for line in log.read_text().splitlines()]
    steps = [record["seconds"] for record in records if record["record"] == "step"]
    phases = next(record for record in records if record["record"] == "summary")["seconds"]
    parts = {PHASES[name]: value for name, value in phases.items() if name in PHASES}
    return parts | {"step": min(steps[1:] or steps), "whole run": seconds, "peak RSS, MiB": peak}


def run_theirs(request: dict, folder: Path) -> dict[str, float]:
    script = folder / "peer.py"
    script.write_text(PEER)
    seconds, peak, printed = run([sys.executable, str(script), json.dumps(request), str(folder / "theirs.mp4")])
    return json.loads(printed.splitlines()[-1]) | {"whole run": seconds, "peak RSS, MiB": peak}


def print_table(pairs: list[tuple[dict, dict]]) -> None:
    print(f"{'part':16} {'kinescope':>10} {'diffusers':>10} {'ratio':>7} {'least':>7} {'largest':>7}   ({len(pairs)} pairs)")
    for part in ("whole run", "load", "prompt", "step", "decode", "peak RSS, MiB"):
        values = [(ours[part], theirs[part]) for ours, theirs in pairs if part in ours and theirs.get(part)]
        if not values:
            continue
        ratios = sorted(ours / theirs for ours, theirs in values)
        medians = [statistics.median(side) for side in zip(*values)]
        print(f"{part:16} {medians[0]:10.3f} {medians[1]:10.3f} {statistics.median(ratios):7.3f} {ratios[0]:7.3f} "
              f"{ratios[-1]:7.3f}")


def machine(threads: int) -> dict[str, float]:
    """The largest of several measured float32 matrix products and copies."""
    import torch

    torch.set_num_threads(threads)
    weight, x = torch.randn(2048, 2048), torch.randn(2048, 2048)
    packed = torch.ops.mkl._mkl_reorder_linear_weight(weight, 2048)
    large = torch.empty(1 << 26)

    def best(work) -> float:
        work()
        times = []
        for _ in range(8):
            begin = time.monotonic()
            work()
            times.append(time.monotonic() - begin)
        return min(times)

    products = min(best(lambda: x @ weight), best(lambda: torch.ops.mkl._mkl_linear(x, packed, weight, None, 2048)))
    return {"sgemm, GFLOP/s": 2 * 2048**3 / products / 1e9, "copy, GB/s": 8 * large.numel() / best(large.clone) / 1e9}


def arguments_of_request(arguments: argparse.Namespace) -> dict:
    hints_file = Path(arguments.model) / "kinescope.json"
    hints = json.loads(hints_file.read_text())["defaults"] if hints_file.exists() else {}
    request = {"model": arguments.model, "prompt": arguments.prompt, "image": arguments.image, "count": False,
               "threads": arguments.threads, "storage": arguments.storage, "guidance_scale": arguments.guidance_scale,
               "max_sequence_length": arguments.max_sequence_length}
    for name, option in [("width", arguments.width), ("height", arguments.height),
                         ("num_frames", arguments.num_frames), ("num_inference_steps", arguments.steps)]:
        request[name] = option or hints[name]
    if arguments.image:
        request["decode_chunk_size"] = arguments.decode_chunk_size
    return request


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--prompt", default="a red ball moving left on a blue background")
    parser.add_argument("--image", help="for models that make video from one")
    for name in ("width", "height", "num-frames", "steps"):
        parser.add_argument(f"--{name}", type=int)
    parser.add_argument("--decode-chunk-size", type=int, default=2)
    parser.add_argument("--guidance-scale", type=float, default=1.0)
    parser.add_argument("--max-sequence-length", type=int, default=512)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--storage", default="auto", help="of Kinescope's denoiser: int8 ...; diffusers stays float32")
    parser.add_argument("--count", action="store_true", help="also count the operations of diffusers' run")
    arguments = parser.parse_args()
    request = arguments_of_request(arguments)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pairs = [(run_ours(arguments.cli, request, folder), run_theirs(request, folder))
                 for _ in range(arguments.repeats)]
        print_table(pairs)
        limits = machine(arguments.threads)
        print(json.dumps({name: round(value, 1) for name, value in limits.items()}))
        if not arguments.count:
            return
        for part, flops in run_theirs(request | {"count": True}, folder)["flops"].items():
            least = flops / limits["sgemm, GFLOP/s"] / 1e9
            ours, theirs = (statistics.median(pair[side][part] for pair in pairs) for side in (0, 1))
            print(f"{part}: {flops / 1e9:.1f} GFLOP as diffusers counts, {least:.3f} s at the peak; kinescope "
                  f"{least / ours:.2f} of it, diffusers {least / theirs:.2f}")


if __name__ == "__main__":
    main()
