#!/usr/bin/env python3
"""Counts what a denoising step in steady state does on the simulated card: launches, bytes that they read and write,
copies, and the times that the host waits for the card.

    tests/simulated_gpu/count_step.py [--build build] [--program FILE] [--steps 20] [--span 10] [GENERATE_OPTION ...]

Runs a small Wan model of the tests with SPAN steps fewer and with all steps, and prints the difference per step as a
Markdown table. A second model that lacks the last block shows what one block does. The numbers of launches do not depend
on the sizes of the tensors. Other options go to `generate`, such as --guard off.
"""
import argparse
import collections
import json
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ROOT / "tests/data/wan_video/v2v/model"  # its head dim needs no padding, like that of Wan 2.1
TOKENIZER = ROOT / "tests/data/wan_t2v/model/tokenizer"
BRANCHES = 2  # of guidance


def read_log(file):
    """Returns calls and MB by name, from the last report in a log, to which child processes write their reports, too."""
    rows = {}
    for line in file.read_text().splitlines():
        if line.startswith("=== ops"):
            rows = {}
        parts = line.split(None, 3)
        if len(parts) == 4 and parts[0].isdigit() and parts[2] == "MB":
            rows[parts[3]] = (int(parts[0]), float(parts[1]))
    return rows


def run(arguments, model, steps, folder):
    log = folder / "card.log"
    log.unlink(missing_ok=True)
    state = {name: str(folder / name) for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")}
    environment = {**os.environ, **state, "LD_LIBRARY_PATH": str(arguments.build / "simulated_gpu"),
                   "SIMULATED_GPU_LOG": str(log), "SIMULATED_GPU_MEMORY_MIB": "5000"}
    command = [arguments.program, "generate", "--model", model, "--prompt", "a red panda", "--tokenizer", TOKENIZER,
               "--width", "48", "--height", "32", "--num-frames", "9", "--seed", "7", "--device", "cuda",
               "--overwrite", "--progress", "none", "--output", folder / "made.mp4", *arguments.more,
               "--steps", str(steps)]
    subprocess.run([str(part) for part in command], env=environment, check=True, stdout=subprocess.DEVNULL)
    return read_log(log)


def kind_of(name):
    """Returns the direction of a copy, "other" for an event or a wait, or "kernel", which includes copies that convert values."""
    if name.startswith("copy "):
        return name.split()[1]
    return "other" if name.startswith(("event.", "synchronize")) else "kernel"


def difference(before, after, steps):
    """Returns the counts of one step, and the launches by name."""
    rows, ops = collections.Counter(), collections.Counter()
    for name, (calls, megabytes) in after.items():
        less_calls, less_megabytes = before.get(name, (0, 0.0))
        calls, megabytes = (calls - less_calls) / steps, (megabytes - less_megabytes) / steps
        waits = name.endswith("SYNC")
        rows["host waits"] += calls if waits else 0
        kind = kind_of(name)
        if kind in ("HtoD", "DtoH"):
            rows[f"copies {kind}"] += calls
        elif kind != "other" and not waits:
            rows["launches"] += calls
            rows["MB read and written"] += megabytes
            ops[name] += calls
    return rows, ops


def without_last_block(folder):
    """Copies the model without its last block. Returns the copy."""
    model = folder / "shorter"
    shutil.copytree(MODEL, model)
    config = json.loads((model / "transformer/config.json").read_text())
    config["num_layers"] -= 1
    (model / "transformer/config.json").write_text(json.dumps(config))
    file = next((model / "transformer").glob("*.safetensors"))
    data = file.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header, parts, end = json.loads(data[8:8 + size]), [], 0
    for name in [name for name in header if name.startswith(f"blocks.{config['num_layers']}.")]:
        del header[name]
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        first, last = entry["data_offsets"]
        parts.append(data[8 + size + first:8 + size + last])
        entry["data_offsets"] = [end, end + last - first]
        end += last - first
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    file.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(parts))
    return model


def count(arguments, model, folder):
    before = run(arguments, model, arguments.steps - arguments.span, folder)
    return difference(before, run(arguments, model, arguments.steps, folder), arguments.span)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--program", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--span", type=int, default=10, help="steps to count; the guard's slow checks come every tenth")
    parser.add_argument("--ops", action="store_true", help="also list the launches of a block by name")
    arguments, arguments.more = parser.parse_known_args()
    arguments.program = arguments.program or arguments.build / "bin/kinescope-cli"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run(arguments, MODEL, 1, folder)  # the canary
        rows, ops = count(arguments, MODEL, folder)
        shorter_rows, shorter_ops = count(arguments, without_last_block(folder), folder)
    print("| per step | count |\n|---|---|")
    for row in ("host waits", "copies HtoD", "copies DtoH", "launches", "MB read and written"):
        print(f"| {row} | {rows[row]:.2f} |")
    print("| **per block and branch** | |")
    for row in ("launches", "MB read and written"):
        print(f"| {row} | {(rows[row] - shorter_rows[row]) / BRANCHES:.3f} |")
    for name in sorted(ops) if arguments.ops else ():
        calls = (ops[name] - shorter_ops[name]) / BRANCHES
        if calls:
            print(f"| {name} | {calls:.1f} |")


if __name__ == "__main__":
    main()
