#!/usr/bin/env bash
# make_environment.sh FOLDER: creates a Python environment from PyPI with the packages that Kinescope is compared with.
# For development only. Takes 6 GB, because torch's wheel needs the CUDA libraries even without a GPU.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${1:?make_environment.sh FOLDER}

python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --requirement "$here/requirements.txt"
"$folder/bin/python" -c 'import cv2, diffusers, matplotlib, torch, transformers'
echo "$folder/bin/python"
