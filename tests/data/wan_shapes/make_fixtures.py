"""Makes golden cases of Wan in shapes that the other fixtures do not have; run in this folder.

    one_frame    num_frames 1 (a picture), 3 heads of 14, 80x16 px, no guidance
    odd_sizes    5 heads of 6, 80x48 px (5 by 3 patches of tokens), 5 frames, 3 blocks
    long         one head of 24, 16x16 px (one patch), 21 frames (6 of latents)
    odd_image    image to video with CLIP: 3 heads of 8, 48x80 px, 1 frame

Text encoder, tokenizer and VAE are those of ../wan_t2v; CLIP is that of ../wan_variants. The transformers are random (see
../wan_variants/make_fixtures.py, which also says how). diffusers 0.42.1, transformers 5.23.0, torch 2.11.0, float32, CPU.
"""
import json
import pathlib
import shutil
import sys

import torch
from diffusers import (AutoencoderKLWan, UniPCMultistepScheduler, WanImageToVideoPipeline, WanPipeline,
                       WanTransformer3DModel)
from transformers import CLIPVisionModel, UMT5EncoderModel

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "wan_variants"))
from make_fixtures import NEGATIVE_PROMPT, PROMPT, image_processor, picture, randomise, record, tokenizer  # noqa: E402

T2V = HERE.parent / "wan_t2v/model"
CLIP = HERE.parent / "wan_variants/common/image_encoder"
TEXT_DIM, IMAGE_DIM = 32, 12
PARTS = {"text_encoder": "../../wan_t2v/model/text_encoder", "vae": "../../wan_t2v/model/vae",
         "tokenizer": "../../tokenizers/umt5"}
CLIP_PARTS = {key: f"../../wan_variants/common/{key}" for key in ("image_encoder", "image_processor")}


def transformer(heads, head_dim, layers, seed, **changes):
    channels = changes.pop("in_channels", 16)
    if "image_dim" in changes:
        changes["added_kv_proj_dim"] = heads * head_dim
    return randomise(WanTransformer3DModel(
        patch_size=(1, 2, 2), num_attention_heads=heads, attention_head_dim=head_dim, in_channels=channels,
        out_channels=16, text_dim=TEXT_DIM, freq_dim=20, ffn_dim=36, num_layers=layers, cross_attn_norm=True,
        qk_norm="rms_norm_across_heads", rope_max_seq_len=64, **changes), seed)


def make_case(name, model, sizes, image_size=None):
    case = HERE / name
    shutil.rmtree(case, ignore_errors=True)
    scheduler = UniPCMultistepScheduler(prediction_type="flow_prediction", use_flow_sigmas=True, flow_shift=3.0)
    takes_image = image_size is not None
    pipeline = WanImageToVideoPipeline if takes_image else WanPipeline
    more = {}
    if takes_image:
        more = {"image_encoder": CLIPVisionModel.from_pretrained(CLIP, attn_implementation="eager"),
                "image_processor": image_processor()}
    pipe = pipeline(tokenizer=tokenizer(), vae=AutoencoderKLWan.from_pretrained(T2V / "vae"), scheduler=scheduler,
                    transformer=model, **more, text_encoder=UMT5EncoderModel.from_pretrained(
                        T2V / "text_encoder", attn_implementation="eager"))
    pipe.set_progress_bar_config(disable=True)
    scheduler.save_config(case / "model/scheduler")
    model.save_pretrained(case / "model/transformer")
    (case / "model/model_index.json").write_text(json.dumps({
        "_class_name": pipeline.__name__, "scheduler": ["diffusers", "UniPCMultistepScheduler"],
        "transformer": ["diffusers", "WanTransformer3DModel"]}, indent=2) + "\n")
    request = dict(model="model", **PARTS, **(CLIP_PARTS if takes_image else {}), prompt=PROMPT,
                   negative_prompt=NEGATIVE_PROMPT, num_inference_steps=2, seed=4, scheduler="unipc", flow_shift=3.0,
                   max_sequence_length=512 if takes_image else 12, **sizes)
    images = {}
    if takes_image:
        images["image"] = picture(*image_size, 9)
        images["image"].save(case / "image.png")
        request["image"] = "image.png"
    (case / "request.json").write_text(json.dumps(request, indent=2) + "\n")
    record(pipe, request, images, case / "expected.safetensors")


@torch.no_grad()
def main():
    make_case("one_frame", transformer(3, 14, 2, 21), dict(width=80, height=16, num_frames=1, guidance_scale=1.0))
    make_case("odd_sizes", transformer(5, 6, 3, 22), dict(width=80, height=48, num_frames=5, guidance_scale=5.0))
    make_case("long", transformer(1, 24, 2, 23), dict(width=16, height=16, num_frames=21, guidance_scale=4.0))
    make_case("odd_image", transformer(3, 8, 2, 24, in_channels=36, image_dim=IMAGE_DIM),
              dict(width=48, height=80, num_frames=1, guidance_scale=5.0), image_size=(37, 21))


if __name__ == "__main__":
    main()
