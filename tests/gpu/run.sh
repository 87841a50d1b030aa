#!/usr/bin/env bash
# Runs the packed program on this machine's GPU, for everything that only real kernels can test. Writes the results as
# one JSON document and a table.
# |   ./run.sh [--device cuda] [--torch DIR] [--out DIR] [--repeats 5]
# | --torch: a folder with lib/libtorch_cpu.so of LibTorch 2.11.0. Default: the one inside Python's torch package.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
device=cuda
torch=
out=$PWD/kinescope-gpu
repeats=5  # of each measurement
while [ $# -gt 0 ]; do
    case $1 in
        --device) device=$2 ;;
        --torch) torch=$2 ;;
        --out) out=$2 ;;
        --repeats) repeats=$2 ;;
        *) echo "run.sh: $1 is an unknown option" >&2; exit 2 ;;
    esac
    shift 2
done
python=$(command -v python3 || true)
if [ -z "$torch" ]; then
    torch=$("$python" -c 'import importlib.util, os; print(os.path.dirname(importlib.util.find_spec("torch").origin))') || exit 2
fi
mkdir -p "$out"
export LC_ALL=C
export XDG_CACHE_HOME=$out/cache XDG_CONFIG_HOME=$out/config
# Keeps the old value, which may contain the driver's folder.
export LD_LIBRARY_PATH=$torch/lib:$here/lib:$(echo "$(dirname "$torch")"/nvidia/*/lib | tr ' ' ':')${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
cli=$here/bin/kinescope-cli

# NAME COMMAND...: writes stdout to NAME.json, stderr to NAME.log, exit code and seconds to NAME.exit.
step() {
    local name=$1 begin code
    shift
    begin=$EPOCHREALTIME
    timeout 600 "$@" >"$out/$name.json" 2>"$out/$name.log"
    code=$?
    echo "$code $(awk "BEGIN {printf \"%.2f\", $EPOCHREALTIME - $begin}")" >"$out/$name.exit"
    echo "$name: exit code $code"
}

step doctor "$cli" doctor --fresh --json
mapfile -t cases < <(find "$here/cases" -name request.json -printf '%h\n' | sort)
clean=() overflow=()
for case_dir in "${cases[@]}"; do
    [[ -f $case_dir/expected.safetensors ]] || continue
    if [[ $case_dir == *overflow* ]]; then overflow+=("$case_dir"); else clean+=("$case_dir"); fi
done
for dtype in fp32 bf16 fp16; do
    for case_dir in "${clean[@]}"; do
        step "verify-$dtype-$(basename "$(dirname "$case_dir")")-$(basename "$case_dir")" \
            "$cli" verify "$case_dir" --device "$device" --dtype "$dtype" --json
    done
done
for case_dir in "${overflow[@]}"; do
    name=$(basename "$(dirname "$case_dir")")-$(basename "$case_dir")
    step "heal-$name" "$cli" generate --request "$case_dir/request.json" --device "$device" --dtype fp16 --json --overwrite \
        --output "$out/$name.mp4" --frames "$out/$name.safetensors" --numeric-log "$out/$name.jsonl"
done
for guard in off observe heal; do
    step "bench-$guard" "$cli" bench --prompt "a red ball on a blue background" --device "$device" --guard $guard --repeats "$repeats" --json
done
for where in cpu "$device"; do
    step "seed-$where" "$cli" generate --prompt "a red ball on a blue background" --seed 7 --device "$where" --dtype fp32 \
        --output "$out/seed-$where.mp4" --frames "$out/seed-$where.safetensors" --overwrite --json
done
"$python" "$here/report.py" "$out" "$here/cases" --device "$device"
