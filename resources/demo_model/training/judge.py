"""Judge clips of the demo language: which objects, how do they move, on what background?

The judge knows nothing of the model.  It separates one object or two from the background,
compares the colours with the palette of `data.py`, follows the objects' centres and areas,
and compares their outlines with templates.  An outline that fits no template well counts as
no shape.  Size and speed are judged only where the prompt names one.
"""

from __future__ import annotations

import random

import cv2
import numpy as np

import data

MIN_AREA = 90            # pixels of 160 x 96
MIN_SECOND = 0.3         # least area of a second object, as a share of the first
MIN_TRAVEL = 12.0        # pixels
MIN_OVERLAP = 0.80       # mean intersection over union with the best template
SEPARATION = 45.0        # distance in RGB that tells object from background
DIAGONAL = 0.4           # least share of the smaller part of a diagonal movement in the larger one
GROWTH = 1.5             # least factor between the radii of a growing or shrinking shape at the ends
MIN_TURN, MIN_ORBIT = 0.7, 8.0  # least turns and radius in pixels of a circling shape
SMALL, BIG = 13.4, 19.8  # radii in pixels between small, usual and big
SLOW, QUICK = 0.7, 1.18  # shares of the usual travel between slow, usual and quick
USUAL_TRAVEL = {1: (79.0, 39.5), 2: (63.2, 35.6)}  # pixels across and along, for straight and diagonal ways


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


def _objects(frame: np.ndarray, rows: np.ndarray) -> list:
    """Mask, centre and colour of the one or two largest objects on a background given per row."""
    different = np.linalg.norm(frame - rows[:, None], axis=-1) > SEPARATION
    _, labels, stats, centres = cv2.connectedComponentsWithStats(different.astype(np.uint8), connectivity=4)
    areas = stats[:, cv2.CC_STAT_AREA]
    largest = 1 + np.argsort(-areas[1:])[:2]
    found = []
    for label in (k for k in largest if areas[k] >= max(MIN_AREA, MIN_SECOND * areas[largest[0]])):
        mask = labels == label
        inner = cv2.erode(mask.astype(np.uint8), np.ones((3, 3))) > 0
        found.append((mask, centres[label], np.median(frame[inner if inner.sum() > 20 else mask], 0)))
    if len(found) == 2:  # first what is above, or on the left
        (ax, ay), (bx, by) = found[0][1], found[1][1]
        if (ay > by) if abs(ay - by) > abs(ax - bx) else (ax > bx):
            found.reverse()
    return found


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


def _motion(path: np.ndarray, radii: np.ndarray) -> str:
    """The words for a way; none if the object stays where it is."""
    growth = radii[-3:].mean() / radii[:3].mean()
    if max(growth, 1 / growth) > GROWTH:
        return "growing" if growth > 1 else "shrinking"
    around = path - path.mean(0)
    angles = np.unwrap(np.arctan2(around[:, 1], around[:, 0]))
    if abs(angles[-1] - angles[0]) > MIN_TURN * 2 * np.pi and np.linalg.norm(around, axis=1).mean() > MIN_ORBIT:
        return "circling"
    dx, dy = path[-3:].mean(0) - path[:3].mean(0)
    across, along = abs(dx), abs(dy)
    if max(across, along) < MIN_TRAVEL:
        return ""
    words = []
    if along >= DIAGONAL * across:
        words.append("down" if dy > 0 else "up")
    if across >= DIAGONAL * along:
        words.append("right" if dx > 0 else "left")
    return " ".join(["moving", *words])


def _speed(path: np.ndarray, motion: str) -> str | None:
    """The word for the length of a straight way, compared with the usual one of its direction."""
    words = motion.split()[1:]
    if not words:
        return None
    across, along = USUAL_TRAVEL[len(words)]
    usual = [across * bool({"left", "right"} & set(words)), along * bool({"up", "down"} & set(words))]
    frames = len(path)
    share = np.linalg.norm(path[-3:].mean(0) - path[:3].mean(0)) / (np.linalg.norm(usual) * (frames - 3) / (frames - 1))
    return "slowly" if share < SLOW else "quickly" if share > QUICK else ""


def _radii(masks: list[np.ndarray], shape: str) -> np.ndarray:
    return np.array([np.sqrt(mask.sum() / _UNIT[shape][0]) for mask in masks])


def _analyse_object(track: list) -> dict:
    """What is to be seen of an object that was found in most frames."""
    masks, path = [mask for mask, *_ in track], np.array([centre for _, centre, _ in track])
    per_frame = {s: [_overlap(m, s) for m in masks[::3]] for s in data.SHAPES}
    overlaps = {s: float(np.mean(values)) for s, values in per_frame.items()}
    best = max(overlaps, key=overlaps.get)
    radii = _radii(masks, best)
    radius, motion = float(np.median(radii)), _motion(path, radii)
    return dict(
        colour=_nearest(np.median([colour for *_, colour in track], 0), data.COLOURS),
        shape=best if overlaps[best] >= MIN_OVERLAP else None, overlap=overlaps[best],
        worst_overlap=float(np.min(per_frame[best])),
        size="small" if radius < SMALL else "big" if radius > BIG else "",
        motion=motion, speed=_speed(path, motion),
        jump=float(np.linalg.norm(np.diff(path, axis=0), axis=1).max()),
    )


def analyse(clip: np.ndarray) -> dict:
    """What is to be seen in a clip, uint8 [T,H,W,3]: the background, and one object or two."""
    if clip.shape[1:3] != (data.HEIGHT, data.WIDTH):
        clip = np.stack([cv2.resize(f, (data.WIDTH, data.HEIGHT), interpolation=cv2.INTER_AREA) for f in clip])
    frames = clip.astype(np.float32)
    rows = np.median(frames.transpose(1, 0, 2, 3).reshape(data.HEIGHT, -1, 3), axis=1)
    found = [_objects(frame, rows) for frame in frames]
    count = next((k for k in (2, 1) if sum(len(objects) >= k for objects in found) >= 0.7 * len(frames)), 0)
    tracks = [[objects[k] for objects in found if len(objects) >= count] for k in range(count)]
    return dict(background=_nearest(rows[_RIM].mean(0), _BACKGROUNDS), objects=[_analyse_object(t) for t in tracks])


def judge(subject: data.Subject, clip: np.ndarray) -> tuple[dict, dict]:
    """Which properties are right, and what was seen."""
    seen, things = analyse(clip), subject.things()
    objects = seen["objects"]

    def all_objects(wanted: list, name: str) -> bool:
        return len(objects) == len(things) and [o[name] for o in objects] == wanted

    right = dict(
        colour=all_objects([colour for colour, _ in things], "colour"),
        background=seen["background"] == subject.background,
        shape=all_objects([shape for _, shape in things], "shape"),
        motion=all_objects([subject.motion] * len(things), "motion"),
    )
    for name in ("size", "speed"):
        if word := getattr(subject, name):
            right[name] = all_objects([word], name)
    return right, seen


def shares(verdicts: list[dict]) -> dict:
    """How often each property is right where it is asked for, and how often all of a clip are."""
    names = dict.fromkeys(name for verdict in verdicts for name in verdict)
    result = {name: float(np.mean([v[name] for v in verdicts if name in v])) for name in names}
    result["all"] = float(np.mean([all(v.values()) for v in verdicts]))
    return result


if __name__ == "__main__":  # the judge must find everything right in drawn clips
    rng = np.random.default_rng(5)
    groups = {"held out": data.HELD_OUT, "diagonal": data.HELD_OUT_DIAGONAL, "other motions": data.HELD_OUT_OTHER,
              "two shapes": random.Random(1).sample(data.HELD_OUT_PAIRS, 200),
              "sizes and speeds": [s for s in map(data.training_subject, range(1200)) if s.size or s.speed]}
    for name, subjects in groups.items():
        print(name, shares([judge(s, data.render(s, rng))[0] for s in subjects]))
