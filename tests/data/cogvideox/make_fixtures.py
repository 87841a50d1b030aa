#!/usr/bin/env python3
"""Makes the files beside itself from golden cases and from transformers' tokenizer: make_fixtures.py GOLDEN_COGVIDEOX

  t2v/            2B: the whole model of t2v_2b_fp16_vae_overflow, its request and what is expected of it
  t2v/vae_io      one decode of 5 latent frames and one encode, without the values of the blocks; and the first and last
                  frame of a decode by 2 x 2 tiles, for a native size of 96 x 160
  rotary/         5B: transformer of t2v_5b, one forward on a crop region
  ofs/            1.5 image to video: transformer of i2v_15, one forward
  prompts.json    awkward prompts and their ids by transformers' T5Tokenizer on t2v/model/tokenizer; "sentencepiece" where
                  the library itself, which T5Tokenizer was until transformers 5, has others: it normalises by the longest
                  rule, transformers 5 by grapheme clusters, of which it forgets the combining marks

Needs diffusers 0.42, safetensors, sentencepiece, torch and transformers 5.
"""

import json
import pathlib
import re
import shutil
import sys

import sentencepiece as spm
import torch
from diffusers import AutoencoderKLCogVideoX
from safetensors.torch import load_file, save_file
from transformers import T5Tokenizer

FOLDER = pathlib.Path(__file__).parent
GOLDEN = pathlib.Path(sys.argv[1])


def copy(source: str, target: str) -> None:
    (FOLDER / target).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(GOLDEN / source, FOLDER / target)


def copy_component(source: str, target: str) -> None:
    shutil.rmtree(FOLDER / target, ignore_errors=True)
    shutil.copytree(GOLDEN / source, FOLDER / target, copy_function=shutil.copyfile)


def keep(source: str, names: list[str], prefix: str = "") -> dict:
    tensors = load_file(GOLDEN / source)
    return {prefix + name: tensors[name].clone() for name in names}


@torch.no_grad()
def decode_by_tiles() -> dict:
    vae = AutoencoderKLCogVideoX.from_pretrained(FOLDER / "t2v/model/vae", torch_dtype=torch.float32)
    vae.enable_tiling(tile_sample_min_height=48, tile_sample_min_width=80)
    z = torch.randn(1, 4, 5, 8, 12, generator=torch.Generator().manual_seed(1))
    frames = vae.decode(z).sample
    return {"in.tiled_z": z, "out.tiled_first": frames[:, :, 0].clone(), "out.tiled_last": frames[:, :, -1].clone()}


def make_models() -> None:
    case = "t2v_2b_fp16_vae_overflow"
    copy_component(f"{case}/model", "t2v/model")
    for name in ("request.json", "expected.safetensors"):
        copy(f"{case}/{name}", f"t2v/{name}")
    io = keep(f"{case}/vae_decode_io.safetensors", ["in.z", "out.sample"])
    io |= keep(f"{case}/vae_encode_io.safetensors", ["in.x", "out.moments"])
    io |= decode_by_tiles()
    save_file(io, FOLDER / "t2v/vae_io.safetensors")
    for case, target in (("t2v_5b", "rotary"), ("i2v_15", "ofs")):
        copy_component(f"{case}/model/transformer", f"{target}/transformer")
        copy(f"{case}/transformer_io.safetensors", f"{target}/transformer_io.safetensors")


def sentencepiece_ids(processor: spm.SentencePieceProcessor, prompt: str) -> list[int]:
    """Names of special tokens are found first, as T5Tokenizer always did."""
    size = processor.get_piece_size()
    names = {"<pad>": 0, "</s>": 1, "<unk>": 2} | {f"<extra_id_{i}>": size + 99 - i for i in range(100)}
    pattern = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    ids = [[names[part]] if part in names else processor.encode(part) for part in re.split(f"({pattern})", prompt)]
    return sum(ids, []) + [1]


def make_prompts() -> None:
    tokenizer = T5Tokenizer.from_pretrained(FOLDER / "t2v/model/tokenizer")
    processor = spm.SentencePieceProcessor(model_file=str(FOLDER / "t2v/model/tokenizer/spiece.model"))
    rows = []
    for prompt in (row["prompt"] for row in json.loads((FOLDER.parent / "tokenizers/prompts.json").read_text())):
        rows.append({"prompt": prompt, "ids": tokenizer(prompt).input_ids})
        own = sentencepiece_ids(processor, prompt)
        if own != rows[-1]["ids"]:
            rows[-1]["sentencepiece"] = own
    lines = ",\n".join(json.dumps(row) for row in rows)
    (FOLDER / "prompts.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    make_models()
    make_prompts()
