#!/usr/bin/env python3
"""Makes tiny decoders with random weights, and the frames that a decoder written from their layers alone computes.

Needs torch and safetensors: python3 make_cases.py [GOLDEN_FOLDER]
With a folder of golden cases (taew2_1, taew2_2), it first compares this decoder with theirs.
"""

import pathlib
import sys

import torch
from safetensors.torch import load_file, save_file
from torch.nn import functional as F

HERE = pathlib.Path(__file__).parent
BLOCKS = {0: (3, 4, 5), 1: (9, 10, 11), 2: (15, 16, 17)}


def conv(x, weights, name):
    return F.conv2d(x, weights[f"{name}.weight"], weights.get(f"{name}.bias"), padding=weights[f"{name}.weight"].shape[-1] // 2)


def memory_block(x, weights, name):
    past = torch.cat([torch.zeros_like(x[:1]), x[:-1]])
    y = F.relu(conv(torch.cat([x, past], 1), weights, f"{name}.conv.0"))
    y = F.relu(conv(y, weights, f"{name}.conv.2"))
    return F.relu(conv(y, weights, f"{name}.conv.4") + x)


def grow(x, weights, name, full):
    y = conv(x, weights, f"{name}.conv")
    width = x.shape[1]
    if not full:
        return y[:, -width:]
    times = y.shape[1] // width
    return y.reshape(x.shape[0] * times, width, *x.shape[2:])


def decode(latents, weights, full=True, enlargements=3, drop=3):
    """latents [T, C, h, w] -> frames [F, H, W, 3]"""
    x = F.relu(conv(torch.tanh(latents / 3) * 3, weights, "decoder.1"))
    for level, blocks in BLOCKS.items():
        for block in blocks:
            x = memory_block(x, weights, f"decoder.{block}")
        if level < enlargements:
            x = F.interpolate(x, scale_factor=2, mode="nearest")
        x = grow(x, weights, f"decoder.{blocks[-1] + 2}", full)
        x = conv(x, weights, f"decoder.{blocks[-1] + 3}")
    x = conv(F.relu(x), weights, "decoder.22")
    patch = int((x.shape[1] // 3) ** 0.5)
    x = F.pixel_shuffle(x, patch).clamp(0, 1).permute(0, 2, 3, 1)
    return x[drop:] if full else x


def random_weights(latent_channels, patch, widths, seed):
    generator = torch.Generator().manual_seed(seed)
    weights = {}

    def add(name, out, inputs, kernel, has_bias=True):
        deviation = (2 / (inputs * kernel * kernel)) ** 0.5
        weights[f"{name}.weight"] = torch.randn(out, inputs, kernel, kernel, generator=generator) * deviation
        if has_bias:
            weights[f"{name}.bias"] = torch.randn(out, generator=generator) * 0.1

    add("decoder.1", widths[0], latent_channels, 3)
    for level, blocks in BLOCKS.items():
        width = widths[level]
        for block in blocks:
            add(f"decoder.{block}.conv.0", width, 2 * width, 3)
            add(f"decoder.{block}.conv.2", width, width, 3)
            add(f"decoder.{block}.conv.4", width, width, 3)
            weights[f"decoder.{block}.conv.4.weight"] *= 0.3
        add(f"decoder.{blocks[-1] + 2}.conv", width * (1 if level == 0 else 2), width, 1, has_bias=False)
        add(f"decoder.{blocks[-1] + 3}", widths[level + 1], width, 3, has_bias=False)
    add("decoder.22", 3 * patch * patch, widths[3], 3)
    weights["decoder.22.weight"] *= 0.3
    weights["decoder.22.bias"] += 0.5
    return {name: value.half() for name, value in weights.items()}


def make(name, latent_channels, patch, frames, size, seed):
    weights = random_weights(latent_channels, patch, (8, 6, 4, 4), seed)
    latents = torch.randn(frames, latent_channels, *size, generator=torch.Generator().manual_seed(seed + 1))
    wide = {key: value.float() for key, value in weights.items()}
    values = {"latents": latents.permute(1, 0, 2, 3)[None].contiguous()}
    values["frames"] = decode(latents, wide)
    values["preview.3"] = decode(latents, wide, full=False)
    values["preview.2"] = decode(latents, wide, full=False, enlargements=2)
    save_file({key: value.contiguous() for key, value in values.items()}, HERE / f"{name}_expected.safetensors")
    return weights


def check(golden):
    for name, load in (("taew2_1.pth", lambda file: torch.load(file, weights_only=True)), ("taew2_2.safetensors", load_file)):
        case = golden / name.split(".")[0]
        weights = {key: value.float() for key, value in load(case / "model" / name).items()}
        expected = load_file(case / "expected.safetensors")
        error = (decode(expected["latents"][0], weights) - expected["frames"]).abs().max()
        print(f"{name}: largest error against the golden case {error:.1e}")


@torch.no_grad()
def main():
    if len(sys.argv) > 1:
        check(pathlib.Path(sys.argv[1]))
    torch.save(make("taew2_1", 16, 1, 3, (2, 3), 1), HERE / "taew2_1.pth")
    save_file(make("taew2_2", 48, 2, 2, (2, 3), 3), HERE / "taew2_2.safetensors")


if __name__ == "__main__":
    main()
