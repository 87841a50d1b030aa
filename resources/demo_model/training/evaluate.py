"""Judge what the model makes of the prompts kept out of training.

With diffusers:
    python evaluate.py --model .. --json results.json --sheet results.png
With any other program that writes MP4 files (or folders of PNG frames):
    python evaluate.py --generator "kinescope-cli generate --prompt {prompt} --seed {seed} --output {output}"
Clips that exist already, in the order of the prompts (sorted by name):
    python evaluate.py --clips FOLDER --prompts held_out.txt
Clips that Kinescope made from a list of paraphrases.py:
    python evaluate.py --batch LIST.jsonl

{prompt}, {seed} and {output} are replaced, each as one argument.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import argparse
import json
import shlex
import subprocess
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np

import data
import judge

HERE = Path(__file__).resolve().parent


def read_clip(path: Path) -> np.ndarray:
    """Frames of an MP4 file or a folder of pictures as uint8 [T,H,W,3] in RGB."""
    frames = []
    if path.is_dir():
        frames = [cv2.imread(str(p)) for p in sorted(path.glob("*.png"))]
    else:
        video = cv2.VideoCapture(str(path))
        while (step := video.read())[0]:
            frames.append(step[1])
    if not frames:
        raise SystemExit(f"no frames in {path}")
    return np.stack([cv2.cvtColor(f, cv2.COLOR_BGR2RGB) for f in frames])


def from_folder(folder: Path, prompts: list[str]):
    """The clips of a folder, one per prompt, sorted by name."""
    paths = sorted(p for p in folder.iterdir() if p.is_dir() or p.suffix in (".mp4", ".mkv", ".avi", ".gif"))
    if len(paths) != len(prompts):
        raise SystemExit(f"{len(paths)} clips for {len(prompts)} prompts")
    for path in paths:
        yield read_clip(path)


def from_generator(template: str, prompts: list[str], seed: int):
    """Clips made by another program, one run for each prompt."""
    with tempfile.TemporaryDirectory() as folder:
        for i, prompt in enumerate(prompts):
            output = Path(folder) / f"{i:03d}.mp4"
            values = {"{prompt}": prompt, "{seed}": str(seed + i), "{output}": str(output)}
            command = shlex.split(template)
            for key, value in values.items():
                command = [part.replace(key, value) for part in command]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            yield read_clip(output)


def from_pipeline(pipeline, prompts: list[str], seed: int, options: dict, batch: int = 6):
    """Clips made by a diffusers pipeline."""
    import torch

    pipeline.set_progress_bar_config(disable=True)
    for start in range(0, len(prompts), batch):
        part = prompts[start:start + batch]
        generators = [torch.Generator().manual_seed(seed + start + i) for i in range(len(part))]
        frames = pipeline(
            prompt=part, negative_prompt=[options["negative_prompt"]] * len(part),
            height=options["height"], width=options["width"], num_frames=options["num_frames"],
            num_inference_steps=options["num_inference_steps"], guidance_scale=options["guidance_scale"],
            generator=generators, output_type="np",
        ).frames
        yield from (frames * 255 + 0.5).astype(np.uint8)


def load_pipeline(folder: Path, options: dict, threads: int):
    import torch
    from diffusers import UniPCMultistepScheduler, WanPipeline

    torch.set_num_threads(threads)
    pipeline = WanPipeline.from_pretrained(folder, torch_dtype=torch.float32)
    pipeline.scheduler = UniPCMultistepScheduler.from_config(
        pipeline.scheduler.config, flow_shift=options["flow_shift"]
    )
    return pipeline


def judge_all(clips, prompts: list[str], subjects: list[data.Subject]) -> tuple[dict, list, list]:
    """Judge clips against subjects: shares that are right, all verdicts, the clips."""
    rows, kept = [], []
    for prompt, subject, clip in zip(prompts, subjects, clips):
        right, seen = judge.judge(subject, clip)
        rows.append(dict(prompt=prompt, right=right, seen=seen))
        kept.append(clip)
    return judge.shares([row["right"] for row in rows]), rows, kept


def print_outlines(rows: list) -> None:
    """How well the outlines match templates: over whole clips, and in the worst of the frames that the judge looks at."""
    objects = [o for row in rows for o in row["seen"]["objects"]]
    worst = np.array([o["worst_overlap"] for o in objects])
    print(f"outlines: overlap {np.mean([o['overlap'] for o in objects]):.3f}; in the worst frame {worst.mean():.3f}, "
          f"below 0.90 for {100 * np.mean(worst < 0.9):.1f} % of {len(worst)} objects")


def print_table(shares: dict, rows: list) -> None:
    print("| property | right |\n|---|---|")
    for name, share in shares.items():
        print(f"| {name} | {100 * share:.1f} % |")
    for row in rows:
        if not all(row["right"].values()):
            wrong = [name for name, right in row["right"].items() if not right]
            objects = [{k: v for k, v in o.items() if k != "jump"} for o in row["seen"]["objects"]]
            print(f"  {row['prompt']}: {', '.join(wrong)}; seen on {row['seen']['background']}: {objects}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, default=HERE.parent, help="model folder, for diffusers")
    parser.add_argument("--generator", help="command that makes one clip")
    parser.add_argument("--clips", type=Path, help="folder of finished clips")
    parser.add_argument("--prompts", type=Path, default=HERE / "held_out.txt")
    parser.add_argument("--batch", type=Path, help="list of paraphrases.py whose clips are finished")
    parser.add_argument("--first", type=int, help="only so many prompts, evenly chosen")
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--steps", type=int, help="default: as in kinescope.json")
    parser.add_argument("--guidance", type=float, help="default: as in kinescope.json")
    parser.add_argument("--shift", type=float, help="default: as in kinescope.json")
    parser.add_argument("--threads", type=int, default=2, help="for diffusers")
    parser.add_argument("--json", type=Path, help="write all results to this file")
    parser.add_argument("--sheet", type=Path, help="write a contact sheet to this file")
    args = parser.parse_args()

    lines = [line.strip() for line in (args.batch or args.prompts).read_text().splitlines() if line.strip()]
    if args.first:
        lines = [lines[i] for i in np.linspace(0, len(lines) - 1, args.first).astype(int)]
    if args.batch:
        requests = [json.loads(line) for line in lines]
        prompts = [request["prompt"] for request in requests]
        wanted = json.loads(args.batch.with_suffix(".subjects.json").read_text())
        subjects = [data.Subject(*wanted[int(Path(request["output"]).stem)]) for request in requests]
    else:
        prompts, subjects = lines, [data.parse(line) for line in lines]
    options = json.loads((args.model / "kinescope.json").read_text())["defaults"]
    for key, value in (("num_inference_steps", args.steps), ("guidance_scale", args.guidance), ("flow_shift", args.shift)):
        if value is not None:
            options[key] = value

    start = time.time()
    if args.batch:
        clips, source = (read_clip(Path(request["output"])) for request in requests), args.batch.name
    elif args.clips:
        clips, source = from_folder(args.clips, prompts), "files"
    elif args.generator:
        clips, source = from_generator(args.generator, prompts, args.seed), args.generator
    else:
        clips, source = from_pipeline(load_pipeline(args.model, options, args.threads), prompts, args.seed, options), "diffusers"
    shares, rows, kept = judge_all(clips, prompts, subjects)
    print_table(shares, rows)
    print_outlines(rows)
    seconds = time.time() - start
    print(f"{len(prompts)} prompts, {source}, {seconds / len(prompts):.2f} s per clip")
    if args.json:
        result = dict(prompts=len(prompts), source=source, options=options, right=shares,
                      seconds_per_clip=round(seconds / len(prompts), 2), clips=rows)
        args.json.write_text(json.dumps(result, indent=1) + "\n")
    if args.sheet:
        from PIL import Image

        picks = np.linspace(0, len(kept) - 1, min(24, len(kept))).astype(int)
        Image.fromarray(data.contact_sheet([kept[i] for i in picks], 2)).save(args.sheet)


if __name__ == "__main__":
    main()
