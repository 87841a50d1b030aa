"""The kinds of work that a profile distinguishes, by the names that `kinescope-cli bench` gives them."""

from __future__ import annotations

# Part of the name of one of torch's ops, and what that makes it; the first that fits counts.  The rotary embedding of
# diffusers is multiplications like others: only that by complex numbers can be told.
SITES = [("attention", "attention"), ("softmax", "attention"), ("conv", "convolution"), ("mm", "gemm"),
         ("linear", "gemm"), ("complex", "rope"), ("polar", "rope"), ("norm", "norm"), ("gelu", "activation"),
         ("silu", "activation"), ("copy", "copy"), ("clone", "copy"), ("::cat", "copy"), ("index", "copy"),
         ("pad", "copy"), ("upsample", "copy"), ("::add", "elementwise"), ("::mul", "elementwise"),
         ("::sub", "elementwise"), ("::div", "elementwise")]


def site_of(op: str) -> str:
    return next((site for part, site in SITES if part in op), "other")
