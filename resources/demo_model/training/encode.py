"""Draw the training clips, turn them into normalised latents, and fit the preview projection.

    python encode.py --clips 6000 --data DATA_FOLDER --vae vae.pt

Writes into the data folder: latents.npy (normalised, float16), statistics.json (mean
and standard deviation per latent channel, for the autoencoder's configuration) and
preview.json (`latent_rgb_factors` [z][3], `latent_rgb_bias` [3]: the least-squares
linear map from normalised latents to the picture at an eighth of its size).
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import argparse
import json
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

import vae
from train_vae import draw_clips


def preview_target(clips: torch.Tensor) -> torch.Tensor:
    """Pixels 0..1 at the latents' size: [B,3,T',H/8,W/8], averaged over what a latent covers."""
    small = F.avg_pool3d((clips + 1) / 2, (1, 8, 8))
    rest = F.avg_pool3d(small[:, :, 1:], (4, 1, 1))
    return torch.cat([small[:, :, :1], rest], 2)


def fit_preview(latents: torch.Tensor, target: torch.Tensor) -> dict:
    """Least squares from latent channels (and a constant) to red, green, blue."""
    x = latents.permute(0, 2, 3, 4, 1).reshape(-1, latents.shape[1]).double()
    y = target.permute(0, 2, 3, 4, 1).reshape(-1, 3).double()
    solution = torch.linalg.lstsq(torch.cat([x, torch.ones(len(x), 1)], 1), y).solution
    error = (torch.cat([x, torch.ones(len(x), 1)], 1) @ solution - y).pow(2).mean().sqrt().item()
    rounded = [[round(v, 5) for v in row] for row in solution.tolist()]
    print(f"preview projection: root mean square error {error:.4f} (of 0..1)")
    return dict(latent_rgb_factors=rounded[:-1], latent_rgb_bias=rounded[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--vae", type=Path, required=True, help="checkpoint of train_vae.py, or a model folder")
    parser.add_argument("--clips", type=int, required=True, help="how many")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    model = vae.load(args.vae)

    parts, samples, targets = [], [], []
    with torch.no_grad():
        for start in range(0, args.clips, 8):
            batch = draw_clips(range(start, min(start + 8, args.clips)))
            latents = vae.encode(model, batch)
            parts.append(latents)
            if start % 96 == 0:
                samples.append(latents)
                targets.append(preview_target(batch))
    latents = torch.cat(parts)
    if args.vae.is_dir():  # the finished model keeps its statistics
        mean, std = torch.tensor(model.config.latents_mean), torch.tensor(model.config.latents_std)
    else:
        mean, std = latents.mean((0, 2, 3, 4)), latents.std((0, 2, 3, 4))

    def normalise(x):
        return (x - mean.view(1, -1, 1, 1, 1)) / std.view(1, -1, 1, 1, 1)

    np.save(args.data / "latents.npy", normalise(latents).half().numpy())
    (args.data / "statistics.json").write_text(json.dumps(dict(mean=mean.tolist(), std=std.tolist())))
    preview = fit_preview(normalise(torch.cat(samples)), torch.cat(targets))
    (args.data / "preview.json").write_text(json.dumps(preview))
    print("latents", tuple(latents.shape), "std", [round(v, 2) for v in std.tolist()])


if __name__ == "__main__":
    main()
