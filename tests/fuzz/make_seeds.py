"""Creates the seeds in corpus/: small complete files of each supported format.

    python make_seeds.py        (gguf 0.19, torch 2.11, safetensors, Pillow, sentencepiece, and the program ffmpeg)
"""
import io
import json
import shutil
import struct
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import numpy as np
import sentencepiece
import torch
from gguf import GGUFWriter
from PIL import Image
from safetensors.torch import save

HERE = Path(__file__).parent
DATA = HERE.parent / "data" / "weights"
sys.path.insert(0, str(DATA))
from make_fixtures import SCALES, random_blocks  # noqa: E402


def put(target, name, data):
    folder = HERE / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def safetensors():
    plain = {"a.weight": torch.ones(2, 3), "b": torch.zeros(3, dtype=torch.uint8), "c": torch.ones(1).half()}
    put("safetensors", "plain", save(plain, metadata={"format": "pt"}))
    scaled = {"scaled_fp8": torch.empty(2).to(torch.float8_e4m3fn), "q.weight": torch.ones(2, 2).to(torch.float8_e4m3fn),
              "q.scale_weight": torch.tensor(2.0), "q.scale_input": torch.tensor(1.0)}
    put("safetensors", "scaled", save(scaled))
    quant = torch.tensor(list(b'{"format":"float8_e4m3fn"}'), dtype=torch.uint8)
    layers = json.dumps({"layers": {"q": {"format": "float8_e5m2"}}})
    put("safetensors", "quant", save({"q.weight": torch.ones(2, 2).to(torch.float8_e5m2), "q.weight_scale": torch.ones(2),
                                      "q.comfy_quant": quant}, metadata={"_quantization_metadata": layers}))


def pickles():
    for name in ("tensors", "state_dict", "nested", "foreign"):
        put("pickle", name, (DATA / f"{name}.pt").read_bytes())
        with zipfile.ZipFile(DATA / f"{name}.pt") as archive:
            put("pickle", f"{name}.pkl", archive.read(f"{name}/data.pkl"))


def gguf():
    rng = np.random.default_rng(1)
    for kind in SCALES:
        path = HERE / "corpus" / "gguf" / kind.name.lower()
        path.parent.mkdir(parents=True, exist_ok=True)
        writer = GGUFWriter(path, "wan")
        writer.add_array("comfy.gguf.orig_shape.a.weight", [2, 1, 256])
        writer.add_array("words", ["x", "y"])
        writer.add_tensor("a.weight", random_blocks(kind, 1, 512, rng), raw_dtype=kind)
        writer.add_tensor("a.bias", np.ones(3, dtype=np.float16))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()


def shard_index():
    put("shard_index", "two", json.dumps({"metadata": {"total_size": 16}, "weight_map": {"a": "a", "b": "b"}}).encode())
    put("shard_index", "one", json.dumps({"weight_map": {"a": "a"}}).encode())
    put("shard_index", "outside", json.dumps({"weight_map": {"a": "../a"}}).encode())


def sentencepieces():
    text = [f"a red panda number {i} walks over the old bridge, 小熊猫 {i}" for i in range(60)]
    for kind in ("unigram", "bpe"):
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(text), model_writer=model, vocab_size=80, model_type=kind, byte_fallback=False,
            pad_id=0, eos_id=1, unk_id=2, bos_id=-1, normalization_rule_name="identity")
        put("sentencepiece", kind, model.getvalue())
    shutil.copy(HERE.parent / "data" / "tokenizers" / "umt5" / "spiece.model", HERE / "corpus" / "sentencepiece" / "umt5")


def images():
    picture = Image.fromarray(np.arange(8 * 6 * 3, dtype=np.uint8).reshape(6, 8, 3))
    for kind in ("png", "jpeg", "webp", "tiff", "bmp"):
        data = io.BytesIO()
        exif = Image.Exif()
        exif[0x0112] = 6
        picture.save(data, kind, **({"exif": exif} if kind in ("png", "jpeg", "webp") else {}))
        put("image", kind, data.getvalue())
    for mode in ("RGBA", "P", "L", "1", "I;16"):
        data = io.BytesIO()
        (Image.new("I;16", (5, 4), 700) if mode == "I;16" else picture.convert(mode)).save(data, "png")
        put("image", "png-" + mode.replace(";", ""), data.getvalue())


REQUEST = {"prompt": "a red ball", "width": 64, "seed": 7, "max_memory": "8GiB", "guard": "heal",
           "loras": [{"path": "a.safetensors", "scale": 0.5}], "vae": "vae.safetensors"}
DEEP = '{"request":{"prompt":' + "[" * 5000


def requests():
    put("request", "plain", json.dumps(REQUEST).encode())
    put("request", "comment", json.dumps({"version": "1", "request": REQUEST}).encode())
    put("request", "deep", DEEP.encode())
    put("request", "deep_objects", ('{"prompt":' * 200 + "1" + "}" * 200).encode())
    put("request", "twice", b'{"width": 16, "width": 32}')
    put("request", "many_keys", json.dumps({f"key{i}": {} for i in range(2000)}).encode())
    put("request", "numbers", b'{"width": 1e400, "seed": 18446744073709551615, "fps": -0.0, "height": 99999999999999999999}')


def cbor(value):
    """The part of CBOR that the engine protocol uses."""
    def head(major, count):
        for info, form, limit in ((None, "B", 24), (24, "B", 1 << 8), (25, ">H", 1 << 16), (26, ">I", 1 << 32)):
            if count < limit:
                return bytes([major << 5 | (count if info is None else info)]) + (
                    b"" if info is None else struct.pack(form, count))
        return bytes([major << 5 | 27]) + struct.pack(">Q", count)
    if value is None or isinstance(value, bool):
        return bytes([{False: 0xF4, True: 0xF5, None: 0xF6}[value]])
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, float):
        return b"\xfb" + struct.pack(">d", value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(cbor, value))
    return head(5, len(value)) + b"".join(cbor(key) + cbor(member) for key, member in value.items())


def engine_messages():
    error = {"code": "disk_full", "message": "full", "hint": "", "arguments": {"path": "/v"}}
    request = {"model": "builtin", "prompt": "a red ball", "width": 64, "guidance_scale": 3.5, "guard": "heal"}
    frame = {"width": 2, "height": 1, "pixels": bytes(6)}
    events = {"log": {"LogLine": {"level": "info", "text": "a", "topic": "other"}}, "failed": {"RunFailed": error},
              "phase": {"PhaseStarted": {"phase": "denoise", "total": 8}},
              "queue": {"QueueChanged": {"jobs": [
                  {"id": 1, "request": request, "state": "failed", "step": 1, "num_steps": 2, "created": "now",
                   "error": error, "output": ""}]}}}
    for name, event in events.items():
        put("engine_message", f"event_{name}", cbor({"event": {"job": 1, "event": event}}))
    messages = {"hello": {"program": "kinescope", "version": "0.1.0", "protocol": 1, "schema": "0", "heartbeat_seconds": 1.0},
                "request": {"id": 1, "call": "jobs.submit", "arguments": [request, -1, None, True]},
                "answer": {"id": 1, "value": [1, 70000, 1 << 40], "error": None},
                "answer_frames": {"id": 1, "frames": [frame, frame]}, "heartbeat": {}}
    for name, message in messages.items():
        put("engine_message", name, cbor({name: message}))
    put("engine_message", "deep", bytes([0x81]) * 4096)
    put("engine_message", "indefinite", bytes([0x7F]) * 64)


def clip_comments():
    """Clips of one frame. ffmpeg writes the comment; PNG files get a text chunk."""
    for name, comment in (("plain", json.dumps({"request": REQUEST})), ("deep", DEEP)):
        for ending in ("mp4", "mkv"):
            file = HERE / "corpus" / "clip_comment" / f"{name}.{ending}"
            file.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "color=red:size=16x16:rate=1:duration=1",
                            "-metadata", "comment=" + comment, "-fflags", "+bitexact", file], check=True)
        text = b"comment\0" + comment.encode()
        header = b"IHDR" + struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
        chunks = (header, b"tEXt" + text, b"IDAT" + zlib.compress(b"\0\0"), b"IEND")
        put("clip_comment", f"{name}.png", b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) for chunk in chunks))
        blocks = b"".join(bytes([len(part)]) + part for part in (
            comment.encode()[i:i + 255] for i in range(0, len(comment), 255)))
        put("clip_comment", f"{name}.gif", b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff\x21\xfe" + blocks +
            b"\0\x2c\0\0\0\0\1\0\1\0\0\2\2\x44\1\0\x3b")


def comfy_paths():
    """Lists of model folders: good ones, and what a YAML reader may stumble over."""
    bomb = "a: &a [x, x]\n" + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [*{chr(97 + i)}, *{chr(97 + i)}]\n" for i in range(20))
    texts = {"plain": "comfyui:\n    base_path: ~/c\n    is_default: true\n    vae: models/vae/\n    custom_nodes: x\n",
             "lines": "a1111:\n  loras: |\n    a\n    b\n  unet: |\n    c\n\n    d\nempty:\n", "comments": "# nothing\n",
             "bomb": bomb, "alias": "a: &a {vae: x}\nb: *a\nc: {vae: *a}\n", "list": "c: {vae: [a, b]}\n",
             "nested": "c: {x: " + "[" * 4000, "tab": "c:\n\tvae: x\n", "escape": 'c: {vae: "C:\\Users"}\n',
             "null": 'c: {vae: "a\\0b"}\n', "documents": "a: {}\n---\nb: {}\n", "latin1": "c: {vae: \xe9}\n"}
    for name, text in texts.items():
        put("comfy_paths", name, text.encode("latin-1"))
    put("comfy_paths", "utf16", texts["plain"].encode("utf-16"))


if __name__ == "__main__":
    safetensors(), pickles(), gguf(), shard_index(), sentencepieces(), images(), requests(), clip_comments(), engine_messages()
    comfy_paths()
