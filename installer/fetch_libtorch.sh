#!/usr/bin/env bash
# Prints the folder of LibTorch 2.11.0 (include/ and lib/). The first call downloads it from PyPI into a cache folder:
#   ${KINESCOPE_CACHE:-${XDG_CACHE_HOME:-~/.cache}/kinescope}/libtorch-2.11.0
# Only the folder's name goes to stdout. Two calls at once wait for each other; a broken download goes on where whole
# files are already there; what is in the final folder is always complete.
set -euo pipefail
exec 3>&1 1>&2  # pip and the rest speak to stderr

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${KINESCOPE_CACHE:-${XDG_CACHE_HOME:-${HOME:?set KINESCOPE_CACHE, there is no home folder}/.cache}/kinescope}
final=$cache/libtorch-2.11.0
downloads=$cache/downloads
needed_kib=$((1300 * 1024))  # the wheels and what is unpacked of them

fail() {
    echo "fetch_libtorch: $1" >&2
    exit 1
}

# The libraries find each other by paths relative to themselves, so the wheels are unpacked side by side. A call that
# was cut off leaves no marker, and the next one starts that folder again.
is_whole() { cmp -s "$here/libtorch.txt" "$final/.whole"; }

python_with_pip() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -m pip --version >/dev/null 2>&1; then
            echo "$python"
            return
        fi
    done
    fail "no python3 with pip was found; on Debian: apt-get install python3-pip"
}

check_machine() {
    [ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] ||
        fail "this script knows Linux on x86_64, and this is $(uname -s) on $(uname -m). Unpack the torch 2.11.0 wheel of this system and configure with -DKINESCOPE_LIBTORCH=DIR, where DIR holds include/ and lib/."
    local free_kib
    free_kib=$(df -Pk "$cache" | awk 'NR == 2 {print $4}')
    [ "$free_kib" -ge "$needed_kib" ] ||
        fail "$cache has $((free_kib / 1024)) MiB free, and LibTorch needs $((needed_kib / 1024)) MiB while it is unpacked. Set KINESCOPE_CACHE to a folder with more room."
}

# pip keeps to the user's index and proxy settings and refuses a file whose hash differs. One file a call: those that are
# whole stay for the next attempt.
download() {
    local python=$1 platform requirement platforms=()
    for platform in manylinux_2_28 manylinux_2_25 manylinux_2_17 manylinux2014; do
        platforms+=(--platform "${platform}_x86_64")
    done
    grep -v '^#' "$here/libtorch.txt" | while read -r requirement; do
        TMPDIR=$downloads "$python" -m pip download --quiet --no-cache-dir --disable-pip-version-check --no-input \
            --no-deps --only-binary=:all: --implementation cp --python-version 3.11 "${platforms[@]}" \
            --require-hashes --requirement <(echo "$requirement") --dest "$downloads" </dev/null || return
    done
}

download_all() {
    local attempt
    for attempt in 1 2 3; do
        download "$1" && return
        echo "fetch_libtorch: attempt $attempt of 3 failed" >&2
    done
    fail "LibTorch could not be downloaded; the lines above say why. Whole files are kept in $downloads for the next call."
}

# The headers and the libraries that a program linked to libtorch_cpu loads; the CUDA backend and Python's part stay out.
unpack() {
    "$1" - "$downloads" "$2" <<'PYTHON'
import pathlib, re, sys, zipfile
downloads, target = map(pathlib.Path, sys.argv[1:])
wanted = re.compile(r"torch/include/|torch/lib/lib(c10|torch_cpu)\.so$|torch/lib/libgomp|"
                    r"nvidia/cu13/lib/lib(cudart|cupti)\.so|[^/]*\.dist-info/licenses/")
for wheel in sorted(downloads.glob("*.whl")):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target, [name for name in archive.namelist() if wanted.match(name)])
PYTHON
}

fetch() {
    local python
    check_machine
    python=$(python_with_pip)
    echo "fetch_libtorch: downloading LibTorch 2.11.0 (545 MB, once) into $cache" >&2
    mkdir -p "$downloads"
    rm -rf "$downloads/unpacked"
    download_all "$python"
    unpack "$python" "$downloads/unpacked"
    cp "$here/libtorch.txt" "$downloads/unpacked/.whole"
    rm -rf "$final"
    mv -T "$downloads/unpacked" "$final"
    rm -rf "$downloads"
}

if ! is_whole; then
    mkdir -p "$cache" || fail "$cache cannot be made; set KINESCOPE_CACHE to a folder that can be written"
    exec 9>"$cache/lock"
    flock 9
    is_whole || fetch
fi
echo "$final/torch" >&3
