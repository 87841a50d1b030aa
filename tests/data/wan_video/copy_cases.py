#!/usr/bin/env python3
"""Copies the golden cases of video to video and VACE, which the reference's own classes made from seeds, and lets them
share the tokenizer of wan_t2v. Predictions are left out, because the latents after each step show the same.

Usage: copy_cases.py GOLDEN_WAN_FOLDER
"""

import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from safetensors_files import read_tensors, write_tensors

CASES = {"v2v_strength": "v2v", "vace_reference": "vace", "vace_inpaint": "inpaint", "vace_extend": "extend"}
HERE = pathlib.Path(__file__).parent


def adapt_request(case):
    request = json.loads((case / "request.json").read_text())
    request["model"] = request["model"].replace("vace_reference", "vace")
    request["tokenizer"] = "../../wan_t2v/model/tokenizer"
    (case / "request.json").write_text(json.dumps(request, indent=2) + "\n")


def copy_case(source, target):
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("tokenizer", "CASE.md"),
                    copy_function=shutil.copyfile)
    for path in [target, *target.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    tensors = read_tensors(target / "expected.safetensors")
    write_tensors(target / "expected.safetensors",
                  {name: value for name, value in tensors.items() if not name.startswith("noise_pred_")})
    adapt_request(target)


for name, folder in CASES.items():
    copy_case(pathlib.Path(sys.argv[1]) / name, HERE / folder)
