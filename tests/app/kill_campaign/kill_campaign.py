#!/usr/bin/env python3
"""Kills `kinescope-cli generate` with kill -9 at random moments, resumes it, and compares with an unbroken run.

    kill_campaign.py --program build/bin/kinescope-cli [--runs 50] [--seed 1] [--device cpu]

After every kill the final names must hold nothing or the whole file. After `resume --last` the video, the frames and the
final latents must be those of an unbroken run, byte for byte; no temporary file may be left, the queue must be empty,
and the numeric log must have every step once. Some runs are killed again while they are resumed. Exit code 0: all held.
"""

import argparse
import collections
import json
import os
import random
import shutil
import signal
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
OUTPUTS = ["clip.mp4", "frames.safetensors", "latents.safetensors"]
LOG = "log.jsonl"
STEPS = 12


class Case:
    """One request, its unbroken outputs, and how long it took."""

    def __init__(self, campaign, index):
        self.flags = [
            "--prompt", PROMPTS[index % len(PROMPTS)], "--seed", str(100 + index), "--steps", str(STEPS),
            "--scheduler", ["unipc", "flow_match_euler"][index % 2], "--guidance-scale", ["1.0", "3.0"][index // 2 % 2],
            "--device", campaign.device, "--threads", "1", "--output", "clip.mp4", "--frames", "frames.safetensors",
            "--latents", "latents.safetensors", "--numeric-log", LOG]
        folder = campaign.folder / f"unbroken-{index}"
        folder.mkdir()
        began = time.monotonic()
        done = campaign.start(folder, ["generate", *self.flags])
        if done.wait() != 0:
            sys.exit(f"the unbroken run failed: {' '.join(self.flags)}")
        self.seconds = time.monotonic() - began
        self.expected = {name: (folder / name).read_bytes() for name in OUTPUTS}


class Campaign:
    def __init__(self, program, device, folder):
        self.program = program
        self.device = device
        self.folder = folder
        self.environment = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"))

    def start(self, folder, arguments):
        environment = dict(self.environment, XDG_STATE_HOME=str(folder / "state"))
        return subprocess.Popen([self.program, "--quiet", *arguments], cwd=folder, env=environment,
                                stdout=subprocess.DEVNULL, stderr=(folder / "stderr.txt").open("a"))


def jobs_in(folder):
    jobs = folder / "state" / "kinescope" / "jobs"
    return sorted(path for path in jobs.glob("*") if path.name.isdigit()) if jobs.is_dir() else []


def wait_for_job(folder, process):
    """Until the job is on disk: before that nothing was promised."""
    while process.poll() is None and not jobs_in(folder):
        time.sleep(0.001)
    return process.poll() is None


def moment(folder):
    """How far a killed job came, from what it kept."""
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
    """Files under a final name that are not the whole, right ones."""
    return [name for name in OUTPUTS if (folder / name).exists() and (folder / name).read_bytes() != case.expected[name]]


def leftovers(folder):
    known = set(OUTPUTS) | {LOG, "state", "stderr.txt"}
    return sorted(path.name for path in folder.iterdir() if path.name not in known) + [
        f"job {path.name}" for path in jobs_in(folder)]


def log_faults(folder):
    records = [json.loads(line) for line in (folder / LOG).read_text().splitlines()]
    steps = [record["step"] for record in records if record["record"] == "step"]
    headers = sum(record["record"] == "header" for record in records)
    return [] if steps == list(range(STEPS)) and headers == 1 else [f"log: {headers} headers, steps {steps}"]


def kill_after(process, seconds):
    """False: it had ended before."""
    time.sleep(seconds)
    if process.poll() is not None:
        return False
    process.send_signal(signal.SIGKILL)
    process.wait()
    return True


def faults_after_resume(folder, case, exit_code):
    faults = [] if exit_code == 0 else [f"resume ended with {exit_code}"]
    faults += [f"{name} is missing" for name in OUTPUTS if not (folder / name).exists()]
    faults += [f"{name} differs" for name in wrong_files(folder, case)]
    faults += [f"left behind: {name}" for name in leftovers(folder)]
    return faults or log_faults(folder)


def run_once(campaign, case, folder, chance):
    """What was killed where, and what was wrong; None: the run ended before the kill."""
    folder.mkdir()
    process = campaign.start(folder, ["generate", *case.flags])
    if not wait_for_job(folder, process) or not kill_after(process, chance.uniform(0, case.seconds)):
        process.wait()
        return None
    where = [moment(folder)]
    faults = [f"after the kill: {name} is wrong" for name in wrong_files(folder, case)]
    if chance.random() < 0.3:
        process = campaign.start(folder, ["resume", "--last"])
        if kill_after(process, chance.uniform(0, case.seconds)):
            where.append(moment(folder))
            faults += [f"after the second kill: {name} is wrong" for name in wrong_files(folder, case)]
    if jobs_in(folder):
        faults += faults_after_resume(folder, case, campaign.start(folder, ["resume", "--last"]).wait())
    else:
        faults += faults_after_resume(folder, case, 0)
    return where, faults


def run_campaign(campaign, runs, seed):
    chance = random.Random(seed)
    cases = [Case(campaign, index) for index in range(min(4, runs))]
    moments = collections.Counter()
    good = number = kills = 0
    for counted in range(runs):
        outcome = None
        while outcome is None:
            number += 1
            folder = campaign.folder / f"run-{number}"
            outcome = run_once(campaign, cases[counted % len(cases)], folder, chance)
            if outcome is None:
                shutil.rmtree(folder)
        where, faults = outcome
        moments.update(where)
        kills += len(where)
        good += not faults
        print(f"{counted + 1:3} killed while {', then '.join(where)}: {'; '.join(faults) or 'equal'}", flush=True)
        if not faults:
            shutil.rmtree(folder)
    print(f"{good} of {runs} runs equal to an unbroken one, byte for byte; {kills} kills, {number} starts, seed {seed}")
    for where, count in moments.most_common():
        print(f"  {count:3} {where}")
    return good == runs


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, type=Path)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cpu")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kinescope-kills-") as folder:
        campaign = Campaign(str(arguments.program.resolve()), arguments.device, Path(folder))
        sys.exit(0 if run_campaign(campaign, arguments.runs, arguments.seed) else 1)


if __name__ == "__main__":
    main()
