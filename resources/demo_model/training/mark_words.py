"""Give words that only their order tells apart marks of their own, in the text encoder of a checkpoint.

    python mark_words.py --data DATA_FOLDER --dit dit.pt

A denoiser trained for a short time reads a prompt as a set of words.  It mixes up the
colours of "a green ball ... on a white background", and it never learns which comes
first in "a red ball and a blue ball".  This writes three attention heads of the first
layer by hand.  Each adds a fixed direction to the words that it marks:

- the word before "background",
- every word from "and" on,
- every word from "with" on.

Train on after it; the denoiser learns to use the marks, and everything stays trainable.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import sentencepiece
import torch

import dit
import tokenizer
from optim import save_atomically

BACKGROUND_HEAD, AND_HEAD, WITH_HEAD = 0, 4, 5
SIZE = dit.HEAD_SIZE
SHARPNESS = 16.0  # the logit of the word that a head looks for, where all others have about 0
FUTURE = slice(dit.NEXT_WORD - 1, None)  # buckets of the words that follow


class Writer:
    """Writes heads into the first layer of a UMT5EncoderModel."""

    def __init__(self, encoder):
        attention = encoder.encoder.block[0].layer[0]
        self.inner = attention.SelfAttention
        self.words = attention.layer_norm(encoder.shared.weight)
        self.length = encoder.shared.weight.norm(dim=1).mean()

    def _reads(self, target: torch.Tensor) -> torch.Tensor:
        """The row whose product with the embedding of each word is nearest to `target`."""
        row = torch.linalg.lstsq(self.words.double(), target.double(), driver="gelsd").solution.float()
        print("largest error", (self.words @ row - target).abs().max().item())
        return row

    def _clear(self, head: int) -> int:
        rows = slice(head * SIZE, (head + 1) * SIZE)
        for projection in (self.inner.q, self.inner.k, self.inner.v):
            projection.weight[rows] = 0
        self.inner.o.weight[:, rows] = 0
        self.inner.relative_attention_bias.weight[:, head] = 0
        return rows.start

    def _adds(self, head: int, row: int) -> None:
        direction = torch.randn(self.words.shape[1], generator=torch.Generator().manual_seed(1 + head))
        self.inner.o.weight[:, row] = direction / direction.norm() * 1.5 * self.length

    def mark_word_before(self, head: int, word: int) -> None:
        row, found = self._clear(head), torch.zeros(len(self.words))
        found[word] = 1.0
        self.inner.relative_attention_bias.weight[dit.NEXT_WORD, head] = 12.0
        self.inner.v.weight[row] = self._reads(found)
        self._adds(head, row)

    def mark_words_from(self, head: int, word: int) -> None:
        """Every word looks back for `word`; where there is none, the head reads zeros."""
        row, found = self._clear(head), torch.zeros(len(self.words))
        found[word] = 1.0
        reads = self._reads(found)
        self.inner.q.weight[row] = self._reads(torch.ones(len(self.words)))
        self.inner.k.weight[row] = SHARPNESS * reads
        self.inner.relative_attention_bias.weight[FUTURE, head] = -2 * SHARPNESS
        self.inner.v.weight[row] = reads
        self._adds(head, row)


@torch.no_grad()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--dit", type=Path, required=True, help="checkpoint of train_dit.py, changed in place")
    parser.add_argument("--order-only", action="store_true", help="leave the head of \"background\" as it is")
    args = parser.parse_args()
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(args.data / "tokenizer" / "spiece.model"))
    originals = tokenizer.numbers_of_originals([pieces.id_to_piece(i) for i in range(pieces.get_piece_size())])
    state = torch.load(args.dit)
    encoder = dit.build_text_encoder(tokenizer.count_of_originals())
    encoder.load_state_dict(dit.with_all_heads(state["average_encoder"]))
    writer = Writer(encoder)
    if not args.order_only:
        writer.mark_word_before(BACKGROUND_HEAD, originals[pieces.piece_to_id("\u2581background")])
    writer.mark_words_from(AND_HEAD, originals[pieces.piece_to_id("\u2581and")])
    writer.mark_words_from(WITH_HEAD, originals[pieces.piece_to_id("\u2581with")])
    state["encoder"] = {k: v.clone() for k, v in encoder.state_dict().items()}
    state["average_encoder"] = encoder.state_dict()
    state["model"] = {k: v.clone() for k, v in state["average"].items()}
    state["step"] = 0  # so that the averages forget soon
    del state["adam"]  # the momentum of other weights
    save_atomically(state, args.dit)


if __name__ == "__main__":
    main()
