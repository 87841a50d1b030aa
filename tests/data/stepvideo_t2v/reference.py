"""Step-Video-T2V in plain torch and float32, written from its description: what make_case.py computes the case with.

    reference.py FOLDER

holds it against a folder of component fixtures (transformer, step_llm, vae: weights with the config in the metadata, and
_io), which the original classes made.
"""

import json
import math
import pathlib
import sys

import torch
import torch.nn.functional as F
from safetensors import safe_open


class Weights:
    def __init__(self, tensors, prefix=""):
        self.tensors, self.prefix = tensors, prefix

    def __truediv__(self, name):
        return Weights(self.tensors, f"{self.prefix}{name}.")

    def __getitem__(self, name):
        return self.tensors[self.prefix + name].float()

    def get(self, name):
        return self[name] if self.prefix + name in self.tensors else None

    def linear(self, x, name=""):
        at = self / name if name else self
        return F.linear(x, at["weight"], at.get("bias"))


def rms_norm(x, weight, eps):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * weight


# Transformer


def rotate(x, grid, split):
    """[1, L, H, D]: in each part of the channels, the first half is turned with the second."""
    axes = torch.meshgrid(*[torch.arange(n) for n in grid], indexing="ij")
    turned = []
    for part, positions in zip(x.split(split, -1), axes):
        d = part.shape[-1]
        frequencies = 1.0 / 10000.0 ** (torch.arange(0, d, 2).float() / d)
        angles = torch.outer(positions.flatten().float(), frequencies)[None, :, None]
        a, b = part.chunk(2, -1)
        turned += [a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()]
    return torch.cat(turned, -1)


def attend(q, k, v, heads_bias=None):
    return F.scaled_dot_product_attention(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2),
                                          attn_mask=heads_bias).transpose(1, 2).flatten(2)


def transformer(w, config, latents, time, llm, clip, blocks=None):
    """latents [1, F, C, H, W], llm and clip [1, n, D] of real tokens -> [1, F, C, H, W]."""
    heads, head_dim = config["num_attention_heads"], config["attention_head_dim"]
    quarter = head_dim // 4
    split = config.get("rope_channel_split") or [head_dim - 2 * quarter, quarter, quarter]
    dim = heads * head_dim
    _, frames, channels, rows, columns = latents.shape
    x = latents.permute(0, 1, 3, 4, 2).reshape(1, -1, channels)
    x = F.linear(x, w["pos_embed.proj.weight"].flatten(1), w["pos_embed.proj.bias"])
    angles = torch.exp(torch.arange(128).float() * (-math.log(10000) / 128)) * (time * 1000)
    e = torch.cat([angles.cos(), angles.sin()])[None]
    embedder = w / "adaln_single.emb.timestep_embedder"
    e = embedder.linear(F.silu(embedder.linear(e, "linear_1")), "linear_2")
    modulation = w.linear(F.silu(e), "adaln_single.linear").view(6, dim)
    captions = w.linear(F.layer_norm(llm, llm.shape[-1:], eps=1e-6), "caption_projection.linear_1")
    captions = w.linear(F.gelu(captions, approximate="tanh"), "caption_projection.linear_2")
    context = torch.cat([w.linear(clip, "clip_projection"), captions], 1)
    for i in range(config["num_layers"]):
        b = w / f"transformer_blocks.{i}"
        shift1, scale1, gate1, shift2, scale2, gate2 = b["scale_shift_table"] + modulation

        def heads_of(y, count):
            return y.unflatten(-1, (heads, count * head_dim)).chunk(count, -1)

        h = F.layer_norm(x, (dim,), b["norm1.weight"], b["norm1.bias"], 1e-5) * (1 + scale1) + shift1
        q, k, v = heads_of((b / "attn1").linear(h, "wqkv"), 3)
        q, k = (rms_norm(y, b[f"attn1.{n}_norm.weight"], 1e-6) for y, n in ((q, "q"), (k, "k")))
        grid = (frames, rows, columns)
        x = x + gate1 * (b / "attn1").linear(attend(rotate(q, grid, split), rotate(k, grid, split), v), "wo")
        q, = heads_of((b / "attn2").linear(x, "wq"), 1)
        k, v = heads_of((b / "attn2").linear(context, "wkv"), 2)
        q, k = (rms_norm(y, b[f"attn2.{n}_norm.weight"], 1e-6) for y, n in ((q, "q"), (k, "k")))
        x = x + (b / "attn2").linear(attend(q, k, v), "wo")
        h = F.layer_norm(x, (dim,), b["norm2.weight"], b["norm2.bias"], 1e-5) * (1 + scale2) + shift2
        x = x + gate2 * (b / "ff").linear(F.gelu((b / "ff").linear(h, "net.0.proj"), approximate="tanh"), "net.2")
        if blocks is not None:
            blocks[i] = x
    shift, scale = w["scale_shift_table"] + e
    x = w.linear(F.layer_norm(x, (dim,), eps=1e-6) * (1 + scale) + shift, "proj_out")
    return x.view(1, frames, rows, columns, -1).permute(0, 1, 4, 2, 3)


# Step-LLM


def slopes(heads):
    power = 2 ** math.floor(math.log2(heads))
    first = [2 ** (-8 * (h + 1) / power) for h in range(power)]
    return torch.tensor(first + [2 ** (-4 * (2 * m + 1) / power) for m in range(heads - power)])


def step_llm(w, config, ids):
    heads, groups, dim = config["num_attention_heads"], config["num_attention_groups"], config["hidden_size"]
    eps = config["layernorm_epsilon"]
    x = F.embedding(ids, w["tok_embeddings.word_embeddings.weight"])
    distance = torch.arange(ids.shape[1])[:, None] - torch.arange(ids.shape[1])[None]
    bias = -slopes(heads)[:, None, None] * distance.clamp(min=0).float().sqrt()
    bias = bias.masked_fill(distance < 0, -math.inf)
    for i in range(config["num_layers"]):
        b = w / f"transformer.layers.{i}"
        qkv = b.linear(rms_norm(x, b["attention_norm.weight"], eps), "attention.wqkv")
        q = qkv[..., :dim].unflatten(-1, (heads, -1))
        k, v = qkv[..., dim:].unflatten(-1, (groups, -1)).chunk(2, -1)
        k, v = (y.repeat_interleave(heads // groups, 2) for y in (k, v))
        x = x + b.linear(attend(q, k, v, bias), "attention.wo")
        gate, value = b.linear(rms_norm(x, b["ffn_norm.weight"], eps), "feed_forward.w1").chunk(2, -1)
        x = x + b.linear(F.silu(gate) * value, "feed_forward.w2")
    return x


# VAE; videos lie [T, C, H, W]


def norm(w, x, groups):
    return F.group_norm(x, groups, w["weight"], w["bias"], 1e-5)


def conv(w, x):
    """Causal: zeros in front of time, around the picture."""
    weight = w["weight"]
    t, s = weight.shape[2] - 1, weight.shape[-1] // 2
    return F.conv3d(F.pad(x.transpose(0, 1), (s, s, s, s, t, 0)), weight, w["bias"]).transpose(0, 1)


def shuffle(x, f=2):
    t, c, h, w = x.shape
    x = x.view(t, c // f**3, f, f, f, h, w).permute(0, 2, 1, 5, 3, 6, 4)
    return x.reshape(t * f, c // f**3, h * f, w * f)[f - 1:]


def residual(w, x, groups):
    h = conv(w / "conv1.conv", F.silu(norm(w / "norm1", x, groups)))
    h = conv(w / "conv2.conv", F.silu(norm(w / "norm2", h, groups)))
    return (conv(w / "nin_shortcut.conv", x) if w.get("nin_shortcut.conv.weight") is not None else x) + h


def middle(w, x, groups):
    x = residual(w / "block_1", x, groups)
    h = norm(w / "attn_1.norm", x, groups)
    q, k, v = (conv(w / f"attn_1.{n}.conv", h).permute(0, 2, 3, 1).flatten(0, 2)[None] for n in "qkv")
    h = F.scaled_dot_product_attention(q, k, v, is_causal=True)[0]
    h = h.view(x.shape[0], *x.shape[2:], -1).permute(0, 3, 1, 2)
    return residual(w / "block_2", x + conv(w / "attn_1.proj_out.conv", h), groups)


def decode_chunk(w, config, z):
    """[T, z, h, w] -> [17 or 1, 3, H, W]."""
    groups = config.get("norm_num_groups", 32)
    widest = config["ch"] * config["ch_mult"][-1]
    w = w / "decoder"
    x = conv(w / "conv_in.conv", z) + z.repeat_interleave(32, 1)
    x = shuffle(conv(w / "conv_unpatchify.conv.conv", x)) + shuffle(
        x.repeat_interleave(8 * widest // x.shape[1], 1))
    x = middle(w / "mid", x, groups)
    for level in (3, 2, 1, 0):
        up = w / f"up.{level}"
        for i in range(config["num_res_blocks"] + 1):
            x = residual(up / f"block.{i}", x, groups)
        if level >= 2:
            u = x.repeat_interleave(2, 0).repeat_interleave(2, 2).repeat_interleave(2, 3)
            c = up / "upsample.conv3d"
            h = norm(c / "norm1", conv(c / "conv1.conv", u), groups)
            h = norm(c / "norm2", conv(c / "conv2.conv", F.silu(h)), groups)
            x = F.silu(h + u) + u
        elif level == 1:
            c = up / "upsample.conv"
            x = F.conv2d(x.repeat_interleave(2, 2).repeat_interleave(2, 3), c["weight"], c["bias"], padding=1)
    last = w / ("conv_out" if w.get("conv_out.weight") is not None else "conv_out.conv")
    return conv(last, F.silu(norm(w / "norm_out", x, groups)))[3:]


def decode(w, config, latents):
    """[F, z, h, w] -> frames [T, H, W, 3] of 0..1, chunks mixed where they meet."""
    frames = torch.cat([decode_chunk(w, config, chunk) for chunk in latents.split(3)])
    for back in range(17, frames.shape[0], 17):
        frames[back] = 0.6 * frames[back] + 0.4 * frames[back - 1]
        frames[back - 1] = 0.6 * frames[back - 1] + 0.4 * frames[back]
    return frames.permute(0, 2, 3, 1).clamp(-1, 1) / 2 + 0.5


def sigmas(shift, steps):
    u = torch.arange(steps + 1).double() / steps
    return u / (shift - (shift - 1) * u)


# Against the original's fixtures


def load(file):
    with safe_open(file, "pt") as opened:
        metadata = opened.metadata() or {}
        return {name: opened.get_tensor(name) for name in opened.keys()}, json.loads(metadata.get("config", "{}"))


def report(name, value, expected):
    print(f"{name}: {(value - expected).abs().max() / expected.abs().max():.1e} of the largest value")


def main(folder):
    tensors, config = load(folder / "transformer.safetensors")
    io, _ = load(folder / "transformer_io.safetensors")
    samples = []
    for i in range(len(io["timestep"])):
        clip, real = io["encoder_hidden_states_2"][i:i + 1], int(io["encoder_attention_mask"][i].sum())
        llm = io["encoder_hidden_states"][i:i + 1, :real - clip.shape[1]]
        samples.append(transformer(Weights(tensors), config, io["hidden_states"][i:i + 1], io["timestep"][i], llm, clip))
    report("transformer", torch.cat(samples), io["output"])
    tensors, config = load(folder / "step_llm.safetensors")
    io, _ = load(folder / "step_llm_io.safetensors")
    report("step_llm", step_llm(Weights(tensors), config, io["input_ids"]), io["last_hidden_state"])
    tensors, config = load(folder / "vae.safetensors")
    io, _ = load(folder / "vae_io.safetensors")
    for frames in ("1", "3"):
        pixels = decode_chunk(Weights(tensors), config, io[f"decode_{frames}_latents"][0])
        report(f"vae, {frames} latent frames", pixels, io[f"decode_{frames}_pixels"][0].transpose(0, 1))


if __name__ == "__main__":
    with torch.no_grad():
        main(pathlib.Path(sys.argv[1]))
