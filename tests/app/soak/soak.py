#!/usr/bin/env python3
"""Generates many videos in one process and checks that its memory and its open files do not grow.

    soak.py --program build/bin/kinescope-cli [--videos 1000] [--seed 1] [--figures soak.json]

The batch alternates between tiny models of every family: Wan (text, image, first and last frame, two experts, 5B),
CogVideoX, SVD, Step-Video, LTX-Video and the built-in model; and between dtypes, streaming, step cache, healing and int8. Measures
the resident memory and the open files of the process after each video. The exit code is 0 if every video was generated
and neither grew by more than the limit between the second and the last fifth of the run.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent.parent / "data"
CASES = ["wan_t2v", "wan_variants/i2v", "wan_variants/flf2v", "wan_variants/a14b_t2v", "wan_variants/ti2v_t2v",
         "cogvideox/t2v", "svd", "stepvideo_t2v", "ltx/t2v", "builtin"]
VARIANTS = [{}, {"dtype": "bf16"}, {"dtype": "fp16"}, {"offload": "blocks"}, {"step_cache": 0.1}, {"storage": "int8"},
            {"guard": "observe"}]
PATHS = ["model", "image", "last_image", "text_encoder", "vae", "image_encoder", "transformer", "transformer_2", "tokenizer",
         "image_processor"]
MOST_GROWTH_MIB = 16.0
MOST_MORE_FILES = 2


def request_of(case, index, chance, folder):
    """Returns a request with absolute paths. The paths in a case are relative to its request."""
    request = {"prompt": "a red ball moving left on a blue background"}
    if case != "builtin":
        request = json.loads((DATA / case / "request.json").read_text())
        for key in PATHS:
            if request.get(key):
                request[key] = os.path.normpath(DATA / case / request[key])
    request |= {"num_inference_steps": 2, "seed": chance.randrange(1 << 32), "device": "cpu",
                "output": str(folder / f"{index}.mp4")}
    return request | VARIANTS[(index // len(CASES)) % len(VARIANTS)]


def resident_mib(process):
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def open_files(process):
    """Counts open files without the locks of waiting jobs, whose number decreases with each video."""
    count = 0
    for descriptor in Path(f"/proc/{process}/fd").iterdir():
        try:
            count += "/kinescope/jobs/" not in os.readlink(descriptor)
        except OSError:
            pass
    return count


class Soak:
    def __init__(self, program, folder, videos, seed):
        self.folder, self.videos = folder, videos
        chance = random.Random(seed)
        batch = folder / "batch.jsonl"
        with batch.open("w") as lines:
            for index in range(videos):
                lines.write(json.dumps(request_of(CASES[index % len(CASES)], index, chance, folder)) + "\n")
        environment = dict(os.environ, XDG_STATE_HOME=str(folder / "state"), XDG_CACHE_HOME=str(folder / "cache"))
        self.process = subprocess.Popen(
            [program, "--quiet", "--json", "generate", "--batch", str(batch), "--progress", "json"], cwd=folder,
            env=environment, stdout=subprocess.PIPE, stderr=(folder / "stderr.txt").open("w"), text=True)
        self.samples, self.ends = [], []

    def run(self):
        began = time.monotonic()
        for line in self.process.stdout:
            event = json.loads(line)
            if event.get("event") not in ["finished", "failed", "cancelled"]:
                continue
            self.ends.append(event["event"])
            try:
                self.samples.append((resident_mib(self.process.pid), open_files(self.process.pid)))
            except OSError:
                pass  # the last one: the process has ended
            if event["event"] == "finished":  # only this one, because the next one may be in the making
                Path(self.folder, event["output"]).unlink()
            if len(self.ends) % 50 == 0:
                mib, files = self.samples[-1]
                print(f"{len(self.ends):5} videos, {time.monotonic() - began:6.0f} s, {mib:6.1f} MiB, {files} files",
                      flush=True)
        self.exit_code = self.process.wait()
        self.seconds = time.monotonic() - began

    def figures(self):
        fifth = max(len(self.samples) // 5, 1)
        first, last = self.samples[fifth:2 * fifth] or self.samples, self.samples[-fifth:]
        middle = lambda rows, column: statistics.median(row[column] for row in rows)
        return {"videos": self.videos, "finished": self.ends.count("finished"), "exit_code": self.exit_code,
                "seconds": round(self.seconds), "peak_mib": round(max(row[0] for row in self.samples), 1),
                "mib_second_fifth": round(middle(first, 0), 1), "mib_last_fifth": round(middle(last, 0), 1),
                "files_second_fifth": middle(first, 1), "files_last_fifth": middle(last, 1)}


def faults_of(figures):
    faults = []
    if figures["finished"] != figures["videos"] or figures["exit_code"] != 0:
        faults.append("not every video was made")
    if figures["mib_last_fifth"] - figures["mib_second_fifth"] > MOST_GROWTH_MIB:
        faults.append("memory grows")
    if figures["files_last_fifth"] - figures["files_second_fifth"] > MOST_MORE_FILES:
        faults.append("open files grow")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, type=Path)
    parser.add_argument("--videos", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--figures", type=Path, help="Write the figures here, as JSON")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kinescope-soak-") as folder:
        soak = Soak(str(arguments.program.resolve()), Path(folder), arguments.videos, arguments.seed)
        soak.run()
        figures = soak.figures()
        faults = faults_of(figures)
        print(json.dumps(figures))
        print("; ".join(faults) or "memory and open files are flat")
        if faults:
            print((Path(folder) / "stderr.txt").read_text()[-2000:])
        if arguments.figures:
            arguments.figures.write_text(json.dumps(figures, indent=1) + "\n")
        sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
