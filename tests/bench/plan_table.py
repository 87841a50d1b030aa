#!/usr/bin/env python3
"""Prints a Markdown table of the memory that published models need, as `kinescope-cli plan` calculates it.

    plan_table.py --cli build/bin/kinescope-cli [--device sm89:24GiB ...]

Writes the published configuration of each model (sizes from the original repositories, the rest from the tiny models in
tests/data) into temporary folders without weights, and plans the video of the preset that fits each device.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
GIB = 1 << 30
UMT5 = {"d_model": 4096, "d_kv": 64, "d_ff": 10240, "num_layers": 24, "num_heads": 64, "vocab_size": 256384}
T5 = {**UMT5, "vocab_size": 32128}
WAN_VAE = {"base_dim": 96}
WAN_VAE_2_2 = {"base_dim": 160, "decoder_base_dim": 256, "dim_mult": [1, 2, 4, 4], "num_res_blocks": 2}
LTX_VAE = {"block_out_channels": [128, 256, 512, 1024, 2048], "layers_per_block": [4, 6, 6, 2, 2],
           "decoder_block_out_channels": [256, 512, 1024], "decoder_layers_per_block": [5, 5, 5, 5],
           "latent_channels": 128}
COG_VAE = {"block_out_channels": [128, 256, 256, 512], "layers_per_block": 3, "norm_num_groups": 32,
           "latent_channels": 16}


def wan(heads, ffn_dim, layers, **more):
    return {"num_attention_heads": heads, "attention_head_dim": 128, "ffn_dim": ffn_dim, "num_layers": layers,
            "text_dim": 4096, **more}


def cogvideox(heads, layers, rotary):
    return {"num_attention_heads": heads, "attention_head_dim": 64, "time_embed_dim": 512, "num_layers": layers,
            "in_channels": 16, "out_channels": 16, "max_text_seq_length": 226, "text_embed_dim": 4096,
            "sample_height": 60, "sample_width": 90, "sample_frames": 49,
            "use_rotary_positional_embeddings": rotary}


def ltx(layers, head_dim):
    return {"num_attention_heads": 32, "attention_head_dim": head_dim, "cross_attention_dim": 32 * head_dim,
            "num_layers": layers, "in_channels": 128, "out_channels": 128, "caption_channels": 4096}


# Name, tiny model of the same kind, and what differs from its configs.
MODELS = [
    ("Wan 2.1 1.3B", "wan_t2v/model", {"transformer": wan(12, 8960, 30), "text_encoder": UMT5, "vae": WAN_VAE}),
    ("Wan 2.1 14B", "wan_t2v/model", {"transformer": wan(40, 13824, 40), "text_encoder": UMT5, "vae": WAN_VAE}),
    ("Wan 2.2 5B", "wan_variants/ti2v_t2v/model",
     {"transformer": wan(24, 14336, 30), "text_encoder": UMT5, "vae": WAN_VAE_2_2}),
    ("CogVideoX 2B", "cogvideox/t2v/model",
     {"transformer": cogvideox(30, 30, False), "text_encoder": T5, "vae": COG_VAE}),
    ("CogVideoX 5B", "cogvideox/t2v/model",
     {"transformer": cogvideox(48, 42, True), "text_encoder": T5, "vae": COG_VAE}),
    ("LTX-Video 2B", "ltx/condition/model", {"transformer": ltx(28, 64), "text_encoder": T5, "vae": LTX_VAE}),
    ("LTX-Video 13B", "ltx/condition/model", {"transformer": ltx(48, 128), "text_encoder": T5, "vae": LTX_VAE}),
]


def part_of(tiny, part):
    """Folder of a part; variants of Wan share parts."""
    shared = {"vae": "vae_16x"}.get(part, part)
    places = [DATA / tiny / part, DATA / "wan_variants/common" / shared, DATA / "wan_t2v/model" / part]
    return next(place for place in places if place.exists())


def write_model(folder, tiny, changes):
    """Configs and tokenizer of a model, without weights."""
    index = json.loads((DATA / tiny / "model_index.json").read_text())
    for part in ["scheduler", "tokenizer", *changes]:
        shutil.copytree(part_of(tiny, part), folder / part, ignore=shutil.ignore_patterns("*.safetensors", "*.bin"))
        index.setdefault(part, {"text_encoder": ["transformers", "UMT5EncoderModel"],
                                "tokenizer": ["transformers", "T5TokenizerFast"],
                                "vae": ["diffusers", "AutoencoderKLWan"]}.get(part))
    for part, change in changes.items():
        file = folder / part / "config.json"
        file.write_text(json.dumps(json.loads(file.read_text()) | change))
    (folder / "model_index.json").write_text(json.dumps(index))


def plan(cli, folder, device):
    """The plan with the preset for the device, as JSON, or the error message."""
    command = [cli, "plan", "--json", "--quiet", "--model", folder, "--device", device, "--preset", "auto"]
    result = subprocess.run(command, capture_output=True, text=True)
    answer = json.loads(result.stdout)
    return answer if result.returncode == 0 else answer["error"]["message"]


def cell_of(answer):
    if isinstance(answer, str) or any("more memory than is free" in note for note in answer["notes"]):
        return "too small"
    peak = max(phase["memory_bytes"] for phase in answer["phases"])
    streamed = any(" streams " in note for note in answer["notes"])
    size = "{width}×{height}×{num_frames}".format(**answer["request"])
    return f"{size}, {peak / GIB:.1f} GiB" + (", streamed" if streamed else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--device", action="append", help="sm89:24GiB; can be repeated")
    parser.add_argument("--verbose", action="store_true", help="also print the notes of each plan")
    arguments = parser.parse_args()
    devices = arguments.device or ["sm75:8GiB", "sm86:12GiB", "sm89:16GiB", "sm89:24GiB", "sm120:32GiB", "sm90:80GiB"]
    print("| Model | Size | " + " | ".join(device.split(":")[1] for device in devices) + " |")
    print("|---|---|" + "---|" * len(devices))
    for name, tiny, changes in MODELS:
        with tempfile.TemporaryDirectory() as folder:
            write_model(pathlib.Path(folder) / "model", tiny, changes)
            answers = [plan(arguments.cli, f"{folder}/model", device) for device in devices]
        request = next((answer["request"] for answer in answers if not isinstance(answer, str)), {})
        video = "{width}×{height}".format(**request) if request else "–"
        print(f"| {name} | {video} | " + " | ".join(map(cell_of, answers)) + " |", flush=True)
        if arguments.verbose:
            for device, answer in zip(devices, answers):
                print(device, answer if isinstance(answer, str) else "\n  ".join(["", *answer["notes"]]), file=sys.stderr)


if __name__ == "__main__":
    main()
