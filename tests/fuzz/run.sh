#!/usr/bin/env bash
# run.sh SECONDS [TARGET...]: builds the fuzz targets with clang and runs each at the lowest priority, with at most 1 GiB
# of memory, until it has used SECONDS of CPU time. The count goes on at the next call; delete <build>/fuzz to start
# again. Saves inputs that crash, leak, hang or exceed the memory as corpus/<target>/found-*, which ctest replays from
# then on.
# Statistics: <build>/fuzz/<target>.log; CPU seconds and inputs so far: <build>/fuzz/<target>.sum.
# KINESCOPE_FUZZ_BUILD: the build folder (build-fuzz); CXX: clang++-16, the oldest clang that compiles the sources
# (Debian: clang-16 libclang-rt-16-dev); KINESCOPE_FUZZ_CMAKE: more CMake options.
set -euo pipefail
seconds=${1:?usage: run.sh SECONDS [TARGET...]}; shift
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${KINESCOPE_FUZZ_BUILD:-$root/build-fuzz}
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(safetensors pickle gguf shard_index sentencepiece image request clip_comment engine_message comfy_paths)

# shellcheck disable=SC2086
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DKINESCOPE_FUZZ=ON -DKINESCOPE_UI=OFF \
      -DKINESCOPE_TESTS=OFF -DCMAKE_CXX_COMPILER="${CXX:-clang++-16}" ${KINESCOPE_FUZZ_CMAKE:-} >/dev/null
nice -n 19 cmake --build "$build" --target "${targets[@]/#/fuzz_}"

export ASAN_OPTIONS="detect_leaks=1:allocator_may_return_null=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
export LSAN_OPTIONS="suppressions=$root/tests/checks/lsan.supp:print_suppressions=0"
export OMP_NUM_THREADS=1
TIMEFORMAT='%U %S'

# Deletes inputs that took too long only because the machine was busy or suspended. Returns 0 if all of them were such.
drop_false_timeouts() {
  local target=$1 input
  for input in "$here/corpus/$target"/found-*; do
    [ -e "$input" ] || continue
    case ${input##*/} in found-timeout-* | found-slow-unit-*) ;; *) continue ;; esac
    "$build/bin/fuzz_$target" -timeout=20 "$input" >/dev/null 2>&1 || return 1
    rm "$input"
  done
}

# Runs a target for at most five minutes and adds its CPU time and its number of inputs to its sum.
run_once() {
  local target=$1 log=$2 sum=$3 result=0 used user_seconds system_seconds inputs
  used=$({ time nice -n 19 "$build/bin/fuzz_$target" -max_total_time=300 -rss_limit_mb=1024 -timeout=20 \
    -max_len=65536 -print_final_stats=1 -artifact_prefix="$here/corpus/$target/found-" "$build/fuzz/$target" \
    "$here/corpus/$target" >"$log" 2>&1; } 2>&1) || result=1
  read -r user_seconds system_seconds <<<"$used"
  inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  awk -v cpu="$((${user_seconds%.*} + ${system_seconds%.*} + 1))" -v inputs="${inputs:-0}" \
    '{ printf "%d %d\n", $1 + cpu, $2 + inputs }' "$sum" >"$sum.new"
  mv "$sum.new" "$sum"
  return $result
}

failed=0
for target in "${targets[@]}"; do
  mkdir -p "$build/fuzz/$target"
  log=$build/fuzz/$target.log
  sum=$build/fuzz/$target.sum
  [ -f "$sum" ] || echo "0 0" >"$sum"
  while [ "$(cut -d' ' -f1 "$sum")" -lt "$seconds" ]; do
    run_once "$target" "$log" "$sum" && continue
    grep -q '^SUMMARY: libFuzzer: timeout' "$log" && drop_false_timeouts "$target" && continue
    failed=1
    echo "$target: fault found; see $log"
    break
  done
  echo "$target: CPU seconds and inputs: $(cat "$sum")"
done
exit $failed
