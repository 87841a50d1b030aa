#!/usr/bin/env python3
"""Makes the files beside itself from the golden cases `interpolate` and `upscale`: make_fixtures.py GOLDEN

  rife425, rife49, compact_x4, esrgan_x4, realesrgan_x2
                          the cases without the outputs of most blocks. Reference: IFNet of
                          Fannovel16/ComfyUI-Frame-Interpolation 26545cc and spandrel 0.4.2, torch 2.11.0, float32
  nearest_x2.safetensors  SRVGGNetCompact without weights: repeats each pixel
  black_x2.safetensors    the same, but everything is black
  nan_x2.safetensors      the same with a NaN in a bias
  overflow_x2.safetensors finite weights whose result is infinite
  mean_rife.safetensors   RIFE without weights: the mean of both frames, at any time

Needs only Python.
"""

import json
import pathlib
import shutil
import struct
import sys

FOLDER = pathlib.Path(__file__).parent
KEPT = {
    "rife425": ("interpolate", ["frames", "flow_4", "mask_4", "features_0"]),
    "rife49": ("interpolate", ["frames", "flow_3", "mask_3", "features_0"]),
    "compact_x4": ("upscale", ["image", "output", "output_tiled"]),
    "esrgan_x4": ("upscale", ["image", "output"]),
    "realesrgan_x2": ("upscale", ["image", "output"]),
}


def read(file: pathlib.Path) -> dict:
    data = file.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__", None)
    body = data[8 + size :]
    return {name: (entry["shape"], body[slice(*entry["data_offsets"])]) for name, entry in header.items()}


def write(file: pathlib.Path, tensors: dict) -> None:
    header, offset = {}, 0
    for name, (shape, data) in tensors.items():
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [offset, offset + len(data)]}
        offset += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    file.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(data for _, data in tensors.values()))


def filled(shape: list[int], value: float) -> tuple:
    count = 1
    for side in shape:
        count *= side
    return shape, struct.pack(f"<{count}f", *[value] * count)


def copy_case(golden: pathlib.Path, name: str) -> None:
    folder, kept = KEPT[name]
    source, target = golden / folder / name, FOLDER / name
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, copy_function=shutil.copyfile,
                    ignore=shutil.ignore_patterns("expected.safetensors", "middle_*.png", "output.png"))
    tensors = read(source / "expected.safetensors")
    write(target / "expected.safetensors", {key: tensors[key] for key in kept})


def compact(bias: float, weight: float = 0) -> dict:
    channels, scale = 4, 2
    return {
        "body.0.weight": filled([channels, 3, 3, 3], weight),
        "body.0.bias": filled([channels], weight),
        "body.1.weight": filled([channels], 0.25),
        "body.2.weight": filled([channels, channels, 3, 3], weight),
        "body.2.bias": filled([channels], 0),
        "body.3.weight": filled([channels], 0.25),
        "body.4.weight": filled([3 * scale * scale, channels, 3, 3], weight),
        "body.4.bias": filled([3 * scale * scale], bias),
    }


def rife() -> dict:
    width, features, passed = 4, 2, 3
    tensors = {}

    def conv(name: str, outputs: int, inputs: int) -> None:
        tensors[name + ".weight"] = filled([outputs, inputs, 3, 3], 0)
        tensors[name + ".bias"] = filled([outputs], 0)

    def doubling(name: str, inputs: int, outputs: int) -> None:
        tensors[name + ".weight"] = filled([inputs, outputs, 4, 4], 0)
        tensors[name + ".bias"] = filled([outputs], 0)

    conv("encode.cnn0", width, 3)
    conv("encode.cnn1", width, width)
    conv("encode.cnn2", width, width)
    doubling("encode.cnn3", width, features)
    pictures = 3 + 3 + 2 * features + 1
    for index in range(5):
        block = f"block{index}."
        conv(block + "conv0.0.0", width // 2, pictures if index == 0 else pictures + 1 + passed + 4)
        conv(block + "conv0.1.0", width, width // 2)
        for number in range(2):
            conv(f"{block}convblock.{number}.conv", width, width)
            tensors[f"{block}convblock.{number}.beta"] = filled([1, width, 1, 1], 1)
        doubling(block + "lastconv.0", width, 4 * (4 + 1 + passed))
    return tensors


def main() -> None:
    for name in KEPT:
        copy_case(pathlib.Path(sys.argv[1]), name)
    write(FOLDER / "nearest_x2.safetensors", compact(0))
    write(FOLDER / "black_x2.safetensors", compact(-1))
    write(FOLDER / "nan_x2.safetensors", compact(float("nan")))
    write(FOLDER / "overflow_x2.safetensors", compact(0, 1e30))
    write(FOLDER / "mean_rife.safetensors", rife())


if __name__ == "__main__":
    main()
