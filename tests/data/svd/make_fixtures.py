#!/usr/bin/env python3
"""Makes the tiny Stable Video Diffusion model beside itself, and what the reference computes with it:

  model/                      a diffusers folder, stored in float16 under the variant's names, every parameter random
  image.png, request.json     what to make of it
  expected.safetensors        the run: conditioning, latents, frames (float32)
  unet_io, vae_*_io           one forward of one component, with the states after each block
  resize.safetensors          what CLIP is shown of pictures of awkward sizes, every 11th pixel of every 11th row

Run in float16, one temporal attention of the UNet and one convolution of the VAE's decoder overflow: some of their output
channels are 2^17 times larger, and what follows takes the factor out again. In float32 the result is ordinary.

Reference: diffusers' classes in float32 on the CPU. Needs torch, diffusers, transformers, Pillow, safetensors.
"""

import json
import pathlib

import numpy as np
import torch
from diffusers import (AutoencoderKLTemporalDecoder, EulerDiscreteScheduler, StableVideoDiffusionPipeline,
                       UNetSpatioTemporalConditionModel)
from diffusers.pipelines.stable_video_diffusion.pipeline_stable_video_diffusion import _resize_with_antialiasing
from PIL import Image
from safetensors.torch import save_file
from transformers import CLIPImageProcessor, CLIPVisionConfig, CLIPVisionModelWithProjection

FOLDER = pathlib.Path(__file__).parent
REQUEST = {"task": "i2v", "model": "model", "image": "image.png", "min_guidance_scale": 1.0, "max_guidance_scale": 3.0,
           "fps": 7, "motion_bucket_id": 127, "noise_aug_strength": 0.02, "width": 32, "height": 24, "num_frames": 3,
           "num_inference_steps": 3, "decode_chunk_size": 2, "seed": 5, "scheduler": "EulerDiscreteScheduler"}
SCHEDULER = {"beta_end": 0.012, "beta_schedule": "scaled_linear", "beta_start": 0.00085, "interpolation_type": "linear",
             "num_train_timesteps": 1000, "prediction_type": "v_prediction", "sigma_max": 700.0, "sigma_min": 0.002,
             "steps_offset": 1, "timestep_spacing": "leading", "timestep_type": "continuous", "use_karras_sigmas": True}
UNET_OVERFLOW = "down_blocks.0.attentions.0.temporal_transformer_blocks.0.attn1"
VAE_OVERFLOW = "decoder.up_blocks.0.resnets.1.spatial_res_block"
FACTOR = 2.0**17
PICTURES = [(224, 224), (225, 223), (96, 64), (37, 400), (301, 450), (500, 229)]  # width, height


def randomize(model, seed):
    """No parameter stays neutral; matrices keep the size of what goes through them."""
    generator = torch.Generator().manual_seed(seed)
    for name, parameter in model.named_parameters():
        noise = torch.randn(parameter.shape, generator=generator)
        if "mix_factor" in name:
            value = noise
        elif parameter.ndim == 1:
            value = ("norm" in name and name.endswith("weight")) * 1.0 + 0.1 * noise
        else:
            value = 0.9 * noise / parameter[0].numel() ** 0.5
        parameter.data = value


def overflow(unet, vae):
    """Makes single channels large; their factor never lies in one stored number, which float16 could not hold."""
    attention = unet.get_submodule(UNET_OVERFLOW)
    norm = unet.get_submodule(UNET_OVERFLOW.rsplit(".", 1)[0]).norm1
    for parameter in norm.parameters():
        parameter.data *= 64
    for part in (attention.to_q, attention.to_k, attention.to_v):
        part.weight.data /= 64
    attention.to_v.weight.data[[1, 9, 22]] *= FACTOR
    attention.to_out[0].weight.data[:, [1, 9, 22]] /= FACTOR
    # The group norm that follows has one channel to a group.
    for parameter in vae.get_submodule(VAE_OVERFLOW).conv1.parameters():
        parameter.data[[3, 12, 30]] *= FACTOR


def as_stored(model):
    for parameter in model.parameters():
        parameter.data = parameter.data.half().float()
    return model.eval()


def make_models():
    torch.manual_seed(0)
    unet = UNetSpatioTemporalConditionModel(
        sample_size=8, down_block_types=("CrossAttnDownBlockSpatioTemporal", "DownBlockSpatioTemporal"),
        up_block_types=("UpBlockSpatioTemporal", "UpBlockSpatioTemporal"), block_out_channels=(32, 32),
        addition_time_embed_dim=16, projection_class_embeddings_input_dim=48, layers_per_block=1,
        cross_attention_dim=24, num_attention_heads=(2, 4), num_frames=3)
    vae = AutoencoderKLTemporalDecoder(
        down_block_types=("DownEncoderBlock2D",) * 2, block_out_channels=(32, 32), layers_per_block=1, sample_size=64)
    clip = CLIPVisionModelWithProjection(CLIPVisionConfig(
        hidden_size=32, intermediate_size=48, projection_dim=24, num_hidden_layers=2, num_attention_heads=4,
        image_size=224, patch_size=14, hidden_act="gelu"))
    for seed, model in enumerate((unet, vae, clip)):
        randomize(model, seed)
    overflow(unet, vae)
    return [as_stored(model) for model in (unet, vae, clip)]


def picture(width, height, seed):
    """Soft blobs with hard edges: what a resize can get wrong shows."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width]
    planes = [127 + 90 * np.sin(x / rng.uniform(3, 30) + rng.uniform(0, 6)) * np.cos(y / rng.uniform(3, 30))
              for _ in range(3)]
    pixels = np.stack(planes, -1)
    pixels[height // 3:height // 2, width // 4:width // 2] = rng.uniform(0, 255, 3)
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def hook_blocks(model, names, out):
    def keep(name, output):
        """Blocks of the VAE are known by their numbers alone."""
        name = name.removeprefix("up_blocks.") if name.count(".") == 1 else name
        name = name.removeprefix("down_blocks.") if name.count(".") == 1 else name
        out["block." + name] = first(output).clone()

    return [model.get_submodule(name).register_forward_hook(lambda _m, _i, output, name=name: keep(name, output))
            for name in names]


def first(output):
    output = output[0] if isinstance(output, tuple) else output
    return output if torch.is_tensor(output) else output.sample


def unet_io(unet):
    generator = torch.Generator().manual_seed(11)
    inputs = {"sample": torch.randn(1, 3, 8, 5, 6, generator=generator), "timestep": torch.tensor(0.8712),
              "encoder_hidden_states": torch.randn(1, 1, 24, generator=generator),
              "added_time_ids": torch.tensor([[6.0, 127.0, 0.02]])}
    out = {}
    hooks = hook_blocks(unet, ["conv_in", "time_embedding", "add_embedding", "down_blocks.0.resnets.0",
                       "down_blocks.0.attentions.0", "down_blocks.0.downsamplers.0", "mid_block.attentions.0",
                       "mid_block.resnets.1", "up_blocks.0.resnets.1", "up_blocks.0.upsamplers.0",
                       "up_blocks.1.resnets.1", "conv_norm_out"], out)
    out["out.sample"] = unet(**inputs, return_dict=False)[0]
    for hook in hooks:
        hook.remove()
    return out | {"in." + name: value for name, value in inputs.items()}


def vae_io(vae):
    generator = torch.Generator().manual_seed(12)
    x, z = torch.randn(1, 3, 12, 8, generator=generator), torch.randn(3, 4, 4, 4, generator=generator)
    decode, encode = {}, {}
    hooks = hook_blocks(vae.decoder, ["conv_in", "mid_block", "up_blocks.0", "up_blocks.1", "conv_out"], decode)
    hooks += hook_blocks(vae.encoder, ["conv_in", "down_blocks.0", "down_blocks.1", "mid_block"], encode)
    decode |= {"in.z": z, "in.num_frames": torch.tensor([3]), "out.sample": vae.decode(z, num_frames=3).sample}
    encode |= {"in.x": x, "out.moments": vae.quant_conv(vae.encoder(x))}
    for hook in hooks:
        hook.remove()
    return decode, encode


def run(pipeline, image):
    """The pipeline's own run, with its inner values caught on the way."""
    expected, steps = {}, []
    generator = torch.Generator("cpu").manual_seed(REQUEST["seed"])
    noise = torch.randn(1, 3, REQUEST["height"], REQUEST["width"], generator=generator)
    scheduler_step = pipeline.scheduler.step

    def step(noise_pred, t, latents, **kwargs):
        result = scheduler_step(noise_pred, t, latents, **kwargs)
        steps.append((noise_pred, result.prev_sample))
        return result

    pipeline.scheduler.step = step
    keys = ("width", "height", "num_frames", "num_inference_steps", "min_guidance_scale", "max_guidance_scale", "fps",
            "motion_bucket_id", "noise_aug_strength", "decode_chunk_size")
    frames = pipeline(image, generator=torch.Generator("cpu").manual_seed(REQUEST["seed"]), output_type="np",
                      **{key: REQUEST[key] for key in keys}).frames[0]
    shape = (1, REQUEST["num_frames"], 4, REQUEST["height"] // 2, REQUEST["width"] // 2)
    pixels = pipeline.video_processor.preprocess(image, height=REQUEST["height"], width=REQUEST["width"])
    noised = pixels + REQUEST["noise_aug_strength"] * noise
    latents = pipeline.vae.encode(noised).latent_dist.mode()
    expected |= {"image_noise": noise, "image_pixels": pixels, "image_noised": noised,
                 "latents_initial": torch.randn(shape, generator=generator),
                 "image_embeds": pipeline._encode_image(image, "cpu", 1, False),
                 "condition": latents.unsqueeze(1).repeat(1, REQUEST["num_frames"], 1, 1, 1),
                 "added_time_ids": torch.tensor([[REQUEST["fps"] - 1.0, REQUEST["motion_bucket_id"],
                                                  REQUEST["noise_aug_strength"]]]),
                 "timesteps": pipeline.scheduler.timesteps, "sigmas": pipeline.scheduler.sigmas,
                 "latents_final": steps[-1][1], "frames": torch.from_numpy(frames)}
    for i, (noise_pred, latents) in enumerate(steps):
        expected |= {f"noise_pred_{i:03d}": noise_pred, f"latents_{i:03d}": latents}
    return expected


def lattice(width, height):
    """A picture by a rule that another program can follow: uint8 [H, W, 3]."""
    x, y, c = np.arange(width)[None, :, None], np.arange(height)[:, None, None], np.arange(3)[None, None, :]
    return torch.from_numpy(((7 * x + 13 * y + 50 * c + x * y // 5) % 256).astype(np.uint8))


def resize_cases():
    cases = {}
    for width, height in PICTURES:
        x = lattice(width, height).permute(2, 0, 1)[None].float() / 255 * 2 - 1
        shown = (_resize_with_antialiasing(x, (224, 224)) + 1) / 2
        cases |= {f"{width}x{height}": shown[:, :, ::11, ::11]}
    return cases


def save(tensors, name):
    save_file({key: value.detach().clone().contiguous() for key, value in tensors.items()}, FOLDER / name)


@torch.no_grad()
def main():
    unet, vae, clip = make_models()
    pipeline = StableVideoDiffusionPipeline(
        vae=vae, image_encoder=clip, unet=unet, scheduler=EulerDiscreteScheduler(**SCHEDULER),
        feature_extractor=CLIPImageProcessor())
    pipeline.set_progress_bar_config(disable=True)
    image = picture(70, 90, 7)
    image.save(FOLDER / "image.png")
    (FOLDER / "request.json").write_text(json.dumps(REQUEST, indent=2) + "\n")
    save(unet_io(unet), "unet_io.safetensors")
    decode, encode = vae_io(vae)
    save(decode, "vae_decode_io.safetensors")
    save(encode, "vae_encode_io.safetensors")
    save(run(pipeline, image), "expected.safetensors")
    save(resize_cases(), "resize.safetensors")
    pipeline.to(torch.float16).save_pretrained(FOLDER / "model", variant="fp16")


main()
