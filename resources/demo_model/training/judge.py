"""Judge clips of the demo language: which object, where does it go, on what background?

The judge knows nothing of the model.  It separates the object from the background,
compares the colours with the palette of `data.py`, follows the object's centre, and
compares its outline with templates.  An outline that fits no template well counts as
no shape.  Size and speed are judged only where the prompt names one.
"""

from __future__ import annotations

import cv2
import numpy as np

import data

MIN_AREA = 60            # pixels of 96 x 64
MIN_TRAVEL = 8.0         # pixels
MIN_OVERLAP = 0.80       # mean intersection over union with the best template
SEPARATION = 45.0        # distance in RGB that tells object from background
DIAGONAL = 0.4           # least share of the smaller part of a diagonal movement in the larger one
SMALL, BIG = 12.4, 17.2  # radii in pixels between small, usual and big
SLOW, QUICK = 0.7, 1.18  # shares of the usual travel between slow, usual and quick
USUAL_TRAVEL = {1: (45.0, 26.0), 2: (36.0, 23.4)}  # pixels across and along, for straight and diagonal ways


def _lab(rgb) -> np.ndarray:
    colours = np.asarray(rgb, np.float32).reshape(1, -1, 3) / 255
    return cv2.cvtColor(colours, cv2.COLOR_RGB2Lab)[0]


def _nearest(rgb, palette: dict) -> str:
    references = _lab(list(palette.values()))
    return list(palette)[int(np.linalg.norm(references - _lab(rgb), axis=1).argmin())]


_RIM = np.r_[0:5, data.HEIGHT - 5:data.HEIGHT]
_BACKGROUNDS = {
    name: data.background_image(rgb)[_RIM].mean((0, 1)) for name, rgb in data.BACKGROUNDS.items()
}


def _unit_shapes() -> dict:
    """Area and centroid of every shape at radius 1."""
    axis = np.linspace(-1.6, 1.6, 321, dtype=np.float32)
    x, y = np.meshgrid(axis, axis)
    result = {}
    for shape in data.SHAPES:
        inside = data.shape_distance(shape, x, y) <= 0
        result[shape] = (inside.sum() * 0.01**2, x[inside].mean(), y[inside].mean())
    return result


_UNIT = _unit_shapes()


def _object(frame: np.ndarray, rows: np.ndarray):
    """Mask, centre and colour of the largest object on a background given per row."""
    different = np.linalg.norm(frame - rows[:, None], axis=-1) > SEPARATION
    count, labels, stats, centres = cv2.connectedComponentsWithStats(different.astype(np.uint8), connectivity=4)
    if count < 2:
        return None
    best = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    if stats[best, cv2.CC_STAT_AREA] < MIN_AREA:
        return None
    mask = labels == best
    inner = cv2.erode(mask.astype(np.uint8), np.ones((3, 3))) > 0
    return mask, centres[best], np.median(frame[inner if inner.sum() > 20 else mask], 0)


def _overlap(mask: np.ndarray, shape: str) -> float:
    """Best intersection over union with a template of about the same area and place."""
    area, offset_x, offset_y = _UNIT[shape]
    ys, xs = np.nonzero(mask)
    cx, cy = xs.mean() + 0.5, ys.mean() + 0.5
    base, best = np.sqrt(mask.sum() / area), 0.0
    for radius in base * np.array([0.94, 1.0, 1.06]):
        for dx, dy in ((0, 0), (0.7, 0), (-0.7, 0), (0, 0.7), (0, -0.7)):
            x = (data._X - cx - dx) / radius + offset_x
            y = (data._Y - cy - dy) / radius + offset_y
            template = data.shape_distance(shape, x, y) <= 0
            best = max(best, (template & mask).sum() / (template | mask).sum())
    return best


def _direction(path: np.ndarray) -> str | None:
    dx, dy = path[-3:].mean(0) - path[:3].mean(0)
    across, along = abs(dx), abs(dy)
    if max(across, along) < MIN_TRAVEL:
        return None
    words = []
    if along >= DIAGONAL * across:
        words.append("down" if dy > 0 else "up")
    if across >= DIAGONAL * along:
        words.append("right" if dx > 0 else "left")
    return " ".join(["moving", *words])


def _speed(path: np.ndarray, direction: str | None) -> str | None:
    """The word for the length of the way, compared with the usual one of its direction."""
    if direction is None:
        return None
    words = direction.split()[1:]
    across, along = USUAL_TRAVEL[len(words)]
    usual = [across * bool({"left", "right"} & set(words)), along * bool({"up", "down"} & set(words))]
    frames = len(path)
    share = np.linalg.norm(path[-3:].mean(0) - path[:3].mean(0)) / (np.linalg.norm(usual) * (frames - 3) / (frames - 1))
    return "slowly" if share < SLOW else "quickly" if share > QUICK else ""


def _size(masks: list[np.ndarray], shape: str) -> str:
    radius = float(np.median([np.sqrt(mask.sum() / _UNIT[shape][0]) for mask in masks]))
    return "small" if radius < SMALL else "big" if radius > BIG else ""


def analyse(clip: np.ndarray) -> dict:
    """What is to be seen in a clip, uint8 [T,H,W,3]."""
    if clip.shape[1:3] != (data.HEIGHT, data.WIDTH):
        clip = np.stack([cv2.resize(f, (data.WIDTH, data.HEIGHT), interpolation=cv2.INTER_AREA) for f in clip])
    frames = clip.astype(np.float32)
    rows = np.median(frames.transpose(1, 0, 2, 3).reshape(data.HEIGHT, -1, 3), axis=1)
    seen = dict(colour=None, background=_nearest(rows[_RIM].mean(0), _BACKGROUNDS),
                shape=None, direction=None, size=None, speed=None, overlap=0.0, jump=None)
    objects = [found for f in frames if (found := _object(f, rows))]
    if len(objects) < 0.7 * len(frames):
        return seen
    path = np.array([centre for _, centre, _ in objects])
    seen["colour"] = _nearest(np.median([colour for *_, colour in objects], 0), data.COLOURS)
    seen["direction"] = _direction(path)
    seen["speed"] = _speed(path, seen["direction"])
    seen["jump"] = float(np.linalg.norm(np.diff(path, axis=0), axis=1).max())
    masks = [mask for mask, *_ in objects[::3]]
    overlaps = {s: float(np.mean([_overlap(m, s) for m in masks])) for s in data.SHAPES}
    best = max(overlaps, key=overlaps.get)
    seen["overlap"] = overlaps[best]
    seen["size"] = _size(masks, best)
    if overlaps[best] >= MIN_OVERLAP:
        seen["shape"] = best
    return seen


def judge(subject: data.Subject, clip: np.ndarray) -> tuple[dict, dict]:
    """Which properties are right, and what was seen."""
    seen = analyse(clip)
    wanted = dict(colour=subject.colour, background=subject.background, shape=subject.shape, direction=subject.motion)
    wanted |= {name: word for name, word in (("size", subject.size), ("speed", subject.speed)) if word}
    return {name: seen[name] == word for name, word in wanted.items()}, seen


def shares(verdicts: list[dict]) -> dict:
    """How often each property is right where it is asked for, and how often all of a clip are."""
    names = dict.fromkeys(name for verdict in verdicts for name in verdict)
    result = {name: float(np.mean([v[name] for v in verdicts if name in v])) for name in names}
    result["all"] = float(np.mean([all(v.values()) for v in verdicts]))
    return result


if __name__ == "__main__":  # the judge must find everything right in drawn clips
    rng = np.random.default_rng(5)
    print("drawn clips:", shares([judge(s, data.render(s, rng))[0] for s in data.HELD_OUT]))
    varied = [s for s in map(data.training_subject, range(1200)) if s.size or s.speed or s.motion in data.DIAGONALS]
    print("with sizes, speeds and diagonals:", shares([judge(s, data.render(s, rng))[0] for s in varied]))
