#!/usr/bin/env python3
"""Stops a job on one kind of device and continues it on another one: from the simulated GPU to the CPU, and back.

    test_other_device.py KINESCOPE_CLI SIMULATED_GPU_DIR

Each continued run must warn that its bits may differ, and its frames must be close to those of an unbroken run.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

CLI, SIMULATED = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
WARNING = "the job was started on another kind of device ({}"


def environment(device, folder):
    cache = folder / "cache"
    if not cache.exists() and "KINESCOPE_EXAMINED_CARD" in os.environ:
        shutil.copytree(os.environ["KINESCOPE_EXAMINED_CARD"], cache)
    variables = dict(os.environ, XDG_CACHE_HOME=str(cache))
    if device == "cpu":
        return variables
    return dict(variables, LD_LIBRARY_PATH=SIMULATED, SIMULATED_GPU_LOG=str(folder / "card.log"),
                SIMULATED_GPU_MEMORY_MIB="5000")  # the canary runs smaller probes on a card with little memory


def generate(name, *more):
    return [CLI, "generate", "--prompt", "a red ball", "--seed", "1", "--steps", "40", "--progress", "none",
            "--output", f"{name}.mp4", *more]


def stop_after_a_step(device, folder):
    jobs = folder / "jobs"
    task = subprocess.Popen(generate("moved", "--jobs", jobs), cwd=folder, env=environment(device, folder))
    while task.poll() is None and not (jobs / "1/step-before.safetensors").exists():
        time.sleep(0.005)
    task.send_signal(signal.SIGTERM)
    assert task.wait() == 5, f"{device}: exit code {task.returncode}"
    return jobs / "1"


def move(first, second, first_name, reference):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        job = stop_after_a_step(first, folder)
        done = subprocess.run([CLI, "resume", job, "--json"], env=environment(second, folder), capture_output=True,
                              text=True, cwd="/")
        assert done.returncode == 0, done.stderr
        warnings = json.loads(done.stdout)["warnings"]
        assert any(text.startswith(WARNING.format(first_name)) for text in warnings), warnings
        close = subprocess.run([CLI, "compare", folder / "moved.mp4", reference, "--psnr", "30"], capture_output=True,
                               text=True)
        assert close.returncode == 0, close.stdout
        print(f"{first} to {second}: {close.stdout.splitlines()[0]}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(generate("reference"), cwd=folder, check=True)
        move("gpu", "cpu", "cuda:0", folder / "reference.mp4")
        move("cpu", "gpu", "cpu", folder / "reference.mp4")


if __name__ == "__main__":
    main()
