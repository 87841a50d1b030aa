#!/usr/bin/env python3
"""Makes the folders beside itself with diffusers: make_condition_cases.py, in the environment of tests/bench.

  condition_clips/  videos as conditions: at the first frame, at later ones, overlapping, cut to the result's end
  condition_none/   no condition at all: the pipeline draws no noise for conditions

Both use the model of condition/ and the tokenizer of t2v/. Records what golden cases contain: LTXConditionPipeline of
diffusers 0.42.1 with transformers 5.23.0, torch 2.11.0, float32, CPU, eager attention.
"""

import json
import pathlib
import shutil

import numpy
import torch
from diffusers import LTXConditionPipeline
from diffusers.models.autoencoders import vae as vae_module
from diffusers.pipelines.ltx import pipeline_ltx_condition as pipeline_module
from diffusers.pipelines.ltx.pipeline_ltx_condition import LTXVideoCondition
from PIL import Image
from safetensors.torch import save_file
from transformers import AutoTokenizer, T5EncoderModel

FOLDER = pathlib.Path(__file__).parent
REQUEST = json.loads((FOLDER / "condition/request.json").read_text())
CLIPS = {"start": 9, "middle": 22, "early": 18}  # frames; "middle" is longer than the result has room for
CONDITIONS = [
    {"video": "start", "frame_index": 0, "strength": 0.9},
    {"video": "middle", "frame_index": 4, "strength": 1.0},
    {"image": "late.png", "frame_index": 20, "strength": 1.0},
    {"video": "early", "frame_index": 1, "strength": 0.5},
]


def picture(seed: int, frame: int) -> Image.Image:
    """A soft pattern that moves, larger than the result."""
    y, x = numpy.mgrid[0:36, 0:80]
    waves = [numpy.sin((x * (c + 1) + y * (3 - c) + 4 * frame) / 12 + seed + c) for c in range(3)]
    return Image.fromarray(numpy.stack([(127.5 * (wave + 1)).round() for wave in waves], -1).astype(numpy.uint8))


def write_inputs(case: pathlib.Path) -> None:
    for seed, (name, frames) in enumerate(CLIPS.items()):
        (case / name).mkdir(parents=True)
        for frame in range(frames):
            picture(seed, frame).save(case / name / f"{frame:03}.png")
    picture(7, 0).save(case / "late.png")


def condition_of(case: pathlib.Path, entry: dict) -> LTXVideoCondition:
    place = {"frame_index": entry["frame_index"], "strength": entry["strength"]}
    if "image" in entry:
        return LTXVideoCondition(image=Image.open(case / entry["image"]), **place)
    return LTXVideoCondition(video=[Image.open(file) for file in sorted((case / entry["video"]).iterdir())], **place)


class Recorder:
    """Keeps the values of a run under their names in golden cases."""

    def __init__(self, pipeline: LTXConditionPipeline, request: dict) -> None:
        self.values: dict[str, torch.Tensor] = {}
        self.conditions, self.steps = len(request["conditions"]), request["num_inference_steps"]
        self.pipeline, self.encoded = pipeline, -1
        self.draw = pipeline_module.randn_tensor
        pipeline_module.randn_tensor = self.drawn
        vae_module.randn_tensor = self.drawn_posterior
        self.wrap(pipeline.vae, "encode", self.on_encode)
        self.wrap(pipeline.vae, "decode", lambda result, latents, *_, **__: self.keep("latents_decode", latents))
        self.wrap(pipeline, "prepare_latents", self.on_prepared)
        self.wrap(pipeline.scheduler, "step", self.on_step)
        self.wrap(pipeline, "encode_prompt", self.on_prompt)

    @staticmethod
    def wrap(owner: object, name: str, after) -> None:
        inner = getattr(owner, name)

        def call(*arguments, **named):
            result = inner(*arguments, **named)
            after(result, *arguments, **named)
            return result

        setattr(owner, name, call)

    def keep(self, name: str, value: torch.Tensor) -> None:
        self.values[name] = value.detach().clone().contiguous()

    def drawn(self, shape, *arguments, **named) -> torch.Tensor:
        """Names a draw of the pipeline by what happened before it."""
        noise = self.draw(shape, *arguments, **named)
        steps = sum(name.startswith("image_noise_") for name in self.values)
        if "latents_initial" not in self.values:
            self.keep("latents_initial", noise)
        elif "latents_start" not in self.values:
            self.keep(f"condition_noise_{self.encoded:03}", noise)
        elif self.conditions and steps < self.steps:
            self.keep(f"image_noise_{steps:03}", noise)
        else:
            self.keep("decode_noise", noise)
        return noise

    def drawn_posterior(self, shape, *arguments, **named) -> torch.Tensor:
        noise = self.draw(shape, *arguments, **named)
        self.keep(f"posterior_noise_{self.encoded:03}", noise)
        return noise

    def on_encode(self, result, pixels, *_, **__) -> None:
        self.encoded += 1
        name = f"{self.encoded:03}"
        if self.encoded == 0:  # one is enough: the posteriors show differences of the others
            self.keep(f"condition_pixels_{name}", pixels.squeeze(2) if pixels.size(2) == 1 else pixels)
        self.keep(f"posterior_mean_{name}", result.latent_dist.mean)
        self.keep(f"posterior_logvar_{name}", result.latent_dist.logvar[:, :1])

    def on_prompt(self, result, *_, **__) -> None:
        self.keep("prompt_embeds", result[0])
        self.keep("attention_mask", result[1].to(torch.int64))
        self.keep("negative_prompt_embeds", result[2])
        self.keep("negative_attention_mask", result[3].to(torch.int64))

    def on_prepared(self, result, *_, **__) -> None:
        latents, mask, coordinates, _ = result
        self.keep("latents_start", latents)
        if mask is not None:
            self.keep("conditioning_mask", mask)
        seconds = coordinates.float()
        seconds[:, 0] = seconds[:, 0] * (1.0 / REQUEST["fps"])
        self.keep("video_coords", seconds)

    def on_step(self, _, output, *__, **___) -> None:
        self.keep(f"noise_pred_{sum(name.startswith('noise_pred_') for name in self.values):03}", output)


def load() -> LTXConditionPipeline:
    model = FOLDER / "condition/model"
    tokenizer = AutoTokenizer.from_pretrained(FOLDER / "t2v/model/tokenizer")
    encoder = T5EncoderModel.from_pretrained(model / "text_encoder", attn_implementation="eager")
    pipeline = LTXConditionPipeline.from_pretrained(model, tokenizer=tokenizer, text_encoder=encoder,
                                                    dtype=torch.float32)
    pipeline.set_progress_bar_config(disable=True)
    return pipeline


def make_case(name: str, request: dict) -> None:
    case = FOLDER / name
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir()
    if request["conditions"]:
        write_inputs(case)
    pipeline = load()
    recorder = Recorder(pipeline, request)

    def after_step(_, step, __, values):
        recorder.keep(f"latents_{step:03}", values["latents"])
        return values

    options = ("prompt", "negative_prompt", "width", "height", "num_frames", "num_inference_steps", "guidance_scale",
               "decode_timestep", "decode_noise_scale", "image_cond_noise_scale", "max_sequence_length")
    conditions = [condition_of(case, entry) for entry in request["conditions"]] or None
    with torch.no_grad():
        frames = pipeline(conditions=conditions, frame_rate=request["fps"], output_type="np",
                          generator=torch.Generator("cpu").manual_seed(request["seed"]),
                          callback_on_step_end=after_step, **{key: request[key] for key in options}).frames[0]
    values = recorder.values
    last, video = values[f"latents_{request['num_inference_steps'] - 1:03}"], values["latents_initial"]
    tokens = video[0, 0].numel()  # conditions have extra tokens in front
    values["latents_final"] = last[:, -tokens:].transpose(1, 2).reshape(video.shape).contiguous()
    values["timesteps"] = pipeline.scheduler.timesteps
    values["sigmas"] = pipeline.scheduler.sigmas
    values["frames"] = torch.from_numpy(frames).contiguous()
    save_file(values, case / "expected.safetensors")
    (case / "expected.safetensors").chmod(0o644)
    (case / "request.json").write_text(json.dumps(request, indent=2) + "\n")


def main() -> None:
    common = REQUEST | {"model": "../condition/model", "seed": 404, "num_inference_steps": 4}
    make_case("condition_clips", common | {"conditions": CONDITIONS, "num_frames": 25})
    make_case("condition_none", common | {"conditions": [], "num_frames": 9, "num_inference_steps": 3})


if __name__ == "__main__":
    main()
