#!/usr/bin/env python3
"""Write a random model with the widths of a published Wan 2.1, for measuring speed and memory.

    python3 tests/bench/make_wide_model.py --layers 4 /tmp/wide          # 1.3B's widths, few layers
    build/bin/kinescope-cli bench --model /tmp/wide --width 256 --height 256 --num-frames 17 --steps 3 --prompt "a"
    python3 tests/bench/make_wide_model.py --shape 14B /tmp/wan14b       # all 40 layers, 28 GB
    build/bin/kinescope-cli generate --model /tmp/wan14b --width 256 --height 256 --num-frames 9 --steps 1 \
        --guidance-scale 1 --max-memory 8GiB --prompt "a" -o /tmp/one_step.mp4

The transformer is bfloat16.  Its numbers are one random tile over and over, so that writing it takes no longer than the
disk does.  Text encoder, VAE and tokenizer are the tiny ones of tests/data/wan_t2v, so that little time goes into
them; text_dim is theirs.  Needs: numpy.
"""

from __future__ import annotations

import argparse
import json
import math
import mmap
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HEAD_DIM, FREQ_DIM = 128, 256
PAGE = 4096
TINY = Path(__file__).resolve().parent.parent / "data" / "wan_t2v" / "model"


@dataclass
class Shape:
    heads: int
    ffn_dim: int
    layers: int

    @property
    def dim(self) -> int:
        return self.heads * HEAD_DIM


SHAPES = {"1.3B": Shape(heads=12, ffn_dim=8960, layers=30), "14B": Shape(heads=40, ffn_dim=13824, layers=40)}


def tensors(shape: Shape, layers: int, text_dim: int) -> dict[str, tuple[int, ...]]:
    dim = shape.dim

    def linear(name: str, inputs: int, outputs: int) -> dict[str, tuple[int, ...]]:
        return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}

    table = {"patch_embedding.weight": (dim, 16, 1, 2, 2), "patch_embedding.bias": (dim,), "scale_shift_table": (1, 2, dim)}
    table |= linear("condition_embedder.time_embedder.linear_1", FREQ_DIM, dim)
    table |= linear("condition_embedder.time_embedder.linear_2", dim, dim)
    table |= linear("condition_embedder.time_proj", dim, 6 * dim)
    table |= linear("condition_embedder.text_embedder.linear_1", text_dim, dim)
    table |= linear("condition_embedder.text_embedder.linear_2", dim, dim)
    table |= linear("proj_out", dim, 64)
    for layer in range(layers):
        block = f"blocks.{layer}"
        table[f"{block}.scale_shift_table"] = (1, 6, dim)
        table |= {f"{block}.norm2.weight": (dim,), f"{block}.norm2.bias": (dim,)}
        for attention in ("attn1", "attn2"):
            for part in ("to_q", "to_k", "to_v", "to_out.0"):
                table |= linear(f"{block}.{attention}.{part}", dim, dim)
            table |= {f"{block}.{attention}.norm_{part}.weight": (dim,) for part in "qk"}
        table |= linear(f"{block}.ffn.net.0.proj", dim, shape.ffn_dim)
        table |= linear(f"{block}.ffn.net.2", shape.ffn_dim, dim)
    return table


def random_tile() -> mmap.mmap:
    """64 MiB of bfloat16, 0.02 wide, aligned as direct writing wants it."""
    numbers = np.random.default_rng(0).standard_normal(1 << 20, dtype=np.float32) * np.float32(0.02)
    few = (numbers.view(np.uint32) >> 16).astype(np.uint16).tobytes()
    tile = mmap.mmap(-1, 64 << 20)
    for begin in range(0, len(tile), len(few)):
        tile[begin:begin + len(few)] = few
    return tile


def write_safetensors(file: Path, table: dict[str, tuple[int, ...]]) -> None:
    """Written past the page cache, which has better to keep: no faster, no slower than the disk."""
    header, end = {}, 0
    for name, size in table.items():
        begin, end = end, end + 2 * math.prod(size)
        header[name] = {"dtype": "BF16", "shape": list(size), "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-(8 + len(text)) % PAGE)
    with file.open("wb") as out:
        out.write(len(text).to_bytes(8, "little") + text)
    tile, start = random_tile(), 8 + len(text)
    descriptor = os.open(file, os.O_WRONLY | os.O_DIRECT)
    for begin in range(0, end, len(tile)):
        pages = -(-min(len(tile), end - begin) // PAGE) * PAGE
        os.pwrite(descriptor, memoryview(tile)[:pages], start + begin)
    os.ftruncate(descriptor, start + end)
    os.close(descriptor)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--shape", choices=SHAPES, default="1.3B")
    parser.add_argument("--layers", type=int, help="in place of the published number")
    arguments = parser.parse_args()
    shape = SHAPES[arguments.shape]
    layers = arguments.layers or shape.layers
    shutil.copytree(TINY, arguments.folder, dirs_exist_ok=True)
    file = arguments.folder / "transformer" / "config.json"
    config = json.loads(file.read_text())
    config |= {"num_attention_heads": shape.heads, "attention_head_dim": HEAD_DIM, "ffn_dim": shape.ffn_dim,
               "freq_dim": FREQ_DIM, "num_layers": layers}
    file.write_text(json.dumps(config, indent=2))
    write_safetensors(arguments.folder / "transformer" / "diffusion_pytorch_model.safetensors",
                      tensors(shape, layers, config["text_dim"]))


if __name__ == "__main__":
    main()
