#!/usr/bin/env python3
"""Copies what the test compares with of the golden cases of the reference (TAEHV of madebyollin/taehv, commit 1f14a56):
the models, the latents, the frames and the outputs of some layers.

Usage: copy_cases.py GOLDEN_TAEHV_FOLDER
"""

import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from safetensors_files import read_tensors, write_tensors

HERE = pathlib.Path(__file__).parent
MODELS = ("taew2_1.pth", "taew2_2.safetensors")
LAYERS = ("decoder.3", "decoder.5", "decoder.8", "decoder.9", "decoder.11")


def copy_case(source, model):
    target = HERE / "reference"
    target.mkdir(exist_ok=True)
    shutil.copyfile(source / "model" / model, target / model)
    tensors = read_tensors(source / "expected.safetensors")
    kept = ["latents", "frames", *(f"block.{layer}" for layer in LAYERS)]
    write_tensors(target / f"{source.name}_expected.safetensors", {name: tensors[name] for name in kept})


for name in MODELS:
    copy_case(pathlib.Path(sys.argv[1]) / name.split(".")[0], name)
