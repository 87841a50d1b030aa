"""Write the trained model as a folder that the program and diffusers can load.

    python export.py --data DATA_FOLDER --vae vae.pt --dit dit.pt --out ..
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
import vae

DEFAULTS = dict(
    width=data.WIDTH, height=data.HEIGHT, num_frames=data.FRAMES, fps=data.FPS,
    num_inference_steps=12, guidance_scale=1.0, flow_shift=6.0, negative_prompt="",
)
EXAMPLES = [
    "a red ball moving left on a blue background",
    "a yellow square moving up on a black background",
    "a purple triangle moving right on a white background",
    "a white ball moving down on a green background",
]
HINT = (
    "Try a color (red, yellow, green, blue, purple, white), a shape (ball, square, triangle), a direction "
    "(left, right, up, down) and a background (black, white, gray, blue, green), "
    "as in “a red ball moving left on a blue background”."
)
# Words that hold a prompt together; the tokenizer knows them, and they change nothing.
GRAMMAR = "a an the on over in at across is of and with while to video clip background circle grey shape moves goes".split()


def product_hints(preview: dict) -> dict:
    """The content of kinescope.json."""
    return dict(
        name="Kinescope demo",
        hint=HINT,
        example_prompts=EXAMPLES,
        defaults=DEFAULTS,
        vocabulary=dict(
            colours=list(data.COLOURS), shapes=list(data.SHAPES), motions=list(data.MOTIONS),
            backgrounds=list(data.BACKGROUNDS), fillers=list(data.FILLERS), grammar=GRAMMAR,
        ),
        **preview,
    )


def load_models(folder: Path, vae_file: Path, dit_file: Path, average: bool = True):
    """Autoencoder, denoiser and text encoder from their checkpoints."""
    statistics = json.loads((folder / "statistics.json").read_text())
    autoencoder = vae.build([round(v, 5) for v in statistics["mean"]], [round(v, 5) for v in statistics["std"]])
    autoencoder.load_state_dict(torch.load(vae_file)["model"])
    state = torch.load(dit_file)
    names = ("average", "average_encoder") if average else ("model", "encoder")
    denoiser = dit.build_denoiser(initialise=False)
    denoiser.load_state_dict(state[names[0]])
    vocabulary = state["encoder"]["shared.weight"].shape[0]
    encoder = dit.build_text_encoder(vocabulary)
    encoder.load_state_dict(state[names[1]])
    return autoencoder.eval(), denoiser.eval(), encoder.eval()


def build_pipeline(folder: Path, vae_file: Path, dit_file: Path, average: bool = True) -> WanPipeline:
    autoencoder, denoiser, encoder = load_models(folder, vae_file, dit_file, average)
    scheduler = UniPCMultistepScheduler(
        prediction_type="flow_prediction", use_flow_sigmas=True,
        flow_shift=DEFAULTS["flow_shift"], num_train_timesteps=1000,
    )
    tokenizer = T5TokenizerFast.from_pretrained(folder / "tokenizer")
    return WanPipeline(tokenizer=tokenizer, text_encoder=encoder, vae=autoencoder,
                       scheduler=scheduler, transformer=denoiser)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--vae", type=Path, required=True)
    parser.add_argument("--dit", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--raw", action="store_true", help="the last weights instead of their average")
    args = parser.parse_args()
    pipeline = build_pipeline(args.data, args.vae, args.dit, not args.raw)
    pipeline.to(torch.float16).save_pretrained(args.out)
    spiece = args.data / "tokenizer" / "spiece.model"
    (args.out / "tokenizer" / "spiece.model").write_bytes(spiece.read_bytes())
    hints = product_hints(json.loads((args.data / "preview.json").read_text()))
    (args.out / "kinescope.json").write_text(json.dumps(hints, indent=2, ensure_ascii=False) + "\n")
    total = 0
    for path in sorted(args.out.rglob("*.safetensors")):
        print(f"{path.relative_to(args.out)}: {path.stat().st_size / 1e6:.2f} MB")
        total += path.stat().st_size
    print(f"weights in all: {total / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
