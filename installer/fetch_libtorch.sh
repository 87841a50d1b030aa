#!/usr/bin/env bash
# Prints the folder of LibTorch 2.11.0 (include/ and lib/). The first call downloads it from PyPI into a cache folder:
#   ${KINESCOPE_CACHE:-${XDG_CACHE_HOME:-~/.cache}/kinescope}/libtorch-2.11.0
# fetch_libtorch.sh --cuda adds the CUDA backend and NVIDIA's libraries, 2.5 GB, to the same folder.
# Only the folder's name goes to stdout. Concurrent calls wait for each other. An interrupted download keeps complete
# files for the next call. The final folder is always complete.
set -euo pipefail
exec 3>&1 1>&2  # output of pip and other programs goes to stderr

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${KINESCOPE_CACHE:-${XDG_CACHE_HOME:-${HOME:?set KINESCOPE_CACHE, there is no home folder}/.cache}/kinescope}
final=$cache/libtorch-2.11.0
downloads=$cache/downloads
needed_kib=$((1300 * 1024))  # for the wheels and the unpacked files
cuda_downloads=$cache/downloads-cuda
cuda_needed_kib=$((3200 * 1024))  # each wheel is deleted once it is unpacked
want_cuda=
[ "${1:-}" != --cuda ] || want_cuda=1

fail() {
    echo "fetch_libtorch: $1" >&2
    exit 1
}

# The libraries find each other by relative paths, so the wheels are unpacked side by side. An interrupted call leaves
# no marker, so that the next one unpacks again.
is_whole() { cmp -s "$here/libtorch.txt" "$final/.whole"; }
has_cuda() { [ -z "$want_cuda" ] || cmp -s "$here/libtorch_cuda.txt" "$final/.whole_cuda"; }

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

# require_space KIB WHAT
require_space() {
    local free_kib
    free_kib=$(df -Pk "$cache" | awk 'NR == 2 {print $4}')
    [ "$free_kib" -ge "$1" ] ||
        fail "$cache has $((free_kib / 1024)) MiB free, but $2 needs $(($1 / 1024)) MiB during unpacking. Set KINESCOPE_CACHE to a folder with more space."
}

check_machine() {
    [ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] ||
        fail "this script supports only Linux on x86_64, not $(uname -s) on $(uname -m). Unpack the torch 2.11.0 wheel of this system and configure with -DKINESCOPE_LIBTORCH=DIR, where DIR holds include/ and lib/."
    require_space "$needed_kib" LibTorch
}

# pip uses the user's index and proxy settings and rejects files with a different hash. Each call downloads one file, so
# that complete files survive a failed attempt.
# download PYTHON FOLDER REQUIREMENT
download() {
    local python=$1 folder=$2 requirement=$3 platform platforms=() attempt
    for platform in manylinux_2_28 manylinux_2_27 manylinux_2_25 manylinux_2_18 manylinux_2_17 manylinux2014 manylinux_2_12 manylinux2010; do
        platforms+=(--platform "${platform}_x86_64")
    done
    for attempt in 1 2 3; do
        TMPDIR=$folder "$python" -m pip download --quiet --no-cache-dir --disable-pip-version-check --no-input \
            --no-deps --only-binary=:all: --implementation cp --python-version 3.11 "${platforms[@]}" \
            --require-hashes --requirement <(echo "$requirement") --dest "$folder" </dev/null && return
        echo "fetch_libtorch: attempt $attempt of 3 failed" >&2
    done
    fail "${requirement%% *} could not be downloaded; see the lines above. Complete files are kept in $folder for the next call."
}

requirements() { grep -v '^#' "$1"; }

download_all() {
    local requirement
    while read -r requirement; do download "$1" "$downloads" "$requirement"; done < <(requirements "$here/libtorch.txt")
}

# Unpacks the headers and the libraries that libtorch_cpu needs. Skips the CUDA backend and Python files.
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
    if [ -n "$want_cuda" ]; then  # the CUDA backend is in the same wheel
        mkdir -p "$cuda_downloads"
        mv "$downloads"/torch-*.whl "$cuda_downloads"
    fi
    rm -rf "$downloads"
}

# Unpacks the wheel that was downloaded and deletes it. The members are those that the program itself installs.
unpack_cuda() {
    "$1" - "$cuda_downloads" "$here/../resources/gpu_support.json" <<'PYTHON'
import json, pathlib, sys, zipfile
downloads, manifest = map(pathlib.Path, sys.argv[1:])
members = {wheel["file"]: wheel["members"] for wheel in json.loads(manifest.read_text())["wheels"]}
for wheel in downloads.glob("*.whl"):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(downloads / "unpacked", members[wheel.name])
    wheel.unlink()
PYTHON
}

# Every library moves to its place, and libtorch_cuda.so last: where it is, all that it needs is there.
publish_cuda() {
    local file
    (cd "$cuda_downloads/unpacked" && find . -type f ! -name libtorch_cuda.so) | while read -r file; do
        mkdir -p "$(dirname "$final/$file")"
        mv "$cuda_downloads/unpacked/$file" "$final/$file"
    done
    [ -e "$final/torch/lib/libtorch_cuda.so" ] || mv "$cuda_downloads/unpacked/torch/lib/libtorch_cuda.so" "$final/torch/lib/"
    cp "$here/libtorch_cuda.txt" "$final/.whole_cuda"
    rm -rf "$cuda_downloads"
}

# A wheel that was unpacked by an interrupted call is listed in the file "done".
fetch_cuda() {
    local python requirement finished=$cuda_downloads/done
    python=$(python_with_pip)
    mkdir -p "$cuda_downloads/unpacked"
    touch "$finished"
    require_space $((cuda_needed_kib - $(du -sk "$cuda_downloads" | cut -f1))) "the CUDA backend"
    echo "fetch_libtorch: downloading the CUDA backend of LibTorch (2.5 GB, once) into $cache" >&2
    while read -r requirement; do
        ! grep -qxF "$requirement" "$finished" || continue
        echo "fetch_libtorch: ${requirement%% *}" >&2
        download "$python" "$cuda_downloads" "$requirement"
        unpack_cuda "$python"
        echo "$requirement" >>"$finished"
    done < <(requirements "$here/libtorch_cuda.txt")
    publish_cuda
}

if ! is_whole || ! has_cuda; then
    mkdir -p "$cache" || fail "$cache cannot be created; set KINESCOPE_CACHE to a writable folder"
    exec 9>"$cache/lock"
    flock 9
    is_whole || fetch
    has_cuda || fetch_cuda
fi
echo "$final/torch" >&3
