"""Makes the files beside it: GGUF and pickle checkpoints, and the numbers that the reference readers find in them.

    python make_fixtures.py        (gguf 0.19, torch 2.11, safetensors)
"""
import collections
from pathlib import Path

import numpy as np
import torch
from gguf import GGMLQuantizationType as Q
from gguf import GGML_QUANT_SIZES, GGUFWriter, dequantize, quantize
from safetensors.torch import load_file, save_file

HERE = Path(__file__).parent
SCALES = {Q.Q4_0: [0], Q.Q4_1: [0, 2], Q.Q5_0: [0], Q.Q5_1: [0, 2], Q.Q8_0: [0], Q.Q4_K: [0, 2], Q.Q5_K: [0, 2], Q.Q6_K: [208]}


def random_blocks(kind, rows, columns, rng):
    """Any bytes are valid numbers; only the float16 scales must be finite."""
    numbers, size = GGML_QUANT_SIZES[kind]
    blocks = rng.integers(0, 256, (rows * columns // numbers, size), dtype=np.uint8)
    for place in SCALES[kind]:
        scale = rng.standard_normal(len(blocks)).astype(np.float16)
        blocks[:, place:place + 2] = scale.view(np.uint8).reshape(-1, 2)
    return blocks.reshape(rows, -1)


def make_gguf():
    rng = np.random.default_rng(5)
    writer = GGUFWriter(HERE / "blocks.gguf", "wan")
    writer.add_name("all block types")
    writer.add_uint32("test.uint32", 4000000000)
    writer.add_int64("test.int64", -5)
    writer.add_float32("test.float32", 0.5)
    writer.add_bool("test.bool", True)
    writer.add_array("test.words", ["a", "bc"])
    writer.add_array("test.numbers", [1, 2, 3])
    expected = {}
    for kind in SCALES:
        # 1040 x 256 is more than the 2^18 numbers that are unpacked at a time.
        rows = 1040 if kind == Q.Q4_0 else 3
        data = random_blocks(kind, rows, 512 if rows == 3 else 256, rng)
        name = f"{kind.name.lower()}.weight"
        writer.add_tensor(name, data, raw_dtype=kind)
        expected[name] = torch.from_numpy(dequantize(data, kind))
    for kind, dtype in ((Q.F32, np.float32), (Q.F16, np.float16)):
        data = rng.standard_normal((5, 7)).astype(dtype)
        writer.add_tensor(f"{kind.name.lower()}.weight", data)
        expected[f"{kind.name.lower()}.weight"] = torch.from_numpy(data.astype(np.float32))
    bits = rng.standard_normal((4, 6)).astype(np.float32).view(np.uint32) >> 16
    data = bits.astype(np.uint16).view(np.uint8)
    writer.add_tensor("bf16.weight", data, raw_dtype=Q.BF16)
    expected["bf16.weight"] = torch.from_numpy(dequantize(data, Q.BF16))
    # As ComfyUI-GGUF stores what has more dimensions or other ones than blocks allow.
    folded = random_blocks(Q.Q8_0, 4, 96, rng)
    writer.add_tensor("folded.weight", folded, raw_dtype=Q.Q8_0)
    writer.add_array("comfy.gguf.orig_shape.folded.weight", [2, 3, 64])
    expected["folded.weight"] = torch.from_numpy(dequantize(folded, Q.Q8_0)).reshape(2, 3, 64)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    sums = {}
    for name, value in expected.items():
        # The one long tensor is kept by its rows at the seam.
        sums[name] = (value[1020:1030] if len(value) > 1000 else value).contiguous()
    save_file(sums, HERE / "blocks_expected.safetensors")


def make_wan_gguf():
    """The denoiser of wan_t2v with its Linear weights in Q8_0. Their rows are no whole blocks: folded, as ComfyUI-GGUF does."""
    folder = HERE.parent / "wan_t2v" / "model" / "transformer"
    writer = GGUFWriter(HERE / "wan_t2v_q8_0.gguf", "wan")
    for name, value in load_file(folder / "diffusion_pytorch_model.safetensors").items():
        data = value.numpy()
        if data.ndim == 2 and data.size % 32 == 0:
            writer.add_array(f"comfy.gguf.orig_shape.{name}", list(data.shape))
            writer.add_tensor(name, quantize(data.reshape(-1, 32), Q.Q8_0), raw_dtype=Q.Q8_0)
        elif data.ndim > 4:
            writer.add_array(f"comfy.gguf.orig_shape.{name}", list(data.shape))
            writer.add_tensor(name, data.astype(np.float16).reshape(data.shape[0], -1))
        else:
            writer.add_tensor(name, data)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def make_pickles():
    g = torch.Generator().manual_seed(7)
    base = torch.randn(4, 6, generator=g)
    tensors = collections.OrderedDict(
        float32=base,
        transposed=base.t(),
        slice=base[1:3, 2:5],
        parameter=torch.nn.Parameter(torch.randn(3, generator=g)),
        bfloat16=torch.randn(2, 3, generator=g).bfloat16(),
        float16=torch.randn(5, generator=g).half(),
        float64=torch.randn(2, generator=g).double(),
        float8=torch.randn(3, 3, generator=g).to(torch.float8_e4m3fn),
        int64=torch.arange(4),
        uint8=torch.arange(4, dtype=torch.uint8),
        flag=torch.tensor([True, False]),
        scalar=torch.tensor(2.5),
        empty=torch.empty(0, 3),
    )
    torch.save(tensors, HERE / "tensors.pt")
    plain = {name: value.detach().contiguous().clone() for name, value in tensors.items()}
    save_file(plain, HERE / "tensors_expected.safetensors")
    module = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.LayerNorm(3))
    for value in module.state_dict().values():
        value.copy_(torch.randn(value.shape, generator=g))
    torch.save(module.state_dict(), HERE / "state_dict.pt")
    torch.save({"model_state": module.state_dict(), "epoch": 3, "best": None}, HERE / "wrapped.pt")
    torch.save({"module": {"net": module.state_dict(), "extra": {"list": [torch.ones(1), torch.zeros(2)]}},
                "optimizer": {"state": {0: torch.ones(2)}}, "note": ("x", 1.5, -70000, 1 << 40)},
               HERE / "nested.pt")
    torch.save(tensors["float32"], HERE / "legacy.pt", _use_new_zipfile_serialization=False)
    torch.save({"weight": torch.zeros(1), "when": complex(1, 2)}, HERE / "foreign.pt")


if __name__ == "__main__":
    make_gguf()
    make_wan_gguf()
    make_pickles()
