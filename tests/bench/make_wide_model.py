#!/usr/bin/env python3
"""Write a random model with the widths of Wan 2.1 1.3B but few layers, for measuring what monitor and guard cost.

    python3 tests/bench/make_wide_model.py --layers 4 /tmp/wide
    build/bin/kinescope-cli bench --model /tmp/wide --width 256 --height 256 --num-frames 17 --steps 3 --prompt "a"

The transformer is bfloat16, 12 heads of 128, feed-forward 8960.  Text encoder, VAE and tokenizer are the tiny ones of
tests/data/wan_t2v, so that little time goes into them; text_dim is theirs.  Needs: torch, safetensors.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import torch
from safetensors.torch import save_file

HEADS, HEAD_DIM, FFN_DIM, FREQ_DIM = 12, 128, 8960, 256
DIM = HEADS * HEAD_DIM
TINY = Path(__file__).resolve().parent.parent / "data" / "wan_t2v" / "model"


def shapes(layers: int, text_dim: int) -> dict[str, tuple[int, ...]]:
    def linear(name: str, inputs: int, outputs: int) -> dict[str, tuple[int, ...]]:
        return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}

    table = {"patch_embedding.weight": (DIM, 16, 1, 2, 2), "patch_embedding.bias": (DIM,), "scale_shift_table": (1, 2, DIM)}
    table |= linear("condition_embedder.time_embedder.linear_1", FREQ_DIM, DIM)
    table |= linear("condition_embedder.time_embedder.linear_2", DIM, DIM)
    table |= linear("condition_embedder.time_proj", DIM, 6 * DIM)
    table |= linear("condition_embedder.text_embedder.linear_1", text_dim, DIM)
    table |= linear("condition_embedder.text_embedder.linear_2", DIM, DIM)
    table |= linear("proj_out", DIM, 64)
    for layer in range(layers):
        block = f"blocks.{layer}"
        table[f"{block}.scale_shift_table"] = (1, 6, DIM)
        table |= {f"{block}.norm2.weight": (DIM,), f"{block}.norm2.bias": (DIM,)}
        for attention in ("attn1", "attn2"):
            for part in ("to_q", "to_k", "to_v", "to_out.0"):
                table |= linear(f"{block}.{attention}.{part}", DIM, DIM)
            table |= {f"{block}.{attention}.norm_{part}.weight": (DIM,) for part in "qk"}
        table |= linear(f"{block}.ffn.net.0.proj", DIM, FFN_DIM)
        table |= linear(f"{block}.ffn.net.2", FFN_DIM, DIM)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--layers", type=int, default=4)
    arguments = parser.parse_args()
    shutil.copytree(TINY, arguments.folder, dirs_exist_ok=True)
    file = arguments.folder / "transformer" / "config.json"
    config = json.loads(file.read_text())
    config |= {"num_attention_heads": HEADS, "attention_head_dim": HEAD_DIM, "ffn_dim": FFN_DIM,
               "freq_dim": FREQ_DIM, "num_layers": arguments.layers}
    file.write_text(json.dumps(config, indent=2))
    generator = torch.Generator().manual_seed(1)
    weights = {}
    for name, shape in shapes(arguments.layers, config["text_dim"]).items():
        if "norm" in name and name.endswith("weight"):
            weights[name] = torch.ones(shape, dtype=torch.bfloat16)
        else:
            weights[name] = (torch.randn(shape, generator=generator) * 0.02).to(torch.bfloat16)
    save_file(weights, arguments.folder / "transformer" / "diffusion_pytorch_model.safetensors")


if __name__ == "__main__":
    main()
