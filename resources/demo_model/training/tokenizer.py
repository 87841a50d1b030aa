"""Build the demo model's tokenizer: a sentencepiece unigram model written by hand.

A trained vocabulary would split the few words of the demo language into fragments.
Here every word of the language is one piece, and all letters, digits and punctuation
marks are pieces too, so that any other text can still be spelled.

    python tokenizer.py --out TOKENIZER_FOLDER
"""

from __future__ import annotations

import argparse
import math
import string
from collections import Counter
from pathlib import Path

import sentencepiece
from sentencepiece import sentencepiece_model_pb2 as proto

import data

EXTRA_WORDS = (
    "A Red Yellow Green Blue Purple White an the is on in of and at with to clip circle grey shape "
    "dark light across while moves goes flying up down left right"
).split()
SPACE = "\u2581"


def word_counts() -> Counter:
    """How often each word occurs in all captions of all subjects."""
    counts = Counter()
    for subject in data.TRAIN + data.HELD_OUT:
        for caption in data.captions(subject):
            counts.update(caption.replace(",", " ").split())
    for word in (*EXTRA_WORDS, *data.FILLERS):
        counts[word] += 1
    return counts


def build_model() -> bytes:
    """The serialised sentencepiece model."""
    model = proto.ModelProto()
    kinds = proto.ModelProto.SentencePiece

    def add(piece, score, kind=kinds.NORMAL):
        model.pieces.add(piece=piece, score=score, type=kind)

    add("<pad>", 0, kinds.CONTROL)
    add("</s>", 0, kinds.CONTROL)
    add("<unk>", 0, kinds.UNKNOWN)
    add(SPACE, -3.0)
    counts = word_counts()
    total = sum(counts.values())
    for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        add(SPACE + word, round(math.log(count / total) / 4 - 4, 4))
    for character in string.ascii_letters + string.digits + ".,!?'-:;()":
        add(character, -10.0 - 0.001 * ord(character))

    trainer, normalizer = model.trainer_spec, model.normalizer_spec
    trainer.model_type = proto.TrainerSpec.UNIGRAM
    trainer.vocab_size = len(model.pieces)
    trainer.pad_id, trainer.eos_id, trainer.unk_id, trainer.bos_id = 0, 1, 2, -1
    trainer.pad_piece, trainer.eos_piece, trainer.unk_piece = "<pad>", "</s>", "<unk>"
    normalizer.name = "identity"
    normalizer.add_dummy_prefix = True
    normalizer.remove_extra_whitespaces = True
    normalizer.escape_whitespaces = True
    return model.SerializeToString()


def write(folder: Path) -> None:
    """Write the tokenizer as transformers saves it, with spiece.model beside it."""
    from transformers import T5TokenizerFast

    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    (folder / "spiece.model").write_bytes(build_model())
    tokenizer = T5TokenizerFast.from_pretrained(folder, extra_ids=0)
    tokenizer.model_max_length = 512
    tokenizer.save_pretrained(folder)


def check(folder: Path) -> None:
    """Both implementations must agree on all kinds of text."""
    from transformers import T5TokenizerFast

    fast = T5TokenizerFast.from_pretrained(folder)
    plain = sentencepiece.SentencePieceProcessor(model_file=str(folder / "spiece.model"))
    texts = [c for s in data.TRAIN + data.HELD_OUT for c in data.captions(s)]
    texts += ["A photo of a Cat, running!", "red  ball", "a red ball.", "", "Grüße"]
    wrong = [t for t in texts if fast(t).input_ids != plain.encode(t) + [1]]
    print(len(fast), "pieces; disagreements:", wrong, "; longest caption:",
          max(len(fast(t).input_ids) for t in texts))
    print(fast.tokenize(texts[0]), fast.tokenize("A violet cat"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    write(arguments.out)
    check(arguments.out)
