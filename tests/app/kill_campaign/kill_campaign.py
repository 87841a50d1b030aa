#!/usr/bin/env python3
"""Kills `kinescope-cli generate` at random moments, resumes it, and compares with an unbroken run.

    kill_campaign.py --program build/bin/kinescope-cli [--runs 50] [--seed 1] [--device cpu] [--signal KILL|TERM]

After every kill, each output file must be complete or missing. After `resume --all`, the video, the frames and the
final latents must equal those of an unbroken run byte for byte, no temporary file may be left, the queue must be empty,
and the numeric log must contain every step once. Some runs are killed again while they are resumed. There are plain,
guided and streamed runs, runs with a step cache, runs that heal an overflow in float16, and batches of three. The exit
code is 0 if all conditions hold.
"""

import argparse
import collections
import json
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROMPTS = [
    "a red ball moving left on a blue background",
    "a yellow square moving up on a black background",
    "a purple triangle moving right on a white background",
]
STEPS = 12
DATA = Path(__file__).resolve().parents[2] / "data"
HEALING = ["--model", "../overflowing", "--dtype", "fp16", "--width", "48", "--height", "32", "--num-frames", "5",
           "--max-sequence-length", "32"]
KINDS = [
    ("plain", ["--scheduler", "unipc", "--guidance-scale", "1.0"]),
    ("guided", ["--scheduler", "flow_match_euler", "--guidance-scale", "3.0"]),
    ("streamed", ["--offload", "blocks"]),
    ("step cache", ["--step-cache", "0.2", "--guidance-scale", "1.0"]),
    ("healing", HEALING),
    ("batch", []),
]
SIGNALS = {"KILL": signal.SIGKILL, "TERM": signal.SIGTERM}


def scale(data, header, start, name, index, factor):
    """Scales row `index` of a float32 vector or matrix; a negative `index` means column -1 - `index`."""
    entry = header[name]
    rows, columns = (entry["shape"] + [1])[:2]
    places = [index * columns + column for column in range(columns)] if index >= 0 else [
        row * columns - 1 - index for row in range(rows)]
    for place in places:
        offset = start + entry["data_offsets"][0] + 4 * place
        data[offset:offset + 4] = struct.pack("<f", struct.unpack("<f", data[offset:offset + 4])[0] * factor)


def make_overflowing_model(folder):
    """Writes a model with two channels in an attention that overflow float16. The next projection undoes the factor."""
    shutil.copytree(DATA / "wan_t2v" / "model", folder)
    file = folder / "transformer" / "diffusion_pytorch_model.safetensors"
    data = bytearray(file.read_bytes())
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    for channel in (3, 21):
        scale(data, header, start, "blocks.1.attn1.to_v.weight", channel, 2.0 ** 17)
        scale(data, header, start, "blocks.1.attn1.to_v.bias", channel, 2.0 ** 17)
        scale(data, header, start, "blocks.1.attn1.to_out.0.weight", -1 - channel, 2.0 ** -17)
    file.write_bytes(data)


class Case:
    """A request or batch, the outputs of an unbroken run, and its duration."""

    def __init__(self, campaign, index):
        self.name, extra = KINDS[index]
        self.is_batch = self.name == "batch"
        self.flags = ["--steps", str(STEPS), "--device", campaign.device, "--threads", "1", *extra]
        self.requests = [self.request(index, item) for item in range(3 if self.is_batch else 1)]
        self.outputs = [request[key] for request in self.requests for key in ("output", "frames", "latents")]
        self.logs = [request["numeric_log"] for request in self.requests]
        folder = campaign.folder / f"unbroken-{index}"
        began = time.monotonic()
        done = self.start(campaign, folder)
        if done.wait() != 0:
            sys.exit(f"the unbroken run failed: {' '.join(self.flags)}\n{(folder / 'stderr.txt').read_text()}")
        self.seconds = time.monotonic() - began
        self.expected = {name: (folder / name).read_bytes() for name in self.outputs}

    @staticmethod
    def request(index, item):
        return {"prompt": PROMPTS[(index + item) % len(PROMPTS)], "seed": 100 + 10 * index + item,
                "output": f"clip-{item}.mp4", "frames": f"frames-{item}.safetensors",
                "latents": f"latents-{item}.safetensors", "numeric_log": f"log-{item}.jsonl"}

    def arguments(self, folder):
        """Returns the arguments of `generate` in `folder`. For a batch, writes its list there."""
        if not self.is_batch:
            named = [word for key, value in self.requests[0].items()
                     for word in ("--" + key.replace("_", "-"), str(value))]
            return [*named, *self.flags]
        # Batches store absolute paths in the settings, so videos from two folders would differ: leave the settings out.
        lines = [json.dumps({**request, "settings_in_file": False}) for request in self.requests]
        (folder / "list.jsonl").write_text("\n".join(lines) + "\n")
        return ["--batch", "list.jsonl", *self.flags]

    def start(self, campaign, folder):
        folder.mkdir()
        return campaign.start(folder, ["generate", *self.arguments(folder)])


class Campaign:
    def __init__(self, program, device, folder, signal_number):
        self.program = program
        self.device = device
        self.folder = folder
        self.signal = signal_number
        make_overflowing_model(folder / "overflowing")

    def start(self, folder, arguments):
        """Starts a program with separate state and cache folders, so that runs do not share learned overrides."""
        environment = dict(os.environ, XDG_STATE_HOME=str(folder / "state"), XDG_CACHE_HOME=str(folder / "cache"))
        return subprocess.Popen([self.program, "--quiet", *arguments], cwd=folder, env=environment,
                                stdout=subprocess.DEVNULL, stderr=(folder / "stderr.txt").open("a"))


def jobs_in(folder):
    jobs = folder / "state" / "kinescope" / "jobs"
    return sorted(path for path in jobs.glob("*") if path.name.isdigit()) if jobs.is_dir() else []


def wait_for_jobs(folder, process, case):
    """Waits until all jobs are saved, because only then they must survive. Returns False if the program has ended.

    The first job may finish before the last one is saved.
    """
    while process.poll() is None and len(jobs_in(folder)) < len(case.requests):
        if (folder / case.requests[0]["output"]).exists():
            break
        time.sleep(0.001)
    return process.poll() is None


def moment(folder):
    """Returns the progress of a killed job according to its saved files."""
    jobs = jobs_in(folder)
    if not jobs:
        return "nothing left to do"
    job = json.loads((jobs[0] / "job.json").read_text())
    if job.get("saved"):
        return "saving"
    step = jobs[0] / "step.safetensors"
    if step.exists():
        data = step.read_bytes()
        header = json.loads(data[8:8 + int.from_bytes(data[:8], "little")])
        done = int(header["__metadata__"]["step"])
        return "decoding" if done == STEPS else "denoising"
    return "encoded" if (jobs[0] / "conditioning.safetensors").exists() else "before the first step"


def wrong_files(folder, case):
    """Returns the output files that exist but differ from those of the unbroken run."""
    return [name for name in case.outputs
            if (folder / name).exists() and (folder / name).read_bytes() != case.expected[name]]


def leftovers(folder, case):
    known = {*case.outputs, *case.logs, "state", "cache", "stderr.txt", "list.jsonl"}
    return sorted(path.name for path in folder.iterdir() if path.name not in known) + [
        f"job {path.name}" for path in jobs_in(folder)]


def log_faults(folder, case):
    faults = []
    for log in case.logs:
        records = [json.loads(line) for line in (folder / log).read_text().splitlines()]
        steps = [record["step"] for record in records if record["record"] == "step"]
        headers = sum(record["record"] == "header" for record in records)
        if steps != list(range(STEPS)) or headers != 1:
            faults.append(f"{log}: {headers} headers, steps {steps}")
        if case.name == "healing" and not any(record["record"] == "guard" for record in records):
            faults.append(f"{log}: nothing was healed")
    return faults


def kill_after(process, seconds, signal_number):
    """Returns False if the process ended before the kill."""
    time.sleep(seconds)
    if process.poll() is not None:
        return False
    process.send_signal(signal_number)
    return process.wait() != 0


def faults_after_resume(folder, case, exit_code):
    faults = [] if exit_code == 0 else [f"resume ended with {exit_code}"]
    faults += [f"{name} is missing" for name in case.outputs if not (folder / name).exists()]
    faults += [f"{name} differs" for name in wrong_files(folder, case)]
    faults += [f"left behind: {name}" for name in leftovers(folder, case)]
    return faults or log_faults(folder, case)


def run_once(campaign, case, folder, chance):
    """Returns the moments of the kills and the faults; None if the run ended before the kill."""
    process = case.start(campaign, folder)
    if not wait_for_jobs(folder, process, case) or not kill_after(process, chance.uniform(0, case.seconds),
                                                                  campaign.signal):
        process.wait()
        return None
    where = [moment(folder)]
    faults = [f"after the kill: {name} is wrong" for name in wrong_files(folder, case)]
    if chance.random() < 0.3:
        process = campaign.start(folder, ["resume", "--all"])
        if kill_after(process, chance.uniform(0, case.seconds), campaign.signal):
            where.append(moment(folder))
            faults += [f"after the second kill: {name} is wrong" for name in wrong_files(folder, case)]
    if jobs_in(folder):
        resumed = campaign.start(folder, ["resume", "--all"]).wait()
        faults += faults_after_resume(folder, case, resumed)
    else:
        faults += faults_after_resume(folder, case, 0)
    return where, faults


def run_campaign(campaign, runs, seed):
    chance = random.Random(seed)
    cases = [Case(campaign, index) for index in range(min(len(KINDS), runs))]
    moments = collections.Counter()
    equal = collections.Counter()
    counts = collections.Counter()
    good = number = kills = 0
    for counted in range(runs):
        outcome = None
        while outcome is None:
            number += 1
            folder = campaign.folder / f"run-{number}"
            case = cases[counted % len(cases)]
            outcome = run_once(campaign, case, folder, chance)
            if outcome is None:
                shutil.rmtree(folder)
        where, faults = outcome
        moments.update(where)
        kills += len(where)
        good += not faults
        counts[case.name] += 1
        equal[case.name] += not faults
        print(f"{counted + 1:3} {case.name}: killed while {', then '.join(where)}: {'; '.join(faults) or 'equal'}", flush=True)
        if not faults:
            shutil.rmtree(folder)
    print(f"{good} of {runs} runs equal to an unbroken one, byte for byte; {kills} kills, {number} starts, seed {seed}")
    for name, count in counts.items():
        print(f"  {equal[name]:3} of {count} {name}")
    for where, count in moments.most_common():
        print(f"  {count:3} {where}")
    return good == runs


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, type=Path)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--signal", choices=sorted(SIGNALS), default="KILL")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kinescope-kills-") as folder:
        campaign = Campaign(str(arguments.program.resolve()), arguments.device, Path(folder), SIGNALS[arguments.signal])
        sys.exit(0 if run_campaign(campaign, arguments.runs, arguments.seed) else 1)


if __name__ == "__main__":
    main()
