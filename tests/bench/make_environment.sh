#!/usr/bin/env bash
# make_environment.sh FOLDER: a Python environment from PyPI with what Kinescope is compared with. For development only.
# 6 GB: torch's wheel asks for the CUDA libraries on computers without a GPU, too.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${1:?make_environment.sh FOLDER}

python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --requirement "$here/requirements.txt"
"$folder/bin/python" -c 'import cv2, diffusers, matplotlib, torch, transformers'
echo "$folder/bin/python"
