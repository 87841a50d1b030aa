#!/usr/bin/env python3
"""Makes v2v/: video to video by diffusers' CogVideoXVideoToVideoPipeline with the model of t2v and the frames of
../wan_video/v2v.

Needs diffusers 0.42, safetensors, sentencepiece, torch and transformers 5.
"""

import json
import pathlib

import torch
import transformers
import diffusers
from diffusers import CogVideoXVideoToVideoPipeline
from PIL import Image
from safetensors.torch import save_file

FOLDER = pathlib.Path(__file__).parent
VIDEO = "../../wan_video/v2v/video"

request = json.loads((FOLDER / "t2v/request.json").read_text())
request.update(task="v2v", model="../t2v/model", prompt="A red panda dances in the rain.", negative_prompt="blurry",
               video=VIDEO, strength=0.6, num_inference_steps=6, guidance_scale=5.0, seed=105)
request["reference"] = {"pipeline": "CogVideoXVideoToVideoPipeline", "scheduler": "CogVideoXDDIMScheduler",
                        "diffusers": diffusers.__version__, "transformers": transformers.__version__,
                        "torch": torch.__version__.partition("+")[0], "dtype": "float32", "device": "cpu"}

pipeline = CogVideoXVideoToVideoPipeline.from_pretrained(FOLDER / "t2v/model", torch_dtype=torch.float32)
frames = [Image.open(file).convert("RGB") for file in sorted((FOLDER / "v2v" / VIDEO).glob("*.png"))]
kept = {}


def keep_initial(*args, **kwargs):
    """Keeps what prepare_latents makes from the video, with its first draw."""
    video, generator = args[0], args[7]
    state = generator.get_state()
    posterior = pipeline.vae.encode(video).latent_dist
    kept["video_pixels"] = video.clone()
    kept["init_latents"] = posterior.sample(generator).permute(0, 2, 1, 3, 4) * pipeline.vae_scaling_factor_image
    generator.set_state(state)
    kept["latents_start"] = prepare_latents(*args, **kwargs)
    return kept["latents_start"]


def keep_step(_, step, timestep, tensors):
    kept[f"latents_{step:03}"] = tensors["latents"].clone()
    kept.setdefault("timesteps", []).append(float(timestep))
    return {}


def keep_prompts():
    for prefix, text in (("", request["prompt"]), ("negative_", request["negative_prompt"])):
        tokens = pipeline.tokenizer(text, padding="max_length", max_length=request["max_sequence_length"],
                                    truncation=True, return_tensors="pt")
        kept[prefix + "input_ids"] = tokens.input_ids
        kept[prefix + "prompt_embeds"] = pipeline.text_encoder(tokens.input_ids)[0]


with torch.no_grad():
    prepare_latents = pipeline.prepare_latents
    pipeline.prepare_latents = keep_initial
    keep_prompts()
    result = pipeline(video=frames, prompt=request["prompt"], negative_prompt=request["negative_prompt"],
                      height=request["height"], width=request["width"], strength=request["strength"],
                      num_inference_steps=request["num_inference_steps"], guidance_scale=request["guidance_scale"],
                      generator=torch.Generator().manual_seed(request["seed"]), output_type="pt",
                      max_sequence_length=request["max_sequence_length"], callback_on_step_end=keep_step)
steps = len(kept["timesteps"])
kept["timesteps"] = torch.tensor(kept["timesteps"], dtype=torch.float64)
kept["alphas_cumprod"] = pipeline.scheduler.alphas_cumprod.double()
kept["latents_final"] = kept[f"latents_{steps - 1:03}"]
kept["frames"] = result.frames[0].permute(0, 2, 3, 1)
save_file({name: value.detach().contiguous().clone() for name, value in kept.items()},
          FOLDER / "v2v/expected.safetensors")
(FOLDER / "v2v/request.json").write_text(json.dumps(request, indent=2) + "\n")
