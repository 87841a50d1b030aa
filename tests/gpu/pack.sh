#!/usr/bin/env bash
# Packs the headless program with what it needs besides LibTorch, for a machine that only has a CUDA device and LibTorch.
#
#   tests/gpu/pack.sh OUT.tar.xz [CASE_DIR...]
#
# CASE_DIR: golden cases (folders with request.json) to take along; run.sh verifies them. Needs build/bin/kinescope-cli.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$(realpath -m "$1")
shift
limit=$((60 << 20))  # bytes
program=$root/build/bin/kinescope-cli
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p "$stage/kinescope/bin" "$stage/kinescope/lib" "$stage/kinescope/share" "$stage/kinescope/cases"

# The host's own C library, and LibTorch with what lies beside it, are not packed.
needed=$(ldd "$program" | awk '/=> \//{print $3}' | grep -vE '/(libc|libm|libdl|librt|libpthread)\.so|/torch/lib/|/nvidia/')
declare -A paths=()
for path in $needed; do paths[${path##*/}]=$path; done
path_of() {  # the library whose name begins so
    local name
    for name in "${!paths[@]}"; do
        if [[ $name == "$1"* ]]; then echo "${paths[$name]}"; return; fi
    done
}

# OpenCV's image reader is linked to GDAL for maps, which this program never reads; GDAL's hundred libraries are left out:
# a stand-in of the same name answers 0 to each of its functions.
stand_in() {  # LIBRARY, USER
    local names
    names=$(comm -12 <(nm -D --defined-only "$1" | awk '{print $NF}' | sed 's/@.*//' | sort -u) \
                     <(nm -D --undefined-only "$2" | awk '{print $NF}' | sed 's/@.*//' | sort -u))
    for name in $names; do printf '.globl %s\n.type %s,@function\n%s: xorl %%eax,%%eax\nret\n' "$name" "$name" "$name"; done |
        gcc -shared -nostdlib -Wl,-soname,"$(basename "$1")" -x assembler - -o "$stage/kinescope/lib/$(basename "$1")"
}

install -s "$program" "$stage/kinescope/bin/kinescope-cli"
gdal=$(path_of libgdal.so)
if [ -n "$gdal" ]; then stand_in "$gdal" "$(path_of libopencv_imgcodecs.so)"; fi
# What is left without GDAL: followed from library to library.
collect() {
    local library path
    for library in $(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
        path=${paths[$library]:-}
        [ -n "$path" ] && [ ! -e "$stage/kinescope/lib/$library" ] || continue
        install "$path" "$stage/kinescope/lib/$library"
        strip --strip-unneeded "$stage/kinescope/lib/$library" 2>/dev/null || true
        collect "$path"
    done
}
collect "$program"

cp -rL "$root/resources" "$stage/kinescope/share/kinescope"
rm -rf "$stage/kinescope/share/kinescope/"{icons,themes,pictures,demo_model/training,*.qrc,CMakeLists.txt}
for case_dir in "$@"; do
    case_dir=$(realpath "$case_dir")
    # A case may name files of its neighbours: the family's folder keeps its shape.
    family=$(basename "$(dirname "$case_dir")")
    mkdir -p "$stage/kinescope/cases/$family"
    cp -r "$case_dir" "$stage/kinescope/cases/$family/"
done
cp "$root/tests/gpu/run.sh" "$root/tests/gpu/report.py" "$stage/kinescope/"

tar -C "$stage" -c kinescope | xz -9 -T0 >"$out"
size=$(stat -c %s "$out")
echo "$out: $((size >> 10)) KiB, $(find "$stage/kinescope/lib" -type f | wc -l) libraries, $# cases"
if [ "$size" -ge "$limit" ]; then echo "larger than the limit of $((limit >> 20)) MiB" >&2; exit 1; fi
