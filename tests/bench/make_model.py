#!/usr/bin/env python3
"""Write a random model with the widths of a published one, for measuring speed and memory.

    python3 tests/bench/make_model.py wan-1.3b /tmp/wan --layers 4                  # published denoiser, other parts tiny
    python3 tests/bench/make_model.py svd /tmp/svd --published vae                  # published VAE, other parts tiny
    python3 tests/bench/make_model.py wan-14b /tmp/wan14b                           # all 40 layers, 28 GB
    python3 tests/bench/make_model.py wan-1.3b /tmp/wan13b --published transformer,vae,text_encoder --names comfyui
    python3 tests/bench/make_model.py wan-14b /tmp/holes --layers 47 --names sparse # 33 GB of headers and holes

The components in --published (default: the denoiser) get the widths of the published model; the others those of the
tiny model in tests/data, whose encoders and tokenizer are copied. UMT5-XXL has the published width, but only two layers
and the tiny vocabulary, because the whole model would take 11 GB. --layers replaces the published number of layers (for
SVD: per level). All values repeat one random tile, so that the disk limits the speed. --names comfyui writes Wan as
single files with the original authors' names in ComfyUI's folders. --names sparse writes only the denoiser, as a sparse
file for `inspect`, which takes no space on the disk. Needs requirements.txt.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import os
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch

DATA = Path(__file__).resolve().parent.parent / "data"
TILE = torch.randn((1 << 20) + 7, generator=torch.Generator().manual_seed(0))  # odd, so that no two rows are the same


@dataclass(frozen=True)
class Component:
    """A component: its class, and the differences from the tiny model's config, always and for published widths."""

    kind: str
    published: dict
    always: dict = field(default_factory=dict)
    layers: str = ""  # config key for the number of layers
    library: str = "diffusers"


@dataclass(frozen=True)
class Shape:
    tiny: Path
    dtype: torch.dtype
    components: dict[str, Component]
    pipeline: str = ""  # replaces the tiny model's pipeline


def wan(heads: int, ffn_dim: int, layers: int, pipeline: str = "", **always: int) -> Shape:
    transformer = dict(num_attention_heads=heads, attention_head_dim=128, ffn_dim=ffn_dim, num_layers=layers)
    text_encoder = dict(d_model=4096, d_kv=64, d_ff=10240, num_layers=2, num_heads=64)
    return Shape(DATA / "wan_t2v/model", torch.bfloat16, pipeline=pipeline, components={
        "text_encoder": Component("UMT5EncoderModel", text_encoder, library="transformers"),
        "transformer": Component("WanTransformer3DModel", transformer, always, "num_layers"),
        "vae": Component("AutoencoderKLWan", dict(base_dim=96))})


def cogvideox_2b(in_channels: int, pipeline: str = "") -> Shape:
    transformer = dict(num_attention_heads=30, attention_head_dim=64, time_embed_dim=512, num_layers=30,
                       sample_height=60, sample_width=90, sample_frames=49)
    always = dict(in_channels=in_channels, out_channels=16, max_text_seq_length=226)
    vae = dict(block_out_channels=[128, 256, 256, 512], layers_per_block=3, norm_num_groups=32)
    return Shape(DATA / "cogvideox/t2v/model", torch.bfloat16, pipeline=pipeline, components={
        "transformer": Component("CogVideoXTransformer3DModel", transformer, always, "num_layers"),
        "vae": Component("AutoencoderKLCogVideoX", vae, dict(latent_channels=16))})


SVD = Shape(DATA / "svd/model", torch.float16, {
    "unet": Component(
        "UNetSpatioTemporalConditionModel",
        dict(block_out_channels=[320, 640, 1280, 1280], num_attention_heads=[5, 10, 20, 20], layers_per_block=2,
             addition_time_embed_dim=256, projection_class_embeddings_input_dim=768,
             down_block_types=["CrossAttnDownBlockSpatioTemporal"] * 3 + ["DownBlockSpatioTemporal"],
             up_block_types=["UpBlockSpatioTemporal"] + ["CrossAttnUpBlockSpatioTemporal"] * 3),
        layers="layers_per_block"),
    "vae": Component("AutoencoderKLTemporalDecoder",
                     dict(block_out_channels=[128, 256, 512, 512], layers_per_block=2),
                     dict(down_block_types=["DownEncoderBlock2D"] * 4, block_out_channels=[32] * 4))})

# The denoiser of 2B, the VAE of 0.9.5.
LTX_2B = Shape(DATA / "ltx/t2v/model", torch.bfloat16, {
    "transformer": Component(
        "LTXVideoTransformer3DModel",
        dict(num_attention_heads=32, attention_head_dim=64, cross_attention_dim=2048, num_layers=28),
        dict(in_channels=128, out_channels=128), "num_layers"),
    "vae": Component(
        "AutoencoderKLLTXVideo",
        dict(block_out_channels=[128, 256, 512, 1024, 2048], down_block_types=["LTXVideo095DownBlock3D"] * 4,
             layers_per_block=[4, 6, 6, 2, 2], spatio_temporal_scaling=[True] * 4,
             downsample_type=["spatial", "temporal", "spatiotemporal", "spatiotemporal"],
             decoder_block_out_channels=[256, 512, 1024], decoder_layers_per_block=[5] * 4,
             decoder_spatio_temporal_scaling=[True] * 3, decoder_inject_noise=[False] * 4,
             upsample_residual=[True] * 3, upsample_factor=[2] * 3, timestep_conditioning=True,
             spatial_compression_ratio=32, temporal_compression_ratio=8),
        dict(latent_channels=128))})

# The image-to-video shapes of Wan 1.3B and CogVideoX-2B were never published. They serve to time the encoder of their VAEs.
SHAPES = {"wan-1.3b": wan(12, 8960, 30), "wan-14b": wan(40, 13824, 40), "cogvideox-2b": cogvideox_2b(16), "svd": SVD,
          "ltx-2b": LTX_2B, "ltx-2b-i2v": replace(LTX_2B, pipeline="LTXImageToVideoPipeline"),
          "ltx-2b-condition": replace(LTX_2B, pipeline="LTXConditionPipeline"),
          "wan-1.3b-i2v": wan(12, 8960, 30, "WanImageToVideoPipeline", in_channels=36),
          "cogvideox-2b-i2v": cogvideox_2b(32, "CogVideoXImageToVideoPipeline")}

# Names of Wan's original authors, longest first.
NATIVE = [("condition_embedder.time_embedder.linear_1", "time_embedding.0"),
          ("condition_embedder.time_embedder.linear_2", "time_embedding.2"),
          ("condition_embedder.time_proj", "time_projection.1"),
          ("condition_embedder.text_embedder.linear_1", "text_embedding.0"),
          ("condition_embedder.text_embedder.linear_2", "text_embedding.2"),
          (".attn1.to_out.0", ".self_attn.o"), (".attn2.to_out.0", ".cross_attn.o"), (".to_q", ".q"), (".to_k", ".k"),
          (".to_v", ".v"), (".attn1", ".self_attn"), (".attn2", ".cross_attn"), (".ffn.net.0.proj", ".ffn.0"),
          (".ffn.net.2", ".ffn.2"), (".norm2", ".norm3"), ("proj_out", "head.head")]


def native_name(name: str) -> str:
    if name == "scale_shift_table":
        return "head.modulation"
    name = name.replace(".scale_shift_table", ".modulation")
    for ours, theirs in NATIVE:
        name = name.replace(ours, theirs)
    return name


def configs_of(shape: Shape, published: set[str], layers: int | None) -> dict[str, dict]:
    """Each component's config."""
    configs = {}
    for name, component in shape.components.items():
        config = json.loads((shape.tiny / name / "config.json").read_text()) | component.always
        if name in published:
            config |= component.published
        if name in published and component.layers and layers:
            config[component.layers] = layers
        configs[name] = config
    if "text_encoder" in configs:
        configs["transformer"]["text_dim"] = configs["text_encoder"]["d_model"]
    return configs


def tensors_of(component: Component, config: dict) -> dict[str, tuple[int, ...]]:
    """The shape of each tensor, without allocating any."""
    kind = getattr(importlib.import_module(component.library), component.kind)
    with torch.device("meta"):
        model = kind.from_config(config) if component.library == "diffusers" else kind(kind.config_class(**config))
    return {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()
            if name != "encoder.embed_tokens.weight"}  # UMT5's other name for "shared.weight"


def header_of(tensors: dict[str, tuple[int, ...]], dtype: torch.dtype) -> tuple[bytes, int]:
    """The header of a safetensors file, and the number of bytes that follow."""
    header, end = {}, 0
    for name, shape in tensors.items():
        begin, end = end, end + 2 * math.prod(shape)
        header[name] = {"dtype": {torch.bfloat16: "BF16", torch.float16: "F16"}[dtype], "shape": list(shape),
                        "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text, end


def random_block(name: str, shape: tuple[int, ...], dtype: torch.dtype) -> bytes:
    """Returns a part of a matrix that preserves the magnitude of activations, or of a norm's weights near 1."""
    is_norm = name.endswith("gamma") or len(shape) == 1 and "norm" in name and name.endswith("weight")
    fan_in = math.prod(shape[1:]) if len(shape) > 1 and not is_norm else 400
    values = TILE[:math.prod(shape)] / math.sqrt(fan_in) + float(is_norm)
    return values.to(dtype).view(torch.int16).numpy().tobytes()


def write(file: Path, tensors: dict[str, tuple[int, ...]], dtype: torch.dtype) -> None:
    """Writes the file and drops it from the page cache."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as out:
        out.write(header_of(tensors, dtype)[0])
        for name, shape in tensors.items():
            block = random_block(name, shape, dtype)
            whole, rest = divmod(2 * math.prod(shape), len(block))
            out.writelines([block] * whole + [block[:rest]])
        out.flush()
        os.fsync(out.fileno())
        os.posix_fadvise(out.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def write_sparse(file: Path, tensors: dict[str, tuple[int, ...]], dtype: torch.dtype) -> None:
    header, size = header_of(tensors, dtype)
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as out:
        out.write(header)
        out.truncate(len(header) + size)


def write_folder(shape: Shape, folder: Path, configs: dict[str, dict]) -> None:
    """A diffusers folder."""
    shutil.copytree(shape.tiny, folder, dirs_exist_ok=True)
    for old in folder.glob("*/*.fp16.safetensors"):
        old.rename(old.with_name(old.name.replace(".fp16", "")))
    if shape.pipeline:
        index = json.loads((folder / "model_index.json").read_text()) | {"_class_name": shape.pipeline}
        (folder / "model_index.json").write_text(json.dumps(index, indent=2))
    for name, config in configs.items():
        component = shape.components[name]
        file = "model.safetensors" if component.library == "transformers" else "diffusion_pytorch_model.safetensors"
        (folder / name / "config.json").write_text(json.dumps(config, indent=2))
        write(folder / name / file, tensors_of(component, config), shape.dtype)


def write_comfyui(shape: Shape, folder: Path, configs: dict[str, dict]) -> None:
    tensors = {name: tensors_of(shape.components[name], config) for name, config in configs.items()}
    denoiser = {f"model.diffusion_model.{native_name(name)}": size for name, size in tensors["transformer"].items()}
    write(folder / "diffusion_models/wan2.1_bf16.safetensors", denoiser, shape.dtype)
    write(folder / "text_encoders/umt5_bf16.safetensors", tensors["text_encoder"], shape.dtype)
    write(folder / "vae/wan_2.1_vae.safetensors", tensors["vae"], shape.dtype)
    shutil.copytree(shape.tiny / "tokenizer", folder / "text_encoders/umt5-xxl", dirs_exist_ok=True)


def make_model(name: str, folder: Path, published: set[str] = frozenset(), layers: int | None = None) -> None:
    """Writes a diffusers folder. If `published` is empty, the denoiser has the published widths."""
    shape = SHAPES[name]
    write_folder(shape, folder, configs_of(shape, published or {"transformer", "unet"}, layers))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shape", choices=SHAPES)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--published", default="transformer,unet", help="components, separated by commas")
    parser.add_argument("--layers", type=int)
    parser.add_argument("--names", choices=["diffusers", "comfyui", "sparse"], default="diffusers")
    arguments = parser.parse_args()
    shape = SHAPES[arguments.shape]
    configs = configs_of(shape, set(arguments.published.split(",")), arguments.layers)
    if arguments.names == "diffusers":
        write_folder(shape, arguments.folder, configs)
    elif arguments.names == "comfyui":
        write_comfyui(shape, arguments.folder, configs)
    else:
        tensors = tensors_of(shape.components["transformer"], configs["transformer"])
        write_sparse(arguments.folder / "wan_bf16.safetensors",
                     {native_name(name): size for name, size in tensors.items()}, shape.dtype)


if __name__ == "__main__":
    main()
