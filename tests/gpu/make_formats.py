#!/usr/bin/env python3
"""Writes the denoiser of a model in the formats of files that people have.

    make_formats.py MODEL FOLDER     # MODEL/transformer -> FOLDER/{fp8,fp8_scaled}.safetensors, {q8_0,q4_0}.gguf

As in published files, the Linear weights of the blocks are converted and everything else keeps its type. Without the
package gguf, no GGUF file is written.
"""
import pathlib
import sys

import torch
from safetensors.torch import load_file, save_file

try:
    import gguf
except ImportError:
    gguf = None

FP8 = torch.float8_e4m3fn


def is_converted(name, value):
    return ".blocks." in f".{name}" and value.ndim == 2 and value.shape[1] % 32 == 0


def write_fp8(tensors, file):
    save_file({name: value.to(FP8) if is_converted(name, value) else value for name, value in tensors.items()}, file)


def write_scaled_fp8(tensors, file):
    scaled = {"scaled_fp8": torch.zeros(2, dtype=FP8)}
    for name, value in tensors.items():
        scaled[name] = value
        if not is_converted(name, value):
            continue
        scale = value.abs().max().float() / torch.finfo(FP8).max
        scaled[name] = (value.float() / scale).to(FP8)
        scaled[name.removesuffix("weight") + "scale_weight"] = scale.reshape(1)
    save_file(scaled, file)


def write_gguf(tensors, file, kind):
    """Writes tensors of five dimensions with the first two merged: stable-diffusion.cpp and ComfyUI-GGUF read this, too."""
    writer = gguf.GGUFWriter(file, "wan")
    for name, value in tensors.items():
        data = value.float().numpy()
        if is_converted(name, value):
            writer.add_tensor(name, gguf.quantize(data, kind), raw_dtype=kind)
        elif data.ndim > 4:
            writer.add_array(f"comfy.gguf.orig_shape.{name}", list(data.shape))
            writer.add_tensor(name, data.reshape(-1, *data.shape[2:]))
        else:
            writer.add_tensor(name, data)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    model, folder = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {}
    for part in sorted((model / "transformer").glob("*.safetensors")):
        tensors |= load_file(part)
    write_fp8(tensors, folder / "fp8.safetensors")
    write_scaled_fp8(tensors, folder / "fp8_scaled.safetensors")
    if gguf:
        write_gguf(tensors, folder / "q8_0.gguf", gguf.GGMLQuantizationType.Q8_0)
        write_gguf(tensors, folder / "q4_0.gguf", gguf.GGMLQuantizationType.Q4_0)


if __name__ == "__main__":
    main()
