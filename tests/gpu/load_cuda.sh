#!/usr/bin/env bash
# Downloads the real CUDA part of LibTorch (2.5 GB) with `kinescope-cli gpu-support`, and loads it as the program does. It
# needs no card and no driver: without one, the libraries load and the request for memory on the card fails.
#
#   tests/gpu/load_cuda.sh [BUILD_FOLDER]     KINESCOPE_GPU_DATA=DIR keeps the download there; default: a temporary folder
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${1:-$root/build}
cli=$build/bin/kinescope-cli
[ -x "$cli" ] || { echo "load_cuda.sh: there is no $cli; build kinescope-cli first" >&2; exit 2; }
cmake --build "$build" --target load_cuda >&2

if [ -n "${KINESCOPE_GPU_DATA:-}" ]; then
    data=$KINESCOPE_GPU_DATA
else
    data=$(mktemp -d)
    trap 'rm -rf "$data"' EXIT
fi
export XDG_DATA_HOME=$data

begin=$EPOCHREALTIME
"$cli" gpu-support install --without-driver
awk "BEGIN {printf \"installed in %.0f s\n\", $EPOCHREALTIME - $begin}"
"$cli" gpu-support status
backend=$(find "$data" -name libtorch_cuda.so)
begin=$EPOCHREALTIME
"$build/bin/load_cuda" "$backend"
awk "BEGIN {printf \"loaded in %.1f s\n\", $EPOCHREALTIME - $begin}"
