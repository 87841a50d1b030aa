"""The demo model's denoiser and text encoder, and a fast forward pass to train them with.

The Wan pipeline pads the text to 512 rows of zeros.  All those rows are one and the
same key to the cross attention, so training uses a single zero row and adds
log(512 - n) to its logit: exactly the same result with a fraction of the work.

The block is a plain function of its tensors; compiled once, it serves all layers.
"""

from __future__ import annotations

import math
from pathlib import Path

import sentencepiece
import torch
import torch.nn.functional as F
from diffusers import WanTransformer3DModel
from diffusers.models.embeddings import get_timestep_embedding
from torch import nn
from transformers import UMT5Config, UMT5EncoderModel

import tokenizer
import vae

TEXT_DIM, TEXT_LAYERS, TEXT_HEADS, HEAD_SIZE = 128, 3, 6, 32
TEXT_ROWS = 512
MAX_TOKENS = 32
EPS = 1e-6
LAST_WORD, NEXT_WORD = 1, 17  # buckets of the relative positions -1 and +1
CONFIG = dict(
    patch_size=(1, 2, 2),
    num_attention_heads=5,
    attention_head_dim=32,
    in_channels=vae.Z_DIM,
    out_channels=vae.Z_DIM,
    text_dim=TEXT_DIM,
    freq_dim=256,
    ffn_dim=640,
    num_layers=7,
    cross_attn_norm=True,
    qk_norm="rms_norm_across_heads",
    eps=EPS,
    rope_max_seq_len=1024,
)


@torch.no_grad()
def build_text_encoder(vocabulary: int) -> UMT5EncoderModel:
    """A new text encoder, in which one head looks at the next word and one at the last.

    Only the order of the words tells the object's colour from the background's, and
    without this start it takes very long to be noticed.
    """
    encoder = UMT5EncoderModel(UMT5Config(
        vocab_size=vocabulary, d_model=TEXT_DIM, d_kv=HEAD_SIZE, d_ff=256, num_layers=TEXT_LAYERS, num_heads=TEXT_HEADS,
        relative_attention_num_buckets=32, relative_attention_max_distance=128,
        dropout_rate=0.0, layer_norm_epsilon=EPS, feed_forward_proj="gated-gelu",
        pad_token_id=0, eos_token_id=1, decoder_start_token_id=0,
        is_encoder_decoder=True, use_cache=False, tie_word_embeddings=True,
    ))
    bias = encoder.encoder.block[0].layer[0].SelfAttention.relative_attention_bias.weight
    bias[NEXT_WORD, 0] += 6.0
    bias[LAST_WORD, 1] += 6.0
    return encoder


def load(folder: Path) -> tuple[WanTransformer3DModel, UMT5EncoderModel]:
    """Denoiser and text encoder of a model folder, to be trained further.

    If the folder's have fewer layers or heads, the others are new ones that change nothing yet.  Words keep their embeddings,
    whatever their numbers were; the rows that only repeat others are left out.
    """
    denoiser, encoder = build_denoiser(), build_text_encoder(tokenizer.count_of_originals())
    old = WanTransformer3DModel.from_pretrained(folder / "transformer", torch_dtype=torch.float32)
    for block in denoiser.blocks:
        for last in (block.attn1.to_out[0], block.attn2.to_out[0], block.ffn.net[2]):
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)
    places = torch.linspace(0, len(denoiser.blocks) - 1, len(old.blocks)).round().int().tolist()
    state = {name: value for name, value in old.state_dict().items() if not name.startswith("blocks.")}
    denoiser.load_state_dict(state, strict=False)
    for place, block in zip(places, old.blocks):
        denoiser.blocks[place].load_state_dict(block.state_dict())
    old = UMT5EncoderModel.from_pretrained(folder / "text_encoder", dtype=torch.float32)
    for block in encoder.encoder.block:
        nn.init.zeros_(block.layer[0].SelfAttention.o.weight)
        nn.init.zeros_(block.layer[1].DenseReluDense.wo.weight)
    for block, old_block in zip(encoder.encoder.block, old.encoder.block):
        block.load_state_dict(with_all_heads(old_block.state_dict()))
    encoder.encoder.final_layer_norm.load_state_dict(old.encoder.final_layer_norm.state_dict())
    _take_embeddings(encoder, old, folder / "tokenizer" / "spiece.model")
    return denoiser, encoder


def with_all_heads(state: dict) -> dict:
    """The weights of a text encoder, with heads added that change nothing until they are trained or written by hand."""
    rows = TEXT_HEADS * HEAD_SIZE

    def widened(name: str, value: torch.Tensor) -> torch.Tensor:
        if name.endswith((".q.weight", ".k.weight", ".v.weight")):
            return F.pad(value, (0, 0, 0, rows - len(value)))
        if name.endswith(".o.weight"):
            return F.pad(value, (0, rows - value.shape[1]))
        if name.endswith(".relative_attention_bias.weight"):
            return F.pad(value, (0, TEXT_HEADS - value.shape[1]))
        return value

    return {name: widened(name, value) for name, value in state.items()}


@torch.no_grad()
def _take_embeddings(encoder, old, model_file: Path) -> None:
    words = sentencepiece.SentencePieceProcessor(model_file=str(model_file))
    rows, old_rows = encoder.shared.weight, old.shared.weight
    rows.normal_(0, old_rows.std())
    for number, piece in enumerate(tokenizer.originals()):
        if piece in tokenizer.CONTROL or words.piece_to_id(piece) != words.unk_id():
            rows[number] = old_rows[words.piece_to_id(piece)]


@torch.no_grad()
def build_denoiser(initialise: bool = True) -> WanTransformer3DModel:
    """A new denoiser."""
    model = WanTransformer3DModel(**CONFIG)
    if not initialise:
        return model
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            nn.init.zeros_(module.bias)
    embedder = model.condition_embedder
    nn.init.normal_(embedder.time_embedder.linear_1.weight, std=0.06)
    nn.init.normal_(embedder.time_embedder.linear_2.weight, std=0.06)
    nn.init.normal_(embedder.time_proj.weight, std=0.02)
    _pass_input_through(model)
    width = model.proj_out.in_features
    for block in model.blocks:
        block.scale_shift_table.normal_(0, 0.02)
        block.scale_shift_table[0, 2] += 0.5  # gates half open
        block.scale_shift_table[0, 5] += 0.5
        nn.init.xavier_uniform_(block.attn1.to_out[0].weight, gain=0.5)
        nn.init.xavier_uniform_(block.attn2.to_out[0].weight, gain=0.5)
        nn.init.xavier_uniform_(block.ffn.net[2].weight, gain=0.5)
        # Opposite directions for queries and the keys of zero rows: padding starts ignored.
        sign = torch.sign(torch.randn(width))
        block.attn2.to_q.bias.copy_(0.7 * sign)
        block.attn2.to_k.bias.copy_(-0.7 * sign)
    model.scale_shift_table.normal_(0, 0.02)
    return model


def _pass_input_through(model) -> None:
    """Orthogonal patch embedding and its transpose as output: predict half the input.

    The noisier the input, the more of it belongs into the velocity; starting there
    saves the first few hundred steps.
    """
    embed = model.patch_embedding.weight
    width, inputs = embed.shape[0], embed[0].numel()
    nn.init.orthogonal_(embed.view(width, inputs))
    model.patch_embedding.bias.zero_()
    # Rows of the output are ordered (patch row, patch column, channel).
    rows = embed.permute(0, 3, 4, 2, 1).reshape(width, inputs).T
    model.proj_out.weight.copy_(0.5 * (inputs / width) ** 0.5 * rows)
    model.proj_out.bias.zero_()


# ---------------------------------------------------------------- forward

def _heads(x, count):
    return x.unflatten(2, (count, -1)).transpose(1, 2)


def _rotate(x, cos, sin):
    """Rotary positions on [B,heads,tokens,size]: pairs of neighbours turn."""
    a, b = x.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)


def _linear(x, w, name):
    return F.linear(x, w[name + ".weight"], w[name + ".bias"])


def _attention(x, context, w, name, count, rotary=None, mask=None):
    width = x.shape[-1]
    query = F.rms_norm(_linear(x, w, name + ".to_q"), (width,), w[name + ".norm_q.weight"], EPS)
    key = F.rms_norm(_linear(context, w, name + ".to_k"), (width,), w[name + ".norm_k.weight"], EPS)
    value = _heads(_linear(context, w, name + ".to_v"), count)
    query, key = _heads(query, count), _heads(key, count)
    if rotary is not None:
        query, key = _rotate(query, *rotary), _rotate(key, *rotary)
    result = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    return _linear(result.transpose(1, 2).flatten(2), w, name + ".to_out.0")


def block_function(x, context, modulation, mask, rotary, count: int, w: dict):
    """One transformer block; `w` holds its weights by name."""
    width = (x.shape[-1],)
    shift1, scale1, gate1, shift2, scale2, gate2 = (w["scale_shift_table"] + modulation).chunk(6, 1)
    y = F.layer_norm(x, width, eps=EPS) * (1 + scale1) + shift1
    x = x + _attention(y, y, w, "attn1", count, rotary=rotary) * gate1
    y = F.layer_norm(x, width, w["norm2.weight"], w["norm2.bias"], EPS)
    x = x + _attention(y, context, w, "attn2", count, mask=mask)
    y = F.layer_norm(x, width, eps=EPS) * (1 + scale2) + shift2
    y = F.gelu(_linear(y, w, "ffn.net.0.proj"), approximate="tanh")
    return x + _linear(y, w, "ffn.net.2") * gate2


def rotary_tables(model, latents):
    """Cosines and sines [1,1,tokens,size/2] for latents of this shape."""
    cos, sin = model.rope(latents)
    return (cos[..., 0::2].transpose(1, 2).contiguous(), sin[..., 1::2].transpose(1, 2).contiguous())


def encode_text(encoder, ids, mask):
    """Text rows with one zero row at the end, and the attention bias for them."""
    rows = encoder(input_ids=ids, attention_mask=mask).last_hidden_state * mask[..., None]
    batch, length, size = rows.shape
    rows = torch.cat([rows, rows.new_zeros(batch, 1, size)], 1)
    bias = torch.full((batch, length + 1), -1e9)
    bias[:, :length].masked_fill_(mask.bool(), 0.0)
    bias[:, length] = torch.log(TEXT_ROWS - mask.sum(1).float())
    return rows, bias[:, None, None, :]


def forward(model, latents, time, text, bias, rotary, block=block_function):
    """Velocity for noisy latents [B,z,T,H,W] at times 0..1000."""
    b, z, t, h, w = latents.shape
    heads, embedder = model.config.num_attention_heads, model.condition_embedder
    x = latents.view(b, z, t, h // 2, 2, w // 2, 2).permute(0, 2, 3, 5, 1, 4, 6).reshape(b, -1, z * 4)
    x = F.linear(x, model.patch_embedding.weight.flatten(1), model.patch_embedding.bias)
    moment = embedder.time_embedder(
        get_timestep_embedding(time, model.config.freq_dim, flip_sin_to_cos=True, downscale_freq_shift=0)
    )
    modulation = embedder.time_proj(F.silu(moment)).unflatten(1, (6, -1))
    context = embedder.text_embedder(text)
    for layer in model.blocks:
        x = block(x, context, modulation, bias, rotary, heads, dict(layer.named_parameters()))
    shift, scale = (model.scale_shift_table + moment.unsqueeze(1)).chunk(2, 1)
    x = model.proj_out(F.layer_norm(x, (x.shape[-1],), eps=EPS) * (1 + scale) + shift)
    x = x.view(b, t, h // 2, w // 2, 2, 2, z).permute(0, 6, 1, 2, 4, 3, 5)
    return x.reshape(b, z, t, h, w)


def check_against_diffusers() -> None:
    """Compare the fast pass with diffusers' own on random weights."""
    torch.manual_seed(0)
    model, encoder = build_denoiser().eval(), build_text_encoder(140).eval()
    count = torch.tensor([1, 9, MAX_TOKENS])
    mask = (torch.arange(MAX_TOKENS)[None] < count[:, None]).long()
    ids = torch.randint(3, 100, (3, MAX_TOKENS)) * mask
    latents, time = torch.randn(3, vae.Z_DIM, 5, 8, 12), torch.tensor([10.0, 500.0, 999.0])
    with torch.no_grad():
        text, bias = encode_text(encoder, ids, mask)
        ours = forward(model, latents, time, text, bias, rotary_tables(model, latents))
        padded = torch.zeros(3, TEXT_ROWS, TEXT_DIM)
        padded[:, :MAX_TOKENS] = text[:, :-1]
        theirs = model(latents, time, padded, return_dict=False)[0]
    print("difference", (ours - theirs).abs().max().item(), "of", theirs.std().item())
    inputs = latents.flatten()
    print("correlation with the input", torch.corrcoef(torch.stack([inputs, ours.flatten()]))[0, 1].item())
    for name, part in (("denoiser", model), ("text encoder", encoder)):
        print(name, sum(p.numel() for p in part.parameters()) / 1e6, "million weights")


if __name__ == "__main__":
    check_against_diffusers()
