"""Procedural, captioned training clips for the Kinescope demo model.

A clip shows one shape that moves in a straight line over a softly graded
background.  Everything is drawn from signed distances, so edges are
anti-aliased and positions are exact to a fraction of a pixel.

A *subject* is what a prompt asks for: colour, shape, motion and background, and
perhaps a size and a speed.  One third of all combinations of the first four is kept
out of training (``HELD_OUT``) and serves the evaluation: each pair of colours, each
shape and each motion is seen in training, but not all together.

    python data.py --clips 3600 --out DATA_FOLDER     # clips.npy, subjects.json
    python data.py --held-out held_out.txt            # the prompts of the evaluation
    python data.py --sheet sheet.png                  # a contact sheet to look at
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

import numpy as np

import language

WIDTH, HEIGHT, FRAMES, FPS = 96, 64, 17, 8

COLOURS = {
    "red": (222, 38, 42),
    "yellow": (252, 212, 40),
    "green": (46, 176, 70),
    "blue": (38, 92, 224),
    "purple": (150, 52, 190),
    "white": (246, 246, 246),
}
BACKGROUNDS = {
    "black": (18, 18, 24),
    "white": (236, 236, 238),
    "gray": (124, 127, 132),
    "blue": (36, 88, 206),
    "green": (44, 150, 70),
}
SHAPES = ("ball", "square", "triangle")
MOTIONS = ("moving left", "moving right", "moving up", "moving down")
DIAGONALS = ("moving up left", "moving up right", "moving down left", "moving down right")
SIZES = {"small": (10.0, 11.0), "": (14.0, 15.5), "big": (19.0, 20.5)}  # radii in pixels
SPEEDS = {"slowly": 0.45, "": 1.0, "quickly": 1.4}  # factors of the usual travel
FILLERS = (
    "shiny", "bright", "beautiful", "simple",
    "realistic", "cinematic", "smoothly", "smooth", "nice",
)


class Subject(NamedTuple):
    """What a clip shows; no size or speed means the usual ones."""

    colour: str
    shape: str
    motion: str
    background: str
    size: str = ""
    speed: str = ""

    def plain(self) -> Subject:
        """The subject without size and speed, by which training and test are told apart."""
        return self._replace(size="", speed="")


def _split(motions: tuple[str, ...]) -> tuple[list[Subject], list[Subject]]:
    """Return (training, held-out) subjects.

    The diagonal pattern keeps out exactly 4 of the 12 (shape, motion) pairs of every
    (colour, background) pair, and never all motions of a (colour, shape, background).
    """
    pairs = [(c, b) for c, b in itertools.product(COLOURS, BACKGROUNDS) if c != b]
    train, held_out = [], []
    for k, (colour, background) in enumerate(pairs):
        for i, shape in enumerate(SHAPES):
            for j, motion in enumerate(motions):
                subject = Subject(colour, shape, motion, background)
                (held_out if (i + j + k) % 3 == 0 else train).append(subject)
    return train, held_out


TRAIN, HELD_OUT = _split(MOTIONS)
TRAIN_DIAGONAL, HELD_OUT_DIAGONAL = _split(DIAGONALS)


def exchangeable(subject: Subject) -> bool:
    """Could the two colours change places?  Only the order of the words tells then."""
    return subject[0] in BACKGROUNDS and subject[3] in COLOURS


def _phrase(template: str, subject: Subject) -> str:
    """The template filled in English."""
    direction = subject.motion.removeprefix("moving ")
    sideways = direction in ("left", "right")
    return template.format(
        c=subject.colour, s=subject.shape, m=subject.motion, d=direction, b=subject.background,
        to="to the " + direction if sideways else direction,
    )


def _phrase_chinese(template: str, subject: Subject) -> str:
    """The template filled in Chinese; size and speed are named in front of colour and motion."""
    words = subject.motion.removeprefix("moving ").split()
    direction = "".join(language.chinese(word) for word in reversed(words))  # "up left" is 左上
    colour = language.chinese(subject.colour)
    if subject.size:
        colour = language.chinese(subject.size) + colour
    text = template.format(c=colour, s=language.chinese(subject.shape), d=direction,
                           b=language.chinese(subject.background))
    if subject.speed:
        at = max(text.find(towards) for towards in ("向", "往"))
        text = text[:at] + language.chinese(subject.speed) + text[at:]
    return text


def captions(subject: Subject) -> list[str]:
    """Phrasings of a subject without size and speed; the first one is the canonical prompt."""
    return [_phrase(template, subject) for template in (language.CANONICAL, *language.ENGLISH)]


def chinese_caption(subject: Subject) -> str:
    """The usual phrasing in Chinese."""
    return _phrase_chinese(language.CHINESE[0], subject)


def _with_size_and_speed(text: str, subject: Subject, rng: random.Random) -> str:
    """An English caption with the words for size and speed put in."""
    if subject.size:
        word = rng.choice({"small": ("small", "little"), "big": ("big", "large")}[subject.size])
        text = text.replace(subject.colour + " " + subject.shape, f"{word} {subject.colour} {subject.shape}", 1) \
            if subject.colour + " " + subject.shape in text else text.replace(subject.shape, f"{word} {subject.shape}", 1)
    if subject.speed:
        verb = next(v for v in ("moving", "moves", "goes", "flying") if v in text)
        end = rng.choice((verb, subject.motion.removeprefix("moving ")))
        if end not in text:
            end = verb
        at = text.index(end, text.index(verb)) + len(end)
        text = text[:at] + " " + subject.speed + text[at:]
    return text


def phrase(subject: Subject, template: str, rng: random.Random) -> str:
    """A prompt for a subject, in the language of the template."""
    if not template.isascii():
        return _phrase_chinese(template, subject)
    text = _with_size_and_speed(_phrase(template, subject), subject, rng)
    if rng.random() < 0.1:
        text = text.replace("ball", "circle")
    if rng.random() < 0.1:
        text = text.replace("gray", "grey")
    return text


def decorate(text: str, rng: random.Random) -> str:
    """An English prompt with a filler word, which changes nothing."""
    words = text.split()
    words.insert(rng.randrange(len(words)), rng.choice(FILLERS))
    return " ".join(words)


def random_caption(subject: Subject, rng: random.Random) -> str:
    """A caption for training: often canonical, otherwise rephrased, in Chinese or decorated."""
    kind = rng.random()
    if kind < 0.3:
        return phrase(subject, rng.choice(language.CHINESE), rng)
    text = phrase(subject, language.CANONICAL if kind < 0.6 else rng.choice(language.ENGLISH), rng)
    if rng.random() < 0.2:
        text = decorate(text, rng)
    if rng.random() < 0.1:
        text = text[0].upper() + text[1:]
    if rng.random() < 0.1:
        text += "."
    return text


def parse(prompt: str) -> Subject:
    """The subject of a canonical prompt."""
    for subject in itertools.chain(TRAIN, HELD_OUT):
        if captions(subject)[0] == prompt.strip():
            return subject
    raise ValueError(f"not a canonical prompt: {prompt!r}")


# ---------------------------------------------------------------- drawing

_Y, _X = np.meshgrid(
    np.arange(HEIGHT, dtype=np.float32) + 0.5,
    np.arange(WIDTH, dtype=np.float32) + 0.5,
    indexing="ij",
)
_TRIANGLE = np.array([(0, -1.12), (1.18, 0.88), (-1.18, 0.88)], np.float32)


def _polygon_distance(x, y, corners):
    """Signed distance to a polygon, negative inside."""
    squared = np.full(x.shape, 1e9, np.float32)
    sign = np.ones(x.shape, np.float32)
    for i, (ax, ay) in enumerate(corners):
        bx, by = corners[i - 1]
        ex, ey, wx, wy = bx - ax, by - ay, x - ax, y - ay
        t = np.clip((wx * ex + wy * ey) / (ex * ex + ey * ey), 0, 1)
        squared = np.minimum(squared, (wx - ex * t) ** 2 + (wy - ey * t) ** 2)
        above, below, left = y >= ay, y < by, ex * wy > ey * wx
        sign = np.where((above & below & left) | (~above & ~below & ~left), -sign, sign)
    return sign * np.sqrt(squared)


def shape_distance(shape: str, x, y):
    """Signed distance to a shape's outline in units of its radius, negative inside."""
    if shape == "ball":
        return np.hypot(x, y) - 1
    if shape == "square":
        dx, dy = np.abs(x) - 0.9, np.abs(y) - 0.9
        return np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) + np.minimum(np.maximum(dx, dy), 0)
    return _polygon_distance(x, y, _TRIANGLE)


def background_image(rgb) -> np.ndarray:
    """A background: its colour, a little lighter at the top and darker at the bottom."""
    height = (_Y / HEIGHT)[..., None]
    return np.clip(np.asarray(rgb, np.float32) * (1.06 - 0.14 * height) + 5 * (1 - height), 0, 255)


def trajectory(subject: Subject, radius: float, rng: np.random.Generator):
    """Centres of the shape in every frame: two arrays of FRAMES values.

    The shape stays inside the picture; a big one therefore cannot go far up or down.
    """
    u = np.linspace(-0.5, 0.5, FRAMES, dtype=np.float32)
    x = np.full(FRAMES, WIDTH / 2 + rng.uniform(-2, 2), np.float32)
    y = np.full(FRAMES, HEIGHT / 2 + rng.uniform(-1.5, 1.5), np.float32)
    words, factor = subject.motion.split(), SPEEDS[subject.speed]
    across, along = rng.uniform(43, 47), rng.uniform(25, 27)
    if len(words) == 3:  # diagonal: as fast as the others in the direction of the picture's corners
        across, along = 0.8 * across, 0.9 * along
    if {"left", "right"} & set(words):
        x = x + (1 if "right" in words else -1) * min(across * factor, WIDTH - 2 * radius + 2) * u
    if {"up", "down"} & set(words):
        y = y + (1 if "down" in words else -1) * min(along * factor, HEIGHT - 2 * radius + 2) * u
    return x, y


def render(subject: Subject, rng: np.random.Generator) -> np.ndarray:
    """Draw a clip: uint8 [FRAMES, HEIGHT, WIDTH, 3]."""
    radius = rng.uniform(*SIZES[subject.size])
    rgb = np.array(COLOURS[subject.colour], np.float32) + rng.uniform(-3, 3, 3)
    base = background_image(np.array(BACKGROUNDS[subject.background]) + rng.uniform(-3, 3, 3))
    frames = np.empty((FRAMES, HEIGHT, WIDTH, 3), np.float32)
    for t, (cx, cy) in enumerate(zip(*trajectory(subject, radius, rng))):
        x, y = (_X - cx) / radius, (_Y - cy) / radius
        alpha = np.clip(0.5 - shape_distance(subject.shape, x, y) * radius, 0, 1)[..., None]
        light = (1 - 0.12 * np.clip((x + y) / 2, -1, 1))[..., None]
        frames[t] = base * (1 - alpha) + np.clip(rgb * light, 0, 255) * alpha
    return np.clip(frames + 0.5, 0, 255).astype(np.uint8)


# A big shape has no room to go quickly.
SIZES_AND_SPEEDS = [(a, b) for a in SIZES for b in SPEEDS if (a or b) and (a, b) != ("big", "quickly")]


def training_subject(index: int) -> Subject:
    """The subject of clip number `index`: of six, four are usual, one has a size or speed, one moves diagonally."""
    turn, kind = divmod(index, 6)
    if kind < 4:
        return TRAIN[(turn * 4 + kind) % len(TRAIN)]
    if kind == 4:
        rng = random.Random(turn)
        size, speed = rng.choice(SIZES_AND_SPEEDS)
        return rng.choice(TRAIN)._replace(size=size, speed=speed)
    return random.Random(turn).choice(TRAIN_DIAGONAL)


def clip_job(index: int) -> tuple[Subject, np.ndarray]:
    """Clip number `index` of the training set."""
    subject = training_subject(index)
    return subject, render(subject, np.random.default_rng(1000 + index))


def strip(clip: np.ndarray, frames=(0, 4, 8, 12, 16)) -> np.ndarray:
    """Some frames of a clip side by side."""
    return np.concatenate([clip[i] for i in frames], axis=1)


def contact_sheet(clips, columns: int = 2) -> np.ndarray:
    """Strips of several clips as one picture."""
    rows = [np.pad(strip(c), ((1, 1), (2, 2), (0, 0))) for c in clips]
    rows += [np.zeros_like(rows[0])] * (-len(rows) % columns)
    per_column = len(rows) // columns
    return np.concatenate(
        [np.concatenate(rows[i * per_column:(i + 1) * per_column]) for i in range(columns)], axis=1
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=int, default=0, help="number of training clips to draw")
    parser.add_argument("--out", type=Path, default=Path("."), help="folder for the clips")
    parser.add_argument("--held-out", type=Path, help="write the evaluation prompts to this file")
    parser.add_argument("--sheet", type=Path, help="write a contact sheet to this file")
    args = parser.parse_args()
    if args.clips:
        args.out.mkdir(parents=True, exist_ok=True)
        with Pool(2) as pool:
            jobs = pool.map(clip_job, range(args.clips), chunksize=40)
        np.save(args.out / "clips.npy", np.stack([clip for _, clip in jobs]))
        (args.out / "subjects.json").write_text(json.dumps([subject for subject, _ in jobs]))
    if args.held_out:
        args.held_out.write_text("".join(captions(s)[0] + "\n" for s in HELD_OUT))
    if args.sheet:
        from PIL import Image

        rng = np.random.default_rng(0)
        picks = rng.choice(len(TRAIN), 20, replace=False)
        Image.fromarray(contact_sheet([render(TRAIN[i], rng) for i in picks])).save(args.sheet)


if __name__ == "__main__":
    main()
