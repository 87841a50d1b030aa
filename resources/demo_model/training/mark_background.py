"""Give the word before "background" a mark of its own, in the text encoder of a checkpoint.

    python mark_background.py --data DATA_FOLDER --dit dit.pt

A denoiser trained for a short time reads a prompt as a set of words, and mixes up the
colours of "a green ball ... on a white background".  This writes one attention head of
the first layer by hand: it looks at the next word only, and if that is "background" it
adds a fixed direction to the word.  Train on after it; the denoiser learns to use the
mark, and everything stays trainable.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import sentencepiece
import torch

import dit
import tokenizer
from optim import save_atomically

HEAD, SIZE = 0, 32


@torch.no_grad()
def mark(encoder, marked: int) -> None:
    """Write the head into the first layer of a UMT5EncoderModel."""
    attention = encoder.encoder.block[0].layer[0]
    words = attention.layer_norm(encoder.shared.weight)
    target = torch.zeros(len(words))
    target[marked] = 1.0
    detector = torch.linalg.lstsq(words.double(), target.double(), driver="gelsd").solution.float()
    found = words @ detector
    print("detector: the word", found[marked].item(), "others at most", found[target == 0].abs().max().item())
    rows = slice(HEAD * SIZE, (HEAD + 1) * SIZE)
    inner = attention.SelfAttention
    for projection in (inner.q, inner.k, inner.v):
        projection.weight[rows] = 0
    inner.o.weight[:, rows] = 0
    inner.relative_attention_bias.weight[:, HEAD] = 0
    inner.relative_attention_bias.weight[dit.NEXT_WORD, HEAD] = 12.0
    inner.v.weight[HEAD * SIZE] = detector
    direction = torch.randn(words.shape[1], generator=torch.Generator().manual_seed(1))
    length = encoder.shared.weight.norm(dim=1).mean()
    print("length of the words", length.item())
    inner.o.weight[:, HEAD * SIZE] = direction / direction.norm() * 1.5 * length / found[marked]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--dit", type=Path, required=True, help="checkpoint of train_dit.py, changed in place")
    args = parser.parse_args()
    words = sentencepiece.SentencePieceProcessor(model_file=str(args.data / "tokenizer" / "spiece.model"))
    state = torch.load(args.dit)
    encoder = dit.build_text_encoder(tokenizer.count_of_originals())
    encoder.load_state_dict(state["average_encoder"])
    mark(encoder, words.piece_to_id("\u2581background"))
    state["encoder"] = {k: v.clone() for k, v in encoder.state_dict().items()}
    state["average_encoder"] = encoder.state_dict()
    state["model"] = {k: v.clone() for k, v in state["average"].items()}
    state["step"] = 0  # so that the averages forget soon
    save_atomically(state, args.dit)


if __name__ == "__main__":
    main()
