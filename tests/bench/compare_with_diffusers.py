#!/usr/bin/env python3
"""Time Kinescope against diffusers on the same model folder, in the same run.

    python3 tests/bench/compare_with_diffusers.py --cli build/bin/kinescope-cli --model resources/demo_model

Each side is a fresh process that loads the model, makes one video and writes it as MP4; they take turns, so that a busy
machine is busy for both.  Printed are the median of the whole run, process start to file, and the largest peak of
resident memory.  Needs: torch, diffusers, transformers, opencv-python-headless.
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

PEER = """
import json, sys
import cv2, numpy, torch
from diffusers import WanPipeline

torch.set_num_threads(int(sys.argv[3]))
hints = json.load(open(sys.argv[1] + "/kinescope.json"))["defaults"]
pipeline = WanPipeline.from_pretrained(sys.argv[1], torch_dtype=torch.float32)
pipeline.set_progress_bar_config(disable=True)
frames = pipeline(prompt=sys.argv[4], negative_prompt="", width=hints["width"], height=hints["height"],
                  num_frames=hints["num_frames"], num_inference_steps=hints["num_inference_steps"],
                  guidance_scale=hints["guidance_scale"], generator=torch.Generator("cpu").manual_seed(1),
                  output_type="np").frames[0]
writer = cv2.VideoWriter(sys.argv[2], cv2.VideoWriter_fourcc(*"mp4v"), hints["fps"], (hints["width"], hints["height"]))
for frame in frames:
    writer.write(cv2.cvtColor((frame * 255).round().astype(numpy.uint8), cv2.COLOR_RGB2BGR))
writer.release()
"""


def run(command: list[str]) -> tuple[float, float]:
    """Run a command to its end; return its wall-clock seconds and its peak resident memory in MiB."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]} failed:\n{errors.decode(errors='replace')[-2000:]}")
    return seconds, usage.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--prompt", default="a red ball moving left on a blue background")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()

    figures: dict[str, list[tuple[float, float]]] = {"kinescope": [], "diffusers": []}
    with tempfile.TemporaryDirectory() as folder:
        peer = Path(folder) / "peer.py"
        peer.write_text(PEER)
        for repeat in range(arguments.repeats):
            ours = [arguments.cli, "generate", "--model", arguments.model, "--prompt", arguments.prompt, "--seed", "1",
                    "--threads", str(arguments.threads), "--quiet", "--output", f"{folder}/ours{repeat}.mp4"]
            theirs = [sys.executable, str(peer), arguments.model, f"{folder}/theirs{repeat}.mp4",
                      str(arguments.threads), arguments.prompt]
            figures["kinescope"].append(run(ours))
            figures["diffusers"].append(run(theirs))

    summary = {
        name: {"seconds": round(statistics.median(s for s, _ in runs), 2), "peak_rss_mib": round(max(m for _, m in runs), 1)}
        for name, runs in figures.items()
    }
    summary["ratio_of_times"] = round(summary["diffusers"]["seconds"] / summary["kinescope"]["seconds"], 2)
    print(json.dumps(summary, indent=1))


if __name__ == "__main__":
    main()
