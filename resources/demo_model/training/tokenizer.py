"""Build the demo model's tokenizer: a sentencepiece unigram model written by hand.

A trained vocabulary would split the few words of the demo language into fragments.
Here every word of the language is one piece, and all letters, digits and punctuation
marks are pieces too, so that any other text can still be spelled.  Synonyms and Chinese
words follow as further pieces, which share the embedding of an English word.

    python tokenizer.py --out TOKENIZER_FOLDER
"""

from __future__ import annotations

import argparse
import math
import random
import string
from collections import Counter
from pathlib import Path

import sentencepiece
from sentencepiece import sentencepiece_model_pb2 as proto

import data
import language

EXTRA_WORDS = (
    "A Red Yellow Green Blue Purple White an the is on in of and at with to clip circle grey shape "
    "dark light across while moves goes flying up down left right small big large little slowly quickly "
    "circling growing shrinking over video"
).split()
COUNTED_PHRASINGS = 4  # the order of the pieces, and with it their numbers, follows these
SPACE = "\u2581"
CONTROL = ("<pad>", "</s>", "<unk>")
PUNCTUATION = ".,!?'-:;()"


def originals() -> list[str]:
    """The pieces that have an embedding of their own, in the order of their numbers; they come first."""
    words = [SPACE + word for word, _ in _ordered_words()]
    return [*CONTROL, SPACE, *words, *string.ascii_letters + string.digits + PUNCTUATION]


def count_of_originals() -> int:
    """How many pieces have an embedding of their own."""
    return len(originals())


def _ordered_words() -> list[tuple[str, int]]:
    return sorted(word_counts().items(), key=lambda item: (-item[1], item[0]))


def numbers_of_originals(pieces: list[str]) -> list[int]:
    """For every piece the number of the piece whose embedding it has: its own, or that which it shares."""
    number = {piece: i for i, piece in enumerate(pieces)}
    shared = shared_pieces()
    return [number[shared.get(piece, piece)] for piece in pieces]


def word_counts() -> Counter:
    """How often each word occurs in the first phrasings of all subjects with one shape, and some others once."""
    counts = Counter()
    for subject in data.TRAIN + data.HELD_OUT:
        for template in data.english_templates(subject)[:COUNTED_PHRASINGS]:
            counts.update(data.phrase(subject, template, random.Random(1)).replace(",", " ").split())
    for word in (*EXTRA_WORDS, *data.FILLERS):
        counts[word] += 1
    return counts


def shared_pieces() -> dict[str, str]:
    """Pieces that share the embedding of another piece."""
    words = word_counts()
    names = {SPACE + word: SPACE + word for word in words} | {c: c for c in PUNCTUATION}
    shared = {}
    for word, english in language.aliases().items():
        shared[word.replace(" ", SPACE)] = names[english if english in PUNCTUATION else SPACE + english]
    for piece, original in [*names.items(), *shared.items()]:
        capitalised = piece[:1] + piece[1:].capitalize()
        if piece.startswith(SPACE) and capitalised not in names:
            shared[capitalised] = shared.get(piece, original)
    return shared


def build_model() -> bytes:
    """The serialised sentencepiece model."""
    model = proto.ModelProto()
    kinds = proto.ModelProto.SentencePiece

    def add(piece, score, kind=kinds.NORMAL):
        model.pieces.add(piece=piece, score=score, type=kind)

    for piece in CONTROL:
        add(piece, 0, kinds.UNKNOWN if piece == "<unk>" else kinds.CONTROL)
    add(SPACE, -3.0)
    total = sum(word_counts().values())
    for word, count in _ordered_words():
        add(SPACE + word, round(math.log(count / total) / 4 - 4, 4))
    for character in string.ascii_letters + string.digits + PUNCTUATION:
        add(character, -10.0 - 0.001 * ord(character))
    for piece in shared_pieces():
        # Fewer pieces are better, and among equally many those with the longest one.
        add(piece, round(-8 + 0.01 * min(len(piece), 8) ** 2, 4))

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
    rng = random.Random(0)
    subjects = [*data.TRAIN, *data.HELD_OUT, *data.HELD_OUT_DIAGONAL, *data.HELD_OUT_OTHER, *data.HELD_OUT_PAIRS]
    texts = [data.phrase(s, t, rng) for s in subjects
             for t in (*data.english_templates(s), *data.unseen_english_templates(s),
                       *data.chinese_templates(s), *data.unseen_chinese_templates(s))]
    unknown = [t for t in texts if plain.unk_id() in plain.encode(t)]
    print("with unknown pieces:", unknown[:5])
    texts += ["A photo of a Cat, running!", "red  ball", "a red ball.", "", "Grüße"]
    wrong = [t for t in texts if fast(t).input_ids != plain.encode(t) + [1]]
    print(len(fast), "pieces; disagreements:", wrong, "; longest caption:",
          max(len(fast(t).input_ids) for t in texts))
    print(fast.tokenize(texts[0]), fast.tokenize(data.chinese_caption(data.HELD_OUT[0])), fast.tokenize("A violet cat"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    write(arguments.out)
    check(arguments.out)
