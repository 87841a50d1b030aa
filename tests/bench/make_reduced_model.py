#!/usr/bin/env python3
"""Write a random model with a published model's widths and few layers, to compare speeds with diffusers.

    python3 tests/bench/make_reduced_model.py wan /tmp/wan --layers 4
    python3 tests/bench/make_reduced_model.py cogvideox /tmp/cogvideox --layers 2
    python3 tests/bench/make_reduced_model.py svd /tmp/svd --layers 1

The denoiser has the widths of Wan 2.1 1.3B, CogVideoX-2B or Stable Video Diffusion and as many blocks as asked for (of
SVD: as many for each level); the VAE is the published one, whole. Both are bfloat16 (SVD: float16) with the random
weights that diffusers begins with. Text or image encoder are the tiny ones of tests/data, so that little time goes into
them. Needs: torch, diffusers.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import diffusers
import torch

DATA = Path(__file__).resolve().parent.parent / "data"

FOUR_LEVELS = {"down_block_types": ["DownEncoderBlock2D"] * 4, "block_out_channels": [128, 256, 512, 512]}

# The tiny model, then for each component the class and what differs from the tiny one's config.
FAMILIES = {
    "wan": (DATA / "wan_t2v/model", torch.bfloat16, {
        "transformer": ("WanTransformer3DModel", lambda layers: dict(
            num_attention_heads=12, attention_head_dim=128, ffn_dim=8960, num_layers=layers)),
        "vae": ("AutoencoderKLWan", lambda _: dict(base_dim=96))}),
    "cogvideox": (DATA / "cogvideox/t2v/model", torch.bfloat16, {
        "transformer": ("CogVideoXTransformer3DModel", lambda layers: dict(
            num_attention_heads=30, attention_head_dim=64, time_embed_dim=512, in_channels=16, out_channels=16,
            num_layers=layers, sample_height=60, sample_width=90, sample_frames=49)),
        "vae": ("AutoencoderKLCogVideoX", lambda _: dict(
            block_out_channels=[128, 256, 256, 512], layers_per_block=3, latent_channels=16, norm_num_groups=32))}),
    "svd": (DATA / "svd/model", torch.float16, {
        "unet": ("UNetSpatioTemporalConditionModel", lambda layers: dict(
            block_out_channels=[320, 640, 1280, 1280], num_attention_heads=[5, 10, 20, 20], layers_per_block=layers,
            addition_time_embed_dim=256, projection_class_embeddings_input_dim=768,
            down_block_types=["CrossAttnDownBlockSpatioTemporal"] * 3 + ["DownBlockSpatioTemporal"],
            up_block_types=["UpBlockSpatioTemporal"] + ["CrossAttnUpBlockSpatioTemporal"] * 3)),
        "vae": ("AutoencoderKLTemporalDecoder", lambda _: FOUR_LEVELS | dict(layers_per_block=2))}),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", choices=FAMILIES)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--layers", type=int, default=2)
    arguments = parser.parse_args()
    tiny, dtype, components = FAMILIES[arguments.family]
    shutil.copytree(tiny, arguments.folder, dirs_exist_ok=True)
    torch.manual_seed(0)
    for name, (kind, differing) in components.items():
        config = json.loads((tiny / name / "config.json").read_text()) | differing(arguments.layers)
        for old in (arguments.folder / name).glob("*.safetensors*"):
            old.unlink()
        getattr(diffusers, kind).from_config(config).to(dtype).save_pretrained(arguments.folder / name)


if __name__ == "__main__":
    main()
