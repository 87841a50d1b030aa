#!/usr/bin/env python3
"""Takes the device's free memory while another program computes, and keeps it until the program is stopped.

    take_memory.py FILE LEAVE_MIB TEXT     # waits until FILE contains TEXT, then leaves only LEAVE_MIB free
"""
import pathlib
import sys
import time

import torch

file, leave, text = pathlib.Path(sys.argv[1]), int(sys.argv[2]) << 20, sys.argv[3]
torch.empty(1, device="cuda")  # creates the context, which takes memory of its own
while not (file.exists() and text in file.read_text()):
    time.sleep(0.05)
taken = []
for part in (1 << 30, 64 << 20):
    while torch.cuda.mem_get_info()[0] > leave + part:
        taken.append(torch.empty(part, dtype=torch.uint8, device="cuda"))
print(f"took {sum(block.numel() for block in taken) >> 20} MiB", flush=True)
time.sleep(600)
