"""Draw the lists of prompts for the evaluation of free phrasings, Chinese, sizes, speeds, motions and two shapes.

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

STRAIGHT = data.TRAIN + data.HELD_OUT


def _phrasing(subject: data.Subject, rng: random.Random, chinese: bool) -> str:
    """A prompt in any phrasing; a third of them was never used in training."""
    seen, unseen = (
        (data.chinese_templates(subject), data.unseen_chinese_templates(subject)) if chinese
        else (data.english_templates(subject), data.unseen_english_templates(subject))
    )
    fits = bool(subject.motion) or not chinese  # the unseen ones in Chinese need a motion
    return data.phrase(subject, rng.choice(unseen if fits and rng.random() < 1 / 3 else seen), rng)


def free(rng: random.Random):
    """English prompts of every kind, four of ten with a filler word; 300 prompts."""
    for number in range(300):
        kind = number % 10
        if kind < 4:
            subject = rng.choice(STRAIGHT)
        elif kind < 5:
            subject = rng.choice(data.HELD_OUT_DIAGONAL)
        elif kind < 7:
            subject = rng.choice(data.HELD_OUT_OTHER)
        else:
            subject = rng.choice(data.HELD_OUT_PAIRS)
        text = _phrasing(subject, rng, chinese=False)
        yield subject, data.decorate(text, rng) if rng.random() < 0.4 else text


def chinese(rng: random.Random):
    """The held-out subjects with straight motions in the usual Chinese phrasing."""
    for subject in data.HELD_OUT:
        yield subject, data.chinese_caption(subject)


def free_chinese(rng: random.Random):
    """Chinese prompts of every kind; 120 prompts."""
    for number in range(120):
        subject = rng.choice((STRAIGHT, data.HELD_OUT_OTHER, data.HELD_OUT_PAIRS)[number % 3])
        yield subject, _phrasing(subject, rng, chinese=True)


def varied(rng: random.Random):
    """Sizes and speeds, in both languages; 96 prompts, all of held-out subjects."""
    for number in range(96):
        size, speed = data.SIZES_AND_SPEEDS[number % len(data.SIZES_AND_SPEEDS)]
        subject = rng.choice(data.HELD_OUT)._replace(size=size, speed=speed)
        templates = (*data.english_templates(subject), *data.chinese_templates(subject))
        yield subject, data.phrase(subject, rng.choice(templates), rng)


def motions(rng: random.Random):
    """Diagonal and other motions and none, in both languages; 96 prompts, all of held-out subjects."""
    for subject in rng.sample(data.HELD_OUT_DIAGONAL, 40) + rng.sample(data.HELD_OUT_OTHER, 56):
        yield subject, data.phrase(subject, rng.choice((*data.english_templates(subject), *data.chinese_templates(subject))), rng)


def pairs(rng: random.Random):
    """Two shapes, in the canonical phrasing; 108 prompts, all of held-out subjects."""
    for subject in rng.sample(data.HELD_OUT_PAIRS, 108):
        yield subject, data.caption(subject)


LISTS = dict(free=free, chinese=chinese, free_chinese=free_chinese, varied=varied, motions=motions, pairs=pairs)


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
