#!/usr/bin/env bash
# Runs the packed program on this machine's GPU, for everything that only real kernels can test. Writes the results as
# one JSON document, a table, and after every stage as one archive next to the folder.
# |   ./run.sh [--device cuda] [--torch DIR] [--out DIR] [--repeats 5] [--parallel 12] [--stages "start verify ..."]
# | --parallel: how many programs share the device where no time is measured.
# | --torch: a folder with lib/libtorch_cpu.so of LibTorch 2.11.0. Default: the one inside Python's torch package.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
device=cuda
torch=
out=$PWD/kinescope-gpu
repeats=5  # of each measurement of the built-in model
parallel=$(($(nproc) < 12 ? $(nproc) : 12))
all_stages="start verify heal streaming seed speed formats families small memory peer plain sanitizer"
stages=$all_stages
while [ $# -gt 0 ]; do
    case $1 in
        --device) device=$2 ;;
        --torch) torch=$2 ;;
        --out) out=$2 ;;
        --repeats) repeats=$2 ;;
        --parallel) parallel=$2 ;;
        --stages) stages=$2 ;;
        *) echo "run.sh: $1 is an unknown option" >&2; exit 2 ;;
    esac
    shift 2
done
for name in ${stages:-none}; do
    case " $all_stages " in *" $name "*) ;; *) echo "run.sh: '$name' is an unknown stage; known are $all_stages" >&2; exit 2 ;; esac
done
python=$(command -v python3 || true)
# Python's torch has its own libraries and must not find those of the pack.
plain_python=(env LD_LIBRARY_PATH="${LD_LIBRARY_PATH:-}" "$python")
if [ -z "$torch" ]; then
    torch=$("$python" -c 'import importlib.util, os; print(os.path.dirname(importlib.util.find_spec("torch").origin))') || exit 2
fi
mkdir -p "$out"
export LC_ALL=C
export XDG_CACHE_HOME=$out/cache XDG_CONFIG_HOME=$out/config XDG_STATE_HOME=$out/state
# Keeps the old value, which may contain the driver's folder.
export LD_LIBRARY_PATH=$torch/lib:$here/lib:$(echo "$(dirname "$torch")"/nvidia/*/lib | tr ' ' ':')${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
cli=$here/bin/kinescope-cli

# NAME SECONDS: the steps that follow belong to this stage and share its time. Returns 1 if the stage is not wanted.
stage() {
    case " $stages " in *" $1 "*) ;; *) return 1 ;; esac
    stage_name=$1
    stage_end=$((SECONDS + $2))
    echo "== $1 ($SECONDS s)"
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
    echo "$name: exit code $code, $(cut -d ' ' -f 2 "$out/$name.exit") s"
    return "$code"
}

# Runs a step beside others.
spawn() {
    while [ "$(jobs -rp | wc -l)" -ge "$parallel" ]; do wait -n; done
    step "$@" &
}

# Collects the results so far in one archive, so that a machine that is taken away costs only the current stage.
archive() {
    "${plain_python[@]}" "$here/report.py" "$out" "$here/cases" --device "$device" >"$out/table.md"
    result=$?
    tar -C "$(dirname "$out")" --exclude=cache --exclude=config --exclude=state --exclude='*.mp4' -cz -f "$out.part" "$(basename "$out")" &&
        mv "$out.part" "$out.tar.gz"
}

name_of() { echo "$(basename "$(dirname "$1")")-$(basename "$1")"; }
mapfile -t cases < <(find "$here/cases" "$here/tests/data" -name request.json -printf '%h\n' | sort)
clean=() overflow=()
for case_dir in "${cases[@]}"; do
    [[ -f $case_dir/expected.safetensors ]] || continue
    if [[ $case_dir == *overflow* ]]; then overflow+=("$case_dir"); else clean+=("$case_dir"); fi
done

if stage start 200; then
    step doctor "$cli" doctor --fresh --json
    archive
fi

if stage verify 600; then
    for dtype in bf16 fp32 fp16; do
        for case_dir in "${clean[@]}"; do
            spawn "verify-$dtype-$(name_of "$case_dir")" "$cli" verify "$case_dir" --device "$device" --dtype "$dtype" --json
        done
    done
    wait
    archive
fi

if stage heal 600; then
    for case_dir in "${overflow[@]}"; do
        name=$(name_of "$case_dir")
        spawn "heal-$name" "$cli" generate --request "$case_dir/request.json" --device "$device" --dtype fp16 --json --overwrite \
            --output "$out/$name.mp4" --frames "$out/$name.safetensors" --numeric-log "$out/$name.jsonl"
    done
    wait
    archive
fi

if stage streaming 600; then
    for case_dir in "${clean[@]}"; do
        [[ $case_dir == */finish/* ]] && continue  # not a request to generate
        name=$(name_of "$case_dir")
        for offload in none blocks; do
            spawn "stream-$offload-$name" "$cli" generate --request "$case_dir/request.json" --device "$device" \
                --offload $offload --json --overwrite --output "$out/$offload-$name.mp4" \
                --frames "$out/stream-$offload-$name.safetensors"
        done
    done
    wait
    archive
fi

if stage seed 300; then
    for where in cpu "$device"; do
        spawn "seed-$where" "$cli" generate --prompt "a red ball on a blue background" --seed 7 --device "$where" --dtype fp32 \
            --output "$out/seed-$where.mp4" --frames "$out/seed-$where.safetensors" --overwrite --json
    done
    wait
    archive
fi

# NAME FOLDER OPTION...: a model with the widths of a published one and random weights. Waits for one that is being written.
make_model() {
    (
        flock 9
        [ -e "$2/complete" ] && exit
        step "make-$1" "${plain_python[@]}" "$here/tests/bench/make_model.py" "$@" && touch "$2/complete"
    ) 9>"$2.lock"
}
models=$out/cache/models
mkdir -p "$models"
model=$models/wan-1.3b
make_wan() { make_model wan-1.3b "$model" --published transformer,vae; }
prompt=(--prompt "a red ball" --negative-prompt "" --seed 7 --device "$device")
large=(--model "$model" "${prompt[@]}" --width 832 --height 480 --num-frames 81 --guidance-scale 5)

# NAME OPTION...: generates a video and keeps its frames for report.py.
generate() {
    local name=$1
    shift
    step "$name" "$cli" generate "$@" --json --overwrite --output "$out/$name.mp4" --numeric-log "$out/$name.jsonl" \
        --frames "$out/cache/$name.safetensors"
}

if stage speed 900; then
    make_wan
    step bench-wan "$cli" bench "${large[@]}" --steps 4 --repeats 1 --json
    profile=$here/lib/libkernel_profile.so
    if [ -e "$profile" ]; then
        step profile env CUDA_INJECTION64_PATH="$profile" KERNEL_PROFILE="$out/profile.tsv" \
            "$cli" generate "${large[@]}" --steps 3 --json --overwrite --output "$out/profile.mp4"
    fi
    step bench-builtin "$cli" bench --prompt "a red ball on a blue background" --device "$device" --repeats "$repeats" --json
    archive
fi

# Every dtype, and the weight formats of ComfyUI's users. The frames must agree with those of float32.
if stage formats 300; then
    make_wan
    formats=$out/cache/formats
    [ -e "$formats/complete" ] ||
        { step make-formats "${plain_python[@]}" "$here/make_formats.py" "$model" "$formats" && touch "$formats/complete"; }
    clip=(--model "$model" "${prompt[@]}" --width 832 --height 480 --num-frames 33 --guidance-scale 5 --steps 3)
    generate format-fp32 "${clip[@]}" --dtype fp32
    generate format-bf16 "${clip[@]}" --dtype bf16
    generate format-fp16 "${clip[@]}" --dtype fp16
    generate format-int8 "${clip[@]}" --storage int8
    for file in fp8.safetensors fp8_scaled.safetensors q8_0.gguf q4_0.gguf; do
        [ ! -e "$formats/$file" ] || generate "format-${file%.*}" "${clip[@]}" --transformer "$formats/$file"
    done
    archive
fi

# The other families at the sizes of their published models.
picture=$here/tests/data/ltx/i2v/image.png
if stage families 400; then
    for name in cogvideox-2b ltx-2b; do make_model $name "$models/$name" --published transformer,vae & done
    make_model svd "$models/svd" --published unet,vae &
    wait
    for dtype in bf16 fp16; do
        generate "family-cogvideox-$dtype" --model "$models/cogvideox-2b" "${prompt[@]}" --width 720 --height 480 --num-frames 49 \
            --steps 4 --dtype $dtype
        generate "family-ltx-$dtype" --model "$models/ltx-2b" "${prompt[@]}" --width 768 --height 512 --num-frames 97 --steps 4 \
            --dtype $dtype
        generate "family-svd-$dtype" --model "$models/svd" --image "$picture" --seed 7 --device "$device" --width 1024 --height 576 \
            --num-frames 25 --steps 4 --dtype $dtype
    done
    archive
fi

# Half of Wan 2.1 14B's blocks, 14 GB, on a card with 12 GiB of free memory and on the whole card.
if stage small 400; then
    make_model wan-14b "$models/wan-14b" --layers 20
    half=(--model "$models/wan-14b" "${prompt[@]}" --width 832 --height 480 --num-frames 81 --guidance-scale 5 --steps 3)
    generate whole-card "${half[@]}"
    rm -f "$out/take_memory-small.log"
    "${plain_python[@]}" "$here/take_memory.py" "$here/run.sh" 12288 "" >"$out/take_memory-small.log" 2>&1 &
    taker=$!
    until grep -q took "$out/take_memory-small.log" || ! kill -0 $taker 2>/dev/null; do sleep 0.2; done
    generate small-card "${half[@]}"
    kill $taker
    wait $taker 2>/dev/null
    archive
fi

# Another program takes the memory during denoising, and during decoding.
if stage memory 300; then
    make_wan
    for moment in denoise decode; do
        rm -f "$out/memory-$moment.jsonl"
        "${plain_python[@]}" "$here/take_memory.py" "$out/memory-$moment.jsonl" 1500 "\"phase\":\"$moment\"" \
            >"$out/take_memory-$moment.log" 2>&1 &
        taker=$!
        generate "memory-$moment" "${large[@]}" --steps 2
        kill $taker
        wait $taker 2>/dev/null
    done
    archive
fi

if stage peer 600 && "${plain_python[@]}" -c "import diffusers" 2>/dev/null; then
    make_wan
    for mode in eager compiled; do
        step "peer-$mode" "${plain_python[@]}" "$here/peer.py" "$model" $mode 832 480 81 5
    done
    archive
fi

# The speed without fast paths.
if stage plain 300; then
    make_wan
    step bench-wan-plain env KINESCOPE_FAST_PATHS=off "$cli" bench "${large[@]}" --steps 3 --repeats 1 --json
    archive
fi

if stage sanitizer 300 && command -v compute-sanitizer >/dev/null; then
    step sanitizer compute-sanitizer --error-exitcode 99 "$cli" generate --prompt "a red ball" --steps 2 --num-frames 5 \
        --device "$device" --json --overwrite --output "$out/sanitizer.mp4"
    archive
fi
cat "$out/table.md"
echo "results: $out.tar.gz"
exit "$result"
