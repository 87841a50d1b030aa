#!/usr/bin/env python3
"""Makes the folders beside itself from golden cases: make_fixtures.py GOLDEN_LTX

  t2v/          0.9.0: the whole model, its request, what is expected of it, and one forward of each component
  i2v/          0.9.1: image to video, decoder with timestep and noise of its own
  condition/    0.9.5: two pictures at given frames
  single_file/  0.9.1: denoiser and VAE in one file with the original names; the other parts are those of t2v

All share the tokenizer of t2v. The golden cases are made by the reference's own classes with random weights (diffusers
0.42.1, transformers 5.23.0, torch 2.11.0, float32, CPU). Needs nothing but Python.
"""

import json
import pathlib
import shutil
import sys

FOLDER = pathlib.Path(__file__).parent
GOLDEN = pathlib.Path(sys.argv[1])
TOKENIZER = "../t2v/model/tokenizer"


def copy(source: str, target: str) -> None:
    (FOLDER / target).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(GOLDEN / source, FOLDER / target)


def copy_request(case: str, target: str, changes: dict) -> None:
    request = json.loads((GOLDEN / case / "request.json").read_text())
    (FOLDER / target / "request.json").write_text(json.dumps(request | changes, indent=2) + "\n")


def copy_case(case: str) -> None:
    shutil.rmtree(FOLDER / case, ignore_errors=True)
    for source in sorted((GOLDEN / case).rglob("*")):
        name = source.relative_to(GOLDEN)
        shared = case != "t2v" and source.parent.name == "tokenizer"
        if source.is_file() and source.name != "CASE.md" and not shared:
            copy(str(name), str(name))
    copy_request(case, case, {} if case == "t2v" else {"tokenizer": TOKENIZER})


def copy_single_file() -> None:
    shutil.rmtree(FOLDER / "single_file", ignore_errors=True)
    file = "model/ltx-video-tiny-v0.9.1.safetensors"
    for name in ("expected.safetensors", file):
        copy(f"t2v_single_file/{name}", f"single_file/{name}")
    copy_request("t2v_single_file", "single_file", {})


def main() -> None:
    for case in ("t2v", "i2v", "condition"):
        copy_case(case)
    copy_single_file()


if __name__ == "__main__":
    main()
