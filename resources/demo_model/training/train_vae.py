"""Train the autoencoder on whole clips.

    python train_vae.py --out vae.pt --minutes 45

    python train_vae.py --start MODEL_FOLDER --decoder-only --noise 0.1 --out vae.pt --minutes 30

The clips are drawn as they are needed.  The second command sharpens the decoder of latents that stay as they are, so
that a denoiser trained on them stays valid.  A share of its clips (`CIRCLING`) circles: no other shape moves up and down
as fast, and decoders draw it worst.
The learning rate follows the share of the time budget that has been used, summed over
all runs: start the same command again to resume from the newest checkpoint.  Only the time
that the processor spends on it counts, so that it may run beside other work.

For the first part of the budget (`CROP_SHARE`) the steps use crops of half a picture,
which cost less and show more colours per step; the rest uses whole pictures.  The time
axis is never cut: positions in time must look as they do in use.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # before torch: be kind on shared cores

import argparse
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

import data
import vae
from optim import Muon, save_atomically

CROP_SHARE, CROP_WIDTH, CROP_BATCH = 0.6, 80, 4
CIRCLING = 0.3
CLIPS, PROBES = 100_000, range(100_000, 100_012)  # numbers of clips for training, and to look at


def pixel_weights(clips: torch.Tensor, plain: torch.Tensor) -> torch.Tensor:
    """More weight for the shape (2) and most for its edges (4) than for background (1).

    `plain` is a column [B,3,T,H,1] of background, which varies from top to bottom only.
    """
    shape = ((clips - plain).abs().amax(1) > 0.06).float()
    inner = -F.max_pool2d(-shape, 3, 1, 1)
    outer = F.max_pool2d(shape, 5, 1, 2)
    weight = 1 + shape + 2 * (outer - inner)
    return (weight / weight.mean())[:, None]


def loss_function(model, clips, weight, noise: float):
    """Weighted error after a noisy trip through the latents, and the plain one."""
    with torch.autocast("cpu", torch.bfloat16):
        latents = vae.encode(model, clips).float()
        result = vae.decode(model, latents + noise * torch.randn_like(latents))
    error = result.float() - clips
    squared = error.pow(2)
    loss = (weight * (error.abs() + 4 * squared)).mean() + 2e-3 * latents.pow(2).mean()
    return loss, squared.mean().detach(), latents.pow(2).mean().detach()


def optimisers(model, decoder_only: bool):
    """Muon for the large convolutions, AdamW for all else; attention is not trained."""
    muon, adam = [], []
    for name, p in model.named_parameters():
        if ".attentions." in name or decoder_only and name.startswith(("encoder.", "quant_conv.")):
            p.requires_grad_(False)
            continue
        inner = p.dim() >= 4 and min(p.shape[:2]) >= 16
        outer = any(part in name for part in ("quant_conv", "conv_in", "conv_out"))
        (muon if inner and not outer else adam).append(p)
    return Muon(muon, momentum=0.9), torch.optim.AdamW(adam, betas=(0.9, 0.98), weight_decay=0.0)


def draw_clips(indices) -> torch.Tensor:
    """Clips of the training set as floats [B,3,T,H,W] in -1..1."""
    clips = torch.from_numpy(np.stack([data.clip_job(int(i)) for i in indices])).float()
    return clips.permute(0, 4, 1, 2, 3).contiguous() / 127.5 - 1


CIRCLING_CLIPS = [i for i in range(10_000) if data.training_subject(i).motion == "circling"]


def sample(rng, batch: int, crop: int | None, circling: float):
    """Random clips, perhaps cropped in width, and their pixel weights."""
    clips = draw_clips(
        rng.choice(CIRCLING_CLIPS) if rng.random() < circling else rng.integers(CLIPS) for _ in range(batch)
    )
    plain = clips[..., :1]  # the shapes never touch the leftmost column
    if crop:
        starts = rng.integers(0, (clips.shape[-1] - crop) // 8 + 1, size=batch) * 8
        clips = torch.stack([clip[..., x:x + crop] for clip, x in zip(clips, starts)])
    return clips, pixel_weights(clips, plain)


@torch.no_grad()
def mean_psnr(model, indices) -> float:
    """Signal-to-noise ratio in dB of reconstructed clips."""
    values = []
    for i in indices:
        clip = draw_clips([i])
        result = vae.decode(model, vae.encode(model, clip)).clamp(-1, 1)
        values.append(-10 * np.log10(((result - clip) / 2).pow(2).mean().item()))
    return float(np.mean(values))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="model folder or checkpoint to train further, if there is no checkpoint yet")
    parser.add_argument("--decoder-only", action="store_true", help="leave the latents as they are")
    parser.add_argument("--noise", type=float, default=0.3, help="added to the latents before they are decoded")
    parser.add_argument("--minutes", type=float, default=45, help="time budget over all runs, of the processor")
    parser.add_argument("--batch", type=int, default=2, help="clips per step")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()

    torch.set_num_threads(args.threads)
    torch.manual_seed(0)
    model = vae.load(args.start) if args.start else vae.build()
    if not args.start:
        vae.initialise(model)
    muon, adam = optimisers(model, args.decoder_only)
    parameters = [p for p in model.parameters() if p.requires_grad]
    step, used = 0, 0.0
    if args.out.exists():
        state = torch.load(args.out)
        model.load_state_dict(state["model"])
        muon.load_state_dict(state["muon"])
        adam.load_state_dict(state["adam"])
        step, used = state["step"], state["seconds"]
        print(f"resumed at step {step}, {used:.0f} s", flush=True)
    rng = np.random.default_rng(step)
    torch.manual_seed(step)
    budget, log, saved, last = args.minutes * 60, [], time.time(), time.process_time()
    while used < budget:
        progress = used / budget
        rate = args.rate * min(1, (step + 1) / 50) * min(1, (1 - progress) / 0.8)
        for optimiser, factor in ((muon, 1.0), (adam, 0.7)):
            for group in optimiser.param_groups:
                group["lr"] = rate * factor
        crop = progress < CROP_SHARE
        size, width = (CROP_BATCH, CROP_WIDTH) if crop else (args.batch, None)
        batch, weight = sample(rng, size, width, CIRCLING if args.decoder_only else 0)
        loss, squared, power = loss_function(model, batch, weight, args.noise)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        for optimiser in (muon, adam):
            optimiser.step()
            optimiser.zero_grad()
        log.append((loss.item(), squared.item(), power.item()))
        now = time.process_time()
        used += (now - last) / args.threads
        last = now
        step += 1
        if step % 25 == 0:
            a, b, c = np.mean(log, 0)
            print(f"{step} {used:.0f}s loss {a:.4f} psnr {-10 * np.log10(b / 4):.2f} latents {c**0.5:.2f}", flush=True)
            log = []
        if time.time() - saved > 120 or used >= budget:
            save_atomically(
                dict(model=model.state_dict(), muon=muon.state_dict(), adam=adam.state_dict(), step=step, seconds=used),
                args.out,
            )
            print(f"  saved; psnr of clips not trained on {mean_psnr(model, PROBES):.2f}", flush=True)
            saved, last = time.time(), time.process_time()


if __name__ == "__main__":
    main()
