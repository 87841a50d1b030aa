"""Procedural, captioned training clips for the Kinescope demo model.

A clip shows one shape or two that move over a softly graded background.  Everything
is drawn from signed distances, so edges are anti-aliased and positions are exact to
a fraction of a pixel.

A *subject* is what a prompt asks for: colour, shape, motion and background, perhaps
a size and a speed, or a second colour and shape.  One third of all combinations is
kept out of training and serves the evaluation: each pair of colours, each shape and
each motion is seen in training, but not all together.  Sizes and speeds follow the
combination that they vary.

    python data.py --held-out held_out.txt            # the prompts of the evaluation
    python data.py --sheet sheet.png                  # a contact sheet to look at
"""

from __future__ import annotations

import argparse
import itertools
import random
from pathlib import Path
from typing import NamedTuple

import numpy as np

import language

WIDTH, HEIGHT, FRAMES, FPS = 160, 96, 25, 8

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
OTHERS = ("circling", "growing", "shrinking", "")  # without a motion, the shape hovers
SIZES = {"small": (10.5, 11.5), "": (15.5, 17.0), "big": (22.5, 24.5)}  # radii in pixels
ONE_OF_TWO = (13.5, 15.0)  # the radius where two shapes share the picture
ACROSS, ALONG = (76.0, 82.0), (38.0, 41.0)  # the usual travel in pixels
CIRCLE, HOVER = (12.0, 14.0), 3.0  # how far a circling or hovering shape goes from the middle
GROWTH = (9.0, 26.0)  # the radius of a growing shape at its beginning and end
SPEEDS = {"slowly": 0.45, "": 1.0, "quickly": 1.4}  # factors of the usual travel
FILLERS = (
    "shiny", "bright", "beautiful", "simple",
    "realistic", "cinematic", "smoothly", "smooth", "nice",
)


class Subject(NamedTuple):
    """What a clip shows; no size or speed means the usual ones, no motion means that the shape hovers."""

    colour: str
    shape: str
    motion: str
    background: str
    size: str = ""
    speed: str = ""
    second_colour: str = ""
    second_shape: str = ""

    def plain(self) -> Subject:
        """The subject without size and speed, by which training and test are told apart."""
        return self._replace(size="", speed="")

    def things(self) -> list[tuple[str, str]]:
        """Colour and shape of everything that moves: what is named first is at the top or on the left."""
        first, second = (self.colour, self.shape), (self.second_colour, self.second_shape)
        return [first, second] if self.second_shape else [first]


def directions(subject: Subject) -> list[str]:
    """The words of a straight motion's direction; none for other motions."""
    return subject.motion.removeprefix("moving ").split() if subject.motion.startswith("moving ") else []


def _split(motions: tuple[str, ...]) -> tuple[list[Subject], list[Subject]]:
    """Return (training, held-out) subjects with one shape.

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
TRAIN_OTHER, HELD_OUT_OTHER = _split(OTHERS)


def _pairs() -> tuple[list[Subject], list[Subject]]:
    """Return (training, held-out) subjects with two shapes that move in the same way."""
    things = list(itertools.product(enumerate(COLOURS), enumerate(SHAPES)))
    train, held_out = [], []
    for ((c1, colour), (s1, shape)), ((c2, second_colour), (s2, second_shape)) in itertools.permutations(things, 2):
        for (m, motion), (b, background) in itertools.product(enumerate((*MOTIONS, "")), enumerate(BACKGROUNDS)):
            if background in (colour, second_colour):
                continue
            subject = Subject(colour, shape, motion, background, "", "", second_colour, second_shape)
            (held_out if (c1 + s1 + 2 * c2 + s2 + m + b) % 3 == 0 else train).append(subject)
    return train, held_out


TRAIN_PAIRS, HELD_OUT_PAIRS = _pairs()
ALL_TRAIN = [*TRAIN, *TRAIN_DIAGONAL, *TRAIN_OTHER, *TRAIN_PAIRS]


def exchangeable(subject: Subject) -> bool:
    """Could the shape's colour and the background's change places?  Only the order of the words tells then."""
    return subject.colour in BACKGROUNDS and subject.background in COLOURS


def _templates(subject: Subject, single, straight, pair):
    """Which of the three kinds of templates phrase a subject."""
    if subject.second_shape:
        return pair
    return (*single, *straight) if directions(subject) else single


def english_templates(subject: Subject) -> tuple[str, ...]:
    """The English templates for a subject; the first one is canonical."""
    return _templates(subject, language.ENGLISH, language.ENGLISH_STRAIGHT, language.ENGLISH_PAIR)


def unseen_english_templates(subject: Subject) -> tuple[str, ...]:
    """English templates that are never used in training."""
    return _templates(subject, language.UNSEEN_ENGLISH, language.UNSEEN_ENGLISH_STRAIGHT, language.UNSEEN_ENGLISH_PAIR)


def chinese_templates(subject: Subject) -> tuple[str, ...]:
    """The Chinese templates for a subject; the first one is canonical."""
    return _templates(subject, language.CHINESE, language.CHINESE_STRAIGHT, language.CHINESE_PAIR)


def unseen_chinese_templates(subject: Subject) -> tuple[str, ...]:
    """Chinese templates that are never used in training."""
    return _templates(subject, language.UNSEEN_CHINESE, language.UNSEEN_CHINESE_STRAIGHT, language.UNSEEN_CHINESE_PAIR)


def _phrase(template: str, subject: Subject, motion: str) -> str:
    """The template filled in English; `motion` replaces "moving left" and its like."""
    words = directions(subject)
    direction = " ".join(words)
    verb = "moves " + direction if not words or len(words) > 1 or words[0] in ("up", "down") else "moves to the " + direction
    text = template.format(
        c=subject.colour, s=subject.shape, c2=subject.second_colour, s2=subject.second_shape,
        m=motion, d=direction, v=verb, b=subject.background,
    )
    # Without a motion, the words that led to it go.
    return " ".join(text.split()).replace(" ,", ",").replace(",,", ",").removesuffix(",")


def _phrase_chinese(template: str, subject: Subject) -> str:
    """The template filled in Chinese; size and speed are named in front of colour and motion."""
    words = directions(subject)
    direction = "".join(language.chinese(word) for word in reversed(words))  # "up left" is 左上
    motion = f"向{direction}移动" if words else language.chinese(subject.motion) if subject.motion else ""
    colour = language.chinese(subject.colour)
    if subject.size:
        colour = language.chinese(subject.size) + colour
    text = template.format(
        c=colour, s=language.chinese(subject.shape), d=direction, m=motion, b=language.chinese(subject.background),
        c2=language.chinese(subject.second_colour) if subject.second_shape else "",
        s2=language.chinese(subject.second_shape) if subject.second_shape else "",
    )
    if subject.speed:
        at = max(text.find(towards) for towards in ("向", "往"))
        text = text[:at] + language.chinese(subject.speed) + text[at:]
    return text.replace("，，", "，").strip("，")


def caption(subject: Subject) -> str:
    """The canonical prompt of a subject, without size and speed."""
    return _phrase(english_templates(subject)[0], subject, subject.motion)


def chinese_caption(subject: Subject) -> str:
    """The usual phrasing in Chinese."""
    return _phrase_chinese(chinese_templates(subject)[0], subject)


def _with_size_and_speed(text: str, subject: Subject, rng: random.Random) -> str:
    """An English caption with the words for size and speed put in."""
    if subject.size:
        word = rng.choice({"small": ("small", "little"), "big": ("big", "large")}[subject.size])
        text = text.replace(subject.colour + " " + subject.shape, f"{word} {subject.colour} {subject.shape}", 1) \
            if subject.colour + " " + subject.shape in text else text.replace(subject.shape, f"{word} {subject.shape}", 1)
    if subject.speed:
        verb = next(v for v in ("moving", "moves", "goes", "flying") if v in text)
        end = rng.choice((verb, " ".join(directions(subject))))
        if end not in text:
            end = verb
        at = text.index(end, text.index(verb)) + len(end)
        text = text[:at] + " " + subject.speed + text[at:]
    return text


def phrase(subject: Subject, template: str, rng: random.Random) -> str:
    """A prompt for a subject, in the language of the template."""
    if not template.isascii():
        return _phrase_chinese(template, subject)
    motion = "moving in a circle" if subject.motion == "circling" and rng.random() < 0.3 else subject.motion
    text = _with_size_and_speed(_phrase(template, subject, motion), subject, rng)
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
        return phrase(subject, rng.choice(chinese_templates(subject)), rng)
    templates = english_templates(subject)
    text = phrase(subject, templates[0] if kind < 0.5 else rng.choice(templates), rng)
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
        if caption(subject) == prompt.strip():
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


def _centres(subject: Subject, radius: float, rng: np.random.Generator):
    """Centre of each shape in every frame: a pair of arrays of FRAMES values per shape.

    The shapes stay inside the picture; a big one therefore cannot go far up or down.  Two shapes share it: one above the
    other if they move sideways, side by side otherwise.
    """
    u = np.linspace(-0.5, 0.5, FRAMES, dtype=np.float32)
    x, y, words = np.zeros(FRAMES, np.float32), np.zeros(FRAMES, np.float32), directions(subject)
    across, along = (rng.uniform(low, high) * SPEEDS[subject.speed] for low, high in (ACROSS, ALONG))
    if len(words) == 2:  # diagonal: as fast as the others in the direction of the picture's corners
        across, along = 0.8 * across, 0.9 * along
    if {"left", "right"} & set(words):
        x = (1 if "right" in words else -1) * min(across, WIDTH - 2 * radius + 2) * u
    if {"up", "down"} & set(words):
        y = (1 if "down" in words else -1) * min(along, HEIGHT - 2 * radius + 2) * u
    if subject.motion == "circling":  # once, clockwise from the top
        way = rng.uniform(*CIRCLE)
        x, y = way * np.sin(2 * np.pi * (u + 0.5)), -way * np.cos(2 * np.pi * (u + 0.5))
    if not subject.motion:
        y = HOVER * np.sin(2 * np.pi * (u + 0.5))
    if not subject.second_shape:
        places = [(0.5, 0.5)]
    elif {"left", "right"} & set(words):
        places = [(0.5, 0.27), (0.5, 0.73)]
    else:
        places = [(0.3, 0.5), (0.7, 0.5)]
    for fx, fy in places:
        yield fx * WIDTH + rng.uniform(-2, 2) + x, fy * HEIGHT + rng.uniform(-1.5, 1.5) + y


def _radii(subject: Subject, rng: np.random.Generator) -> np.ndarray:
    """The radius in every frame."""
    if subject.motion in ("growing", "shrinking"):
        radii = np.linspace(*GROWTH, FRAMES, dtype=np.float32) * rng.uniform(0.97, 1.03)
        return radii if subject.motion == "growing" else radii[::-1]
    return np.full(FRAMES, rng.uniform(*(ONE_OF_TWO if subject.second_shape else SIZES[subject.size])), np.float32)


def render(subject: Subject, rng: np.random.Generator) -> np.ndarray:
    """Draw a clip: uint8 [FRAMES, HEIGHT, WIDTH, 3]."""
    radii = _radii(subject, rng)
    base = background_image(np.array(BACKGROUNDS[subject.background]) + rng.uniform(-3, 3, 3))
    frames = np.repeat(base[None], FRAMES, 0)
    for (colour, shape), (xs, ys) in zip(subject.things(), _centres(subject, radii[0], rng)):
        rgb = np.array(COLOURS[colour], np.float32) + rng.uniform(-3, 3, 3)
        for frame, cx, cy, radius in zip(frames, xs, ys, radii):
            reach = int(1.3 * radius) + 2  # only this much of the picture changes
            rows = slice(max(0, int(cy) - reach), int(cy) + reach + 1)
            columns = slice(max(0, int(cx) - reach), int(cx) + reach + 1)
            x, y = (_X[rows, columns] - cx) / radius, (_Y[rows, columns] - cy) / radius
            alpha = np.clip(0.5 - shape_distance(shape, x, y) * radius, 0, 1)[..., None]
            light = (1 - 0.12 * np.clip((x + y) / 2, -1, 1))[..., None]
            frame[rows, columns] = frame[rows, columns] * (1 - alpha) + np.clip(rgb * light, 0, 255) * alpha
    return np.clip(frames + 0.5, 0, 255).astype(np.uint8)


# A big shape has no room to go quickly.
SIZES_AND_SPEEDS = [(a, b) for a in SIZES for b in SPEEDS if (a or b) and (a, b) != ("big", "quickly")]


# How often each kind of subject is drawn, of 12 clips.
_KINDS = ("usual",) * 3 + ("varied",) * 2 + ("diagonal",) + ("other",) * 2 + ("pair",) * 4


def training_subject(index: int) -> Subject:
    """The subject of clip number `index` of the training set."""
    turn, place = divmod(index, len(_KINDS))
    kind, rng = _KINDS[place], random.Random(index)
    if kind == "usual":
        return TRAIN[(turn * 3 + place) % len(TRAIN)]
    if kind == "varied":
        size, speed = rng.choice(SIZES_AND_SPEEDS)
        subject = rng.choice(TRAIN if speed or rng.random() < 0.6 else TRAIN_DIAGONAL)
        return subject._replace(size=size, speed=speed)
    return rng.choice({"diagonal": TRAIN_DIAGONAL, "other": TRAIN_OTHER, "pair": TRAIN_PAIRS}[kind])


def clip_job(index: int) -> np.ndarray:
    """Clip number `index` of the training set."""
    return render(training_subject(index), np.random.default_rng(1000 + index))


def strip(clip: np.ndarray, frames=(0, 6, 12, 18, 24)) -> np.ndarray:
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
    parser.add_argument("--held-out", type=Path, help="write the evaluation prompts to this file")
    parser.add_argument("--sheet", type=Path, help="write a contact sheet to this file")
    args = parser.parse_args()
    if args.held_out:
        args.held_out.write_text("".join(caption(s) + "\n" for s in HELD_OUT))
    if args.sheet:
        from PIL import Image

        clips = [clip_job(i) for i in range(36)]
        Image.fromarray(contact_sheet(clips)).save(args.sheet)


if __name__ == "__main__":
    main()
