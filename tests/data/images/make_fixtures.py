"""Makes the pictures' fixtures: what Pillow and CLIP of transformers make of small random pictures.

Written with torch 2.11.0, transformers 5.23.0, Pillow; run in this folder.
"""
import json
import pathlib

import numpy as np
import torch
from PIL import Image
from safetensors.torch import save_file
from transformers import CLIPVisionConfig, CLIPVisionModelWithProjection
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

FOLDER = pathlib.Path(__file__).parent
FILTERS = {"lanczos": Image.Resampling.LANCZOS, "bicubic": Image.Resampling.BICUBIC}
# Width, height; in the last two Pillow filters the rows first.
SIZES = [(8, 6), (61, 40), (19, 90), (37, 12), (37, 23), (1, 1), (30, 5), (60, 8)]


def picture(height, width, seed):
    """Noise over a gradient, with black and white corners: the filters overshoot there."""
    random = np.random.default_rng(seed)
    ramp = np.linspace(0, 255, width)[None, :, None] * np.linspace(0.3, 1, height)[:, None, None]
    pixels = np.clip(ramp + random.normal(0, 60, (height, width, 3)), 0, 255).astype(np.uint8)
    pixels[: height // 3, : width // 3] = 255
    pixels[-height // 3 :, -width // 3 :] = 0
    return pixels


def resized():
    pixels = picture(23, 37, 1)
    tensors = {"image": torch.from_numpy(pixels)}
    for name, kind in FILTERS.items():
        for width, height in SIZES:
            result = np.asarray(Image.fromarray(pixels).resize((width, height), kind)).copy()
            tensors[f"{name}_{width}x{height}"] = torch.from_numpy(result)
    save_file(tensors, FOLDER / "pil_resize.safetensors")


def clip():
    torch.manual_seed(5)
    config = CLIPVisionConfig(hidden_size=12, intermediate_size=20, projection_dim=10, num_hidden_layers=3,
                              num_attention_heads=2, image_size=32, patch_size=8, hidden_act="gelu",
                              layer_norm_eps=1e-5, attn_implementation="eager")
    model = CLIPVisionModelWithProjection(config).eval()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, 0.1 if parameter.dim() == 1 else 0.0, 0.3)
    folder = FOLDER / "clip_vision"
    folder.mkdir(exist_ok=True)
    save_file({name: tensor.contiguous() for name, tensor in model.state_dict().items() if "position_ids" not in name},
              folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps({key: config.to_dict()[key] for key in (
        "hidden_size", "intermediate_size", "projection_dim", "num_hidden_layers", "num_attention_heads", "image_size",
        "patch_size", "hidden_act", "layer_norm_eps")}, indent=2) + "\n")
    processor = CLIPImageProcessorPil(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32})
    tensors = {}
    for name, pixels in {"wide": picture(41, 75, 2), "tall": picture(50, 29, 3)}.items():
        values = processor(Image.fromarray(pixels), return_tensors="pt").pixel_values
        with torch.no_grad():
            out = model(values, output_hidden_states=True)
        tensors |= {f"{name}.image": torch.from_numpy(pixels), f"{name}.pixel_values": values,
                    f"{name}.penultimate_states": out.hidden_states[-2].contiguous(),
                    f"{name}.image_embeds": out.image_embeds}
    save_file(tensors, FOLDER / "clip_vision.safetensors")


resized()
clip()
