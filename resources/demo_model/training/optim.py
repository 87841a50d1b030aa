"""Muon (momentum with orthogonalised updates) for matrices and convolutions, and checkpoint helpers."""

from __future__ import annotations

import os
from pathlib import Path

import torch


class Muon(torch.optim.Optimizer):
    """Momentum whose update is orthogonalised by five Newton-Schulz steps.

    Convolution weights are treated as matrices of output channels by everything else.
    """

    def __init__(self, params, lr: float = 3e-3, momentum: float = 0.9, weight_decay: float = 0.0):
        super().__init__(params, dict(lr=lr, momentum=momentum, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self._update(p, group)

    def _update(self, p, group) -> None:
        state = self.state[p]
        if "momentum" not in state:
            state["momentum"] = torch.zeros_like(p)
        average = state["momentum"]
        average.lerp_(p.grad, 1 - group["momentum"])
        update = orthogonalise(p.grad.lerp(average, group["momentum"]).reshape(p.shape[0], -1))
        scale = 0.2 * max(update.shape) ** 0.5
        p.mul_(1 - group["lr"] * group["weight_decay"])
        p.add_(update.reshape(p.shape), alpha=-group["lr"] * scale)


def orthogonalise(matrix: torch.Tensor) -> torch.Tensor:
    """The nearest (roughly) orthogonal matrix, by Newton-Schulz iteration."""
    tall = matrix.shape[0] > matrix.shape[1]
    x = matrix.T if tall else matrix
    x = x / (x.norm() + 1e-8)
    for _ in range(5):
        a = x @ x.T
        b = torch.addmm(a, a, a, beta=-4.7750, alpha=2.0315)
        x = torch.addmm(x, b, x, beta=3.4445)
    return x.T if tall else x


def save_atomically(state: dict, path: Path) -> None:
    """Write a checkpoint so that an interruption never leaves half a file."""
    temporary = path.with_suffix(".tmp")
    torch.save(state, temporary)
    os.replace(temporary, path)
