"""The kinds of work that a profile distinguishes, by the names that `kinescope-cli bench` gives them."""

from __future__ import annotations

# Substring of a torch op's name, and its kind of work. The first match applies. diffusers computes the rotary embedding
# with ordinary multiplications; only the complex variant is recognizable.
SITES = [("attention", "attention"), ("softmax", "attention"), ("conv", "convolution"), ("mm", "gemm"),
         ("linear", "gemm"), ("complex", "rope"), ("polar", "rope"), ("norm", "norm"), ("gelu", "activation"),
         ("silu", "activation"), ("copy", "copy"), ("clone", "copy"), ("::cat", "copy"), ("index", "copy"),
         ("pad", "copy"), ("upsample", "copy"), ("::add", "elementwise"), ("::mul", "elementwise"),
         ("::sub", "elementwise"), ("::div", "elementwise")]


def site_of(op: str) -> str:
    return next((site for part, site in SITES if part in op), "other")
