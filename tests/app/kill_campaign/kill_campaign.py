#!/usr/bin/env python3
"""Kills `kinescope-cli generate` at random moments, resumes it, and compares with an unbroken run.

    kill_campaign.py --program build/bin/kinescope-cli [--runs 70] [--seed 1] [--device cpu] [--signal KILL|TERM|BOTH]

After every kill the final names must hold nothing or the whole file. After `resume --all` the video, the frames and the
final latents must be those of an unbroken run, byte for byte; no temporary file may be left, the queue must be empty,
and the numeric log must have every step once. Some runs are killed again while they are resumed. The runs go through the
tiny models of every family: plain, streamed, with a step cache, healing an overflow in float16, and in batches of three.
SIGTERM asks the program to stop; it may finish instead. Exit code 0: all held.
"""

import argparse
import collections
import json
import math
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

STEPS = 12
DATA = Path(__file__).resolve().parents[2] / "data"
DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo_model"
PATHS = ["model", "image", "text_encoder", "vae", "tokenizer"]
ATTENTION = ("attn1.to_v", "attn1.to_out.0")
FEED_FORWARD = ("ff.net.0.proj", "ff.net.2")

# Each family's case, the denoiser's blocks in its files, and two layers in a row: the first overflows float16, and the
# second compensates for the larger values.
FAMILIES = {
    "built-in": ("builtin", "transformer/blocks.1", ATTENTION),
    "Wan": ("wan_t2v", "transformer/blocks.1", ATTENTION),
    "Wan, two experts": ("wan_variants/a14b_t2v", "transformer/blocks.1", ATTENTION),
    "CogVideoX": ("cogvideox/t2v", "transformer/transformer_blocks.1", ATTENTION),
    "SVD": ("svd", "unet/down_blocks.0.attentions.0.transformer_blocks.0", ATTENTION),
    "Step-Video": ("stepvideo_t2v", "transformer/transformer_blocks.1", FEED_FORWARD),
    "LTX-Video": ("ltx/t2v", "transformer/transformer_blocks.1", ATTENTION),
}
MODES = {
    "plain": {},
    "streamed": {"offload": "blocks"},
    "step cache": {"step_cache": 0.2},
    "healing": {"dtype": "fp16"},
    "batch": {},
}
SIGNALS = {"KILL": [signal.SIGKILL], "TERM": [signal.SIGTERM], "BOTH": [signal.SIGKILL, signal.SIGTERM]}
FORMATS = {"F32": "f", "F16": "e", "BF16": "H"}
LARGEST_WEIGHT = 60000.0


def to_floats(values, form):
    """Converts stored values to floats. bfloat16 is the upper half of float32."""
    return [struct.unpack("<f", struct.pack("<I", value << 16))[0] for value in values] if form == "H" else list(values)


def to_stored(values, form):
    return [struct.unpack("<I", struct.pack("<f", value))[0] >> 16 for value in values] if form == "H" else values


class Weight:
    """A matrix or vector in a safetensors file."""

    def __init__(self, file, header, start, name):
        entry = header[name]
        self.file = file
        self.form = FORMATS[entry["dtype"]]
        self.begin, self.end = (start + offset for offset in entry["data_offsets"])
        self.columns = (entry["shape"] + [1])[1]
        raw = file.read_bytes()[self.begin:self.end]
        self.values = to_floats(struct.unpack(f"<{len(raw) // struct.calcsize(self.form)}{self.form}", raw), self.form)

    def scale(self, is_scaled, factor):
        """Multiplies the values for which is_scaled(row, column) is true, and writes them to the file."""
        for index, value in enumerate(self.values):
            if is_scaled(*divmod(index, self.columns)):
                self.values[index] = value * factor
        data = bytearray(self.file.read_bytes())
        data[self.begin:self.end] = struct.pack(f"<{len(self.values)}{self.form}", *to_stored(self.values, self.form))
        self.file.write_bytes(data)


def weight_of(component, name):
    """Returns a weight from the shard that contains it, or None if there is no such weight."""
    for file in component.glob("*.safetensors"):
        data = file.read_bytes()
        start = 8 + int.from_bytes(data[:8], "little")
        header = json.loads(data[8:start])
        if name in header:
            return Weight(file, header, start, name)
    return None


def make_overflowing_model(model, block, layers, folder):
    """Copies a model. Enlarges two channels of a layer beyond float16; the next layer compensates for it."""
    shutil.copytree(model, folder, ignore=shutil.ignore_patterns("training"))
    component, name = block.split("/")
    channels = (3, 5)
    first, second = (f"{name}.{layer}" for layer in layers)
    weight = weight_of(folder / component, f"{first}.weight")
    factor = 2.0 ** math.floor(math.log2(LARGEST_WEIGHT / max(map(abs, weight.values))))
    weight.scale(lambda row, column: row in channels, factor)
    bias = weight_of(folder / component, f"{first}.bias")
    if bias:
        bias.scale(lambda row, column: row in channels, factor)
    weight_of(folder / component, f"{second}.weight").scale(lambda row, column: column in channels, 1 / factor)


def request_of(case):
    """Returns a request with absolute paths. The paths in a case are relative to its request."""
    if case == "builtin":
        return {"model": "builtin", "prompt": "a red ball moving left on a blue background",
                "scheduler": "flow_match_euler", "guidance_scale": 3.0}
    request = json.loads((DATA / case / "request.json").read_text())
    for key in PATHS:
        if request.get(key):
            request[key] = os.path.normpath(DATA / case / request[key])
    return request


class Case:
    """A request or batch, the outputs of an unbroken run, and its duration."""

    def __init__(self, campaign, index):
        self.family = list(FAMILIES)[index % len(FAMILIES)]
        self.mode = list(MODES)[index % len(MODES)]
        self.name = f"{self.family}, {self.mode}"
        base = self.base_request(campaign) | MODES[self.mode] | {
            "num_inference_steps": STEPS, "device": campaign.device, "threads": 1}
        items = range(3 if self.mode == "batch" else 1)
        self.requests = [base | self.own_fields(index, item) for item in items]
        self.outputs = [request[key] for request in self.requests for key in ("output", "frames", "latents")]
        self.logs = [request["numeric_log"] for request in self.requests]
        folder = campaign.folder / f"unbroken-{index}"
        began = time.monotonic()
        if self.start(campaign, folder).wait() != 0:
            sys.exit(f"the unbroken run failed: {self.name}\n{(folder / 'stderr.txt').read_text()}")
        self.seconds = time.monotonic() - began
        self.expected = {name: (folder / name).read_bytes() for name in self.outputs}

    def base_request(self, campaign):
        case, block, layers = FAMILIES[self.family]
        request = request_of(case)
        if self.mode == "healing":
            model = DEMO if case == "builtin" else Path(request["model"])
            request["model"] = str(campaign.folder / f"overflowing {self.family}")
            make_overflowing_model(model, block, layers, Path(request["model"]))
        return request

    @staticmethod
    def own_fields(index, item):
        return {"seed": 100 + 10 * index + item, "output": f"clip-{item}.mp4", "frames": f"frames-{item}.safetensors",
                "latents": f"latents-{item}.safetensors", "numeric_log": f"log-{item}.jsonl"}

    def arguments(self, folder):
        """Writes the request or the batch to `folder` and returns the arguments that run it."""
        list_file = folder / ("list.jsonl" if self.mode == "batch" else "request.json")
        list_file.write_text("".join(json.dumps(request) + "\n" for request in self.requests))
        return ["generate", "--batch" if self.mode == "batch" else "--request", list_file.name]

    def start(self, campaign, folder):
        folder.mkdir()
        return campaign.start(folder, self.arguments(folder))


class Campaign:
    def __init__(self, program, device, folder, signals):
        self.program = program
        self.device = device
        self.folder = folder
        self.signals = signals

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
    known = {*case.outputs, *case.logs, "state", "cache", "stderr.txt", "list.jsonl", "request.json"}
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
        if case.mode == "healing" and not any(record["record"] == "guard" for record in records):
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
    number = chance.choice(campaign.signals)
    if not wait_for_jobs(folder, process, case) or not kill_after(process, chance.uniform(0, case.seconds), number):
        process.wait()
        return None
    where = [moment(folder)]
    faults = [f"after the kill: {name} is wrong" for name in wrong_files(folder, case)]
    if chance.random() < 0.3:
        process = campaign.start(folder, ["resume", "--all"])
        if kill_after(process, chance.uniform(0, case.seconds), chance.choice(campaign.signals)):
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
    cases = [Case(campaign, index) for index in range(min(len(FAMILIES) * len(MODES), runs))]
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
        for name in (case.family, case.mode):
            counts[name] += 1
            equal[name] += not faults
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
    parser.add_argument("--runs", type=int, default=70)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--signal", choices=sorted(SIGNALS), default="KILL")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kinescope-kills-") as folder:
        campaign = Campaign(str(arguments.program.resolve()), arguments.device, Path(folder), SIGNALS[arguments.signal])
        sys.exit(0 if run_campaign(campaign, arguments.runs, arguments.seed) else 1)


if __name__ == "__main__":
    main()
