#!/usr/bin/env python3
"""Simulates power cuts: kills `kinescope-cli generate` at random moments and discards all data that was not synced.

    power_cut.py --program build/bin/kinescope-cli --layer build/tests/libdurable_image.so [--runs 50] [--seed 1]

A preloaded library records the contents of files and the names in folders at their last fsync. After the kill, the disk
is reset to this state in one of two ways, as file systems do after a power cut: "names lost" keeps only the names in
synced folders; "names kept" keeps all names, but files contain only synced data. Afterwards:
 - each output file is complete or missing;
 - if the end of a run was reported, its outputs exist and are complete;
 - if a step of a job was reported, the job exists, and `resume --all` produces the outputs of an unbroken run byte for
   byte.
The numeric log is not synced, so it may restart from the beginning. The runs are those of the kill campaign. The exit
code is 0 if all conditions hold.
"""

import argparse
import collections
import ctypes
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "kill_campaign"))
import kill_campaign as kills  # noqa: E402

MODES = ["names lost", "names kept"]


class Disk:
    """A folder and the part of it that would survive a power cut."""

    def __init__(self, layer, root, image):
        self.library = ctypes.CDLL(str(layer))
        self.library.durable_id.restype = ctypes.c_char_p
        self.layer, self.root, self.image = layer, root, image
        for name in ["data", "names"]:
            (image / name).mkdir(parents=True)
        self.sync_all()

    def id_of(self, path):
        return self.library.durable_id(os.fsencode(path)).decode()

    def environment(self):
        return {"LD_PRELOAD": str(self.layer), "DURABLE_ROOT": str(self.root), "DURABLE_IMAGE": str(self.image)}

    def sync_all(self):
        """Records the current state as synced, before the program starts."""
        for folder, folders, files in os.walk(self.root):
            lines = [f"d {self.id_of(Path(folder, name))} {name}\0" for name in folders]
            lines += [f"f {self.id_of(Path(folder, name))} {name}\0" for name in files]
            (self.image / "names" / self.id_of(folder)).write_text("".join(lines))
            for name in files:
                shutil.copyfile(Path(folder, name), self.image / "data" / self.id_of(Path(folder, name)))

    def synced_names(self, folder_id):
        listing = self.image / "names" / folder_id
        text = listing.read_text() if listing.exists() else ""
        return [line.split(" ", 2) for line in text.split("\0") if line]

    def durable_tree(self, folder_id, path=Path()):
        """Yields (relative path, kind, id) of all entries that are reachable through synced names."""
        for kind, identity, name in self.synced_names(folder_id):
            yield path / name, kind, identity
            if kind == "d":
                yield from self.durable_tree(identity, path / name)

    def current_tree(self):
        for folder, folders, files in os.walk(self.root):
            for kind, names in [("d", folders), ("f", files)]:
                for name in names:
                    path = Path(folder, name)
                    yield path.relative_to(self.root), kind, self.id_of(path)

    def cut_power(self, mode):
        """Resets the folder to the synced state. A file that still exists keeps its inode number, as on a real disk."""
        current = list(self.current_tree())
        tree = current if mode == "names kept" else list(self.durable_tree(self.id_of(self.root)))
        inodes = self.image / "inodes"
        inodes.mkdir()
        for path, kind, identity in current:
            if kind == "f" and not (inodes / identity).exists():
                os.link(self.root / path, inodes / identity)
        for entry in list(self.root.iterdir()):
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        for path, kind, identity in tree:
            if kind == "d":
                (self.root / path).mkdir(exist_ok=True)
                continue
            if (inodes / identity).exists():
                os.link(inodes / identity, self.root / path)
            synced = self.image / "data" / identity
            (self.root / path).write_bytes(synced.read_bytes() if synced.exists() else b"")
        shutil.rmtree(inodes)


def reported_by(file):
    """Returns the jobs with a reported step and those with a reported end."""
    stepped, finished = set(), set()
    for line in file.read_text().splitlines():
        try:
            event = json.loads(line)
        except json.JSONDecodeError:
            break  # cut off by the kill
        if event.get("event") == "step":
            stepped.add(event["job"])
        if event.get("event") == "finished":
            finished.add(event["job"])
    return stepped, finished


def outputs_of(request):
    return [request[key] for key in ("output", "frames", "latents")]


def faults_of_promises(folder, case, stepped, finished):
    """Returns reported jobs and outputs that are missing. A new store numbers the jobs of a batch in order from 1."""
    faults = []
    jobs = {int(path.name) for path in kills.jobs_in(folder)}
    for job, request in enumerate(case.requests, 1):
        is_whole = all((folder / name).exists() for name in outputs_of(request))
        if job in finished and not is_whole:
            faults.append(f"job {job}: its end was reported, and an output is gone")
        if job in stepped and not is_whole and job not in jobs:
            faults.append(f"job {job}: a step was reported, and the job is gone")
    return faults


def faults_of_resume(campaign, case, folder):
    jobs = [int(path.name) for path in kills.jobs_in(folder)]
    exit_code = campaign.start(folder, ["resume", "--all"]).wait() if jobs else 0
    faults = [] if exit_code == 0 else [f"resume ended with {exit_code}"]
    expected = [name for job in jobs if job <= len(case.requests) for name in outputs_of(case.requests[job - 1])]
    faults += [f"{name} is missing" for name in expected if not (folder / name).exists()]
    faults += [f"{name} differs" for name in kills.wrong_files(folder, case)]
    return faults + [f"left behind: {name}" for name in kills.leftovers(folder, case)]


def start(campaign, case, disk, reported):
    folder = disk.root
    environment = dict(os.environ, XDG_STATE_HOME=str(folder / "state"), XDG_CACHE_HOME=str(folder / "cache"),
                       **disk.environment())
    arguments = ["--quiet", "--json", *case.arguments(folder), "--progress", "json"]
    with reported.open("w") as out, reported.with_name("stderr.txt").open("w") as err:
        return subprocess.Popen([campaign.program, *arguments], cwd=folder, env=environment, stdout=out, stderr=err)


def run_once(campaign, case, disk_folder, layer, chance):
    """Returns the mode and the moment of the power cut, and the faults.

    A video contains its own path, so the disk is at the path of the unbroken run.
    """
    folder = disk_folder.with_name(disk_folder.name + "-image")
    for old in [disk_folder, folder]:
        shutil.rmtree(old, ignore_errors=True)
    folder.mkdir()
    (disk_folder / "state" / "kinescope" / "jobs").mkdir(parents=True)
    disk = Disk(layer, disk_folder, folder / "image")
    reported = folder / "stdout.txt"
    process = start(campaign, case, disk, reported)
    killed = kills.kill_after(process, chance.uniform(0, 1.2 * case.seconds), signal.SIGKILL)
    process.wait()
    where = kills.moment(disk_folder) if killed else "after its end"
    mode = chance.choice(MODES)
    disk.cut_power(mode)
    faults = [f"after the cut: {name} is wrong" for name in kills.wrong_files(disk_folder, case)]
    faults += faults_of_promises(disk_folder, case, *reported_by(reported))
    return mode, where, faults + faults_of_resume(campaign, case, disk_folder)


def run_campaign(campaign, layer, runs, seed, keep):
    chance = random.Random(seed)
    cases = [kills.Case(campaign, index) for index in range(min(len(kills.FAMILIES) * len(kills.MODES), runs))]
    table = collections.Counter()
    good = 0
    for number in range(runs):
        index = number % len(cases)
        case = cases[index]
        mode, where, faults = run_once(campaign, case, campaign.folder / f"unbroken-{index}", layer, chance)
        table[mode, where] += 1
        good += not faults
        print(f"{number + 1:3} {case.name}, {mode}, cut {where}: {'; '.join(faults) or 'equal'}", flush=True)
        if faults and keep:
            shutil.copytree(campaign.folder / f"unbroken-{index}", keep / f"run-{number + 1}", symlinks=True)
    print(f"{good} of {runs} power cuts lost nothing that was reported, seed {seed}")
    for (mode, where), count in sorted(table.items()):
        print(f"  {count:3} {mode}, {where}")
    return good == runs


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, type=Path)
    parser.add_argument("--layer", required=True, type=Path)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="Copy the disks of failed runs to this folder")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kinescope-power-cuts-") as folder:
        campaign = kills.Campaign(str(arguments.program.resolve()), "cpu", Path(folder).resolve(), [signal.SIGKILL])
        is_good = run_campaign(campaign, arguments.layer.resolve(), arguments.runs, arguments.seed,
                               arguments.keep)
        sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
