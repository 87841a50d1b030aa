#!/usr/bin/env python3
"""Makes a tiny Step-Video-T2V model in the layout that the real one is published in, and what reference.py computes with
it: model/, request.json, expected.safetensors, encoders_io.safetensors, transformer_io.safetensors, tokenizer_cases.json.

Needs torch, transformers (the text tower of CLIP and its tokenizer are its own), sentencepiece, safetensors. The same
seeds give the same files.
"""

import io
import json
import pathlib
import random
import shutil
import sys
import unicodedata

import sentencepiece as spm
import torch
from safetensors.torch import save_file
from transformers import BertConfig, BertModel, BertTokenizer

import reference as ref

FOLDER = pathlib.Path(__file__).parent
MODEL = FOLDER / "model"
sys.path.insert(0, str(FOLDER.parent / "tokenizers"))
from make_fixtures import CORPUS, PIECES, PROMPTS  # noqa: E402

SUFFIX = "超高清、HDR 视频、环境光、杜比全景声、画面稳定、流畅动作、逼真的细节、专业级构图、超现实主义、自然、生动、超细节、清晰。"
NEGATIVE = "画面暗、低分辨率、不良手、文本、缺少手指、多余的手指、裁剪、低质量、颗粒状、签名、水印、用户名、模糊。"
REQUEST = {
    "task": "t2v", "model": "model", "prompt": "A red panda dances in the rain, cinematic light.",
    "negative_prompt": NEGATIVE, "width": 48, "height": 32, "num_frames": 34, "fps": 25, "num_inference_steps": 3,
    "guidance_scale": 9.0, "seed": 42, "max_sequence_length": 320, "scheduler": "flow_match_discrete", "flow_shift": 13.0,
    "precision": "float32", "reference": {"pipeline": "reference.py", "torch": torch.__version__},
}
DIT = {"_class_name": "StepVideoModel", "num_attention_heads": 2, "attention_head_dim": 16, "num_layers": 2,
       "in_channels": 2, "out_channels": 2, "patch_size": 1, "caption_channels": [24, 16], "attention_type": "parallel",
       "use_additional_conditions": False, "norm_type": "ada_norm_single"}
LLM = {"architectures": ["Step1Model"], "hidden_size": 24, "num_attention_heads": 6, "num_attention_groups": 2,
       "num_layers": 2, "ffn_hidden_size": 100, "layernorm_epsilon": 1e-5, "padded_vocab_size": 704, "seq_length": 512}
BERT = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24,
        "max_position_embeddings": 80, "hidden_act": "gelu"}
VAE = {"ch": 4, "ch_mult": [1, 1, 2, 4], "num_res_blocks": 0, "z_channels": 2, "version": 2, "norm_num_groups": 2}


class Maker:
    """Random weights: matrices keep the size of what goes through them, norms are near one."""

    def __init__(self, seed):
        self.generator = torch.Generator().manual_seed(seed)
        self.tensors = {}

    def matrix(self, name, *shape, bias=True):
        fan_in = torch.Size(shape[1:]).numel()
        self.tensors[f"{name}.weight"] = torch.randn(shape, generator=self.generator) / fan_in**0.5
        if bias:
            self.tensors[f"{name}.bias"] = 0.1 * torch.randn(shape[0], generator=self.generator)

    def norm(self, name, dim, bias=True):
        self.tensors[f"{name}.weight"] = 1 + 0.1 * torch.randn(dim, generator=self.generator)
        if bias:
            self.tensors[f"{name}.bias"] = 0.1 * torch.randn(dim, generator=self.generator)

    def table(self, name, *shape):
        self.tensors[name] = 0.3 * torch.randn(shape, generator=self.generator)


def make_dit():
    m, heads, head = Maker(1), DIT["num_attention_heads"], DIT["attention_head_dim"]
    dim, (llm, clip) = heads * head, DIT["caption_channels"]
    m.matrix("pos_embed.proj", dim, DIT["in_channels"], 1, 1)
    m.matrix("adaln_single.emb.timestep_embedder.linear_1", dim, 256)
    m.matrix("adaln_single.emb.timestep_embedder.linear_2", dim, dim)
    m.matrix("adaln_single.linear", 6 * dim, dim)
    m.matrix("caption_projection.linear_1", dim, llm)
    m.matrix("caption_projection.linear_2", dim, dim)
    m.matrix("clip_projection", dim, clip)
    m.table("scale_shift_table", 2, dim)
    m.matrix("proj_out", DIT["out_channels"], dim)
    for i in range(DIT["num_layers"]):
        b = f"transformer_blocks.{i}."
        m.table(b + "scale_shift_table", 6, dim)
        m.norm(b + "norm1", dim)
        m.norm(b + "norm2", dim)
        for name, rows in (("attn1.wqkv", 3), ("attn1.wo", 1), ("attn2.wq", 1), ("attn2.wkv", 2), ("attn2.wo", 1)):
            m.matrix(b + name, rows * dim, dim, bias=False)
        for name in ("attn1.q_norm", "attn1.k_norm", "attn2.q_norm", "attn2.k_norm"):
            m.norm(b + name, head, bias=False)
        m.matrix(b + "ff.net.0.proj", 4 * dim, dim, bias=False)
        m.matrix(b + "ff.net.2", dim, 4 * dim, bias=False)
    return {name: tensor.bfloat16() for name, tensor in m.tensors.items()}


def make_llm():
    m, dim = Maker(2), LLM["hidden_size"]
    m.table("tok_embeddings.word_embeddings.weight", LLM["padded_vocab_size"], dim)
    head, ffn = dim // LLM["num_attention_heads"], (LLM["ffn_hidden_size"] + 255) // 256 * 256
    for i in range(LLM["num_layers"]):
        b = f"transformer.layers.{i}."
        m.norm(b + "attention_norm", dim, bias=False)
        m.norm(b + "ffn_norm", dim, bias=False)
        m.matrix(b + "attention.wqkv", dim + 2 * LLM["num_attention_groups"] * head, dim, bias=False)
        m.matrix(b + "attention.wo", dim, dim, bias=False)
        m.matrix(b + "feed_forward.w1", 2 * ffn, dim, bias=False)
        m.matrix(b + "feed_forward.w2", dim, ffn, bias=False)
    return {name: tensor.bfloat16() for name, tensor in m.tensors.items()}


def add_residual(m, name, wide_in, wide_out):
    m.norm(f"{name}.norm1", wide_in)
    m.norm(f"{name}.norm2", wide_out)
    m.matrix(f"{name}.conv1.conv", wide_out, wide_in, 3, 3, 3)
    m.matrix(f"{name}.conv2.conv", wide_out, wide_out, 3, 3, 3)
    if wide_in != wide_out:
        m.matrix(f"{name}.nin_shortcut.conv", wide_out, wide_in, 1, 1, 1)


def make_vae():
    """The decoder; text to video needs no more. In float16 to be small, where the published file is float32."""
    m, z = Maker(3), VAE["z_channels"]
    widths = [VAE["ch"] * times for times in VAE["ch_mult"]]
    m.matrix("decoder.conv_in.conv", 32 * z, z, 3, 3, 3)
    m.matrix("decoder.conv_unpatchify.conv.conv", 8 * widths[-1], 32 * z, 3, 3, 3)
    for block in ("block_1", "block_2"):
        add_residual(m, f"decoder.mid.{block}", widths[-1], widths[-1])
    m.norm("decoder.mid.attn_1.norm", widths[-1])
    for name in ("q", "k", "v", "proj_out"):
        m.matrix(f"decoder.mid.attn_1.{name}.conv", widths[-1], widths[-1], 1, 1, 1)
    for level in (3, 2, 1, 0):
        up, above = f"decoder.up.{level}", widths[min(level + 1, 3)]
        add_residual(m, f"{up}.block.0", above, widths[level])
        for i in (1, 2) if level >= 2 else ():
            m.matrix(f"{up}.upsample.conv3d.conv{i}.conv", widths[level], widths[level], 3, 3, 3)
            m.norm(f"{up}.upsample.conv3d.norm{i}", widths[level])
    m.matrix("decoder.up.1.upsample.conv", widths[1], widths[1], 3, 3)
    m.norm("decoder.norm_out", widths[0])
    m.matrix("decoder.conv_out", 3, widths[0], 3, 3, 3)
    m.tensors["decoder.conv_out.weight"] *= 0.3
    return {name: tensor.half() for name, tensor in m.tensors.items()}


def write_json(file, value):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def write_shards(folder, stem, tensors):
    """Two files and their index."""
    names = sorted(tensors)
    halves = names[:len(names) // 2], names[len(names) // 2:]
    files = [f"{stem}-0000{i + 1}-of-00002.safetensors" for i in range(2)]
    for file, half in zip(files, halves):
        save_file({name: tensors[name].contiguous() for name in half}, folder / file, {"format": "pt"})
    size = sum(tensor.numel() * tensor.element_size() for tensor in tensors.values())
    weight_map = {name: file for file, half in zip(files, halves) for name in half}
    write_json(folder / f"{stem}.safetensors.index.json", {"metadata": {"total_size": size}, "weight_map": weight_map})


def train_step_tokenizer(folder):
    model = io.BytesIO()
    text = CORPUS + SUFFIX.split("、") + NEGATIVE.split("、") + [SUFFIX, NEGATIVE]
    spm.SentencePieceTrainer.train(
        sentence_iterator=iter(text), model_writer=model, model_type="bpe", vocab_size=700, hard_vocab_limit=False,
        character_coverage=1.0, normalization_rule_name="identity", byte_fallback=True, num_threads=1, unk_id=0, bos_id=1,
        eos_id=2, pad_id=-1, control_symbols=["<|BOT|>", "<|EOT|>"], minloglevel=2)
    (folder / "step1_chat_tokenizer.model").write_bytes(model.getvalue())
    return spm.SentencePieceProcessor(model_proto=model.getvalue())


def write_bert_tokenizer(folder):
    """As the published one: [UNK] is 100, whatever comes before it is unused."""
    text = "".join(CORPUS) + SUFFIX + NEGATIVE + "".join(map(chr, range(33, 127)))
    characters = sorted(c for c in set(text.lower()) if not c.isspace())
    letters = [c for c in characters if c.isalnum() and ord(c) < 0x3000]
    words = ["red", "panda", "dance", "rain", "light", "cinema", "##tic", "##s", "##ing", "quality", "hello", "##😀", "😀"]
    pieces = ["[PAD]"] + [f"[unused{i}]" for i in range(1, 100)] + ["[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces += list(dict.fromkeys(characters + ["##" + c for c in letters] + words))
    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n")
    write_json(folder / "tokenizer_config.json", {"do_lower_case": True, "tokenizer_class": "BertTokenizer"})
    write_json(folder / "special_tokens_map.json",
               {f"{n}_token": f"[{n.upper()}]" for n in ("unk", "sep", "pad", "cls", "mask")})
    return BertTokenizer.from_pretrained(folder), len(pieces)


def make_clip(folder, vocab_size):
    torch.manual_seed(4)
    config = BertConfig(vocab_size=vocab_size, **BERT)
    model = BertModel(config, add_pooling_layer=False).eval()
    folder.mkdir(parents=True)
    write_json(folder / "config.json", {"architectures": ["BertModel"], "vocab_size": vocab_size, **BERT})
    state = {f"bert.{name}": tensor for name, tensor in model.state_dict().items()}
    state.update({"visual.conv1.weight": torch.zeros(2, 3), "text_projection": torch.zeros(2, 2),
                  "logit_scale": torch.tensor(1.0)})
    torch.save(state, folder / "pytorch_model.bin")
    return model


def make_model():
    shutil.rmtree(MODEL, ignore_errors=True)
    write_json(MODEL / "model_index.json", {
        "_class_name": "StepVideoPipeline", "_diffusers_version": "0.31.0",
        "scheduler": ["stepvideo", "FlowMatchDiscreteScheduler"], "transformer": ["stepvideo", "StepVideoModel"]})
    write_json(MODEL / "scheduler/scheduler_config.json", {"_class_name": "FlowMatchDiscreteScheduler", "reverse": False})
    write_json(MODEL / "transformer/config.json", DIT)
    write_json(MODEL / "step_llm/config.json", LLM)
    parts = {"dit": make_dit(), "llm": make_llm(), "vae": make_vae()}
    write_shards(MODEL / "transformer", "diffusion_pytorch_model", parts["dit"])
    write_shards(MODEL / "step_llm", "model", parts["llm"])
    (MODEL / "vae").mkdir()
    save_file(parts["vae"], MODEL / "vae/vae_v2.safetensors", {"format": "pt", "config": json.dumps(VAE)})
    parts["step"] = train_step_tokenizer(MODEL / "step_llm")
    parts["wordpiece"], vocab_size = write_bert_tokenizer(MODEL / "hunyuan_clip/tokenizer")
    parts["clip"] = make_clip(MODEL / "hunyuan_clip/clip_text_encoder", vocab_size)
    return {name: ref.Weights(part) if isinstance(part, dict) else part for name, part in parts.items()}


def step_ids(parts, text):
    return [1] + parts["step"].encode(text)[:318] + [2]


def encode(parts, text):
    """Step-LLM's states of the real tokens, CLIP's of all 77."""
    llm = ref.step_llm(parts["llm"], LLM, torch.tensor([step_ids(parts, text)]))
    tokens = parts["wordpiece"](text, padding="max_length", truncation=True, max_length=77, return_tensors="pt")
    return llm, parts["clip"](**tokens).last_hidden_state, tokens


def sample(parts, cond, uncond, out):
    sigmas = ref.sigmas(REQUEST["flow_shift"], REQUEST["num_inference_steps"])
    shape = [1, REQUEST["num_frames"] // 17 * 3, DIT["in_channels"], REQUEST["height"] // 16, REQUEST["width"] // 16]
    x = torch.randn(shape, generator=torch.Generator().manual_seed(REQUEST["seed"]))
    out.update({"timesteps": sigmas[:-1], "sigmas": sigmas.float(), "latents_initial": x.transpose(1, 2)})
    for i, time in enumerate(sigmas[:-1]):
        v = [ref.transformer(parts["dit"], DIT, x, float(time), llm, clip) for llm, clip in (cond, uncond)]
        v = v[1] + REQUEST["guidance_scale"] * (v[0] - v[1])
        x = x + v * (sigmas[i + 1] - sigmas[i]).float()
        out.update({f"noise_pred_{i:03d}": v.transpose(1, 2), f"latents_{i:03d}": x.transpose(1, 2)})
    out["latents_final"] = x.transpose(1, 2)
    return x


def make_case(parts):
    write_json(FOLDER / "request.json", REQUEST)
    llm, clip, tokens = encode(parts, REQUEST["prompt"] + SUFFIX)
    negative_llm, negative_clip, _ = encode(parts, NEGATIVE)
    ids = step_ids(parts, REQUEST["prompt"] + SUFFIX)
    mask = torch.zeros(1, 320, dtype=torch.long)
    mask[0, :len(ids)] = 1
    out = {"input_ids": torch.tensor([ids + [2] * (320 - len(ids))]), "attention_mask": mask, "prompt_embeds": llm,
           "negative_prompt_embeds": negative_llm, "prompt_embeds_2": clip}
    x = sample(parts, (llm, clip), (negative_llm, negative_clip), out)
    out["frames"] = ref.decode(parts["vae"], VAE, x[0])
    print("frames:", out["frames"].mean(), out["frames"].std(), "of 0..1")
    save(FOLDER / "expected.safetensors", out)
    save(FOLDER / "encoders_io.safetensors", {
        "in.input_ids": out["input_ids"][:, :len(ids)], "out.llm": llm, "in.clip_ids": tokens["input_ids"],
        "in.clip_mask": tokens["attention_mask"], "out.clip": clip})
    blocks = {}
    time = float(out["timesteps"][1])
    v = ref.transformer(parts["dit"], DIT, out["latents_000"].transpose(1, 2), time, llm, clip, blocks)
    save(FOLDER / "transformer_io.safetensors", {
        "in.hidden_states": out["latents_000"], "in.timestep": torch.tensor([time]), "in.encoder_hidden_states": llm,
        "in.encoder_hidden_states_2": clip, "out.sample": v.transpose(1, 2),
        **{f"block.{i}": block for i, block in blocks.items()}})


def save(file, tensors):
    save_file({name: tensor.detach().contiguous().clone() for name, tensor in tensors.items()}, file)


def random_texts(chance):
    """Characters of all kinds, those that few tokenizers agree on among them."""
    known = [chr(c) for c in range(sys.maxunicode + 1) if unicodedata.category(chr(c)) not in ("Cn", "Cs", "Co")]
    common = [c for c in known if ord(c) < 0x3000 or 0xFE00 <= ord(c) < 0x10000]
    for pool in (known, common):
        for _ in range(60):
            yield "".join(chance.choice(pool) + chance.choice(["", "", " ", "a"]) for _ in range(20))


def make_tokenizer_cases(parts):
    chance = random.Random(5)
    texts = [(text, 1) for text in PROMPTS + [SUFFIX, NEGATIVE, "HELLO WÖRLD", "İSTANBUL ẞ", "[CLS] a [SEP][MASK]b [UNK]"]]
    texts += [("".join(chance.choices(PIECES, k=chance.randint(2, 14))), 1) for _ in range(120)]
    texts += [(text, 1) for text in random_texts(chance)]
    texts += [("a red panda ", 2000), ("画面", 3000), ("x", 20000), ("é", 5000), ("😀", 3000), ("a" * 100 + " " + "a" * 101, 1)]
    normalizer, splitter = parts["wordpiece"].backend_tokenizer.normalizer, parts["wordpiece"].backend_tokenizer.pre_tokenizer
    rows = []
    for text, times in texts:
        whole = text * times
        row = {"text": text, "times": times, "step": step_ids(parts, whole),
               "bert": parts["wordpiece"](whole, truncation=True, max_length=77)["input_ids"]}
        if times == 1:
            row["words"] = [word for word, _ in splitter.pre_tokenize_str(normalizer.normalize_str(whole))]
        rows.append(json.dumps(row))
    (FOLDER / "tokenizer_cases.json").write_text("[\n" + ",\n".join(rows) + "\n]\n")
    print(len(rows), "tokenizer cases")


def main():
    with torch.no_grad():
        parts = make_model()
        make_case(parts)
        make_tokenizer_cases(parts)


if __name__ == "__main__":
    main()
