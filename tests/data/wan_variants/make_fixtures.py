"""Makes tiny Wan models of each kind, and what diffusers computes with them: one golden case a folder.

Written with diffusers 0.42.1, transformers 5.23.0, torch 2.11.0 (float32, CPU); run in this folder. Every parameter is random and none
is neutral. Text encoder, tokenizer, VAEs and image encoder lie in common/ and are shared.

    python make_fixtures.py [--folder OTHER] [--heads N] [--head-dim N] [--width W] [--height H] [--frames N] [--seed N]

The options make other cases to try by hand; without them the fixtures come out.
"""
import argparse
import json
import math
import pathlib
import shutil

import numpy as np
import torch
from diffusers import (AutoencoderKLWan, UniPCMultistepScheduler, WanImageToVideoPipeline, WanPipeline,
                       WanTransformer3DModel)
from PIL import Image
from safetensors.torch import save_file
from transformers import CLIPVisionConfig, CLIPVisionModel, PreTrainedTokenizerFast, UMT5Config, UMT5EncoderModel
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

HERE = pathlib.Path(__file__).parent
TEXT_DIM, IMAGE_DIM = 12, 12
PROMPT = "A red ball rolls to the left"
NEGATIVE_PROMPT = "blurry"


def randomise(model, seed):
    """Matrices that keep the size of what passes through them; weights of norms near 1, and no bias of 0."""
    generator = torch.Generator().manual_seed(seed)
    for name, parameter in model.named_parameters():
        noise = torch.randn(parameter.shape, generator=generator)
        if parameter.dim() > 1 and not name.endswith(("gamma", "scale_shift_table", "pos_embed")):
            fan_in = parameter.shape[1] * math.prod(parameter.shape[2:])
            parameter.data = noise / math.sqrt(fan_in)
        elif name.endswith(("norm.weight", "gamma")) or "norm" in name and name.endswith("weight"):
            parameter.data = 1 + 0.2 * noise
        else:
            parameter.data = 0.2 * noise
    return model.eval()


def tokenizer():
    return PreTrainedTokenizerFast(tokenizer_file=str(HERE.parent / "tokenizers/umt5/tokenizer.json"), pad_token="<pad>",
                                   eos_token="</s>", unk_token="<unk>")


def text_encoder(vocab_size):
    return randomise(UMT5EncoderModel(UMT5Config(
        vocab_size=vocab_size, d_model=TEXT_DIM, d_kv=6, d_ff=16, num_layers=1, num_heads=2,
        feed_forward_proj="gated-gelu", attn_implementation="eager")), 1)


def vae(seed, **changes):
    """At least 4 channels everywhere: a norm over 2 makes frames 25 to 50 times more sensitive to the latents' rounding."""
    levels = dict(base_dim=4, z_dim=16, dim_mult=[1, 1, 1, 1], num_res_blocks=1, temperal_downsample=[False, True, True])
    return randomise(AutoencoderKLWan(**(levels | changes)), seed)


def vae_16x():
    random = np.random.default_rng(7)
    return vae(3, base_dim=4, decoder_base_dim=4, z_dim=48, dim_mult=[1, 1, 2, 2], is_residual=True, in_channels=12,
               out_channels=12, patch_size=2, scale_factor_spatial=16,
               latents_mean=random.normal(0, 0.3, 48).round(4).tolist(),
               latents_std=random.uniform(0.5, 1.2, 48).round(4).tolist())


def image_encoder():
    return randomise(CLIPVisionModel(CLIPVisionConfig(
        hidden_size=IMAGE_DIM, intermediate_size=20, num_hidden_layers=2, num_attention_heads=2, image_size=32,
        patch_size=16, projection_dim=8, hidden_act="gelu", attn_implementation="eager")), 4)


def image_processor():
    return CLIPImageProcessorPil(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32})


def transformer(options, seed, channels=16, **changes):
    dim = options.heads * options.head_dim
    if "image_dim" in changes:
        changes["added_kv_proj_dim"] = dim
    return randomise(WanTransformer3DModel(
        patch_size=(1, 2, 2), num_attention_heads=options.heads, attention_head_dim=options.head_dim,
        in_channels=changes.pop("in_channels", channels), out_channels=channels, text_dim=TEXT_DIM, freq_dim=32,
        ffn_dim=40, num_layers=2, cross_attn_norm=True, qk_norm="rms_norm_across_heads", rope_max_seq_len=64,
        **changes), seed)


def picture(height, width, seed):
    random = np.random.default_rng(seed)
    ramp = np.linspace(0, 255, width)[None, :, None] * np.linspace(0.2, 1, height)[:, None, None]
    blobs = np.kron(random.normal(0, 60, (height // 6 + 1, width // 6 + 1, 3)), np.ones((6, 6, 1)))[:height, :width]
    return Image.fromarray(np.clip(ramp + blobs, 0, 255).astype(np.uint8))


class Recorder:
    """What a pipeline hands from one part to the next."""

    def __init__(self, pipe):
        self.tensors, self.steps, self.pipe = {}, 0, pipe
        self.step, self.prepare, self.encode = pipe.scheduler.step, pipe.prepare_latents, pipe.encode_prompt
        self.decode, self.encode_image = pipe.vae.decode, getattr(pipe, "encode_image", None)
        pipe.scheduler.step, pipe.prepare_latents = self.on_step, self.on_prepare
        pipe.encode_prompt, pipe.vae.decode = self.on_encode, self.on_decode
        if self.encode_image:
            pipe.encode_image = self.on_encode_image

    def on_step(self, noise_pred, t, latents, **rest):
        result = self.step(noise_pred, t, latents, **rest)
        self.tensors[f"noise_pred_{self.steps:03}"] = noise_pred.clone()
        self.tensors[f"latents_{self.steps:03}"] = result[0].clone()
        self.steps += 1
        return result

    def on_prepare(self, *rest):
        result = self.prepare(*rest)
        names = ["latents_initial", "condition", "first_frame_mask"]
        for name, value in zip(names, result if isinstance(result, tuple) else (result,)):
            self.tensors[name] = value.clone()
        return result

    def on_encode(self, **rest):
        result = self.encode(**rest)
        self.tensors["prompt_embeds"] = result[0].clone()
        if result[1] is not None:
            self.tensors["negative_prompt_embeds"] = result[1].clone()
        return result

    def on_encode_image(self, *rest):
        result = self.encode_image(*rest)
        self.tensors["image_embeds"] = result.clone()
        return result

    def on_decode(self, latents, **rest):
        config = self.pipe.vae.config
        mean = torch.tensor(config.latents_mean).view(1, -1, 1, 1, 1)
        std = 1.0 / torch.tensor(config.latents_std).view(1, -1, 1, 1, 1)
        self.tensors["latents_final"] = (latents - mean) * std
        return self.decode(latents, **rest)


def make_common(folder, vocab_size):
    shutil.rmtree(folder, ignore_errors=True)
    parts = {"text_encoder": text_encoder(vocab_size), "vae": vae(2), "vae_16x": vae_16x(),
             "image_encoder": image_encoder(), "image_processor": image_processor()}
    for name, part in parts.items():
        part.save_pretrained(folder / name)
    return parts


def make_case(options, common, name, parts, call, index=None, image_size=None, last_image_size=None, model_of=None):
    """`call`: arguments of the pipeline. Sizes of images are height and width. `model_of`: the case that has the same model."""
    case = options.folder / name
    shutil.rmtree(case, ignore_errors=True)
    model = case / "model"
    model.mkdir(parents=True)
    scheduler = UniPCMultistepScheduler(prediction_type="flow_prediction", use_flow_sigmas=True,
                                        flow_shift=call.pop("flow_shift"))
    scheduler.save_config(model / "scheduler")
    index = index or {}
    takes_image = image_size is not None
    vae_name = "vae_16x" if index.get("expand_timesteps") else "vae"
    pipeline = WanImageToVideoPipeline if takes_image else WanPipeline
    arguments = dict(tokenizer=options.tokenizer, text_encoder=common["text_encoder"], vae=common[vae_name],
                     scheduler=scheduler, **parts, **index)
    components = {"text_encoder": "../common/text_encoder", "vae": f"../common/{vae_name}",
                  "tokenizer": "../../tokenizers/umt5"}
    if takes_image:
        has_clip = parts["transformer"].config.image_dim is not None
        arguments |= {key: common[key] if has_clip else None for key in ("image_encoder", "image_processor")}
        if has_clip:
            components |= {key: f"../common/{key}" for key in ("image_encoder", "image_processor")}
    pipe = pipeline(**arguments)
    pipe.set_progress_bar_config(disable=True)
    for key, part in parts.items():
        part.save_pretrained(model / key)
    classes = {"scheduler": ["diffusers", "UniPCMultistepScheduler"]} | {
        key: ["diffusers", "WanTransformer3DModel"] for key in parts}
    (model / "model_index.json").write_text(
        json.dumps({"_class_name": pipeline.__name__, **index, **classes}, indent=2) + "\n")
    request = dict(model="model", **components, prompt=PROMPT,
                   negative_prompt=NEGATIVE_PROMPT, width=options.width or call["width"],
                   height=options.height or call["height"], num_frames=options.frames or call["num_frames"],
                   num_inference_steps=call["num_inference_steps"], guidance_scale=call["guidance_scale"],
                   seed=options.seed, max_sequence_length=call["max_sequence_length"], scheduler="unipc",
                   flow_shift=scheduler.config.flow_shift)
    images = {}
    for key, size in {"image": image_size, "last_image": last_image_size}.items():
        if size:
            images[key] = picture(*size, options.seed + len(images))
            images[key].save(case / f"{key}.png")
            request[key] = f"{key}.png"
    if "guidance_scale_2" in call:
        request["guidance_scale_2"] = call["guidance_scale_2"]
    if model_of:
        shutil.rmtree(model)
        request["model"] = f"../{model_of}/model"
    (case / "request.json").write_text(json.dumps(request, indent=2) + "\n")
    record(pipe, request, images, case / "expected.safetensors")


def record(pipe, request, images, file):
    recorder = Recorder(pipe)
    keys = ("prompt", "negative_prompt", "width", "height", "num_frames", "num_inference_steps", "guidance_scale",
            "guidance_scale_2", "max_sequence_length")
    frames = pipe(**{key: request[key] for key in keys if key in request}, **images, output_type="np",
                  generator=torch.Generator("cpu").manual_seed(request["seed"])).frames[0]
    tensors = recorder.tensors | {"timesteps": pipe.scheduler.timesteps, "sigmas": pipe.scheduler.sigmas,
                                  "frames": torch.from_numpy(frames)}
    ids = pipe.tokenizer([request["prompt"]], padding="max_length", max_length=request["max_sequence_length"],
                         truncation=True, return_attention_mask=True, return_tensors="pt")
    tensors |= {"input_ids": ids.input_ids, "attention_mask": ids.attention_mask}
    save_file({key: value.contiguous() for key, value in tensors.items()}, file)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=pathlib.Path, default=HERE)
    parser.add_argument("--heads", type=int, default=2)
    parser.add_argument("--head-dim", type=int, default=12)
    parser.add_argument("--width", type=int)
    parser.add_argument("--height", type=int)
    parser.add_argument("--frames", type=int)
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    options.tokenizer = tokenizer()
    with torch.no_grad():
        common = make_common(options.folder / "common", len(options.tokenizer))
        usual = dict(width=32, height=16, num_frames=5, num_inference_steps=3, guidance_scale=5.0, flow_shift=3.0,
                     max_sequence_length=12)
        # Where there are image keys, the reference takes the last 512 rows for the text.
        with_clip = usual | dict(max_sequence_length=512)
        make_case(options, common, "i2v", {"transformer": transformer(options, 11, in_channels=36, image_dim=IMAGE_DIM)},
                  dict(with_clip), image_size=(20, 27))
        make_case(options, common, "flf2v", {"transformer": transformer(
            options, 12, in_channels=36, image_dim=IMAGE_DIM, pos_embed_seq_len=10)},
            with_clip | dict(flow_shift=16.0, guidance_scale=5.5), image_size=(20, 27), last_image_size=(33, 18))
        make_case(options, common, "a14b_t2v", {"transformer": transformer(options, 13),
                                                "transformer_2": transformer(options, 14)},
                  usual | dict(flow_shift=8.0, guidance_scale=4.0, guidance_scale_2=3.0, num_inference_steps=4),
                  {"boundary_ratio": 0.875})
        make_case(options, common, "a14b_i2v", {"transformer": transformer(options, 15, in_channels=36),
                                                "transformer_2": transformer(options, 16, in_channels=36)},
                  usual | dict(flow_shift=5.0, guidance_scale=3.5, guidance_scale_2=2.5), {"boundary_ratio": 0.9},
                  image_size=(20, 27))
        wide = {"transformer": transformer(options, 17, channels=48)}
        make_case(options, common, "ti2v_t2v", wide, usual | dict(height=32, flow_shift=5.0), {"expand_timesteps": True})
        make_case(options, common, "ti2v_i2v", wide, usual | dict(width=64, height=32, flow_shift=5.0),
                  {"expand_timesteps": True}, image_size=(20, 27), model_of="ti2v_t2v")


if __name__ == "__main__":
    main()
