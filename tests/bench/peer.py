"""Runs diffusers once: `peer.py REQUEST_AS_JSON OUTPUT.mp4` prints the seconds of each part as a JSON object.

"load", "text encode", "step" (the fastest except the first), "vae encode", "decode".  With "count" in the request also
"flops": operations of a step, of encoding and of decoding.  With "profile" also "sites": seconds by kind of work for a
step and for decoding.
"""

from __future__ import annotations

import inspect
import json
import sys
import time
from collections import Counter
from contextlib import ExitStack

import cv2
import numpy
import torch
from diffusers import DiffusionPipeline
from diffusers.utils import logging
from PIL import Image
from torch.profiler import ProfilerActivity, profile
from torch.utils.flop_counter import FlopCounterMode, sdpa_flop_count

from sites import site_of

# The FLOP counter supports attention only on a GPU.
ATTENTION = {torch.ops.aten._scaled_dot_product_flash_attention_for_cpu:
             lambda query, key, value, *_, **__: sdpa_flop_count(query, key, value)}
OPTIONS = ("width", "height", "num_frames", "num_inference_steps", "guidance_scale", "max_sequence_length", "prompt",
           "negative_prompt", "min_guidance_scale", "max_guidance_scale", "decode_chunk_size")


class Watch:
    """Records the seconds of each call of a method, and optionally its operations and kinds of work."""

    def __init__(self, owner: object, method: str, request: dict) -> None:
        self.seconds: list[float] = []
        self.flops: list[int] = []
        self.sites: list[Counter[str]] = []
        self.inner, self.request = getattr(owner, method), request
        setattr(owner, method, self)

    def __call__(self, *arguments: object, **named: object) -> object:
        with ExitStack() as stack:
            counter = stack.enter_context(
                FlopCounterMode(display=False, custom_mapping=ATTENTION)) if self.request.get("count") else None
            profiler = stack.enter_context(profile(activities=[ProfilerActivity.CPU])) if self.request.get(
                "profile") else None
            begin = time.monotonic()
            result = self.inner(*arguments, **named)
            self.seconds.append(time.monotonic() - begin)
        if counter:
            self.flops.append(counter.get_total_flops())
        if profiler:
            self.sites.append(sites_of(profiler))
        return result


def sites_of(profiler: profile) -> Counter[str]:
    """Seconds by kind of work."""
    sites: Counter[str] = Counter()
    for op in profiler.key_averages():
        sites[site_of(op.key)] += op.self_cpu_time_total / 1e6
    return sites


def load(request: dict) -> DiffusionPipeline:
    torch.set_num_threads(request["threads"])
    logging.disable_progress_bar()
    pipeline = DiffusionPipeline.from_pretrained(request["model"], dtype=torch.float32)
    pipeline.set_progress_bar_config(disable=True)
    return pipeline


def options_of(pipeline: DiffusionPipeline, request: dict) -> dict:
    """The options of the request that this pipeline supports."""
    known = inspect.signature(pipeline.__call__).parameters
    options = {name: request[name] for name in OPTIONS if name in known and request.get(name) is not None}
    if request["image"]:
        options["image"] = Image.open(request["image"])
    return options


def save(frames: numpy.ndarray, file: str) -> None:
    writer = cv2.VideoWriter(file, cv2.VideoWriter_fourcc(*"mp4v"), 8, frames.shape[2:0:-1])
    for frame in frames:
        writer.write(cv2.cvtColor((frame * 255).round().astype(numpy.uint8), cv2.COLOR_RGB2BGR))
    writer.release()


def main() -> None:
    request = json.loads(sys.argv[1])
    begin = time.monotonic()
    pipeline = load(request)
    parts = {"load": time.monotonic() - begin}
    denoiser = getattr(pipeline, "unet", None) or pipeline.transformer
    step, prompt = Watch(denoiser, "forward", request), Watch(pipeline, "encode_prompt" if hasattr(
        pipeline, "encode_prompt") else "_encode_image", {})
    vae = {"vae encode": Watch(pipeline.vae, "encode", request), "decode": Watch(pipeline.vae, "decode", request)}
    with torch.no_grad():
        frames = pipeline(generator=torch.Generator("cpu").manual_seed(1), output_type="np",
                          **options_of(pipeline, request)).frames[0]
    save(frames, sys.argv[2])
    each = len(step.seconds) // request["num_inference_steps"]  # a guided step has two forwards
    steps = [sum(step.seconds[i:i + each]) for i in range(0, len(step.seconds), each)]
    called = {name: watch for name, watch in vae.items() if watch.seconds}
    parts |= {"text encode": sum(prompt.seconds), "step": min(steps[1:] or steps)}
    parts |= {name: sum(watch.seconds) for name, watch in called.items()}
    parts["flops"] = {"step": sum(step.flops[-each:])} | {name: sum(watch.flops) for name, watch in called.items()}
    parts["sites"] = {name: sum(sites, Counter()) for name, sites in
                      [("step", step.sites[-each:]), *((name, watch.sites) for name, watch in called.items())]}
    print(json.dumps(parts))


if __name__ == "__main__":
    main()
