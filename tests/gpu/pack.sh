#!/usr/bin/env bash
# Packs the headless program for a machine that has only a CUDA device and LibTorch.
# |   tests/gpu/pack.sh OUT.tar.xz [CASE_DIR...]
# | CASE_DIR: golden cases (folders with request.json) to include besides those of tests/data; run.sh verifies all.
# | Requires build/bin/kinescope-cli. With CUPTI (in CUDA_HOME or CUPTI_HOME), the pack can also profile kernels.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$(realpath -m "$1")
shift
limit=$((50 << 20))  # compressed bytes, without the cases
program=$root/build/bin/kinescope-cli
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p "$stage/kinescope/bin" "$stage/kinescope/lib" "$stage/kinescope/share" "$stage/kinescope/cases"

# The C library of the host, and LibTorch with its own libraries, are not packed.
needed=$(ldd "$program" | awk '/=> \//{print $3}' | grep -vE '/(libc|libm|libdl|librt|libpthread)\.so|/torch/lib/|/nvidia/')
declare -A paths=()
for path in $needed; do paths[${path##*/}]=$path; done

# FFmpeg links to a hundred codecs and protocols, of which the program uses only x264. OpenCV links to GDAL for maps, to
# readers of medical images and of OpenEXR, and to LAPACK; libcurl, which only `gpu-support` uses, to GnuTLS and
# Kerberos. These libraries and their dependencies are replaced by stubs with the same name, whose functions return 0.
is_called() {  # LIBRARY, USER
    case $2/$1 in
        libav*/libav* | libav*/libsw* | libsw*/libav* | lib*/libx264* | lib*/libdav1d* | lib*/libz.* | lib*/liblzma* | lib*/libbz2*) ;;
        libav*/* | libsw*/* | libcurl*/* | */libgdal* | */libgdcm* | */libOpenEXR* | libopencv*/liblapack* | libopencv*/libblas*) return 1 ;;
    esac
}

install -s "$program" "$stage/kinescope/bin/kinescope-cli"
declare -A stand_ins=()
# Follows the dependencies of each library.
collect() {
    local library path
    for library in $(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
        path=${paths[$library]:-}
        [ -n "$path" ] || continue
        if ! is_called "$library" "$(basename "$1")"; then stand_ins[$library]=$path; continue; fi
        [ ! -e "$stage/kinescope/lib/$library" ] || continue
        install "$path" "$stage/kinescope/lib/$library"
        strip --strip-unneeded "$stage/kinescope/lib/$library" 2>/dev/null || true
        collect "$path"
    done
}
collect "$program"

# "name version" of each symbol. The version is empty if the symbol has none.
symbols() { nm -D "--$1-only" "${@:2}" 2>/dev/null | awk 'NF > 1 {split($NF, part, "@+"); print part[1], part[2]}' | sort -u; }
symbols undefined "$stage/kinescope/lib/"* | sort -u -k 1,1 >"$stage/wanted"
stand_in() {  # LIBRARY, PATH
    symbols defined "$2" | cut -d ' ' -f 1 | sort -u | join - "$stage/wanted" >"$stage/names"
    # The loader checks the symbol versions.
    awk 'NF > 1 {names[$2] = names[$2] $1 ";"} END {for (version in names) print version " {" names[version] "};"}' \
        "$stage/names" >"$stage/versions"
    local options=()
    if [ -s "$stage/versions" ]; then options=(-Wl,--version-script="$stage/versions"); fi
    awk '{printf ".globl %s\n.type %s,@function\n%s: xorl %%eax,%%eax\nret\n", $1, $1, $1}' "$stage/names" |
        gcc -shared -nostdlib -Wl,-soname,"$1" "${options[@]}" -x assembler - -o "$stage/kinescope/lib/$1"
}
for library in "${!stand_ins[@]}"; do
    # Another library may really use it.
    if [ ! -e "$stage/kinescope/lib/$library" ]; then stand_in "$library" "${stand_ins[$library]}"; fi
done

cp -rL "$root/resources" "$stage/kinescope/share/kinescope"
rm -rf "$stage/kinescope/share/kinescope/"{icons,themes,pictures,demo_model/training,*.qrc,CMakeLists.txt}
cp "$root"/tests/gpu/{run.sh,report.py,peer.py,take_memory.py,make_formats.py} "$stage/kinescope/"
cupti=${CUPTI_HOME:-${CUDA_HOME:-/usr/local/cuda}}
if [ -e "$cupti/include/cupti.h" ]; then
    g++ -std=c++20 -O2 -shared -fPIC -I"$cupti/include" "$root/tests/gpu/kernel_profile.cpp" \
        -l:libcupti.so.13 -L"$cupti/lib" -L"$cupti/lib64" -o "$stage/kinescope/lib/libkernel_profile.so"
fi

size=$(tar -C "$stage" -cJ kinescope | wc -c)
if [ "$size" -ge "$limit" ]; then echo "larger than the limit of $((limit >> 20)) MiB: $((size >> 10)) KiB" >&2; exit 1; fi
mkdir -p "$stage/kinescope/tests/bench"
cp "$root/tests/bench/make_model.py" "$stage/kinescope/tests/bench/"
git -C "$root" ls-files -z tests/data | tar -C "$root" -c --null -T - | tar -C "$stage/kinescope" -x
for case_dir in "$@"; do
    case_dir=$(realpath "$case_dir")
    # Keeps the family's folder, because a case may refer to files of its neighbors.
    family=$(basename "$(dirname "$case_dir")")
    mkdir -p "$stage/kinescope/cases/$family"
    cp -r "$case_dir" "$stage/kinescope/cases/$family/"
done
tar -C "$stage" -caf "$out" kinescope
echo "$out: $(($(stat -c %s "$out") >> 10)) KiB; the program $((size >> 10)) KiB," \
    "$(find "$stage/kinescope/lib" -type f | wc -l) libraries, $# cases"
