"""Judge reconstructions of held-out clips: the ceiling for everything generated.

    python check_vae.py --vae vae.pt --sheet reconstructions.png
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import argparse
from pathlib import Path

import numpy as np
import torch

import data
import vae
from judge import judge, shares


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vae", type=Path, required=True, help="checkpoint of train_vae.py, or a model folder")
    parser.add_argument("--clips", type=int, default=len(data.HELD_OUT))
    parser.add_argument("--noise", type=float, default=0.0, help="noise added to the latents")
    parser.add_argument("--varied", action="store_true", help="clips with sizes, speeds, other motions and two shapes instead")
    parser.add_argument("--sheet", type=Path)
    args = parser.parse_args()
    torch.set_num_threads(2)
    torch.manual_seed(0)
    model = vae.load(args.vae)
    rng = np.random.default_rng(3)
    subjects = [data.HELD_OUT[i] for i in rng.permutation(len(data.HELD_OUT))[: args.clips]]
    if args.varied:
        subjects = [s for s in map(data.training_subject, range(2 * args.clips)) if s not in data.TRAIN]
    verdicts, values, overlaps, pictures = [], [], [], []
    for subject in subjects:
        clip = data.render(subject, rng)
        x = torch.from_numpy(clip).float().permute(3, 0, 1, 2)[None] / 127.5 - 1
        with torch.no_grad():
            latents = vae.encode(model, x)
            y = vae.decode(model, latents + args.noise * torch.randn_like(latents)).clamp(-1, 1)
        values.append(-10 * np.log10(((y - x) / 2).pow(2).mean().item()))
        result = ((y[0].permute(1, 2, 3, 0) + 1) * 127.5 + 0.5).byte().numpy()
        verdict, seen = judge(subject, result)
        verdicts.append(verdict)
        overlaps += [o["overlap"] for o in seen["objects"]]
        pictures += [clip, result]
    share = {name: round(value, 3) for name, value in shares(verdicts).items()}
    print(f"{len(subjects)} clips, {np.mean(values):.2f} dB (worst {np.min(values):.2f}), "
          f"overlap {np.mean(overlaps):.3f} (worst {np.min(overlaps):.3f}), right: {share}")
    if args.sheet:
        from PIL import Image

        left, right = pictures[0::2][:14], pictures[1::2][:14]
        Image.fromarray(data.contact_sheet(left + right)).save(args.sheet)


if __name__ == "__main__":
    main()
