"""The language of the demo model: its words, how prompts are phrased in English and Chinese, and synonyms.

The words that carry meaning are the keys of `data.py` (colours, shapes, motions, backgrounds, sizes and speeds).
Synonyms and Chinese words have pieces of their own in the tokenizer, but share the embedding of the English word that
they stand for: the text encoder reads "红色的球向左移动，蓝色背景" exactly as "red ball moving left, blue background".
"""

from __future__ import annotations

import itertools

# ---------------------------------------------------------------- English

# {c} colour, {s} shape, {m} "moving left" or "growing", {b} background; only for straight motions: {d} "left", {v} "moves to
# the left"; only for two shapes: {c2} {s2}.  The first template is the canonical one.
ENGLISH = (
    "a {c} {s} {m} on a {b} background",
    "{c} {s} {m}, {b} background",
    "a {c} {s} is {m} over a {b} background",
    "a video of a {c} {s} {m} on a {b} background",
    "{b} background, {c} {s} {m}",
    "a {c} {s} on a {b} background, {m}",
    "a {s} {m} on a {b} background, the {s} is {c}",
    "the background is {b} and the {s} is {c}, {m}",
    "the {s} is {c}, the background is {b}, {m}",
    "{b} background with a {c} {s} {m}",
)
ENGLISH_STRAIGHT = (
    "a {c} {s} {v} on a {b} background",
    "a {c} {s} goes {d} across a {b} background",
    "the {s} is {c} and {v} on a {b} background",
    "the {s} is {c} and {v}, the background is {b}",
    "on a {b} background, a {c} {s} {v}",
)
ENGLISH_PAIR = (
    "a {c} {s} and a {c2} {s2} {m} on a {b} background",
    "{c} {s} and {c2} {s2} {m}, {b} background",
    "a {c} {s} and a {c2} {s2} are {m} over a {b} background",
    "a video of a {c} {s} and a {c2} {s2} {m} on a {b} background",
    "{b} background, {c} {s} and {c2} {s2} {m}",
    "a {c} {s} and a {c2} {s2} on a {b} background, {m}",
    "on a {b} background, a {c} {s} and a {c2} {s2} {m}",
    "a {c} {s} with a {c2} {s2}, {m}, background {b}",
    "{b} background with a {c} {s} and a {c2} {s2} {m}",
)
# Never used in training: the evaluation asks for them, too.
UNSEEN_ENGLISH = (
    "a {c} {s}, {m}, background {b}",
    "a {c} {s} {m} on {b}",
)
UNSEEN_ENGLISH_STRAIGHT = ("a clip of a {c} {s} flying {d} over a {b} background",)
UNSEEN_ENGLISH_PAIR = ("a clip of a {c} {s} and a {c2} {s2} {m} over a {b} background",)

SYNONYMS = {
    "purple": "violet",
    "circle": "sphere disc disk dot",
    "square": "box cube",
    "moving": "going sliding drifting traveling",
    "moves": "slides drifts travels flies move slide drift travel fly",
    "circling": "circles orbiting orbits",
    "growing": "grows expanding expands enlarging",
    "shrinking": "shrinks",
    "up": "upwards upward upper top",
    "down": "downwards downward lower bottom",
    "left": "leftwards leftward",
    "right": "rightwards rightward",
    "big": "huge giant",
    "small": "tiny",
    "quickly": "fast quick rapidly swiftly",
    "slowly": "slow gently",
    "video": "movie film animation",
    "over": "against before",
    "on": "front",
    "the": "it there",
    "while": "that which",
    "with": "has",
    "and": "by",
    "is": "are",
}

# ---------------------------------------------------------------- Chinese

CHINESE_COLOURS = {
    "red": "红 紅", "yellow": "黄 黃", "green": "绿 綠", "blue": "蓝 藍", "purple": "紫", "white": "白",
    "black": "黑", "gray": "灰",
}
CHINESE_SHAPES = {
    "ball": "球 圆球 圓球 球体 球體 圆 圓 圆形 圓形",
    "square": "方块 方塊 正方形 方形",
    "triangle": "三角形 三角",
}
CHINESE_DIRECTIONS = {"left": "左", "right": "右", "up": "上", "down": "下"}
CHINESE_SIZES = {"big": "大 大的 巨大的 很大的", "small": "小 小的 很小的"}
CHINESE_MOTIONS = {
    "circling": "绕圈 繞圈 转圈 轉圈 绕圈移动 繞圈移動 做圆周运动 做圓周運動",
    "growing": "变大 變大 逐渐变大 逐漸變大 慢慢变大 慢慢變大",
    "shrinking": "变小 變小 缩小 縮小 逐渐变小 逐漸變小 逐渐缩小 逐漸縮小",
}
CHINESE_SPEEDS = {
    "slowly": "慢慢 慢慢地 缓慢 缓慢地 緩慢 緩慢地",
    "quickly": "快速 快速地 迅速 迅速地 飞快地 飛快地",
}
CHINESE_WORDS = {
    "a": "一个 一個 一颗 一顆 一只 一隻 的 地",
    "the": "它 它们 它們 这个 這個",
    "is": "是 为 為 正在 正 着 著",
    "on": "在",
    "with": "有",
    "and": "和 并 並 且",
    "background": "背景 背景上 背景下 背景中 背景前 背景里 背景裡 背景上的",
    "moves": "移动 移動 运动 運動",
    "video": "视频 視頻 影片 一段 动画 動畫",
    "shiny": "闪亮 闪亮的 閃亮 閃亮的",
    "bright": "明亮 明亮的",
    "beautiful": "漂亮 漂亮的 美丽的 美麗的",
    "simple": "简单 简单的 簡單 簡單的",
    "smoothly": "平稳地 平穩地",
    ",": "， 、 ； ：",
    ".": "。 ！",
}
_TOWARDS = ("向", "往", "朝")
_SIDES = ("", "边", "邊", "方", "侧", "側", "面")
_MOVES = ("", "移动", "移動", "运动", "運動", "移", "走", "飞", "飛", "滑动", "滑動", "滚动", "滾動")

# {m} "向左移动" or "变大"; {d} "左"
CHINESE = (
    "{c}的{s}{m}，{b}背景",
    "{c}{s}{m}，{b}背景",
    "一个{c}的{s}{m}，背景是{b}的",
    "一个{c}{s}在{b}背景上{m}",
    "{b}背景上，一个{c}的{s}{m}",
    "{b}背景，{c}的{s}{m}",
    "{s}是{c}的，{m}，背景是{b}的",
    "一个{c}的{s}正在{b}背景上{m}",
)
CHINESE_STRAIGHT = ("{c}的{s}在{b}的背景上往{d}移动",)
CHINESE_PAIR = (
    "{c}的{s}和{c2}的{s2}{m}，{b}背景",
    "{c}{s}和{c2}{s2}{m}，{b}背景",
    "一个{c}的{s}和一个{c2}的{s2}在{b}背景上{m}",
    "{b}背景上，一个{c}{s}和一个{c2}{s2}{m}",
    "{b}背景，{c}的{s}和{c2}的{s2}{m}",
)
UNSEEN_CHINESE = (
    "在{b}背景前，{c}的{s}正{m}",
    "{b}的背景上有一个{c}的{s}，它在{m}",
)
UNSEEN_CHINESE_STRAIGHT = ("视频：{c}的{s}往{d}边移动，{b}的背景",)
UNSEEN_CHINESE_PAIR = (
    "视频：一个{c}的{s}和{c2}的{s2}{m}，{b}的背景",
    "{b}的背景上有{c}的{s}和{c2}的{s2}，它们{m}",
)


def _chinese_aliases():
    for english, stems in (*CHINESE_COLOURS.items(), ("gray", "灰")):
        for stem, ending in itertools.product(stems.split(), ("", "的", "色", "色的")):
            yield stem + ending, english
    for english, place in CHINESE_DIRECTIONS.items():
        for side, verb in itertools.product(_SIDES, _MOVES):
            yield place + side + verb, english
    for towards in _TOWARDS:
        for prefix in ("", "正", "正在", "在"):
            yield prefix + towards, "moving"
        for start, place in itertools.product("从從由", CHINESE_DIRECTIONS.values()):
            for side in _SIDES[:3]:
                yield start + place + side + towards, "moving"
    groups = (CHINESE_SHAPES, CHINESE_SIZES, CHINESE_SPEEDS, CHINESE_MOTIONS, CHINESE_WORDS)
    for english, words in itertools.chain.from_iterable(group.items() for group in groups):
        for word in words.split():
            yield word, english


def aliases() -> dict[str, str]:
    """Pieces that share the embedding of an English word; a word that starts with a space is marked so."""
    result = {}
    for english, words in SYNONYMS.items():
        for word in words.split():
            result[" " + word] = english
    for word, english in _chinese_aliases():
        result[word] = english
        result[" " + word] = english
    return result


def chinese(word: str) -> str:
    """The usual Chinese word for a colour, shape, direction, size, speed or motion."""
    if word in CHINESE_COLOURS:
        return CHINESE_COLOURS[word].split()[0] + "色"
    groups = (CHINESE_SHAPES, CHINESE_DIRECTIONS, CHINESE_SIZES, CHINESE_SPEEDS, CHINESE_MOTIONS)
    return next(group[word] for group in groups if word in group).split()[0]


def chinese_words() -> list[str]:
    """The parts of which Chinese prompts consist, for the program's hint about unknown words."""
    groups = (CHINESE_COLOURS, CHINESE_SHAPES, CHINESE_DIRECTIONS, CHINESE_SIZES, CHINESE_SPEEDS, CHINESE_MOTIONS,
              CHINESE_WORDS)
    words = [word for group in groups for entry in group.values() for word in entry.split()]
    words += [chinese(colour) for colour in CHINESE_COLOURS]
    words += [*"从從由色", *_TOWARDS, *_SIDES, *_MOVES]
    return sorted(word for word in dict.fromkeys(words) if word.strip("，、；：。！"))
