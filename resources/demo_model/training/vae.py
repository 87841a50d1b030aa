"""The demo model's AutoencoderKLWan and a fast forward pass to train it with.

diffusers runs the Wan autoencoder four frames at a time with cached features.  The
functions here run the same modules on a whole clip at once, which gives the same
result and is much faster.  At the highest resolution only the newest temporal tap of
each kernel is used, so those layers run as two-dimensional convolutions; the other
taps stay zero in the exported weights.  The attention of the middle blocks adds
nothing (its projection stays zero) and is left out here.
"""

from __future__ import annotations

from pathlib import Path

import torch
import torch.nn.functional as F
from diffusers import AutoencoderKLWan
from diffusers.models.autoencoders.autoencoder_kl_wan import WanResample, WanResidualBlock
from torch import nn

Z_DIM = 24
PATCH = 2
CONFIG = dict(
    base_dim=24,
    z_dim=Z_DIM,
    dim_mult=[1, 2, 4],
    num_res_blocks=1,
    attn_scales=[],
    temperal_downsample=[True, True],
    in_channels=3 * PATCH * PATCH,
    out_channels=3 * PATCH * PATCH,
    patch_size=PATCH,
    scale_factor_spatial=8,
    scale_factor_temporal=4,
)


def build(latents_mean=None, latents_std=None) -> AutoencoderKLWan:
    """A new autoencoder; the latent statistics are only known after training."""
    return AutoencoderKLWan(
        **CONFIG,
        latents_mean=latents_mean or [0.0] * Z_DIM,
        latents_std=latents_std or [1.0] * Z_DIM,
    )


def load(path: Path) -> AutoencoderKLWan:
    """The autoencoder of a checkpoint of train_vae.py or of a model folder."""
    if path.is_dir():
        saved = AutoencoderKLWan.from_pretrained(path / "vae", torch_dtype=torch.float32)
        model = build(saved.config.latents_mean, saved.config.latents_std)
        model.load_state_dict(saved.state_dict())
        return model
    model = build()
    model.load_state_dict(torch.load(path)["model"])
    return model


# ---------------------------------------------------------------- layers

def _norm_silu(x, norm):
    gamma = norm.gamma.view(1, -1, *([1] * (x.dim() - 2)))
    return F.silu(x * torch.rsqrt(x.pow(2).mean(1, keepdim=True) + 1e-12) * gamma)


def _conv2(x, conv):
    """A causal convolution of which only the newest temporal tap counts."""
    weight = conv.weight[:, :, -1]
    return F.conv2d(x, weight, conv.bias, padding=weight.shape[-1] // 2)


def _conv3(x, conv):
    """A causal convolution: zeros stand for the frames before the first."""
    taps, size = conv.weight.shape[2], conv.weight.shape[-1]
    if taps > 1:
        x = F.pad(x, (0, 0, 0, 0, taps - 1, 0))
    return F.conv3d(x, conv.weight, conv.bias, padding=(0, size // 2, size // 2))


def _residual(x, block, conv):
    shortcut = x if isinstance(block.conv_shortcut, nn.Identity) else conv(x, block.conv_shortcut)
    x = conv(_norm_silu(x, block.norm1), block.conv1)
    return shortcut + conv(_norm_silu(x, block.norm2), block.conv2)


def _to_images(x):
    b, c, t, h, w = x.shape
    return x.permute(0, 2, 1, 3, 4).reshape(b * t, c, h, w)


def _to_clips(x, batch):
    return x.view(batch, -1, *x.shape[1:]).permute(0, 2, 1, 3, 4)


def _downsample(x, block):
    """Halve the size of images; the frames are merged by `_merge_frames`."""
    conv = block.resample[1]
    return F.conv2d(F.pad(x, (0, 1, 0, 1)), conv.weight, conv.bias, stride=2)


def _merge_frames(x, block):
    conv = block.time_conv
    return torch.cat([x[:, :, :1], F.conv3d(x, conv.weight, conv.bias, stride=(2, 1, 1))], 2)


def _split_frames(x, block):
    """Double all frames but the first one."""
    rest = F.pad(x[:, :, 1:], (0, 0, 0, 0, 2, 0))
    rest = F.conv3d(rest, block.time_conv.weight, block.time_conv.bias)
    b, c, t, h, w = rest.shape
    rest = rest.view(b, 2, c // 2, t, h, w).permute(0, 2, 3, 1, 4, 5)
    return torch.cat([x[:, :, :1], rest.reshape(b, c // 2, 2 * t, h, w)], 2)


def _upsample(x, block):
    x = F.interpolate(x, scale_factor=2.0, mode="nearest-exact")
    return F.conv2d(x, block.resample[1].weight, block.resample[1].bias, padding=1)


# ---------------------------------------------------------------- whole clips

def patchify(x):
    """[B,3,T,H,W] pixels to [B,12,T,H/2,W/2], in the channel order of diffusers."""
    b, c, t, h, w = x.shape
    x = x.view(b, c, t, h // PATCH, PATCH, w // PATCH, PATCH)
    return x.permute(0, 1, 6, 4, 2, 3, 5).reshape(b, -1, t, h // PATCH, w // PATCH)


def unpatchify(x):
    """The inverse of `patchify`."""
    b, c, t, h, w = x.shape
    x = x.view(b, c // PATCH**2, PATCH, PATCH, t, h, w).permute(0, 1, 4, 5, 3, 6, 2)
    return x.reshape(b, c // PATCH**2, t, h * PATCH, w * PATCH)


def encode(model: AutoencoderKLWan, clips: torch.Tensor) -> torch.Tensor:
    """Mean latents [B,z,(T+3)/4,H/8,W/8] of clips [B,3,T,H,W] in -1..1."""
    encoder, batch = model.encoder, clips.shape[0]
    x = _to_images(patchify(clips)).contiguous(memory_format=torch.channels_last)
    x = _conv2(x, encoder.conv_in)
    flat = True
    for block in encoder.down_blocks:
        if isinstance(block, WanResidualBlock):
            x = _residual(x, block, _conv2 if flat else _conv3)
        elif isinstance(block, WanResample):
            x = _downsample(x if flat else _to_images(x), block)
            x = _merge_frames(_to_clips(x, batch), block)
            flat = False
    for block in encoder.mid_block.resnets:
        x = _residual(x, block, _conv3)
    x = _conv3(_norm_silu(x, encoder.norm_out), encoder.conv_out)
    return _conv3(x, model.quant_conv)[:, :Z_DIM]


def decode(model: AutoencoderKLWan, latents: torch.Tensor) -> torch.Tensor:
    """Clips [B,3,T,H,W], not clamped, of latents."""
    decoder, batch = model.decoder, latents.shape[0]
    x = _conv3(_conv3(latents, model.post_quant_conv), decoder.conv_in)
    for block in decoder.mid_block.resnets:
        x = _residual(x, block, _conv3)
    for stage in decoder.up_blocks:
        flat = x.dim() == 4
        for block in stage.resnets:
            x = _residual(x, block, _conv2 if flat else _conv3)
        if stage.upsamplers is not None:
            up = stage.upsamplers[0]
            x = _upsample(_to_images(_split_frames(x, up)), up)
            if stage is decoder.up_blocks[-2]:
                x = x.contiguous(memory_format=torch.channels_last)
            else:
                x = _to_clips(x, batch)
    x = _conv2(_norm_silu(x, decoder.norm_out), decoder.conv_out)
    return unpatchify(_to_clips(x, batch))


# ---------------------------------------------------------------- initial weights

def _is_flat(name: str) -> bool:
    """Does this convolution run on single images, at the highest resolution?"""
    last = f"decoder.up_blocks.{len(CONFIG['dim_mult']) - 1}."
    flat = ("encoder.conv_in", "encoder.down_blocks.0.", "decoder.conv_out", last)
    return name.startswith(flat)


@torch.no_grad()
def initialise(model: AutoencoderKLWan) -> None:
    """Start near identity: small residual branches, averaging down-sampling."""
    for name, module in model.named_modules():
        if isinstance(module, nn.Conv3d):
            _initialise_conv3(name, module)
        elif name.startswith("encoder") and name.endswith("resample.1"):
            module.weight.mul_(0.5)
            for k in range(module.weight.shape[0]):
                module.weight[k, k, :2, :2] += 0.25
        elif ".attentions." in name and name.endswith("proj"):
            module.weight.zero_()
            module.bias.zero_()


def _initialise_conv3(name: str, conv: nn.Conv3d) -> None:
    weight = conv.weight
    conv.bias.zero_()
    if name.endswith("time_conv"):
        weight.normal_(0, 0.3 * (weight.shape[1] * 3) ** -0.5)
        for out in range(weight.shape[0]):  # the newest frame passes through
            weight[out, out % weight.shape[1], -1] += 1
    elif _is_flat(name):
        weight.zero_()
        newest = weight[:, :, -1]
        newest.normal_(0, newest[0].numel() ** -0.5)
    else:
        weight.normal_(0, weight[0].numel() ** -0.5)
    if name.endswith("conv2"):
        weight.mul_(0.3)
    if name.endswith("coder.conv_in"):
        conv.bias.uniform_(-0.2, 0.2)


def check_against_diffusers() -> None:
    """Compare the fast passes with diffusers' own on random weights."""
    torch.manual_seed(0)
    model = build().eval()
    initialise(model)
    clip = torch.rand(1, 3, 17, 32, 48) * 2 - 1
    with torch.no_grad():
        latents = encode(model, clip)
        theirs = model.encode(clip).latent_dist.mean
        print("encoder difference", (latents - theirs).abs().max().item(), "of", theirs.std().item())
        ours, theirs = decode(model, latents).clamp(-1, 1), model.decode(latents).sample
        print("decoder difference", (ours - theirs).abs().max().item(), "of", theirs.std().item())
    print("million weights", sum(p.numel() for p in model.parameters()) / 1e6)


if __name__ == "__main__":
    check_against_diffusers()
