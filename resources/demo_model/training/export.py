"""Write the trained model as a folder that the program and diffusers can load.

    python export.py --data DATA_FOLDER --vae vae.pt --dit dit.pt --out ..

The embedding of every piece that shares another's is a copy of it: the text encoder of the
folder is an ordinary one.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch
from diffusers import UniPCMultistepScheduler, WanPipeline
from transformers import T5TokenizerFast

import data
import dit
import language
import tokenizer
import vae

DEFAULTS = dict(
    width=data.WIDTH, height=data.HEIGHT, num_frames=data.FRAMES, fps=data.FPS,
    num_inference_steps=12, guidance_scale=1.0, flow_shift=6.0, negative_prompt="",
)
EXAMPLES = [
    data.Subject("red", "ball", "moving left", "blue"),
    data.Subject("yellow", "square", "growing", "black"),
    data.Subject("purple", "triangle", "moving right", "white", "", "", "green", "ball"),
    data.Subject("white", "ball", "circling", "green"),
]
# A line for each language.
HINT = (
    "Try a color (red, yellow, green, blue, purple, white), a shape (ball, square, triangle), a motion "
    "(moving left, right, up or down, circling, growing, shrinking) and a background (black, white, gray, blue, green), "
    "as in “a red ball moving left on a blue background”. Two shapes work too: “a red ball and a white square ...”.\n"
    "可以使用颜色（红色、黄色、绿色、蓝色、紫色、白色）、形状（球、方块、三角形）、运动（向左、右、上、下移动，绕圈、变大、变小）"
    "和背景（黑色、白色、灰色、蓝色、绿色），例如“红色的球向左移动，蓝色背景”。也可以有两个形状：“红色的球和白色的方块……”。"
)
# Words that hold a prompt together; the tokenizer knows them, and they change nothing.
GRAMMAR = "a an the on over in at across is of and with while to video clip background circle grey shape moves goes".split()


def product_hints(preview: dict) -> dict:
    """The content of kinescope.json."""
    return dict(
        name="Kinescope demo",
        hint=HINT,
        example_prompts=[data.caption(s) for s in EXAMPLES] + [data.chinese_caption(s) for s in EXAMPLES],
        defaults=DEFAULTS,
        vocabulary=dict(
            colours=list(data.COLOURS), shapes=list(data.SHAPES),
            motions=[*data.MOTIONS, *filter(None, data.OTHERS)],
            backgrounds=list(data.BACKGROUNDS), fillers=list(data.FILLERS), grammar=GRAMMAR,
            sizes=[w for w in data.SIZES if w] + ["large", "little"], speeds=[w for w in data.SPEEDS if w],
            synonyms=" ".join(language.SYNONYMS.values()).split(), chinese=language.chinese_words(),
        ),
        **preview,
    )


def load_models(folder: Path, vae_file: Path, dit_file: Path, average: bool = True):
    """Autoencoder, denoiser and text encoder from their checkpoints."""
    statistics = json.loads((folder / "statistics.json").read_text())
    autoencoder = vae.load(vae_file)
    if vae_file.is_file():
        autoencoder.register_to_config(latents_mean=[round(v, 5) for v in statistics["mean"]],
                                       latents_std=[round(v, 5) for v in statistics["std"]])
    state = torch.load(dit_file)
    names = ("average", "average_encoder") if average else ("model", "encoder")
    denoiser = dit.build_denoiser(initialise=False)
    denoiser.load_state_dict(state[names[0]])
    encoder = dit.build_text_encoder(tokenizer.count_of_originals())
    encoder.load_state_dict(state[names[1]])
    share_embeddings(encoder, folder / "tokenizer")
    return autoencoder.eval(), denoiser.eval(), encoder.eval()


@torch.no_grad()
def share_embeddings(encoder, folder: Path) -> None:
    """Add the rows of the pieces that share an embedding."""
    pieces = T5TokenizerFast.from_pretrained(folder)
    originals = tokenizer.numbers_of_originals(pieces.convert_ids_to_tokens(range(len(pieces))))
    rows = encoder.shared.weight[originals].clone()
    encoder.resize_token_embeddings(len(originals))
    encoder.shared.weight.copy_(rows)


def build_pipeline(folder: Path, vae_file: Path, dit_file: Path, average: bool = True) -> WanPipeline:
    autoencoder, denoiser, encoder = load_models(folder, vae_file, dit_file, average)
    scheduler = UniPCMultistepScheduler(
        prediction_type="flow_prediction", use_flow_sigmas=True,
        flow_shift=DEFAULTS["flow_shift"], num_train_timesteps=1000,
    )
    words = T5TokenizerFast.from_pretrained(folder / "tokenizer")
    return WanPipeline(tokenizer=words, text_encoder=encoder, vae=autoencoder,
                       scheduler=scheduler, transformer=denoiser)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--vae", type=Path, required=True, help="checkpoint of train_vae.py, or a model folder")
    parser.add_argument("--dit", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--raw", action="store_true", help="the last weights instead of their average")
    args = parser.parse_args()
    pipeline = build_pipeline(args.data, args.vae, args.dit, not args.raw)
    pipeline.to(torch.float16).save_pretrained(args.out)
    spiece = args.data / "tokenizer" / "spiece.model"
    (args.out / "tokenizer" / "spiece.model").write_bytes(spiece.read_bytes())
    preview = args.data / "preview.json" if args.vae.is_file() else args.vae / "kinescope.json"
    hints = product_hints({k: v for k, v in json.loads(preview.read_text()).items() if k.startswith("latent_rgb")})
    (args.out / "kinescope.json").write_text(json.dumps(hints, indent=2, ensure_ascii=False) + "\n")
    total = 0
    for path in sorted(args.out.rglob("*.safetensors")):
        print(f"{path.relative_to(args.out)}: {path.stat().st_size / 1e6:.2f} MB")
        total += path.stat().st_size
    print(f"weights in all: {total / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
