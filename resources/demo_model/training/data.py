"""Procedural, captioned training clips for the Kinescope demo model.

A clip shows one large shape that moves in one of four directions over a softly
graded background.  Everything is drawn from signed distances, so edges are
anti-aliased and positions are exact to a fraction of a pixel.

A *subject* is the tuple ``(colour, shape, motion, background)``.  One third of all
subjects is kept out of training (``HELD_OUT``) and serves the evaluation: each pair
of colours, each shape and each motion is seen in training, but not all together.

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

import numpy as np

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
FILLERS = (
    "small", "big", "large", "little", "shiny", "bright", "beautiful", "simple",
    "realistic", "cinematic", "slowly", "quickly", "smoothly", "smooth", "nice",
)

Subject = tuple[str, str, str, str]


def _split() -> tuple[list[Subject], list[Subject]]:
    """Return (training, held-out) subjects.

    The diagonal pattern keeps out exactly 4 of the 12 (shape, motion) pairs of every
    (colour, background) pair, and never all motions of a (colour, shape, background).
    """
    pairs = [(c, b) for c, b in itertools.product(COLOURS, BACKGROUNDS) if c != b]
    train, held_out = [], []
    for k, (colour, background) in enumerate(pairs):
        for i, shape in enumerate(SHAPES):
            for j, motion in enumerate(MOTIONS):
                subject = (colour, shape, motion, background)
                (held_out if (i + j + k) % 3 == 0 else train).append(subject)
    return train, held_out


TRAIN, HELD_OUT = _split()


def exchangeable(subject: Subject) -> bool:
    """Could the two colours change places?  Only the order of the words tells then."""
    return subject[0] in BACKGROUNDS and subject[3] in COLOURS


def captions(subject: Subject) -> list[str]:
    """All phrasings of a subject; the first one is the canonical prompt."""
    colour, shape, motion, background = subject
    return [
        f"a {colour} {shape} {motion} on a {background} background",
        f"{colour} {shape} {motion}, {background} background",
        f"a {colour} {shape} is {motion} over a {background} background",
        f"a video of a {colour} {shape} {motion} on a {background} background",
    ]


def random_caption(subject: Subject, rng: random.Random) -> str:
    """A caption for training: mostly canonical, sometimes rephrased or decorated."""
    text = captions(subject)[0]
    if rng.random() < 0.4:
        text = rng.choice(captions(subject)[1:])
    if rng.random() < 0.1:
        text = text.replace("ball", "circle")
    if rng.random() < 0.1:
        text = text.replace("gray", "grey")
    if rng.random() < 0.15:
        words = text.split()
        words.insert(rng.randrange(len(words)), rng.choice(FILLERS))
        text = " ".join(words)
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


def trajectory(motion: str, rng: np.random.Generator):
    """Centres of the shape in every frame: two arrays of FRAMES values."""
    u = np.linspace(-0.5, 0.5, FRAMES, dtype=np.float32)
    x = np.full(FRAMES, WIDTH / 2 + rng.uniform(-2, 2), np.float32)
    y = np.full(FRAMES, HEIGHT / 2 + rng.uniform(-1.5, 1.5), np.float32)
    sign = 1 if motion.endswith(("right", "down")) else -1
    if motion.endswith(("left", "right")):
        x = x + sign * rng.uniform(43, 47) * u
    else:
        y = y + sign * rng.uniform(25, 27) * u
    return x, y


def render(subject: Subject, rng: np.random.Generator) -> np.ndarray:
    """Draw a clip: uint8 [FRAMES, HEIGHT, WIDTH, 3]."""
    colour, shape, motion, background = subject
    radius = rng.uniform(14.0, 15.5)
    rgb = np.array(COLOURS[colour], np.float32) + rng.uniform(-3, 3, 3)
    base = background_image(np.array(BACKGROUNDS[background]) + rng.uniform(-3, 3, 3))
    frames = np.empty((FRAMES, HEIGHT, WIDTH, 3), np.float32)
    for t, (cx, cy) in enumerate(zip(*trajectory(motion, rng))):
        x, y = (_X - cx) / radius, (_Y - cy) / radius
        alpha = np.clip(0.5 - shape_distance(shape, x, y) * radius, 0, 1)[..., None]
        light = (1 - 0.12 * np.clip((x + y) / 2, -1, 1))[..., None]
        frames[t] = base * (1 - alpha) + np.clip(rgb * light, 0, 255) * alpha
    return np.clip(frames + 0.5, 0, 255).astype(np.uint8)


def clip_job(index: int) -> tuple[Subject, np.ndarray]:
    """Clip number `index` of the training set; the subjects take turns."""
    subject = TRAIN[index % len(TRAIN)]
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
