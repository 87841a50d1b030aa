#!/usr/bin/env python3
"""Compares the memory that `plan` predicts with that of a run, phase by phase.

    python3 tests/bench/measure_memory.py --cli build/bin/kinescope-cli
    python3 tests/bench/measure_memory.py --cli build/bin/kinescope-cli --models FOLDER_OF_MODELS --only wan

Each case is planned and run in separate processes.  Prints for each phase the planned MiB, the peak resident memory
(sampled every few milliseconds, with its anonymous and file-backed parts), and measured / planned.  The last line of a
case contains the kernel's high-water mark.  Models come from make_model.py with the names of compare_shapes.py; missing
models are skipped.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import threading
import time
from pathlib import Path

IMAGE = Path(__file__).resolve().parents[1] / "data/svd/image.png"
WAN = "--width 256 --height 256 --num-frames 9 --steps 2 --prompt ball"
COGVIDEOX = "--width 256 --height 256 --num-frames 17 --steps 2 --prompt ball"
LTX = "--width 512 --height 320 --num-frames 25 --steps 2 --prompt ball"
CLIP = IMAGE.parents[1] / "ltx/condition_clips/middle"
SVD = f"--width 256 --height 256 --num-frames 14 --steps 1 --image {IMAGE}"
CASES = (
    ("builtin", "--prompt ball"),
    ("builtin", "--prompt ball --storage int8"),
    ("builtin", "--prompt ball --offload blocks"),
    ("builtin", "--prompt ball --guidance-scale 3 --num-frames 33"),
    ("wan-1.3b-transformer-4", WAN),
    ("wan-1.3b-transformer-4", f"{WAN} --num-frames 33"),
    ("wan-1.3b-transformer-4", f"{WAN} --max-memory 600MiB"),
    ("wan-1.3b-transformer-4", f"{WAN} --offload blocks"),
    ("wan-1.3b-transformer-4", f"{WAN} --storage fp32"),
    ("wan-1.3b-transformer-4", f"{WAN} --dtype bf16"),
    ("wan-1.3b-transformer-4", f"{WAN} --storage int8"),
    ("wan-1.3b-transformer-4", f"{WAN} --storage int8 --offload blocks"),
    ("cogvideox-2b-transformer-4", COGVIDEOX),
    ("cogvideox-2b-transformer-4", f"{COGVIDEOX} --offload blocks"),
    ("cogvideox-2b-transformer-4", f"{COGVIDEOX} --storage int8"),
    ("svd-unet-1", SVD),
    ("svd-unet-1", f"{SVD} --offload blocks"),
    ("svd-unet-1", f"{SVD} --storage int8"),
    ("wan-1.3b-vae-all", "--width 256 --height 256 --num-frames 5 --steps 1 --prompt ball"),
    ("wan-1.3b-i2v-vae-all", f"--width 256 --height 256 --num-frames 5 --steps 1 --prompt ball --image {IMAGE}"),
    ("cogvideox-2b-i2v-vae-all", f"--width 128 --height 128 --num-frames 9 --steps 1 --prompt ball --image {IMAGE}"),
    ("cogvideox-2b-i2v-vae-all",
     f"--width 256 --height 256 --num-frames 9 --steps 1 --prompt ball --image {IMAGE} --vae-tiling"),
    ("ltx-2b-transformer-4", LTX),
    ("ltx-2b-transformer-4", f"{LTX} --offload blocks"),
    ("ltx-2b-transformer-4", f"{LTX} --storage int8"),
    ("ltx-2b-i2v-vae-all", f"--width 256 --height 256 --num-frames 9 --steps 1 --prompt ball --image {IMAGE}"),
    ("ltx-2b-i2v-vae-all",
     f"--width 576 --height 576 --num-frames 9 --steps 1 --prompt ball --image {IMAGE} --vae-tiling"),
    ("ltx-2b-condition-vae-all",
     f"--width 256 --height 256 --num-frames 17 --steps 1 --prompt ball --condition {CLIP}@0"),
    ("svd-vae-all", f"--width 256 --height 256 --num-frames 4 --steps 1 --image {IMAGE}"),
    ("svd-vae-all", f"--width 256 --height 256 --num-frames 4 --steps 1 --image {IMAGE} --decode-chunk-size 2"),
)
MIB = float(1 << 20)
PHASES = ("encode", "denoise", "decode")


def resident(pid: int) -> tuple[float, float, float]:
    """Resident memory in MiB: total, anonymous, file-backed. Zeros after the process has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0, 0.0, 0.0
    sizes = {line.split(":")[0]: line.split()[1] for line in lines if line.endswith(" kB")}
    return tuple(float(sizes.get(key, 0)) / 1024 for key in ("VmRSS", "RssAnon", "RssFile"))


class Watch:
    """The peak resident memory of a process in each phase of its events."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.phase = "start"
        self.peaks: dict[str, tuple[float, float, float]] = {}
        self.error = ""

    def follow(self) -> None:
        sampling = threading.Thread(target=self.sample)
        sampling.start()
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if not line.startswith("{"):
                continue
            event = json.loads(line)
            if event.get("event") == "phase":
                self.phase = event["phase"]
            if event.get("event") == "progress" and event["phase"] == "encode":
                self.phase = "denoise"
        sampling.join()

    def sample(self) -> None:
        while self.process.poll() is None:
            now = resident(self.process.pid)
            self.peaks[self.phase] = max(self.peaks.get(self.phase, now), now)
            time.sleep(0.002)


def planned(cli: str, flags: list[str]) -> dict | None:
    done = subprocess.run([cli, "plan", *flags, "--json"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print("   ", done.stdout.strip()[:400], done.stderr.strip()[:400])
        return None
    return json.loads(done.stdout)


def measured(cli: str, flags: list[str]) -> tuple[dict[str, tuple[float, float, float]], float]:
    """Peaks by phase, and the high-water mark in the numeric log."""
    with tempfile.TemporaryDirectory() as name:
        log = Path(name) / "log.jsonl"
        command = [cli, "generate", *flags, "--seed", "1", "--progress", "json", "--numeric-log", str(log), "--output",
                   f"{name}/video.mp4"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            watch = Watch(process)
            watch.follow()
            if process.returncode != 0:
                print("   ", process.stderr.read().strip()[:400])
                return {}, 0.0
        return watch.peaks, json.loads(log.read_text().splitlines()[-1])["peak_memory_bytes"] / MIB


def show(cli: str, model: str, name: str, words: str) -> None:
    print(f"{name} {words.replace(str(IMAGE), 'IMAGE')}", flush=True)
    flags = ["--model", model, *words.split()]
    plan = planned(cli, flags)
    if plan is None:
        return
    peaks, peak = measured(cli, flags)
    if not peaks:
        return
    for phase in plan["phases"]:
        most, anonymous, mapped = peaks.get(phase["phase"], (0.0, 0.0, 0.0))
        parts = ", ".join(f"{part} {size / MIB:.1f}" for part, size in phase["parts"].items())
        bytes_planned = phase["memory_bytes"] / MIB
        print(f"    {phase['phase']:8} {bytes_planned:8.1f} {most:8.1f} {most / bytes_planned:6.2f}"
              f"   anonymous {anonymous:.1f}, mapped {mapped:.1f}   ({parts})")
    whole = plan["peak_memory_bytes"] / MIB
    print(f"    {'whole':8} {whole:8.1f} {peak:8.1f} {peak / whole:6.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--models", type=Path, default=Path("/tmp/kinescope-bench"))
    parser.add_argument("--only", default="", help="a substring of the case's model or flags")
    arguments = parser.parse_args()
    print(f"    {'phase':8} {'planned':>8} {'measured':>8} {'ratio':>6}   MiB")
    for name, words in CASES:
        model = name if name == "builtin" else str(arguments.models / name)
        if arguments.only in f"{name} {words}" and (name == "builtin" or Path(model).is_dir()):
            show(arguments.cli, model, name, words)


if __name__ == "__main__":
    main()
