#!/usr/bin/env python3
"""Generates videos on the Slurm cluster that run.sh has started, with faults, and compares them with local runs.

    campaign.py --lab lab.sh --dir DIR --program kinescope-cli [--videos 50] [--submit 1000] [--scaling 8] [--short]

Faults of the campaign: a node's daemon is killed (its task goes on as a zombie while Slurm starts it again), the tasks of
a node are killed, alone and with their watchers, a task is requeued, one is cancelled with scancel, and the program that follows the
batch is killed with SIGKILL. All videos must exist in the end, whole, once, and with the bytes of a local run.
The exit code is 1 if anything differs.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

LONG = 30  # every fifth video has this many times the steps, so that faults find it unfinished
HOSTILE = ("it's", "two words", "$(touch x) `id`", "line\nbreak", '"quoted"; rm -rf .', "\u6587\u4ef6")


def say(text):
    print(f"[{time.strftime('%H:%M:%S')}] {text}", flush=True)


class Failure(Exception):
    pass


def require(condition, text):
    if not condition:
        raise Failure(text)


class Campaign:
    def __init__(self, arguments):
        self.arguments = arguments
        self.dir = pathlib.Path(arguments.dir)
        self.shared = self.dir / "shared"
        self.shared.mkdir()
        self.environment = dict(os.environ, XDG_STATE_HOME=str(self.dir / "state"), XDG_CACHE_HOME=str(self.dir / "cache"))
        self.hit = set()
        self.program = str(pathlib.Path(arguments.program).resolve())

    def run(self, *words, check=True):
        done = subprocess.run(words, env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if check and done.returncode != 0:
            raise Failure(f"{' '.join(words)[:200]}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def cli(self, *words, check=True):
        return self.run(self.program, *words, check=check)

    def lab(self, *words):
        return self.run(self.arguments.lab, words[0], str(self.dir / "lab"), *words[1:])

    def cluster(self, *words, check=True):
        return self.cli("cluster", *words, check=check)

    def state(self, batch):
        return json.loads(self.cluster("status", batch, "--json").stdout)

    def write_batch(self, name, count, steps, long=1):
        folder = self.dir / name
        folder.mkdir()
        lines = []
        for number in range(1, count + 1):
            odd = HOSTILE[number - 1] if number <= len(HOSTILE) else "video"
            lines.append(json.dumps({
                "model": "builtin", "prompt": f"a red ball moving left, {number} {odd}", "seed": number,
                "num_inference_steps": steps * (long if number % 5 == 0 else 1), "num_frames": 9, "threads": 1, "device": "cpu",
                "output": f"{name}/{odd} {number}.mp4", "numeric_log": f"{name}/{number}.jsonl"}))
        file = self.dir / f"{name}.jsonl"
        file.write_text("\n".join(lines) + "\n")
        return file

    def submit(self, file, *options):
        answer = self.cli("generate", "--batch", str(file), "--slurm", "--shared-dir", str(self.shared), "--cpus", "1",
                          "--json", *options)
        return json.loads(answer.stdout)["batch"]

    def videos(self, name):
        """{number: SHA-256 of the video}"""
        found = {}
        for file in (self.dir / name).glob("*.mp4"):
            found[int(re.search(r"(\d+)\.mp4$", file.name)[1])] = hashlib.sha256(file.read_bytes()).hexdigest()
        return found

    def compare(self, reference, name, count):
        wanted, made = self.videos(reference), self.videos(name)
        require(sorted(wanted) == list(range(1, count + 1)), f"the local run made {sorted(wanted)}")
        missing = sorted(set(wanted) - set(made))
        require(not missing, f"videos are missing: {missing}")
        require(len(list((self.dir / name).glob("*.mp4"))) == count, "there are additional videos")
        different = [number for number in wanted if wanted[number] != made[number]]
        require(not different, f"videos differ from those of the local run: {different}")
        logs = [number for number in wanted if '"summary"' not in self.last_line(self.dir / name / f"{number}.jsonl")]
        require(not logs, f"numeric logs are not whole: {logs}")
        left = [file.name for file in (self.dir / name).iterdir() if file.name.endswith(".part")]
        require(not left, f"temporary files are left: {left}")

    @staticmethod
    def last_line(file):
        lines = file.read_text().splitlines()
        return lines[-1] if lines else ""

    def batch_folder(self, batch):
        return self.shared / f"kinescope-{batch}"

    def count_publications(self, batch):
        """{video: number of starts that reported a whole video}"""
        published = {}
        for log in (self.batch_folder(batch) / "logs").iterdir():
            for video, text in re.findall(r"video (\d+) of batch \w+, start (.*?)(?=video \d+ of batch|\Z)", log.read_text(),
                                          re.DOTALL):
                if "frames in" in text and "another start" not in text:
                    published[int(video)] = published.get(int(video), 0) + 1
        return published

    def follow(self, batch):
        log = open(self.dir / "follow.log", "a")
        return subprocess.Popen([self.program, "cluster", "wait", batch, "--poll", "1", "--progress", "none"],
                                env=self.environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    def running(self, batch):
        """[(video, node, Slurm's name of the task)] of the tasks that have finished a step and are not near their end"""
        found = {}
        for file in (self.batch_folder(batch) / "tasks").glob("*/*/status.json"):
            try:
                status = json.loads(file.read_text())
                age = time.time() - file.stat().st_mtime
            except OSError:
                continue  # the task has just ended
            if age > 3:
                continue  # the task was killed
            is_early = 1 <= status["step"] < 0.8 * status["num_steps"] and status["num_steps"] >= 100
            if status["state"] == "running" and is_early:
                found[status["node"]] = int(file.parts[-3])
        names = {}
        for line in self.run("squeue", "--noheader", "--states=RUNNING", "--format=%i %N").stdout.splitlines():
            name, where = line.split()
            names[where] = name
        return [(video, where, names[where]) for where, video in found.items()
                if where in names]

    def wait_for_running(self, batch, seconds=120):
        """Each video is returned once."""
        end = time.time() + seconds
        while time.time() < end:
            found = [task for task in self.running(batch) if task[0] not in self.hit]
            if found:
                self.hit.add(found[0][0])
                return found[0]
            time.sleep(0.05)
        raise Failure("no task runs:\n" + self.cluster("status", batch).stdout + self.run("sinfo", "-N").stdout)

    def start_requeued_now(self):
        """Slurm starts a requeued task after two minutes, which tests nothing."""
        for line in self.run("squeue", "--noheader", "--states=PENDING", "--format=%i %r").stdout.splitlines():
            name, reason = line.split(maxsplit=1)
            if reason == "BeginTime":
                self.run("scontrol", "update", f"JobId={name}", "StartTime=now", check=False)

    def finish(self, batch, follower, seconds):
        """Waits for the follower, and continues stopped tasks. Returns its last exit code."""
        end = time.time() + seconds
        while follower.poll() is None:
            require(time.time() < end, "the batch does not end:\n" + self.cluster("status", batch).stdout)
            self.start_requeued_now()
            time.sleep(1)
        return follower.returncode


def measure_submission(campaign, count):
    lines = "\n".join(json.dumps({"model": "builtin", "prompt": f"a ball {n}", "seed": n, "output": f"many/{n}.mp4"})
                      for n in range(count))
    file = campaign.dir / "many.jsonl"
    file.write_text(lines + "\n")
    begin = time.time()
    batch = campaign.submit(file, "--sbatch=--hold", "--sbatch=--nice=1000")
    submitted = time.time() - begin
    begin = time.time()
    state = campaign.state(batch)
    polled = time.time() - begin
    require(state["waiting"] == count, f"{state['waiting']} of {count} wait")
    begin = time.time()
    campaign.cluster("cancel", batch)
    cancelled = time.time() - begin
    require(campaign.state(batch)["cancelled"] == count, "not all are cancelled")
    campaign.cluster("remove", batch)
    require(not campaign.batch_folder(batch).exists(), "the batch was not removed")
    say(f"{count} requests: submitted in {submitted:.1f} s, one status in {polled:.2f} s, cancelled in {cancelled:.1f} s")


def measure_scaling(campaign, count, steps):
    begin = time.time()
    campaign.cli("generate", "--batch", str(campaign.write_batch("here", count, steps)), "--quiet")
    local = time.time() - begin
    seconds = {}
    for nodes, options in ((1, ["--sbatch=--nodelist=n1"]), (2, [])):
        file = campaign.write_batch(f"on{nodes}", count, steps)
        begin = time.time()
        batch = campaign.submit(file, *options)
        code = campaign.cluster("wait", batch, "--poll", "0.5", check=False).returncode
        require(code == 0, f"exit code {code}")
        seconds[nodes] = time.time() - begin
        campaign.compare("here", f"on{nodes}", count)
    say(f"{count} videos: here {local:.1f} s, one node {seconds[1]:.1f} s, two nodes {seconds[2]:.1f} s; overhead per video "
        f"{(seconds[1] - local) / count:.2f} s, speed-up of the second node {seconds[1] / seconds[2]:.2f}")


def check_refusals(campaign):
    file = campaign.write_batch("refused", 1, 2)
    shared = ["--shared-dir", str(campaign.shared)]
    before = sorted(campaign.shared.iterdir())
    for options, text in ((shared + ["--partition", "nowhere"], "the partition 'nowhere' does not exist"),
                          (shared + ["--gres", "gpu:7"], "no node of the partition|the cluster has no"),
                          (shared + ["--mem", "900GiB"], "no node of the partition"),
                          (shared + ["--time", "soon"], "'soon' is not a time limit"),
                          (["--shared-dir", "/dev/null/nowhere"], "the folder '/dev/null/nowhere' does not exist"),
                          (["--shared-dir", "/proc/self"], "the shared storage is not usable"),
                          ([], "no folder is named")):
        done = campaign.cli("generate", "--batch", str(file), "--slurm", *options, check=False)
        require(done.returncode == 2 and re.search(text, done.stderr), f"{options}: {done.returncode} {done.stderr}")
    require(sorted(campaign.shared.iterdir()) == before, "a refused batch left files")
    say("refused with a message: partition, resources, memory, time limit, missing and read-only storage")


def check_full_storage(campaign):
    small = campaign.dir / "small"
    small.mkdir()
    if campaign.run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small), check=False).returncode != 0:
        return say("full storage: not checked, no file system can be mounted here")
    try:
        file = campaign.write_batch("full", 400, 2)
        done = campaign.cli("generate", "--batch", str(file), "--slurm", "--shared-dir", str(small), check=False)
        require(done.returncode == 1 and "disk is full" in done.stderr, f"{done.returncode} {done.stderr}")
        require(not any(small.iterdir()), "a batch without space left files")
    finally:
        campaign.run("umount", str(small))
    say("full storage: refused with a message, nothing left")


def faults(campaign, batch, follower, hurry):
    """The order gives each fault a task that has finished at least one step."""
    video, node, name = campaign.wait_for_running(batch)
    say(f"scancel of video {video} ({name})")
    campaign.run("scancel", name)
    if not hurry:
        video, node, name = campaign.wait_for_running(batch)
        say(f"requeue of video {video} ({name})")
        campaign.run("scontrol", "requeue", name)
    video, node, name = campaign.wait_for_running(batch)
    say(f"tasks of {node} killed (video {video}, {name})")
    campaign.lab("kill-tasks", node)
    if not hurry:
        video, node, name = campaign.wait_for_running(batch)
        say(f"tasks of {node} killed with their watchers (video {video}, {name})")
        campaign.lab("kill-steps", node)
    follower.kill()
    follower.wait()
    say("the following program killed")
    if not hurry:
        return with_zombie(campaign, batch)
    return campaign.follow(batch)


def with_zombie(campaign, batch):
    """The task of a node without a daemon goes on only after Slurm has started it again elsewhere."""
    video, node, name = campaign.wait_for_running(batch)
    say(f"daemon of {node} killed (video {video}, {name})")
    campaign.lab("stop-tasks", node)
    campaign.lab("kill-node", node)
    follower = campaign.follow(batch)
    task = campaign.batch_folder(batch) / "tasks" / f"{video:05}"
    before = set(task.iterdir())
    end = time.time() + 200
    while set(task.iterdir()) == before:
        require(time.time() < end, "Slurm does not start the task again:\n" + campaign.run("squeue").stdout)
        campaign.start_requeued_now()
        time.sleep(0.5)
    campaign.lab("continue-tasks", node)
    say(f"video {video} was started again; its first copy goes on")
    time.sleep(5)
    campaign.lab("start-node", node)
    return follower


def run_batch_with_faults(campaign, count, steps, hurry):
    long = 1 if hurry else LONG
    begin = time.time()
    campaign.cli("generate", "--batch", str(campaign.write_batch("local", count, steps, long)), "--quiet")
    say(f"{count} videos locally: {time.time() - begin:.1f} s")
    begin = time.time()
    batch = campaign.submit(campaign.write_batch("cluster", count, steps, long))
    follower = faults(campaign, batch, campaign.follow(batch), hurry)
    code = campaign.finish(batch, follower, 60 + 30 * count)
    require(code == 5, f"after scancel, the exit code is {code}, not 5")
    require("cluster resume" in (campaign.dir / "follow.log").read_text(), "the user is not told how to continue")
    campaign.cluster("resume", batch)
    code = campaign.finish(batch, campaign.follow(batch), 60 + 30 * count)
    require(code == 0, f"exit code {code}: " + campaign.cluster("status", batch).stdout)
    seconds = time.time() - begin
    campaign.compare("local", "cluster", count)
    logs = "".join(log.read_text() for log in (campaign.batch_folder(batch) / "logs").iterdir())
    continued = len(re.findall(r"continues after step [1-9]", logs))
    superseded = logs.count("another start of this task goes on") + logs.count("a later start of this task exists")
    submissions = len(list((campaign.batch_folder(batch) / "submissions").glob("*.json")))
    twice = {video: times for video, times in campaign.count_publications(batch).items() if times != 1}
    require(not twice, f"published more than once: {twice}")
    say(f"{count} of {count} videos equal to local runs, each published once, in {seconds:.0f} s: {submissions} submissions, "
        f"{continued} starts continued after a finished step, {superseded} copies without the lease ended")
    if not hurry:
        require(superseded >= 1, "no copy lost its lease: the daemon's death made no zombie")
    require(continued >= 1, "no task continued after a finished step")
    campaign.cluster("remove", batch)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lab", required=True)
    parser.add_argument("--dir", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--videos", type=int, default=50)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--submit", type=int, default=1000)
    parser.add_argument("--scaling", type=int, default=8)
    parser.add_argument("--short", action="store_true")
    arguments = parser.parse_args()
    campaign = Campaign(arguments)
    begin = time.time()
    try:
        check_refusals(campaign)
        if arguments.short:
            run_batch_with_faults(campaign, 3, 150, hurry=True)
        else:
            check_full_storage(campaign)
            if arguments.submit:
                measure_submission(campaign, arguments.submit)
            if arguments.scaling:
                measure_scaling(campaign, arguments.scaling, arguments.steps)
            if arguments.videos:
                run_batch_with_faults(campaign, arguments.videos, arguments.steps, hurry=False)
    except Failure as failure:
        say(f"FAILED: {failure}")
        for log in sorted((campaign.shared).glob("*/logs/*"))[:4]:
            print(f"--- {log.name}\n{log.read_text()[-1500:]}")
        follow = campaign.dir / "follow.log"
        if follow.exists():
            print(f"--- follow.log\n{follow.read_text()[-3000:]}")
        return 1
    say(f"done in {time.time() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(main())
