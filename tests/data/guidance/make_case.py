#!/usr/bin/env python3
"""Makes guidance.safetensors: what diffusers' guiders and the formula of normalized attention guidance compute.

Needs torch, safetensors and diffusers 0.36: python3 make_case.py
The predictions are random numbers from a seed. The model is that of ../wan_t2v, with the inputs of its transformer_io.
"""

import json
import pathlib

import torch
from diffusers import WanTransformer3DModel
from diffusers.guiders import AdaptiveProjectedGuidance, ClassifierFreeZeroStarGuidance, SkipLayerGuidance
from safetensors.torch import load_file, save_file

HERE = pathlib.Path(__file__).parent
WAN = HERE.parent / "wan_t2v"
SCALE = 5.0
NAG = {"scale": 11.0, "tau": 2.5, "alpha": 0.25}


def normalized_attention(positive, negative, scale, tau, alpha):
    """Chen et al., arXiv:2505.21179, equations 7 to 10, with the safeguards of the authors' program."""
    guidance = positive * scale - negative * (scale - 1)
    norm_positive = torch.norm(positive, p=1, dim=-1, keepdim=True).expand(*positive.shape)
    norm_guidance = torch.norm(guidance, p=1, dim=-1, keepdim=True).expand(*guidance.shape)
    growth = torch.nan_to_num(norm_guidance / norm_positive, 10)
    large = growth > tau
    guidance[large] = guidance[large] / (norm_guidance[large] + 1e-7) * norm_positive[large] * tau
    return guidance * alpha + positive * (1 - alpha)


class NagProcessor:
    """Attention to the text with the negative prompt's rows `negative`."""

    def __init__(self, original, negative):
        self.original, self.negative = original, negative

    def __call__(self, attn, hidden_states, encoder_hidden_states=None, attention_mask=None, rotary_emb=None):
        to_out, attn.to_out = attn.to_out, torch.nn.ModuleList([torch.nn.Identity(), torch.nn.Identity()])
        positive = self.original(attn, hidden_states, encoder_hidden_states, attention_mask, rotary_emb)
        negative = self.original(attn, hidden_states, self.negative, attention_mask, rotary_emb)
        attn.to_out = to_out
        return to_out[1](to_out[0](normalized_attention(positive, negative, **NAG)))


def at_step(guider, step, num_steps=50):
    guider.set_state(step=step, num_inference_steps=num_steps, timestep=torch.tensor(500.0))
    return guider


def predictions(seed):
    generator = torch.Generator().manual_seed(seed)
    cond = torch.randn(1, 4, 3, 5, 6, generator=generator)
    uncond = 0.8 * cond + 0.5 * torch.randn(cond.shape, generator=generator)
    skip = 0.9 * cond + 0.3 * torch.randn(cond.shape, generator=generator)
    return cond, uncond, skip


def guider_values():
    values = {}
    apg = AdaptiveProjectedGuidance(guidance_scale=SCALE - 1, adaptive_projected_guidance_momentum=-0.5,
                                    adaptive_projected_guidance_rescale=4.0, eta=0.25, use_original_formulation=True)
    for step in range(3):
        cond, uncond, skip = predictions(step)
        values[f"cond.{step}"], values[f"uncond.{step}"], values[f"skip.{step}"] = cond, uncond, skip
        at_step(apg, step)
        if step == 0:
            from diffusers.guiders.adaptive_projected_guidance import MomentumBuffer
            apg.momentum_buffer = MomentumBuffer(apg.adaptive_projected_guidance_momentum)
        values[f"apg.{step}"] = apg.forward(cond, uncond).pred
    cond, uncond, skip = predictions(0)
    plain = AdaptiveProjectedGuidance(guidance_scale=SCALE - 1, adaptive_projected_guidance_rescale=0.0, eta=0.0,
                                      use_original_formulation=True)
    values["apg_plain"] = at_step(plain, 0).forward(cond, uncond).pred
    values["cfg_zero_star"] = at_step(ClassifierFreeZeroStarGuidance(guidance_scale=SCALE), 1).forward(cond, uncond).pred
    values["cfg_zero_star_zero"] = at_step(ClassifierFreeZeroStarGuidance(guidance_scale=SCALE), 0).forward(cond, uncond).pred
    values["skip_layer"] = at_step(SkipLayerGuidance(guidance_scale=SCALE, skip_layer_guidance_layers=[1]), 5).forward(
        cond, uncond, skip).pred
    alone = SkipLayerGuidance(guidance_scale=1.0, skip_layer_guidance_layers=[1])
    values["skip_layer_alone"] = at_step(alone, 5).forward(cond, None, skip).pred
    for num_steps in (4, 20, 50):
        guider = SkipLayerGuidance(guidance_scale=SCALE, skip_layer_guidance_layers=[1])
        values[f"skip_steps.{num_steps}"] = torch.tensor(
            [at_step(guider, step, num_steps)._is_slg_enabled() for step in range(num_steps)], dtype=torch.int32)
    return values


def nag_values():
    generator = torch.Generator().manual_seed(7)
    positive = torch.randn(1, 9, 16, generator=generator)
    negative = positive + torch.linspace(0, 2, 9).view(1, 9, 1) * torch.randn(1, 9, 16, generator=generator)
    positive[0, 4] = 0
    return {"nag.positive": positive, "nag.negative": negative,
            "nag.result": normalized_attention(positive.clone(), negative, **NAG)}


def wan_values():
    folder = WAN / "model" / "transformer"
    model = WanTransformer3DModel.from_config(json.loads((folder / "config.json").read_text()))
    model.load_state_dict(load_file(folder / "diffusion_pytorch_model.safetensors"))
    model.eval()
    io = load_file(WAN / "transformer_io.safetensors")
    inputs = (io["in.hidden_states"], io["in.timestep"], io["in.encoder_hidden_states"])
    negative = torch.randn(inputs[2].shape, generator=torch.Generator().manual_seed(11))
    values = {"wan.negative_prompt_embeds": negative}
    rows = model.condition_embedder.text_embedder(negative)
    blocks = model.blocks
    for block in blocks:
        block.attn2.set_processor(NagProcessor(block.attn2.processor, rows))
    values["wan.nag"] = model(*inputs, return_dict=False)[0]
    for block in blocks:
        block.attn2.set_processor(block.attn2.processor.original)
    model.blocks = torch.nn.ModuleList([blocks[0], blocks[2]])
    values["wan.skip_1"] = model(*inputs, return_dict=False)[0]
    return values


@torch.no_grad()
def main():
    values = {**guider_values(), **nag_values(), **wan_values()}
    save_file({name: value.contiguous() for name, value in values.items()}, HERE / "guidance.safetensors")


if __name__ == "__main__":
    main()
