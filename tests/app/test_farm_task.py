#!/usr/bin/env python3
"""Runs resources/examples/farm_task.sh as a render farm does: stops it several times, and starts it again elsewhere.

    test_farm_task.py KINESCOPE_CLI
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

SCRIPT = pathlib.Path(__file__).parents[2] / "resources/examples/farm_task.sh"


def start(folder, name, environment):
    return subprocess.Popen([SCRIPT, folder / "request.json", folder / f"{name}.mp4", folder / f"{name} jobs"],
                            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def saved_steps(jobs):
    """Names the current files, so that a new step is noticed."""
    try:
        return [(file, file.stat().st_ino) for file in jobs.glob("*/step.safetensors")]
    except FileNotFoundError:
        return []  # it is being replaced


def wait_for_step(jobs, task, before):
    while task.poll() is None and saved_steps(jobs) in ([], before):
        time.sleep(0.005)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        bin_dir = pathlib.Path(sys.argv[1]).resolve().parent
        environment = dict(os.environ, PATH=f"{bin_dir}:{os.environ['PATH']}")
        request = {"model": "builtin", "prompt": "a red ball", "seed": 3, "num_inference_steps": 60, "threads": 1}
        (folder / "request.json").write_text(json.dumps(request))
        unbroken = start(folder, "unbroken", environment)
        assert unbroken.wait() == 0, unbroken.stderr.read()
        assert start(folder, "unbroken", environment).wait() == 0  # a farm that lost the exit code starts it again
        codes = []
        while len(codes) < 20 and 0 not in codes:
            before = saved_steps(folder / "stopped jobs")
            task = start(folder, "stopped", environment)
            if len(codes) < 2:
                wait_for_step(folder / "stopped jobs", task, before)
                task.send_signal(signal.SIGTERM)
            codes.append(task.wait())
        assert codes[:1] == [5] and codes[-1] == 0 and set(codes) <= {0, 5}, codes
        assert (folder / "stopped.mp4").read_bytes() == (folder / "unbroken.mp4").read_bytes()
        print(f"exit codes {codes}; the video equals that of an unbroken run")
        resume_by_folder(folder, environment)


def resume_by_folder(folder, environment):
    """`resume FOLDER` continues a job that SIGUSR1, the announcement of a time limit, has stopped."""
    jobs = folder / "announced jobs"
    task = start(folder, "announced", environment)
    wait_for_step(jobs, task, [])
    task.send_signal(signal.SIGUSR1)
    time.sleep(0.01)
    task.send_signal(signal.SIGUSR1)  # a second one must not end the program before the step is saved
    code = task.wait()
    said = task.stderr.read().decode()
    assert code == 5 and f"resume '{jobs}/1'" in said, (code, said)
    done = subprocess.run(["kinescope-cli", "resume", jobs / "1", "--json"], env=environment, cwd="/",
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["output"] == str(folder / "announced.mp4"), done.stdout
    assert (folder / "announced.mp4").read_bytes() == (folder / "unbroken.mp4").read_bytes()
    print("resume FOLDER continues a job that SIGUSR1 stopped")


if __name__ == "__main__":
    main()
