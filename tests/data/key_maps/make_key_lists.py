#!/usr/bin/env python3
"""Makes the complete key lists of the original authors' files beside the names that diffusers gives the same tensors.

    make_key_lists.py OUTPUT_FOLDER

Each line is `original name <TAB> diffusers name`. The originals are written out here from the published module trees; the
second column is what diffusers' own single-file converters make of them (Wan 2.1, LTX-Video), or what the classes of diffusers and
transformers call them (VAE of Wan 2.2, UMT5, CLIP, CogVideoX, SVD). The converters do not know the position table of first-last-frame
models: that line is added.
Made with diffusers 0.42.1, transformers 5.23.0.
"""
import pathlib
import re
import sys

from diffusers.loaders.single_file_utils import (convert_ltx_transformer_checkpoint_to_diffusers,
                                                 convert_ltx_vae_checkpoint_to_diffusers,
                                                 convert_wan_transformer_to_diffusers, convert_wan_vae_to_diffusers)


class Name:
    """Stands for a tensor and remembers where it came from."""

    def __init__(self, name, shape=()):
        self.name = name
        self.shape = shape


def both(names):
    return [f"{name}.{kind}" for name in names for kind in ("weight", "bias")]


def wan_transformer(blocks=2):
    names = both(["patch_embedding", "time_embedding.0", "time_embedding.2", "time_projection.1", "text_embedding.0",
                  "text_embedding.2", "img_emb.proj.0", "img_emb.proj.1", "img_emb.proj.3", "img_emb.proj.4",
                  "head.head"])
    names.append("head.modulation")
    for block in (f"blocks.{i}" for i in range(blocks)):
        for attention in ("self_attn", "cross_attn"):
            names += both(f"{block}.{attention}.{part}" for part in "qkvo")
            names += [f"{block}.{attention}.norm_{part}.weight" for part in "qk"]
        names += both([f"{block}.cross_attn.k_img", f"{block}.cross_attn.v_img", f"{block}.norm3", f"{block}.ffn.0",
                       f"{block}.ffn.2"])
        names += [f"{block}.cross_attn.norm_k_img.weight", f"{block}.modulation"]
    return names


def residual(block, shortcut):
    names = [f"{block}.residual.0.gamma", f"{block}.residual.3.gamma"]
    return names + both([f"{block}.residual.2", f"{block}.residual.6"] + ([f"{block}.shortcut"] if shortcut else []))


def half(name):
    names = both([f"{name}.conv1", f"{name}.head.2", f"{name}.middle.1.to_qkv", f"{name}.middle.1.proj"])
    names += [f"{name}.head.0.gamma", f"{name}.middle.1.norm.gamma"]
    return names + residual(f"{name}.middle.0", False) + residual(f"{name}.middle.2", False)


def sampler(name, in_time):
    return both([f"{name}.resample.1"] + ([f"{name}.time_conv"] if in_time else []))


def wan_vae_21():
    names = both(["conv1", "conv2"]) + half("encoder") + half("decoder")
    for i in range(11):
        block = f"encoder.downsamples.{i}"
        names += sampler(block, i != 2) if i % 3 == 2 else residual(block, i in (3, 6))
    for i in range(15):
        block = f"decoder.upsamples.{i}"
        names += sampler(block, i != 11) if i % 4 == 3 else residual(block, i == 4)
    return names


def wan_vae_22():
    names = both(["conv1", "conv2"]) + half("encoder") + half("decoder")
    for level in range(4):
        down, up = f"encoder.downsamples.{level}.downsamples", f"decoder.upsamples.{level}.upsamples"
        for i in range(2):
            names += residual(f"{down}.{i}", i == 0 and level in (1, 2))
        for i in range(3):
            names += residual(f"{up}.{i}", i == 0 and level in (2, 3))
        if level < 3:
            names += sampler(f"{down}.2", level > 0) + sampler(f"{up}.3", level < 2)
    return names


def converted(names, convert):
    return sorted((value.name, key) for key, value in convert({name: Name(name) for name in names}).items())


INNER = {"residual.0": "norm1", "residual.2": "conv1", "residual.3": "norm2", "residual.6": "conv2",
         "shortcut": "conv_shortcut"}


def canonical_22(name):
    """By the indexes: the samplers come after the residual blocks of their level."""
    parts = name.split(".")
    if len(parts) < 5 or parts[1] not in ("downsamples", "upsamples"):
        return convert_wan_vae_to_diffusers({name: None}).popitem()[0]
    half, kind, level, _, index, rest = *parts[:5], ".".join(parts[5:])
    block = f"{half}.{'down' if kind == 'downsamples' else 'up'}_blocks.{level}"
    if int(index) == (2 if kind == "downsamples" else 3):
        return f"{block}.{kind[:-1]}r.{rest}"
    for native, canonical in INNER.items():
        if rest.startswith(native):
            rest = canonical + rest[len(native):]
            break
    return f"{block}.resnets.{index}.{rest}"


def vae_22():
    from diffusers import AutoencoderKLWan
    pairs = [(name, canonical_22(name)) for name in wan_vae_22()]
    model = AutoencoderKLWan(base_dim=2, decoder_base_dim=4, z_dim=4, is_residual=True, in_channels=12, out_channels=12,
                             patch_size=2, latents_mean=[0.0] * 4, latents_std=[1.0] * 4)
    check_names([name for _, name in pairs], list(model.state_dict()))
    return pairs


def umt5(layers=2):
    pairs = [("token_embedding.weight", "shared.weight"), ("norm.weight", "encoder.final_layer_norm.weight")]
    for i in range(layers):
        to = f"encoder.block.{i}.layer"
        pairs += [(f"blocks.{i}.norm1.weight", f"{to}.0.layer_norm.weight"),
                  (f"blocks.{i}.norm2.weight", f"{to}.1.layer_norm.weight"),
                  (f"blocks.{i}.pos_embedding.embedding.weight",
                   f"{to}.0.SelfAttention.relative_attention_bias.weight"),
                  (f"blocks.{i}.ffn.gate.0.weight", f"{to}.1.DenseReluDense.wi_0.weight"),
                  (f"blocks.{i}.ffn.fc1.weight", f"{to}.1.DenseReluDense.wi_1.weight"),
                  (f"blocks.{i}.ffn.fc2.weight", f"{to}.1.DenseReluDense.wo.weight")]
        pairs += [(f"blocks.{i}.attn.{part}.weight", f"{to}.0.SelfAttention.{part}.weight") for part in "qkvo"]
    check_names([name for _, name in pairs], umt5_class_names(layers))
    return pairs


def umt5_class_names(layers):
    from transformers import UMT5Config, UMT5EncoderModel
    model = UMT5EncoderModel(UMT5Config(vocab_size=8, d_model=4, d_kv=2, d_ff=4, num_layers=layers, num_heads=2))
    return [name for name in model.state_dict() if name != "encoder.embed_tokens.weight"]


def clip(layers=2):
    pairs = [("cls_embedding", "embeddings.class_embedding"), ("pos_embedding", "embeddings.position_embedding.weight"),
             ("patch_embedding.weight", "embeddings.patch_embedding.weight")]
    for kind in ("weight", "bias"):
        pairs += [(f"pre_norm.{kind}", f"pre_layrnorm.{kind}"), (f"post_norm.{kind}", f"post_layernorm.{kind}")]
        for i in range(layers):
            block, to = f"transformer.{i}", f"encoder.layers.{i}"
            pairs += [(f"{block}.attn.to_qkv.{kind}", f"{to}.self_attn.{part}_proj.{kind}") for part in "qkv"]
            pairs += [(f"{block}.{a}.{kind}", f"{to}.{b}.{kind}") for a, b in
                      (("norm1", "layer_norm1"), ("norm2", "layer_norm2"), ("attn.proj", "self_attn.out_proj"),
                       ("mlp.0", "mlp.fc1"), ("mlp.2", "mlp.fc2"))]
    pairs = [(f"visual.{a}", f"vision_model.{b}") for a, b in pairs] + [("visual.head", "visual_projection.weight")]
    check_names([name for _, name in pairs], clip_class_names(layers))
    return pairs


def clip_class_names(layers):
    from transformers import CLIPVisionConfig, CLIPVisionModelWithProjection
    config = CLIPVisionConfig(hidden_size=8, intermediate_size=8, num_hidden_layers=layers, num_attention_heads=2,
                              projection_dim=4)
    return [name for name in CLIPVisionModelWithProjection(config).state_dict() if not name.endswith("position_ids")]


def rewritten(names, rules):
    """Original names from diffusers' names, by the first rule (pattern, replacement) that fits."""
    pairs = []
    for name in names:
        for pattern, replacement in rules:
            if re.match(pattern, name):
                pairs.append((re.sub(pattern, replacement, name, count=1), name))
                break
        else:
            raise SystemExit(f"no rule for {name}")
    return pairs


def cogvideox_transformer():
    from diffusers import CogVideoXTransformer3DModel
    model = CogVideoXTransformer3DModel(num_attention_heads=2, attention_head_dim=8, num_layers=2, in_channels=8,
                                        out_channels=4, time_embed_dim=8, text_embed_dim=8, sample_width=8,
                                        sample_height=8, sample_frames=5, use_rotary_positional_embeddings=True,
                                        use_learned_positional_embeddings=True, ofs_embed_dim=8, patch_size_t=None)
    layer = r"transformer_blocks\.(\d+)\."
    to = r"transformer.layers.\1."
    rules = [(layer + r"norm[12]\.linear", r"mixins.adaln_layer.adaLN_modulations.\1.1"),
             (layer + r"norm1\.norm", to + "input_layernorm"), (layer + r"norm2\.norm", to + "post_attention_layernorm"),
             (layer + r"attn1\.to_[qkv]", to + "attention.query_key_value"),
             (layer + r"attn1\.to_out\.0", to + "attention.dense"),
             (layer + r"attn1\.norm_q", r"mixins.adaln_layer.query_layernorm_list.\1"),
             (layer + r"attn1\.norm_k", r"mixins.adaln_layer.key_layernorm_list.\1"),
             (layer + r"ff\.net\.0\.proj", to + "mlp.dense_h_to_4h"), (layer + r"ff\.net\.2", to + "mlp.dense_4h_to_h"),
             (r"time_embedding\.linear_1", "time_embed.0"), (r"time_embedding\.linear_2", "time_embed.2"),
             (r"ofs_embedding\.linear_1", "ofs_embed.0"), (r"ofs_embedding\.linear_2", "ofs_embed.2"),
             (r"patch_embed\.pos_embedding", "mixins.pos_embed.pos_embedding"), (r"patch_embed", "mixins.patch_embed"),
             (r"norm_final", "transformer.final_layernorm"), (r"norm_out\.norm", "mixins.final_layer.norm_final"),
             (r"norm_out\.linear", "mixins.final_layer.adaLN_modulation.1"), (r"proj_out", "mixins.final_layer.linear")]
    return rewritten(model.state_dict(), rules)


def from_the_other_end(match):
    return f"decoder.up.{3 - int(match[1])}."


def cogvideox_vae():
    from diffusers import AutoencoderKLCogVideoX
    model = AutoencoderKLCogVideoX(block_out_channels=(2, 4, 4, 8), latent_channels=2, layers_per_block=3,
                                   norm_num_groups=1)
    pairs = []
    for name in model.state_dict():
        old = re.sub(r"^decoder\.up_blocks\.(\d)\.", from_the_other_end, name)
        old = re.sub(r"^encoder\.down_blocks\.", "encoder.down.", old)
        old = re.sub(r"mid_block\.resnets\.(\d)", lambda m: f"mid.block_{int(m[1]) + 1}", old)
        for new, native in (("resnets.", "block."), ("downsamplers.0", "downsample"), ("upsamplers.0", "upsample"),
                            ("conv_shortcut", "nin_shortcut")):
            old = old.replace(new, native)
        pairs.append((old, name))
    return pairs


RESNET = {"norm1": "in_layers.0", "conv1": "in_layers.2", "time_emb_proj": "emb_layers.1", "norm2": "out_layers.0",
          "conv2": "out_layers.3", "conv_shortcut": "skip_connection"}


def svd_block(place, rest):
    """`rest` of a diffusers name below a residual block or an attention that the original has at `place`."""
    part, _, tail = rest.partition(".")
    if part in ("spatial_res_block", "temporal_res_block"):
        layer, _, tail = tail.partition(".")
        return place + (".time_stack." if part[0] == "t" else ".") + f"{RESNET[layer]}.{tail}"
    if part == "temporal_transformer_blocks":
        return f"{place}.time_stack.{tail}"
    return f"{place}.{rest}".replace("time_pos_embed.linear_1", "time_pos_embed.0").replace(
        "time_pos_embed.linear_2", "time_pos_embed.2")


def svd_unet():
    """The published shape of the module tree: four levels of two blocks."""
    from diffusers import UNetSpatioTemporalConditionModel
    model = UNetSpatioTemporalConditionModel(block_out_channels=(32, 64, 128, 128), num_attention_heads=(1, 1, 1, 1),
                                             cross_attention_dim=8, addition_time_embed_dim=8,
                                             projection_class_embeddings_input_dim=24)
    top = {"time_embedding.linear_1": "time_embed.0", "time_embedding.linear_2": "time_embed.2",
           "add_embedding.linear_1": "label_emb.0.0", "add_embedding.linear_2": "label_emb.0.2",
           "conv_in": "input_blocks.0.0", "conv_norm_out": "out.0", "conv_out": "out.2"}
    pairs = []
    for name in model.state_dict():
        block = re.match(r"(down|mid|up)_blocks?\.(?:(\d)\.)?(resnets|attentions|downsamplers|upsamplers)\.(\d)\.(.*)",
                         name)
        if not block:
            head = next(key for key in top if name.startswith(key + "."))
            pairs.append((top[head] + name[len(head):], name))
            continue
        half, level, kind, index, rest = block[1], int(block[2] or 0), block[3], int(block[4]), block[5]
        if half == "mid":
            place = f"middle_block.{1 if kind == 'attentions' else 2 * index}"
        elif kind == "downsamplers":
            pairs.append((f"input_blocks.{3 * level + 3}.0.op.{rest.removeprefix('conv.')}", name))
            continue
        elif kind == "upsamplers":
            pairs.append((f"output_blocks.{3 * level + 2}.{1 if level == 0 else 2}.{rest}", name))
            continue
        else:
            number = 3 * level + index + (1 if half == "down" else 0)
            place = f"{'input' if half == 'down' else 'output'}_blocks.{number}.{1 if kind == 'attentions' else 0}"
        pairs.append((svd_block(place, rest), name))
    return pairs


def svd_vae():
    from diffusers import AutoencoderKLTemporalDecoder
    model = AutoencoderKLTemporalDecoder(block_out_channels=(32, 64, 128, 128), layers_per_block=2,
                                         down_block_types=("DownEncoderBlock2D",) * 4)
    pairs = []
    for name in model.state_dict():
        if name.startswith("quant_conv"):
            pairs.append((f"conditioner.embedders.3.encoder.{name}", name))
            continue
        old = re.sub(r"^decoder\.up_blocks\.(\d)\.", from_the_other_end, name)
        old = re.sub(r"^encoder\.down_blocks\.", "encoder.down.", old)
        old = re.sub(r"mid_block\.resnets\.(\d)", lambda m: f"mid.block_{int(m[1]) + 1}", old)
        old = re.sub(r"temporal_res_block\.(\w+)", lambda m: f"time_stack.{RESNET[m[1]]}", old)
        for new, native in (("spatial_res_block.", ""), ("time_mixer.", ""), ("resnets.", "block."),
                            ("mid_block.attentions.0.group_norm", "mid.attn_1.norm"),
                            ("mid_block.attentions.0.to_out.0", "mid.attn_1.proj_out"),
                            ("mid_block.attentions.0.to_", "mid.attn_1."), ("downsamplers.0", "downsample"),
                            ("upsamplers.0", "upsample"), ("conv_shortcut", "nin_shortcut"),
                            ("conv_norm_out", "norm_out"), ("time_conv_out", "conv_out.time_mix_conv")):
            old = old.replace(new, native)
        pairs.append((f"first_stage_model.{old}", name))
    return pairs


def ltx_transformer(blocks=2):
    names = both(["patchify_proj", "proj_out", "adaln_single.linear", "caption_projection.linear_1",
                  "caption_projection.linear_2"] +
                 [f"adaln_single.emb.timestep_embedder.linear_{i}" for i in (1, 2)])
    names.append("scale_shift_table")
    for block in (f"transformer_blocks.{i}" for i in range(blocks)):
        names += both([f"{block}.ff.net.0.proj", f"{block}.ff.net.2"]) + [f"{block}.scale_shift_table"]
        for attention in (f"{block}.attn1", f"{block}.attn2"):
            names += both(f"{attention}.{part}" for part in ("to_q", "to_k", "to_v", "to_out.0"))
            names += [f"{attention}.{part}_norm.weight" for part in "qk"]
    return [f"model.diffusion_model.{name}" for name in names]


def ltx_embedder(name):
    return both(f"{name}.timestep_embedder.linear_{i}" for i in (1, 2))


def ltx_group(name, layers, timed=False, noisy=False):
    """Residual blocks of one width."""
    names = ltx_embedder(f"{name}.time_embedder") if timed else []
    for layer in (f"{name}.res_blocks.{i}" for i in range(layers)):
        names += both([f"{layer}.conv1.conv", f"{layer}.conv2.conv"])
        names += [f"{layer}.scale_shift_table"] * timed
        names += [f"{layer}.per_channel_scale{i}" for i in (1, 2)] if noisy else []
    return names


def ltx_row(name, kinds, timed=False):
    """A numbered row of residual groups (their number of layers, noisy if negative), samplers and changes of width."""
    names = []
    for i, kind in enumerate(kinds):
        block = f"{name}.{i}"
        if isinstance(kind, int):
            names += ltx_group(block, abs(kind), timed, kind < 0)
        elif kind == "width":
            names += both([f"{block}.conv1.conv", f"{block}.conv2.conv", f"{block}.norm3.norm",
                           f"{block}.conv_shortcut"])
        else:
            names += both([f"{block}.{kind}"])
    return names


LTX_ENCODER_090 = [4, "conv", "width", 3, "conv", "width", 3, "conv", 3, 4]
LTX_VAES = {"090": (LTX_ENCODER_090, [4, 3, "conv.conv", 3, "width", "conv.conv", 3, "width", "conv.conv", 4]),
            "091": (LTX_ENCODER_090, [8, "conv.conv", -7, "conv.conv", -6, "conv.conv", -5]),
            "095": ([4, "conv.conv", 6, "conv.conv", 6, "conv.conv", 2, "conv.conv", 2],
                    [5, "conv.conv", 5, "conv.conv", 5, "conv.conv", 5])}
LTX_STATISTICS = ["channel", "mean-of-means", "mean-of-stds", "mean-of-stds_over_std-of-means", "std-of-means"]


def ltx_vae(version):
    """Original names, and diffusers' names of those that diffusers uses."""
    encoder, decoder = LTX_VAES[version]
    timed = version != "090"
    names = both(f"{half}.{conv}.conv" for half in ("encoder", "decoder") for conv in ("conv_in", "conv_out"))
    names += ltx_row("encoder.down_blocks", encoder) + ltx_row("decoder.up_blocks", decoder, timed)
    names += [f"per_channel_statistics.{kind}" for kind in LTX_STATISTICS]
    if timed:
        names += ["decoder.timestep_scale_multiplier", "decoder.last_scale_shift_table"]
        names += ltx_embedder("decoder.last_time_embedder")
    width = 2048 if version == "095" else 512
    tensors = {f"vae.{name}": Name(f"vae.{name}", (129, width)) for name in names}
    pairs = sorted((value.name, key) for key, value in convert_ltx_vae_checkpoint_to_diffusers(tensors).items())
    check_names([name for _, name in pairs], ltx_vae_class_names(version))
    return pairs


def ltx_vae_class_names(version):
    from diffusers import AutoencoderKLLTXVideo
    newest = version == "095"
    encoder = dict(block_out_channels=(8, 16, 32, 64, 128), layers_per_block=(4, 6, 6, 2, 2),
                   down_block_types=("LTXVideo095DownBlock3D",) * 4, spatio_temporal_scaling=(True,) * 4,
                   downsample_type=("spatial", "temporal", "spatiotemporal", "spatiotemporal")) if newest else dict(
                       block_out_channels=(8, 16, 32, 32), layers_per_block=(4, 3, 3, 3, 4))
    decoder = dict(decoder_block_out_channels=(8, 16, 32), decoder_spatio_temporal_scaling=(True,) * 3,
                   decoder_layers_per_block=(5, 5, 5, 5) if newest else (5, 6, 7, 8),
                   decoder_inject_noise=(False,) * 4 if newest else (True, True, True, False),
                   upsample_residual=(True,) * 3, upsample_factor=(2,) * 3, timestep_conditioning=True)
    if version == "090":
        decoder = dict(decoder_block_out_channels=(8, 16, 32, 32), decoder_layers_per_block=(4, 3, 3, 3, 4))
    return list(AutoencoderKLLTXVideo(latent_channels=8, **encoder, **decoder).state_dict())


def ltx_transformer_pairs():
    from diffusers import LTXVideoTransformer3DModel
    pairs = converted(ltx_transformer(), convert_ltx_transformer_checkpoint_to_diffusers)
    model = LTXVideoTransformer3DModel(in_channels=8, out_channels=8, num_attention_heads=2, attention_head_dim=8,
                                       cross_attention_dim=16, num_layers=2, caption_channels=8)
    check_names([name for _, name in pairs], list(model.state_dict()))
    return pairs


def check_names(ours, theirs):
    assert sorted(ours) == sorted(theirs), sorted(set(ours) ^ set(theirs))


def main():
    folder = pathlib.Path(sys.argv[1])
    lists = {"wan_transformer": converted(wan_transformer(), convert_wan_transformer_to_diffusers)
                                + [("img_emb.emb_pos", "condition_embedder.image_embedder.pos_embed")],
             "wan_vae_21": converted(wan_vae_21(), convert_wan_vae_to_diffusers),
             "wan_vae_22": vae_22(),
             "umt5": umt5(), "clip_wan": clip(),
             "cogvideox_transformer": cogvideox_transformer(), "cogvideox_vae": cogvideox_vae(),
             "svd_unet": svd_unet(), "svd_vae": svd_vae(),
             "ltx_transformer": ltx_transformer_pairs()} | {f"ltx_vae_{name}": ltx_vae(name) for name in LTX_VAES}
    for name, pairs in lists.items():
        (folder / f"{name}.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in sorted(pairs)))
        print(name, len(pairs))


if __name__ == "__main__":
    main()
