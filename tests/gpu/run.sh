#!/usr/bin/env bash
# Runs the packed program on this machine's GPU, for everything that only real kernels can test. Writes the results as
# one JSON document, a table, and after every stage as one archive next to the folder.
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
export XDG_CACHE_HOME=$out/cache XDG_CONFIG_HOME=$out/config XDG_STATE_HOME=$out/state
# Keeps the old value, which may contain the driver's folder.
export LD_LIBRARY_PATH=$torch/lib:$here/lib:$(echo "$(dirname "$torch")"/nvidia/*/lib | tr ' ' ':')${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
cli=$here/bin/kinescope-cli

# NAME SECONDS: the steps that follow belong to this stage and share its time.
stage() {
    stage_name=$1
    stage_end=$((SECONDS + $2))
    echo "== $1"
}

# NAME COMMAND...: writes stdout to NAME.json, stderr to NAME.log, exit code and seconds to NAME.exit. 124: out of time.
step() {
    local name=$1 begin code=124 left=$((stage_end - SECONDS))
    shift
    begin=$EPOCHREALTIME
    if [ "$left" -gt 0 ]; then
        timeout "$left" "$@" >"$out/$name.json" 2>"$out/$name.log"
        code=$?
    else
        : >"$out/$name.json"
        echo "not started: the stage '$stage_name' had no time left" >"$out/$name.log"
    fi
    echo "$code $(awk "BEGIN {printf \"%.2f\", $EPOCHREALTIME - $begin}")" >"$out/$name.exit"
    echo "$name: exit code $code"
}

# Collects the results so far in one archive, so that a machine that is taken away costs only the current stage.
archive() {
    "$python" "$here/report.py" "$out" "$here/cases" --device "$device" >"$out/table.md"
    result=$?
    tar -C "$(dirname "$out")" --exclude=cache --exclude=config --exclude=state --exclude='*.mp4' -cz -f "$out.part" "$(basename "$out")" &&
        mv "$out.part" "$out.tar.gz"
}

name_of() { echo "$(basename "$(dirname "$1")")-$(basename "$1")"; }
mapfile -t cases < <(find "$here/cases" -name request.json -printf '%h\n' | sort)
clean=() overflow=()
for case_dir in "${cases[@]}"; do
    [[ -f $case_dir/expected.safetensors ]] || continue
    if [[ $case_dir == *overflow* ]]; then overflow+=("$case_dir"); else clean+=("$case_dir"); fi
done

stage start 300
step doctor "$cli" doctor --fresh --json
archive

for dtype in bf16 fp32 fp16; do
    stage "verify in $dtype" 600
    for case_dir in "${clean[@]}"; do
        step "verify-$dtype-$(name_of "$case_dir")" "$cli" verify "$case_dir" --device "$device" --dtype "$dtype" --json
    done
    archive
done

stage heal 600
for case_dir in "${overflow[@]}"; do
    name=$(name_of "$case_dir")
    step "heal-$name" "$cli" generate --request "$case_dir/request.json" --device "$device" --dtype fp16 --json --overwrite \
        --output "$out/$name.mp4" --frames "$out/$name.safetensors" --numeric-log "$out/$name.jsonl"
done
archive

stage streaming 600
for case_dir in "${clean[@]}"; do
    name=$(name_of "$case_dir")
    for offload in none blocks; do
        step "stream-$offload-$name" "$cli" generate --request "$case_dir/request.json" --device "$device" --offload $offload \
            --json --overwrite --output "$out/$name.mp4" --frames "$out/stream-$offload-$name.safetensors"
    done
done
archive

stage "same seed" 300
for where in cpu "$device"; do
    step "seed-$where" "$cli" generate --prompt "a red ball on a blue background" --seed 7 --device "$where" --dtype fp32 \
        --output "$out/seed-$where.mp4" --frames "$out/seed-$where.safetensors" --overwrite --json
done
archive

stage speed 900
for guard in off observe heal; do
    step "bench-$guard" "$cli" bench --prompt "a red ball on a blue background" --device "$device" --guard $guard --repeats "$repeats" --json
done
archive
cat "$out/table.md"
echo "results: $out.tar.gz"
exit "$result"
