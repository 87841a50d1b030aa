#!/usr/bin/env python3
"""Makes small LoRAs for the tiny Wan model in ../wan_t2v in the namings that people have, and the transformer's changed
weights after diffusers merged them (`load_lora_weights`, `set_adapters`, `fuse_lora`).

    make_loras.py OUTPUT_FOLDER

peft.safetensors    as diffusers saves it: transformer.X.lora_A.weight; alpha 3 for rank 2 in the header's metadata
comfy.safetensors   as ComfyUI reads it: diffusion_model.X.lora_down.weight with original names, alpha, bias differences
kohya.safetensors   as musubi-tuner writes it: lora_unet_X_with_underscores.lora_down.weight, alpha, bfloat16. diffusers multiplies
                    the half by alpha / rank in the file's dtype, which rounds it (5.7e-5 of a weight for 1 / 3), so that is a power of 2
expected_N.safetensors  the changed weights of six layers: each file alone at scale 1, and `several`: peft at 0.8 and comfy at -0.5
ltx_peft.safetensors, ltx_comfy.safetensors, expected_ltx_N.safetensors  the same for the tiny LTX-Video model in ../ltx/t2v,
                    whose original names differ from diffusers' only by the prefix
Made with diffusers 0.42.1, peft from PyPI, torch 2.11.0; the same bits each time.
"""
import json
import pathlib
import sys

import torch
from diffusers import LTXPipeline, WanPipeline
from safetensors.torch import save_file

LTX_MODEL = pathlib.Path(__file__).parent.parent / "ltx" / "t2v" / "model"
LTX_LAYERS = [f"transformer_blocks.{i}.{layer}" for i, layer in
              [(0, "attn1.to_q"), (0, "attn1.to_out.0"), (1, "attn2.to_k"), (2, "attn2.to_v"), (1, "ff.net.0.proj"),
               (2, "ff.net.2")]]
MODEL = pathlib.Path(__file__).parent.parent / "wan_t2v" / "model"
# Original name -> (diffusers name); a few layers of each kind.
LAYERS = {"blocks.0.self_attn.q": "blocks.0.attn1.to_q", "blocks.0.self_attn.o": "blocks.0.attn1.to_out.0",
          "blocks.1.cross_attn.k": "blocks.1.attn2.to_k", "blocks.2.cross_attn.v": "blocks.2.attn2.to_v",
          "blocks.1.ffn.0": "blocks.1.ffn.net.0.proj", "blocks.2.ffn.2": "blocks.2.ffn.net.2"}


# musubi-tuner writes every layer of a block, and diffusers reads no less.
OF_BLOCK = {"self_attn.q": "attn1.to_q", "self_attn.k": "attn1.to_k", "self_attn.v": "attn1.to_v",
            "self_attn.o": "attn1.to_out.0", "cross_attn.q": "attn2.to_q", "cross_attn.k": "attn2.to_k",
            "cross_attn.v": "attn2.to_v", "cross_attn.o": "attn2.to_out.0", "ffn.0": "ffn.net.0.proj",
            "ffn.2": "ffn.net.2"}
EVERY_LAYER = {f"blocks.{i}.{a}": f"blocks.{i}.{b}" for i in range(3) for a, b in OF_BLOCK.items()}


def halves(transformer, layers, rank, generator):
    """down and up of each layer, by diffusers name."""
    shapes = {name: transformer.get_submodule(name).weight.shape for name in layers.values()}
    draw = lambda *shape: torch.randn(*shape, generator=generator) * 0.1
    return {name: (draw(rank, cols), draw(rows, rank)) for name, (rows, cols) in shapes.items()}


def write_peft(path, parts):
    tensors = {}
    for name, (down, up) in parts.items():
        tensors[f"transformer.{name}.lora_A.weight"] = down
        tensors[f"transformer.{name}.lora_B.weight"] = up
    config = {"transformer.r": 2, "transformer.lora_alpha": 3.0, "transformer.target_modules": list(parts)}
    save_file(tensors, path, metadata={"format": "pt", "lora_adapter_metadata": json.dumps(config)})


def write_comfy(path, parts, generator):
    tensors = {}
    for native, name in LAYERS.items():
        down, up = parts[name]
        tensors[f"diffusion_model.{native}.lora_down.weight"] = down
        tensors[f"diffusion_model.{native}.lora_up.weight"] = up
        tensors[f"diffusion_model.{native}.alpha"] = torch.tensor(2.0)
        tensors[f"diffusion_model.{native}.diff_b"] = torch.randn(up.shape[0], generator=generator) * 0.1
    save_file(tensors, path)


def write_kohya(path, parts):
    tensors = {}
    for native, name in EVERY_LAYER.items():
        key = "lora_unet_" + native.replace(".", "_")
        down, up = parts[name]
        tensors[f"{key}.lora_down.weight"] = down.bfloat16()
        tensors[f"{key}.lora_up.weight"] = up.bfloat16()
        tensors[f"{key}.alpha"] = torch.tensor(1.0)
    save_file(tensors, path)


def write_ltx_comfy(path, parts):
    """As LTX-Video's trainer writes it."""
    tensors = {}
    for name, (down, up) in parts.items():
        tensors[f"diffusion_model.{name}.lora_A.weight"] = down.bfloat16()
        tensors[f"diffusion_model.{name}.lora_B.weight"] = up.bfloat16()
    save_file(tensors, path)


def write_ltx(folder):
    generator = torch.Generator().manual_seed(6)
    layers = {name: name for name in LTX_LAYERS}
    transformer = LTXPipeline.from_pretrained(LTX_MODEL, torch_dtype=torch.float32).transformer
    write_peft(folder / "ltx_peft.safetensors", halves(transformer, layers, 2, generator))
    write_ltx_comfy(folder / "ltx_comfy.safetensors", halves(transformer, layers, 4, generator))
    for name in ("ltx_peft", "ltx_comfy"):
        pipe = LTXPipeline.from_pretrained(LTX_MODEL, torch_dtype=torch.float32)
        save_file(merged(folder, [(name, 1.0)], pipe, LTX_LAYERS), folder / f"expected_{name}.safetensors")


def merged(folder, uses, pipe, layers):
    """The changed weights after diffusers merged `uses`: (file, scale)."""
    before = {name: value.clone() for name, value in pipe.transformer.state_dict().items()}
    for file, _ in uses:
        pipe.load_lora_weights(folder, weight_name=f"{file}.safetensors", adapter_name=file)
    pipe.set_adapters([file for file, _ in uses], [scale for _, scale in uses])
    pipe.fuse_lora(components=["transformer"], adapter_names=[file for file, _ in uses])
    pipe.unload_lora_weights()
    after = pipe.transformer.state_dict()
    assert set(before) == set(after)
    changed = {name: after[name].contiguous() for name in after if not torch.equal(before[name], after[name])}
    return {name: value for name, value in changed.items() if name.rpartition(".")[0] in layers}


def main():
    folder = pathlib.Path(sys.argv[1])
    generator = torch.Generator().manual_seed(5)
    transformer = WanPipeline.from_pretrained(MODEL, torch_dtype=torch.float32).transformer
    write_peft(folder / "peft.safetensors", halves(transformer, LAYERS, 2, generator))
    write_comfy(folder / "comfy.safetensors", halves(transformer, LAYERS, 4, generator), generator)
    write_kohya(folder / "kohya.safetensors", halves(transformer, EVERY_LAYER, 4, generator))
    cases = {name: [(name, 1.0)] for name in ("peft", "comfy", "kohya")}
    cases["several"] = [("peft", 0.8), ("comfy", -0.5)]
    for name, uses in cases.items():
        pipe = WanPipeline.from_pretrained(MODEL, torch_dtype=torch.float32)
        weights = merged(folder, uses, pipe, LAYERS.values())
        print(name, sorted(weights))
        save_file(weights, folder / f"expected_{name}.safetensors")
    write_ltx(folder)


if __name__ == "__main__":
    main()
