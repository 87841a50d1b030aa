"""Draw the lists of prompts for the evaluation of free phrasings, Chinese, sizes, speeds and diagonals.

    python paraphrases.py --list free --out free.jsonl
    kinescope-cli generate --model .. --batch free.jsonl
    python evaluate.py --batch free.jsonl

Every line is a request for `kinescope-cli generate --batch`; the clips are written into a folder beside the list.
What each line asks for is in a second file, NAME.subjects.json, which only the judge reads.  The lists are always the
same: their seeds are fixed.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

import data
import language

ALL = data.TRAIN + data.HELD_OUT


def free(rng: random.Random):
    """Phrasings of English prompts, some never seen in training, four of ten with a filler word; 300 prompts."""
    templates = (language.CANONICAL, *language.ENGLISH, *language.UNSEEN_ENGLISH)
    for number in range(300):
        subject, template = rng.choice(ALL), templates[number % len(templates)]
        text = data.phrase(subject, template, rng)
        yield subject, data.decorate(text, rng) if rng.random() < 0.4 else text


def chinese(rng: random.Random):
    """The held-out subjects in the usual Chinese phrasing."""
    for subject in data.HELD_OUT:
        yield subject, data.chinese_caption(subject)


def free_chinese(rng: random.Random):
    """Phrasings of Chinese prompts, some never seen in training; 120 prompts."""
    templates = language.CHINESE + language.UNSEEN_CHINESE
    for number in range(120):
        subject = rng.choice(ALL)
        yield subject, data.phrase(subject, templates[number % len(templates)], rng)


def varied(rng: random.Random):
    """Sizes and speeds, in both languages; 96 prompts, all of held-out subjects."""
    for number in range(96):
        size, speed = data.SIZES_AND_SPEEDS[number % len(data.SIZES_AND_SPEEDS)]
        subject = rng.choice(data.HELD_OUT)._replace(size=size, speed=speed)
        yield subject, data.phrase(subject, rng.choice((language.CANONICAL, *language.ENGLISH, *language.CHINESE)), rng)


def diagonal(rng: random.Random):
    """Diagonal motions, in both languages; 96 prompts, all of held-out subjects."""
    for subject in rng.sample(data.HELD_OUT_DIAGONAL, 96):
        yield subject, data.phrase(subject, rng.choice((language.CANONICAL, *language.ENGLISH, *language.CHINESE)), rng)


LISTS = dict(free=free, chinese=chinese, free_chinese=free_chinese, varied=varied, diagonal=diagonal)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", choices=LISTS, required=True)
    parser.add_argument("--out", type=Path, required=True, help="the list, a .jsonl file")
    args = parser.parse_args()
    folder = args.out.with_suffix("").resolve()
    rng, lines, subjects = random.Random(2024), [], []
    for number, (subject, prompt) in enumerate(LISTS[args.list](rng)):
        output = str(folder / f"{number:03d}.mp4")
        lines.append(json.dumps(dict(prompt=prompt, seed=rng.randrange(2**31), output=output), ensure_ascii=False))
        subjects.append(subject)
    folder.mkdir(parents=True, exist_ok=True)
    args.out.write_text("\n".join(lines) + "\n")
    args.out.with_suffix(".subjects.json").write_text(json.dumps(subjects))


if __name__ == "__main__":
    main()
