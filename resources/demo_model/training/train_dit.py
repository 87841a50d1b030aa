"""Train the denoiser and its text encoder together, as a rectified flow on latents.

    python train_dit.py --data DATA_FOLDER --out dit.pt --minutes 70

The learning rate follows the share of the time budget that has been used, summed over
all runs: start the same command again to resume from the newest checkpoint.

Every worker process computes its part of the batch on one thread; they meet once per
step to add their gradients.  On a shared machine that is much faster than many threads
in one process, which would wait for each other in every layer.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # before torch: be kind on shared cores

import argparse
import copy
import random
import tempfile
import time
from pathlib import Path

import numpy as np
import sentencepiece
import torch
import torch.distributed as dist
import torch.nn.functional as F

import data
import dit
import tokenizer
from optim import Muon, save_atomically

FLOW_SHIFT = 8.0  # the layout is decided at high noise and is the hardest to learn
LAYOUT_SHARE, LAYOUT_LEVELS = 0.35, (0.95, 1.0)  # where only the text tells what is where, the first steps of a sampler
EMPTY_SHARE = 0.05
EXCHANGEABLE_WEIGHT = 4.0  # more practice for prompts whose colours are easily mixed up,
PAIR_WEIGHT, TWINS_WEIGHT = 2.0, 12.0  # for two shapes, and two that differ in color only,
MOTION_WEIGHT = 3.0  # for motions that are not straight,
SIZE_OR_SPEED_WEIGHT = 2.0  # and for words that change little of the picture
SAVE_EVERY = 60  # seconds


def practice(subject: data.Subject) -> float:
    """How often the clips of a subject are used, compared with the easiest ones."""
    if subject.second_shape:
        return TWINS_WEIGHT if subject.shape == subject.second_shape else PAIR_WEIGHT
    weight = EXCHANGEABLE_WEIGHT if data.exchangeable(subject) else 1.0
    if subject.motion in data.OTHERS:
        weight *= MOTION_WEIGHT
    return weight * (SIZE_OR_SPEED_WEIGHT if subject.size or subject.speed else 1.0)


class Captions:
    """Random captions of subjects as token ids and masks."""

    def __init__(self, model_file: Path):
        self.tokenizer = sentencepiece.SentencePieceProcessor(model_file=str(model_file))
        count = self.tokenizer.get_piece_size()
        self.originals = tokenizer.numbers_of_originals([self.tokenizer.id_to_piece(i) for i in range(count)])
        self.rng = random.Random()

    def batch(self, subjects) -> tuple[torch.Tensor, torch.Tensor]:
        ids = torch.zeros(len(subjects), dit.MAX_TOKENS, dtype=torch.long)
        mask = torch.zeros_like(ids)
        for row, subject in enumerate(subjects):
            empty = self.rng.random() < EMPTY_SHARE
            text = "" if empty else data.random_caption(subject, self.rng)
            tokens = [self.originals[i] for i in self.tokenizer.encode(text)][: dit.MAX_TOKENS - 1] + [1]
            ids[row, : len(tokens)] = torch.tensor(tokens)
            mask[row, : len(tokens)] = 1
        return ids, mask


def noise_levels(count: int) -> torch.Tensor:
    """Stratified logit-normal noise levels 0..1, shifted towards noise; a part at high noise, a tenth uniform."""
    strata = (torch.rand(count) + torch.arange(count)) / count
    level = torch.sigmoid(torch.special.ndtri(strata.clamp(1e-4, 1 - 1e-4)))
    level = FLOW_SHIFT * level / (1 + (FLOW_SHIFT - 1) * level)
    level = torch.where(torch.rand(count) < LAYOUT_SHARE, torch.empty(count).uniform_(*LAYOUT_LEVELS), level)
    return torch.where(torch.rand(count) < 0.1, torch.rand(count), level)


def learning_rate(progress: float, step: int) -> float:
    """Warm up, hold, then fall linearly; a share of the full rate."""
    return min(1, (step + 1) / 60) * min(1, max(0.02, (1 - progress) / 0.65))


class Trainer:
    """Model, optimisers, averages and data of one worker."""

    def __init__(self, args, rank: int):
        self.args, self.rank = args, rank
        torch.manual_seed(0)
        self.latents = torch.from_numpy(np.load(args.data / "latents.npy"))
        self.subjects = [data.training_subject(i) for i in range(len(self.latents))]
        assert {s.plain() for s in self.subjects} <= set(data.ALL_TRAIN)
        self.weights = torch.tensor([practice(s) for s in self.subjects])
        self.captions = Captions(args.data / "tokenizer" / "spiece.model")
        if args.start:
            self.model, self.encoder = dit.load(args.start)
        else:
            self.model, self.encoder = dit.build_denoiser(), dit.build_text_encoder(tokenizer.count_of_originals())
        self.average = copy.deepcopy(self.model)
        self.average_encoder = copy.deepcopy(self.encoder)
        self.trained = [*self.model.parameters(), *self.encoder.parameters()]
        self.averaged = [*self.average.parameters(), *self.average_encoder.parameters()]
        self._make_optimisers()
        self.block = torch.compile(dit.block_function, dynamic=False)
        self.rotary = dit.rotary_tables(self.model, self.latents[:1].float())
        self.step, self.used, self.elapsed = 0, 0.0, 0.0
        self._resume()
        self.captions.rng.seed(self.step * args.workers + rank)
        torch.manual_seed(self.step * args.workers + rank)

    def _make_optimisers(self) -> None:
        """Muon for the matrices of the blocks, AdamW for all else.

        Muon's work is shared: each worker updates its part of the matrices.
        """
        self.matrices = [p for p in self.model.blocks.parameters() if p.dim() == 2]
        chosen = {id(p) for p in self.matrices}
        rest = [p for p in self.model.parameters() if id(p) not in chosen]
        self.muon = [
            Muon(self.matrices[part::self.args.workers], momentum=0.95, weight_decay=0.01)
            for part in range(self.args.workers)
        ]
        self.adam = torch.optim.AdamW(
            [dict(params=rest, factor=0.5), dict(params=list(self.encoder.parameters()), factor=0.8)],
            lr=1e-3, betas=(0.9, 0.98), weight_decay=0.0,
        )

    # ------------------------------------------------------------ checkpoints

    def _parts(self) -> dict:
        return dict(model=self.model, encoder=self.encoder, average=self.average,
                    average_encoder=self.average_encoder, adam=self.adam)

    def _resume(self) -> None:
        if not self.args.out.exists():
            return
        state = torch.load(self.args.out)
        for name, part in self._parts().items():
            if name in state:  # mark_words.py leaves out the momentum
                part.load_state_dict(state[name])
        self.step = state["step"]
        self.used = 0.0 if self.args.restart_schedule else state["seconds"]
        if self.rank == 0:
            print(f"resumed at step {self.step}, {self.used:.0f} s", flush=True)

    def save(self) -> None:
        """Everything but Muon's momentum, which rebuilds itself within some steps."""
        state = {name: part.state_dict() for name, part in self._parts().items()}
        save_atomically(dict(**state, step=self.step, seconds=self.used), self.args.out)

    # ------------------------------------------------------------ steps

    def loss(self) -> torch.Tensor:
        """Mean squared error of the velocity on this worker's part of a batch."""
        count = self.args.batch // self.args.workers
        picks = torch.multinomial(self.weights, count)
        clean = self.latents[picks].float()
        tokens = self.captions.batch([self.subjects[i] for i in picks.tolist()])
        text, bias = dit.encode_text(self.encoder, *tokens)
        level, noise = noise_levels(count), torch.randn_like(clean)
        noisy = torch.lerp(clean, noise, level.view(-1, 1, 1, 1, 1))
        velocity = dit.forward(self.model, noisy, level * 1000, text, bias, self.rotary, self.block)
        return F.mse_loss(velocity, noise - clean)

    def train_step(self) -> float:
        """One step of all workers together; returns the mean loss."""
        loss = self.loss()
        loss.backward()
        # Gradients, loss and the first worker's clock travel in one message.
        clock = (self.used + self.elapsed) * self.args.workers if self.rank == 0 else 0.0
        message = torch.cat([p.grad.flatten() for p in self.trained] + [torch.tensor([loss.item(), clock])])
        dist.all_reduce(message)
        message /= self.args.workers
        *gradients, mean_loss, self.used = *message[:-2].split([p.numel() for p in self.trained]), *message[-2:].tolist()
        for p, gradient in zip(self.trained, gradients):
            p.grad.copy_(gradient.view_as(p))
        torch.nn.utils.clip_grad_norm_(self.trained, 1.0)
        self._update()
        self.step += 1
        decay = min(0.998, 1 - 1 / (self.step * 0.1 + 1))
        with torch.no_grad():
            torch._foreach_lerp_(self.averaged, self.trained, 1 - decay)
        return mean_loss

    @torch.no_grad()
    def _update(self) -> None:
        rate = self.args.rate * learning_rate(self.used / (self.args.minutes * 60), self.step)
        for group in self.adam.param_groups:
            group["lr"] = rate * group["factor"]
        self.adam.step()
        own = self.muon[self.rank]
        own.param_groups[0]["lr"] = rate
        own.step()
        for part in range(self.args.workers):
            matrices = self.matrices[part::self.args.workers]
            values = torch.cat([p.flatten() for p in matrices])
            dist.broadcast(values, part)
            for p, value in zip(matrices, values.split([p.numel() for p in matrices])):
                p.copy_(value.view_as(p))
        for p in self.trained:
            p.grad = None

    def run(self) -> None:
        """Train until the time budget is used up."""
        log, saved, last = [], time.time(), None
        while self.used < self.args.minutes * 60:
            log.append(self.train_step())
            now = time.process_time()  # the training may run beside other work
            self.elapsed = now - last if last else 0.0  # compiling, in the first step, is not counted
            last = now
            if self.rank == 0 and self.step % 50 == 0:
                print(f"{self.step} {self.used:.0f}s loss {np.mean(log):.4f}", flush=True)
                log = []
            if self.rank == 0 and time.time() - saved > SAVE_EVERY:
                self.save()
                saved = time.time()
        if self.rank == 0:
            self.save()


def worker(rank: int, args, meeting: str) -> None:
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=args.workers)
    Trainer(args, rank).run()
    dist.destroy_process_group()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="model folder to train further, if there is no checkpoint yet")
    parser.add_argument("--minutes", type=float, default=70, help="time budget over all runs, of the processor")
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--workers", type=int, default=2, help="processes, one thread each")
    parser.add_argument("--restart-schedule", action="store_true",
                        help="keep the weights of the checkpoint but begin a new time budget")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        torch.multiprocessing.spawn(worker, (args, f"{folder}/meeting"), nprocs=args.workers)


if __name__ == "__main__":
    main()
