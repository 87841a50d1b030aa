#!/usr/bin/env python3
"""Makes the tokenizers and the prompts beside itself:

  t5/, umt5/    tiny SentencePiece Unigram models with the two kinds of tokenizer.json that go with them
  prompts.json  awkward prompts, what the reference makes of them, and their ids by both tokenizers

Reference: the prompt cleaning of diffusers' Wan pipeline (ftfy, html.unescape) and Hugging Face's tokenizers reading
tokenizer.json as it stands. Needs ftfy 6.3, sentencepiece, tokenizers. The same seeds give the same files.
"""

import html
import io
import json
import pathlib
import random
import re

import ftfy
import sentencepiece as spm
from tokenizers import Tokenizer

FOLDER = pathlib.Path(__file__).parent
EXTRA_IDS = 20
CORPUS = """a red panda dances in the rain, cinematic light
a blue circle moves to the right on a white background
the camera follows a small boat across the stormy sea at night
waves crash against the rocks while gulls circle overhead
blurry, low quality, static image with subtitles, worst quality, low quality
ein roter Fuchs läuft durch den verschneiten Wald, weiches Licht
une vieille femme marche lentement sur la plage en été, café au lait
色调艳丽,过曝,静态,细节模糊不清,字幕,风格,作品,画作,画面,静止,整体发灰,最差质量,低质量
一只小猫在花园里玩耍,阳光明媚,画面静止,低质量
猫が庭で遊んでいる、きれいな光
красная лиса бежит по снегу, мягкий свет
two people (a man & a woman) talk: "hello", 'goodbye' - 50% off!""".splitlines()

PROMPTS = [
    "", " ", "\t\n \u3000", "a", "A red panda dances in the rain, cinematic light.",
    "  two  spaces \t tab\nnewline\r\ncarriage\rreturn\u2028line\u2029paragraph\u0085next  ",
    "色调艳丽，过曝，静态，细节模糊不清，字幕，风格，作品（画作）：画面！静止、整体。",
    "ＬＯＵＤ　ＮＯＩＳＥＳ", "ｱｲｳｴｵ ﾊﾟ ﾞ", "ﾡﾢ ￠￡￢￣￤￥￦ ￨￩ ￭￮", "‘single’ “double” ‚low‛ „low‟ ʼn ŉ", "ﬀ ﬁ ﬂ ﬃ ﬄ ﬅ ﬆ ĳ Ĳ ǆ ǅ Ǆ ǉ ǳ",
    "cafe\u0301 e\u0301\u0323 \u1e69 s\u0323\u0307 s\u0307\u0323 \u212b \u2126 \u1100\u1161\u11a8 \uac00\u11a8 \u0344 \u0958 \ufb1d",
    "\u0301leading mark", "a\u0300\u0315\u0320b \u0b47\u0b3e \u1112\u1161\u11ab", "\U0001d15e \U00011099\U000110ba \U0002f800",
    "nul\x00bell\x07esc\x1b[31mred\x1b[0m \x1b[1;44m \x1b[ \x1b[12 \x1b]x del\x7f vt\x0b ff\x0c", "\ufeffbom \u206a \ufff9\ufffc \u200bzero \u200dwidth \u00ad",
    "a &amp; b &lt;tag&gt; &quot;q&quot; &#39;s&#x27; &nbsp;nbsp", "&amp;amp;amp;lt; &amp;#38;amp;", "fish &amp chips &notit; &ampx &copy2020 &eacut",
    "P&EACUTE;REZ &NTILDE; &HELLIP; &nTILDE; &Eacute;", "<b>bold</b> &amp;amp; &amp;", "first &amp;amp;amp; line\nsecond < line &amp;amp;amp;\nthird &amp;amp;amp; line",
    "&#0; &#128; &#x80; &#129; &#13; &#xD800; &#x110000; &#99999999999999999999; &#1; &#xFFFE; &#xfdd0; &#x1F600; &#59; &#38;#59;",
    "&#; &#x; &; &; &#12abc; &#xZZ; &#65 &#x41g &#65;&#66", "&CounterClockwiseContourIntegral; &NotNestedGreaterGreater; &bne; &ThickSpace;x &fjlig;",
    "&" * 50, "&amp;" * 30, "&#38;" * 10 + "lt;", "&abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz;", "&é; &amp\u00e9; &am\u00e9",
    "☂ ☂☂ ☂a☂ ☃umbrella☃☃ x☂", "emoji 😀👩‍👩‍👧 🏴󠁧󠁢󠁷󠁬󠁳󠁿 flags", "עברית العربية हिन्दी ไทย 한국어", "\u2581 under \u2581score ▁▁x", "x" * 300,
    "a</s>b", "a </s> b <pad> <unk> <extra_id_0> <extra_id_7>", "</s", "<extra_id_99>", "<0x41> <0x0A>", "100% 3.14 \"quoted\" it's (paren) [bracket] {brace} \\ back\\nslash",
    "\x80\x85\x93quoted\x94\x9f", "non\u00a0breaking\u2009thin\u202fnarrow\u205fmath\u1680ogham\u200ahair", "\x1c\x1d\x1e\x1f separators", "tab\there",
    "Ünïcödé ÄÖÜ ß ŁÓDŹ İstanbul ǅ", "красная ЛИСА бежит", "a" + "\u0301" * 40, "...", "-- — – ‐ ‑ …", "a,b;c:d!e?f", "™ ® © ½ ² ① Ⅳ ㍿ ㎏ ﷺ",
]
PIECES = [
    "a", "red fox", " ", "  ", "\n", "\r\n", "&amp;", "&lt;", "&", "amp;", "#38;", "&#38;", "&#x26;", ";", "<", "</s>", "<pad>", "☂", "☃☃", "，", "（", "ｱ", "ﾞ", "é", "e\u0301",
    "\u0323", "\u0307", "ﬁ", "’", "“", "\x00", "\x1b[1m", "\u3000", "\u00a0", "色", "静态", "猫が", "лиса", "&eacute;", "&EACUTE;", "&hellip", "&not", "it;", "\u1100", "\u1161",
    "\u11a8", "😀", "▁", "<extra_id_3>", ",", ".", "quality", "\ufeff", "&nbsp;", "1", "%",
]


def clean(prompt):
    """diffusers.pipelines.wan.pipeline_wan.prompt_clean."""
    text = html.unescape(html.unescape(ftfy.fix_text(prompt))).strip()
    return re.sub(r"\s+", " ", text).strip()


def repaired(prompt):
    """ftfy took it for wrongly decoded text: a guess that we do not make."""
    return ftfy.fix_text(prompt) != ftfy.fix_text(prompt, fix_encoding=False)


def train(folder, **options):
    model = io.BytesIO()
    spm.SentencePieceTrainer.train(
        sentence_iterator=iter(CORPUS), model_writer=model, model_type="unigram", vocab_size=400, hard_vocab_limit=False,
        character_coverage=1.0, normalization_rule_name="identity", num_threads=1, pad_id=0, eos_id=1, pad_piece="<pad>",
        minloglevel=2, **options)
    folder.mkdir(exist_ok=True)
    (folder / "spiece.model").write_bytes(model.getvalue())
    return spm.SentencePieceProcessor(model_proto=model.getvalue())


def special(token_id, content):
    return {"id": token_id, "content": content, "single_word": False, "lstrip": False, "rstrip": False,
            "normalized": False, "special": True}


def write_tokenizer(folder, processor, specials, extra_ids, normalizer, pre_tokenizer):
    size = processor.vocab_size()
    vocab = [[processor.id_to_piece(i), processor.get_score(i)] for i in range(size)]
    extra = [f"<extra_id_{extra_ids - 1 - i}>" for i in range(extra_ids)]
    vocab += [[name, 0.0] for name in extra]
    end = {"SpecialToken": {"id": "</s>", "type_id": 0}}
    tokenizer = {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [special(i, name) for i, name in specials] + [special(size + i, n) for i, n in enumerate(extra)],
        "normalizer": normalizer, "pre_tokenizer": pre_tokenizer,
        "post_processor": {"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A", "type_id": 0}}, end],
                           "pair": [{"Sequence": {"id": "A", "type_id": 0}}, end, {"Sequence": {"id": "B", "type_id": 0}}, end],
                           "special_tokens": {"</s>": {"id": "</s>", "ids": [1], "tokens": ["</s>"]}}},
        "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        "model": {"type": "Unigram", "unk_id": processor.unk_id(), "vocab": vocab, "byte_fallback": False},
    }
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False) + "\n")
    config = {"eos_token": "</s>", "pad_token": "<pad>", "additional_special_tokens": sorted(extra)}
    (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=1) + "\n")
    return Tokenizer.from_file(str(folder / "tokenizer.json"))


def make_tokenizers():
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    words = {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, metaspace]}
    spaces = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
    t5 = train(FOLDER / "t5", unk_id=2, bos_id=-1)
    umt5 = train(FOLDER / "umt5", unk_id=3, bos_id=2, byte_fallback=True, user_defined_symbols=["[eod]", "[code]"])
    return {
        "t5": write_tokenizer(FOLDER / "t5", t5, [(0, "<pad>"), (1, "</s>"), (2, "<unk>")], EXTRA_IDS, None, words),
        "umt5": write_tokenizer(FOLDER / "umt5", umt5, [(0, "<pad>"), (1, "</s>"), (2, "<s>"), (3, "<unk>")], EXTRA_IDS,
                                spaces, metaspace),
    }


def make_prompts():
    chance = random.Random(3)
    prompts = list(PROMPTS)
    prompts += ["".join(chance.choices(PIECES, k=chance.randint(2, 14))) for _ in range(300)]
    names = sorted(html.entities.html5)
    prompts += [" ".join("&" + name for name in chance.sample(names, 12)) for _ in range(20)]
    kept = [p for p in prompts if not repaired(p)]
    print(f"{len(prompts) - len(kept)} prompts left out, because ftfy repairs their encoding")
    return kept


def differs_by_design(cleaned):
    """SpecialTokens split the text, and U+2581 or <0x41> written out mean more to tokenizer.json than to spiece.model."""
    return any(mark in cleaned for mark in ("</s>", "<pad>", "<unk>", "<extra_id_", "▁", "<0x"))


def main():
    tokenizers = make_tokenizers()
    rows = []
    for prompt in make_prompts():
        cleaned = clean(prompt)
        row = {"prompt": prompt, "cleaned": cleaned}
        row.update({kind: tokenizer.encode(cleaned).ids for kind, tokenizer in tokenizers.items()})
        row["only_json"] = differs_by_design(cleaned)
        rows.append(row)
    lines = ",\n".join(json.dumps(row) for row in rows)
    (FOLDER / "prompts.json").write_text("[\n" + lines + "\n]\n")
    print(f"{len(rows)} prompts")


if __name__ == "__main__":
    main()
