#!/usr/bin/env bash
# build_sd_cpp.sh CHECKOUT BUILD_FOLDER: builds the command line of stable-diffusion.cpp for this computer's processor,
# for compare_with_sd_cpp.py. CHECKOUT is a clone of github.com/leejet/stable-diffusion.cpp with its submodule ggml.
# For development only.
set -euo pipefail
checkout=${1:?build_sd_cpp.sh CHECKOUT BUILD_FOLDER}
build=${2:?build_sd_cpp.sh CHECKOUT BUILD_FOLDER}

# This revision prints the time of each step. Many earlier ones print the mean since the start, with loading.
revision=97d2990807fe6d558e395f8764198d7c7e7b411c
[ "$(git -C "$checkout" rev-parse HEAD)" = "$revision" ] || { echo "check out $revision in $checkout" >&2; exit 2; }

cmake -S "$checkout" -B "$build" -DCMAKE_BUILD_TYPE=Release -DGGML_NATIVE=ON -DGGML_OPENMP=ON -DSD_WEBP=OFF -DSD_WEBM=OFF
cmake --build "$build" --target sd-cli --parallel "${JOBS:-2}"
echo "$build/bin/sd-cli"
