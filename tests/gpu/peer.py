#!/usr/bin/env python3
"""Times diffusers on the device: prints the seconds of each part as a JSON object.

    peer.py MODEL eager|compiled WIDTH HEIGHT FRAMES STEPS

"step" is the median of all steps except the first two. Each step has two forward passes, because of guidance. The VAE
computes in float32, as diffusers recommends for Wan, and all other components compute in bfloat16.
"""
import json
import statistics
import sys
import time

import torch
from diffusers import AutoencoderKLWan, WanPipeline


class Watch:
    """Times each call of a method with the device's queue empty before and after it."""

    def __init__(self, owner, method):
        self.seconds, self.inner = [], getattr(owner, method)
        setattr(owner, method, self)

    def __call__(self, *arguments, **named):
        torch.cuda.synchronize()
        begin = time.monotonic()
        result = self.inner(*arguments, **named)
        torch.cuda.synchronize()
        self.seconds.append(time.monotonic() - begin)
        return result


def main():
    model, mode, (width, height, frames, steps) = sys.argv[1], sys.argv[2], map(int, sys.argv[3:7])
    begin = time.monotonic()
    vae = AutoencoderKLWan.from_pretrained(model, subfolder="vae", dtype=torch.float32)
    pipeline = WanPipeline.from_pretrained(model, vae=vae, dtype=torch.bfloat16).to("cuda")
    pipeline.set_progress_bar_config(disable=True)
    parts = {"load": time.monotonic() - begin}
    if mode == "compiled":
        pipeline.transformer.compile_repeated_blocks(fullgraph=True)
    forward, decode = Watch(pipeline.transformer, "forward"), Watch(pipeline.vae, "decode")
    with torch.no_grad():
        pipeline("a red ball", negative_prompt="", width=width, height=height, num_frames=frames,
                 num_inference_steps=steps, guidance_scale=5.0, output_type="pt")
    pairs = [sum(forward.seconds[i:i + 2]) for i in range(0, len(forward.seconds), 2)]
    parts |= {"first step": pairs[0], "step": statistics.median(pairs[2:] or pairs), "decode": sum(decode.seconds),
              "peak_bytes": torch.cuda.max_memory_allocated()}
    print(json.dumps(parts))


if __name__ == "__main__":
    main()
