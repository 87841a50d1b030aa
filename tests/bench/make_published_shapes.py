#!/usr/bin/env python3
"""Write a Wan model of published shapes with random weights, to see what loading it and a step of it take.

    python3 tests/bench/make_published_shapes.py /tmp/wan13b                  # a diffusers folder
    python3 tests/bench/make_published_shapes.py /tmp/wan13b --names comfyui  # single files in ComfyUI's folders
    python3 tests/bench/make_published_shapes.py /tmp/wan14b --names sparse   # a 33 GB file of headers and holes

The denoiser is that of Wan 2.1 T2V 1.3B and the VAE that of Wan 2.1, both in bfloat16.  The text encoder has the width of
UMT5-XXL but two layers and the vocabulary of the tests' tokenizer: all of it would be 11 GB.  Weights are drawn and
written tensor by tensor.  The sparse file is a denoiser of the width of 14B, for `inspect` alone: it takes no room on the
disk.  Needs: numpy, torch, diffusers, transformers.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
from pathlib import Path

import numpy as np
import torch
from diffusers import AutoencoderKLWan, UniPCMultistepScheduler, WanTransformer3DModel
from transformers import UMT5Config, UMT5EncoderModel

TOKENIZER = Path(__file__).resolve().parent.parent / "data/tokenizers/umt5"

TRANSFORMER = dict(num_attention_heads=12, attention_head_dim=128, in_channels=16, out_channels=16, text_dim=4096,
                   freq_dim=256, ffn_dim=8960, num_layers=30, cross_attn_norm=True, qk_norm="rms_norm_across_heads",
                   eps=1e-6, rope_max_seq_len=1024)
TEXT_ENCODER = dict(d_model=4096, d_kv=64, d_ff=10240, num_layers=2, num_heads=64, feed_forward_proj="gated-gelu")

# The original authors' names, longest first.
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


def random_bfloat16(random: np.random.Generator, shape: tuple[int, ...], is_norm: bool) -> bytes:
    """Matrices that keep the size of what passes through them; weights of norms near 1."""
    fan_in = math.prod(shape[1:]) if len(shape) > 1 else 400
    values = (random.random(math.prod(shape), dtype=np.float32) - np.float32(0.5)) * np.float32(math.sqrt(12 / fan_in))
    return ((values + np.float32(is_norm)).view(np.uint32) >> 16).astype(np.uint16).tobytes()


def header_of(shapes: dict[str, tuple[int, ...]]) -> tuple[bytes, int]:
    """The file's first bytes, and how many follow."""
    header, offset = {}, 0
    for name, shape in shapes.items():
        size = 2 * math.prod(shape)
        header[name] = {"dtype": "BF16", "shape": list(shape), "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text, offset


def write_sparse(file: Path, shapes: dict[str, tuple[int, ...]]) -> None:
    header, size = header_of(shapes)
    with open(file, "wb") as out:
        out.write(header)
        out.truncate(len(header) + size)


def write(file: Path, shapes: dict[str, tuple[int, ...]], seed: int) -> None:
    random = np.random.default_rng(seed)
    file.parent.mkdir(parents=True, exist_ok=True)
    with open(file, "wb") as out:
        out.write(header_of(shapes)[0])
        for name, shape in shapes.items():
            out.write(random_bfloat16(random, shape, name.endswith("gamma") or "norm" in name and "weight" in name))


def shapes_of(model: torch.nn.Module) -> dict[str, tuple[int, ...]]:
    return {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--names", choices=["diffusers", "comfyui", "sparse"], default="diffusers")
    options = parser.parse_args()
    vocabulary = len(json.loads((TOKENIZER / "tokenizer.json").read_text())["model"]["vocab"]) + 128
    with torch.device("meta"):
        transformer, vae = WanTransformer3DModel(**TRANSFORMER), AutoencoderKLWan()
        text_encoder = UMT5EncoderModel(UMT5Config(vocab_size=vocabulary, **TEXT_ENCODER))
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.names == "sparse":
        with torch.device("meta"):
            wide = WanTransformer3DModel(**TRANSFORMER | dict(num_attention_heads=40, ffn_dim=13824, num_layers=47))
        write_sparse(options.folder / "wan_33GB_bf16.safetensors",
                     {native_name(name): shape for name, shape in shapes_of(wide).items()})
        return
    if options.names == "comfyui":
        shapes = {f"model.diffusion_model.{native_name(name)}": shape for name, shape in shapes_of(transformer).items()}
        write(options.folder / "diffusion_models/wan2.1_t2v_1.3B_bf16.safetensors", shapes, 1)
        shapes = shapes_of(text_encoder)
        shapes.pop("encoder.embed_tokens.weight", None)
        write(options.folder / "text_encoders/umt5_two_layers_bf16.safetensors", shapes, 1)
        write(options.folder / "vae/wan_2.1_vae.safetensors", shapes_of(vae), 1)
        shutil.copytree(TOKENIZER, options.folder / "text_encoders/umt5-xxl", dirs_exist_ok=True)
        return
    for name, model, file in [("transformer", transformer, "diffusion_pytorch_model.safetensors"),
                              ("vae", vae, "diffusion_pytorch_model.safetensors"),
                              ("text_encoder", text_encoder, "model.safetensors")]:
        if name == "text_encoder":
            model.config.save_pretrained(options.folder / name)
        else:
            model.save_config(options.folder / name)
        shapes = shapes_of(model)
        shapes.pop("encoder.embed_tokens.weight", None)
        write(options.folder / name / file, shapes, 1)
    UniPCMultistepScheduler(prediction_type="flow_prediction", use_flow_sigmas=True, flow_shift=3.0).save_config(
        options.folder / "scheduler")
    shutil.copytree(TOKENIZER, options.folder / "tokenizer", dirs_exist_ok=True)
    (options.folder / "model_index.json").write_text(json.dumps({
        "_class_name": "WanPipeline", "scheduler": ["diffusers", "UniPCMultistepScheduler"],
        "text_encoder": ["transformers", "UMT5EncoderModel"], "tokenizer": ["transformers", "T5TokenizerFast"],
        "transformer": ["diffusers", "WanTransformer3DModel"], "vae": ["diffusers", "AutoencoderKLWan"]}, indent=2))


main()
