#!/usr/bin/env python3
"""Collects the results of run.sh in results.json and prints a table.

    report.py OUT CASES --device cuda
"""
import argparse
import json
import math
import pathlib
import statistics
import struct
import sys

import numpy


RUNS = ("format-", "family-", "whole-", "small-", "memory-")


def read_step(out, name):
    """The result of one step: exit code, seconds, and its JSON document (None if invalid)."""
    code, seconds = (out / f"{name}.exit").read_text().split()
    try:
        document = json.loads((out / f"{name}.json").read_text())
    except ValueError:
        document = None
    log = (out / f"{name}.log").read_text(errors="replace").splitlines()
    return {"exit_code": int(code), "seconds": float(seconds), "document": document, "messages": log[-20:]}


def read_frames(file):
    """The float32 tensor "frames" of a safetensors file; None if the run was killed while it wrote the file."""
    data = file.read_bytes()
    try:
        length = struct.unpack("<Q", data[:8])[0]
        entry = json.loads(data[8 : 8 + length])["frames"]
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        return numpy.frombuffer(data[begin:end], "<f4").reshape(entry["shape"])
    except (struct.error, ValueError):
        return None


def psnr_db(a, b):
    if not (a.exists() and b.exists()):
        return None
    left, right = read_frames(a), read_frames(b)
    if left is None or right is None or left.shape != right.shape:
        return None
    square = float(numpy.square(left - right, dtype=numpy.float64).mean())
    return math.inf if square == 0 else -10 * math.log10(square)


def records_of(log, kind):
    """The complete records of a log; the last line of a run that was killed may be half a record."""
    if not log.exists():
        return []
    lines = (line for line in log.read_text().splitlines(keepends=True) if line.endswith("\n"))
    return [record for record in map(json.loads, lines) if record["record"] == kind]


def guard_sites(log):
    return [f"{record['site']} ({record['detector']})" for record in records_of(log, "guard")]


def verify_row(name, step):
    cases = (step["document"] or {}).get("cases", [])
    rows = cases[0]["rows"] if cases else []
    numbers = [row["relative_error"] for row in rows if row["tensor"] != "frames"]
    worst = max((math.inf if isinstance(value, str) else value for value in numbers), default=None)
    frames = next((row["psnr_db"] for row in rows if row["tensor"] == "frames"), None)
    return {"name": name, "passed": step["exit_code"] == 0, "worst_relative_error": worst, "frames_psnr_db": frames}


def heal_row(name, step, out, cases):
    family, case = name.removeprefix("heal-").split("-", 1)
    frames = psnr_db(out / f"{family}-{case}.safetensors", cases / family / case / "expected.safetensors")
    status = (step["document"] or {}).get("status")
    return {
        "name": name,
        "passed": step["exit_code"] == 0 and status == "healed" and frames is not None and frames >= 40,
        "status": status,
        "frames_psnr_db": frames,
        "sites": guard_sites(out / f"{family}-{case}.jsonl"),
    }


def stream_row(name, steps, out):
    """Streamed and resident blocks must give the same frames, bit for bit."""
    files = [out / f"stream-{offload}-{name}.safetensors" for offload in ("none", "blocks")]
    codes = [steps[f"stream-{offload}-{name}"]["exit_code"] for offload in ("none", "blocks")
             if f"stream-{offload}-{name}" in steps]
    is_same = all(file.exists() for file in files) and files[0].read_bytes() == files[1].read_bytes()
    return {"name": f"stream-{name}", "passed": codes == [0, 0] and is_same, "frames_psnr_db": psnr_db(*files)}


def run_row(name, step, out):
    """A run of a large model. The first step, which measures rounding, does not count."""
    document = step["document"] or {}
    seconds = [record["seconds"] for record in records_of(out / f"{name}.jsonl", "step")]
    row = {
        "name": name,
        "exit_code": step["exit_code"],
        "status": document.get("status"),
        "step_seconds": statistics.median(seconds[1:]) if len(seconds) > 1 else None,
        "seconds_by_phase": document.get("seconds_by_phase"),
        "peak_gib": document.get("peak_memory_bytes", 0) / 2**30,
        "planned_gib": document.get("planned_memory_bytes", 0) / 2**30,
        "sites": guard_sites(out / f"{name}.jsonl"),
    }
    if name.startswith("format-"):
        row["frames_psnr_db"] = psnr_db(out / f"cache/{name}.safetensors", out / "cache/format-fp32.safetensors")
    return row


def gather(out, cases, device):
    steps = {file.stem: read_step(out, file.stem) for file in sorted(out.glob("*.exit"))}
    named = lambda prefix: {name: step for name, step in steps.items() if name.startswith(prefix)}
    return {
        "device": device,
        "doctor": steps.get("doctor", {}).get("document"),
        "streaming": [stream_row(name.removeprefix("stream-none-"), steps, out) for name in named("stream-none-")],
        "verify": [verify_row(name, step) for name, step in named("verify-").items()],
        "heal": [heal_row(name, step, out, cases) for name, step in named("heal-").items()],
        "bench": {name: step["document"] for name, step in named("bench-").items()},
        "peer": {name: step["document"] for name, step in named("peer-").items()},
        "runs": [run_row(name, step, out) for name, step in steps.items() if name.startswith(RUNS)],
        "same_seed_psnr_db": psnr_db(out / "seed-cpu.safetensors", out / f"seed-{device}.safetensors"),
        "failed": {name: step["messages"] for name, step in steps.items() if step["exit_code"] != 0},
    }


def text(value):
    return "-" if value is None else value if isinstance(value, str) else f"{value:.3g}"


def print_table(results):
    for device in (results["doctor"] or {}).get("devices", []):
        print(f"{device['device']['id']}  {device['device']['name']}: {device['canary']['summary']}")
    print("\n| check | passed | worst relative error | frames, dB |\n|---|---|---|---|")
    for row in results["verify"] + results["heal"] + results["streaming"]:
        passed = "yes" if row["passed"] else "NO"
        print(f"| {row['name']} | {passed} | {text(row.get('worst_relative_error'))} | {text(row['frames_psnr_db'])} |")
    print(f"| same seed, cpu and {results['device']} | | | {text(results['same_seed_psnr_db'])} |")
    print("\n| run | status | step, s | decode, s | peak, GiB | planned, GiB | frames and float32, dB | repairs |")
    print("|---|---|---|---|---|---|---|---|")
    for row in results["runs"]:
        phases = row["seconds_by_phase"] or {}
        status = row["status"] or f"exit code {row['exit_code']}"
        numbers = (row["step_seconds"], phases.get("decode"), row["peak_gib"], row["planned_gib"], row.get("frames_psnr_db"))
        print(f"| {row['name']} | {status} | {' | '.join(map(text, numbers))} | {', '.join(row['sites'])} |")
    print()
    for name, document in results["bench"].items():
        for row in (document or {}).get("rows", []):
            print(f"| {name}: {row['name']} | | {row['median_seconds']:.4g} s | |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("cases", type=pathlib.Path)
    parser.add_argument("--device", default="cuda")
    arguments = parser.parse_args()
    results = gather(arguments.out, arguments.cases, arguments.device)
    (arguments.out / "results.json").write_text(json.dumps(results, indent=1))
    print_table(results)
    ran = results["verify"] + results["heal"] + results["streaming"]
    sys.exit(0 if ran and all(row["passed"] for row in ran) else 1)


if __name__ == "__main__":
    main()
